// SPDX-License-Identifier: Apache-2.0
// A tensor of a trace, where it lies in the file, and its conversion to a configuration's format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/configuration/format.hpp"
#include "sim/mapping/layer.hpp"

namespace td::sim {

/// Type of the numbers in a trace.
enum class Dtype { f32, bf16 };

/// Bytes of one number.
constexpr std::int64_t bytes(Dtype dtype) { return dtype == Dtype::f32 ? 4 : 2; }

/// The name that trace files use.
constexpr const char* to_string(Dtype dtype) { return dtype == Dtype::f32 ? "F32" : "BF16"; }

/// A tensor in the memory of its owner (a Trace), which must outlive it. Row-major, little-endian,
/// at any alignment.
struct TensorView {
  Dtype dtype = Dtype::f32;
  Shape shape;
  const unsigned char* data = nullptr;
  std::int64_t count = 0;  ///< elements

  /// Element `index` (0…count-1) as an operand of the format: unchanged where the type is the
  /// same, widened exactly, or rounded to nearest even (then a NaN becomes the canonical one).
  std::uint32_t bits(Format format, std::int64_t index) const;
};

/// All elements as operands of the format.
std::vector<std::uint32_t> load_bits(const TensorView& tensor, Format format);

/// What load_bits does to the numbers: "F32 rounded to bf16", "BF16 widened to fp32", or empty
/// where they stay as they are. scaled: after QuantisedOperands.
std::string conversion_text(Dtype dtype, Format format, bool scaled = false);

}  // namespace td::sim
