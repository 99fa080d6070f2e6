// SPDX-License-Identifier: Apache-2.0
// Loading of a trace's numbers in the format of a configuration.
#include "sim/trace/trace_tensor.hpp"

#include <fmt/format.h>

#include "sim/arithmetic/arith.hpp"

namespace td::sim {

namespace {

/// The format that holds a trace's numbers as they are.
constexpr Format format_of(Dtype dtype) {
  return dtype == Dtype::f32 ? Format::fp32 : Format::bf16;
}

template <Dtype dtype>
std::uint32_t read(const unsigned char* data, std::int64_t index) {
  const unsigned char* byte = data + index * bytes(dtype);
  std::uint32_t bits = byte[0] | static_cast<std::uint32_t>(byte[1]) << 8;
  if constexpr (dtype == Dtype::f32) {
    bits |= static_cast<std::uint32_t>(byte[2]) << 16 | static_cast<std::uint32_t>(byte[3]) << 24;
  }
  return bits;
}

/// Unlike narrow(), keeps the bits of a NaN where nothing is rounded away.
template <Dtype dtype>
std::uint32_t convert(Format format, std::uint32_t bits) {
  if (format == format_of(dtype)) return bits;
  if (dtype == Dtype::bf16 && format == Format::fp32) return bits << 16;
  return narrow(format, widen(format_of(dtype), bits));
}

template <Dtype dtype>
std::vector<std::uint32_t> load(const TensorView& tensor, Format format) {
  std::vector<std::uint32_t> result(static_cast<std::size_t>(tensor.count));
  std::int64_t index = 0;
  for (std::uint32_t& bits : result)
    bits = convert<dtype>(format, read<dtype>(tensor.data, index++));
  return result;
}

}  // namespace

std::uint32_t TensorView::bits(Format format, std::int64_t index) const {
  return dtype == Dtype::f32 ? convert<Dtype::f32>(format, read<Dtype::f32>(data, index))
                             : convert<Dtype::bf16>(format, read<Dtype::bf16>(data, index));
}

std::vector<std::uint32_t> load_bits(const TensorView& tensor, Format format) {
  return tensor.dtype == Dtype::f32 ? load<Dtype::f32>(tensor, format)
                                    : load<Dtype::bf16>(tensor, format);
}

std::string conversion_text(Dtype dtype, Format format, bool scaled) {
  if (format == format_of(dtype)) return "";
  const char* verb = format == Format::fp32 ? "widened" : "rounded";
  return fmt::format("{} {}{} to {}", to_string(dtype), scaled ? "scaled and " : "", verb,
                     to_string(format));
}

}  // namespace td::sim
