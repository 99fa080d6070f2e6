// SPDX-License-Identifier: Apache-2.0
// Which numbers of a slab are not zero, read where they lie and without converting them.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/configuration/format.hpp"
#include "sim/trace/trace_tensor.hpp"

namespace td::sim {

/// The largest magnitude (bits without the sign) of a stored number that is zero as an operand of
/// the format: rounding to a format with a smaller range makes zeros.
std::uint32_t largest_zero(Dtype dtype, Format format);

/// Tests numbers stored as `Word` (std::uint32_t for F32, std::uint16_t for BF16).
template <class Word>
class NonzeroTest {
 public:
  explicit NonzeroTest(std::uint32_t largest_zero) : limit_(static_cast<Word>(largest_zero)) {}

  static constexpr std::int64_t bytes() { return sizeof(Word); }

  bool operator()(const unsigned char* data, std::int64_t index) const {
    Word bits;
    std::memcpy(&bits, data + index * bytes(), sizeof(Word));
    return static_cast<Word>(bits & kMagnitude) > limit_;
  }

  /// Whether the operand's bits are not all zero: -0 is kept, too.
  bool kept(const unsigned char* data, std::int64_t index) const {
    Word bits;
    std::memcpy(&bits, data + index * bytes(), sizeof(Word));
    return bits > limit_;
  }

  /// Zeros among `count` numbers.
  std::int64_t zeros(const unsigned char* data, std::int64_t count) const {
    std::int64_t zeros = 0;
    for (std::int64_t i = 0; i < count; ++i) zeros += (*this)(data, i) ? 0 : 1;
    return zeros;
  }

  /// Sets bit `bit` of masks[i] where number i of `count` is not zero.
  template <class Mask>
  void add_bit(const unsigned char* data, std::int64_t count, int bit, Mask* masks) const {
    for (std::int64_t i = 0; i < count; ++i) {
      masks[i] = static_cast<Mask>(masks[i] | static_cast<Mask>(Mask{(*this)(data, i)} << bit));
    }
  }

  /// Bit i is set where number i * stride is not zero; `count` (at most 64) numbers.
  template <class Mask>
  Mask gather(const unsigned char* data, std::int64_t stride, int count) const {
    Mask mask = 0;
    for (int i = 0; i < count; ++i) {
      mask = static_cast<Mask>(mask | static_cast<Mask>(Mask{(*this)(data, i * stride)} << i));
    }
    return mask;
  }

 private:
  static constexpr Word kMagnitude = static_cast<Word>(~Word{0}) >> 1;
  Word limit_;
};

/// Calls `visit` with the test for numbers of the type.
template <class Visit>
auto with_nonzero_test(Dtype dtype, Format format, Visit visit) {
  const std::uint32_t limit = largest_zero(dtype, format);
  if (dtype == Dtype::f32) return visit(NonzeroTest<std::uint32_t>(limit));
  return visit(NonzeroTest<std::uint16_t>(limit));
}

}  // namespace td::sim
