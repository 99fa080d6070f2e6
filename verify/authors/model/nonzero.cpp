// SPDX-License-Identifier: Apache-2.0
// Turns the operands of a layer into the three tensors of a convolution.
#include "verify/authors/model/nonzero.hpp"

#include "base/support/error.hpp"
#include "sim/arithmetic/arith.hpp"

namespace td::authors {
namespace {

NonZero nonzero(const Layer& layer, sim::Operand operand) {
  const sim::Shape& shape = layer.info.shape(operand);
  const bool linear = layer.info.type == sim::LayerType::linear;
  NonZero tensor{shape[0], shape[1], linear ? 1 : shape[2], linear ? 1 : shape[3], {}};
  for (const std::uint32_t bits : layer.bits(operand)) {
    tensor.elements.push_back(!sim::is_zero(kFormat, bits));
  }
  return tensor;
}

NonZero outer_along_x(const NonZero& tensor) {
  NonZero result{1, tensor.channels, tensor.outer, 1, {}};
  for (std::int64_t channel = 0; channel < tensor.channels; ++channel) {
    for (std::int64_t o = 0; o < tensor.outer; ++o) {
      result.elements.push_back(tensor.at(o, channel, 0, 0));
    }
  }
  return result;
}

}  // namespace

Convolution as_convolution(const Layer& layer) {
  const sim::Conv& conv = layer.info.conv;
  Convolution result{nonzero(layer, sim::Operand::A), nonzero(layer, sim::Operand::W),
                     nonzero(layer, sim::Operand::GO), conv.stride[0], conv.padding[0]};
  const bool square = result.w.size_x == result.w.size_y && conv.stride[0] == conv.stride[1] &&
                      conv.padding[0] == conv.padding[1];
  if (!square || conv.groups != 1 || conv.dilation[0] != 1 || conv.dilation[1] != 1) {
    throw UserError("authors", sim::path(layer.info), "convolution",
                    "one group, no dilation, square kernel, stride and padding");
  }
  return result;
}

Convolution batch_along_x(const Convolution& linear) {
  return {outer_along_x(linear.a), linear.w, outer_along_x(linear.go), 1, 0};
}

}  // namespace td::authors
