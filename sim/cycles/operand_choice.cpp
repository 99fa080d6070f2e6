// SPDX-License-Identifier: Apache-2.0
// Counting of zeros for the choice of the scheduled operand, as the authors' simulator counts.
#include "sim/cycles/operand_choice.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/support/parallel.hpp"
#include "sim/masks/nonzero.hpp"

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

/// `zeros` of A or GO and those of the padding around every image and channel.
ZeroCount padded(const LayerInfo& layer, Operand operand, ZeroCount zeros) {
  if (layer.type == LayerType::linear) return zeros;
  Shape shape = layer.shape(operand);
  for (int axis = 0; axis < 2; ++axis) {
    const Padding padding = padding_of(layer, axis);
    shape[static_cast<std::size_t>(2 + axis)] += padding.before + padding.after;
  }
  const std::int64_t elements = count(shape);
  return {zeros.zeros + elements - zeros.elements, elements};
}

/// Calls `count(test, slab)` for every slab of an operand, and adds up.
template <class Count>
std::int64_t sum_slabs(const OperandSource& source, const LayerInfo& layer, Operand operand,
                       Format format, Count count) {
  return with_nonzero_test(source.dtype(layer, operand), format, [&](const auto& nonzero) {
    std::atomic<std::int64_t> sum = 0;
    parallel_pieces(layer.shape(operand)[0], [&](std::int64_t begin, std::int64_t end) {
      SlabBuffer buffer;
      for (std::int64_t n = begin; n < end; ++n) {
        sum += count(nonzero, source.slab(layer, operand, n, buffer));
      }
    });
    return sum.load();
  });
}

ZeroCount count_all(const OperandSource& source, const LayerInfo& layer, Operand operand,
                    Format format) {
  const std::int64_t elements = count(layer.shape(operand));
  const std::int64_t slab = elements / layer.shape(operand)[0];
  const std::int64_t zeros = sum_slabs(
      source, layer, operand, format,
      [slab](const auto& nonzero, const unsigned char* data) { return nonzero.zeros(data, slab); });
  return {zeros, elements};
}

/// The corner of A has the size of the output; what of it lies in the padding is zero.
ZeroCount count_corner(const OperandSource& source, const LayerInfo& layer, Format format) {
  const std::int64_t width = layer.a[3];
  const std::int64_t corner_height =
      std::clamp<std::int64_t>(layer.go[2] - padding_of(layer, 0).before, 0, layer.a[2]);
  const std::int64_t corner_width =
      std::clamp<std::int64_t>(layer.go[3] - padding_of(layer, 1).before, 0, width);
  const std::int64_t zeros = sum_slabs(
      source, layer, Operand::A, format, [&](const auto& nonzero, const unsigned char* data) {
        std::int64_t sum = 0;
        for (std::int64_t c = 0; c < layer.a[1]; ++c) {
          for (std::int64_t y = 0; y < corner_height; ++y) {
            const std::int64_t line = (c * layer.a[2] + y) * width;
            sum += nonzero.zeros(data + line * nonzero.bytes(), corner_width);
          }
        }
        return sum;
      });
  const std::int64_t planes = layer.a[0] * layer.a[1];
  const std::int64_t elements = planes * layer.go[2] * layer.go[3];
  return {zeros + elements - planes * corner_height * corner_width, elements};
}

}  // namespace

LayerZeros count_zeros(const OperandSource& source, const LayerInfo& layer, Format format) {
  LayerZeros zeros = count_zeros(source, layer, Op::wgrad, format);
  zeros.a = count_all(source, layer, Operand::A, format);
  zeros.w = count_all(source, layer, Operand::W, format);
  return zeros;
}

LayerZeros count_zeros(const OperandSource& source, const LayerInfo& layer, Op op, Format format) {
  LayerZeros zeros;
  const bool corner = op == Op::wgrad && layer.type == LayerType::conv2d;
  if (corner) zeros.a_corner = count_corner(source, layer, format);
  if (op != Op::dgrad && !corner) zeros.a = count_all(source, layer, Operand::A, format);
  if (op != Op::wgrad) zeros.w = count_all(source, layer, Operand::W, format);
  if (op != Op::fwd) zeros.go = count_all(source, layer, Operand::GO, format);
  if (op == Op::wgrad && !corner) zeros.a_corner = zeros.a;
  return zeros;
}

ZeroShares zero_shares(const LayerInfo& layer, Op op, const LayerZeros& zeros) {
  switch (op) {
    case Op::fwd:
      return {padded(layer, Operand::A, zeros.a), zeros.w};
    case Op::dgrad:
      return {padded(layer, Operand::GO, zeros.go), zeros.w};
    default:
      return {zeros.a_corner, zeros.go};
  }
}

}  // namespace td::sim
