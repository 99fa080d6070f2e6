// SPDX-License-Identifier: Apache-2.0
// Counting of zeros for the choice of the scheduled operand, as the authors' simulator counts.
#include "sim/operand_choice.hpp"

#include <algorithm>

#include "sim/arith.hpp"

namespace td::sim {

namespace {

/// Padding of one dimension around the operand, in elements.
struct Padding {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

/// Where the stride leaves a remainder, one padding element less is there to be seen.
Padding padding_of(const LayerInfo& layer, int axis) {
  if (layer.type == LayerType::linear) return {};
  const auto dimension = static_cast<std::size_t>(2 + axis);
  const std::int64_t padding = layer.conv.padding[axis];
  const std::int64_t travel =
      layer.a[dimension] + 2 * padding - layer.conv.dilation[axis] * (layer.w[dimension] - 1) - 1;
  const bool remainder = padding > 0 && travel % layer.conv.stride[axis] != 0;
  return {padding, remainder ? padding - 1 : padding};
}

ZeroCount count_all(Format format, const std::vector<std::uint32_t>& bits) {
  const auto zeros = std::count_if(
      bits.begin(), bits.end(), [format](std::uint32_t value) { return is_zero(format, value); });
  return {zeros, static_cast<std::int64_t>(bits.size())};
}

/// A or GO with the padding's zeros around every image and channel.
ZeroCount count_padded(const LayerInfo& layer, Operand operand, Format format,
                       const std::vector<std::uint32_t>& bits) {
  ZeroCount result = count_all(format, bits);
  if (layer.type == LayerType::linear) return result;
  Shape padded = layer.shape(operand);
  for (int axis = 0; axis < 2; ++axis) {
    const Padding padding = padding_of(layer, axis);
    padded[static_cast<std::size_t>(2 + axis)] += padding.before + padding.after;
  }
  const std::int64_t elements = count(padded);
  result.zeros += elements - result.elements;
  result.elements = elements;
  return result;
}

/// Of padded A, in every image and channel, the corner of the output's size at the origin.
ZeroCount count_corner(const LayerInfo& layer, Format format,
                       const std::vector<std::uint32_t>& bits) {
  if (layer.type == LayerType::linear) return count_all(format, bits);
  const std::int64_t height = layer.a[2];
  const std::int64_t width = layer.a[3];
  const std::int64_t corner_height = layer.go[2] - padding_of(layer, 0).before;
  const std::int64_t corner_width = layer.go[3] - padding_of(layer, 1).before;
  const std::int64_t planes = layer.a[0] * layer.a[1];
  ZeroCount result;
  result.elements = planes * layer.go[2] * layer.go[3];
  result.zeros = result.elements;
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    for (std::int64_t y = 0; y < std::min(height, corner_height); ++y) {
      const std::uint32_t* line = bits.data() + (plane * height + y) * width;
      for (std::int64_t x = 0; x < std::min(width, corner_width); ++x) {
        if (!is_zero(format, line[x])) --result.zeros;
      }
    }
  }
  return result;
}

}  // namespace

ZeroShares zero_shares(const LayerInfo& layer, Op op, Format format,
                       const std::vector<std::uint32_t>& first,
                       const std::vector<std::uint32_t>& second) {
  ZeroShares shares;
  shares.first = op == Op::wgrad ? count_corner(layer, format, first)
                                 : count_padded(layer, operand(op, Which::first), format, first);
  shares.second = count_all(format, second);
  return shares;
}

}  // namespace td::sim
