// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/operand_source.hpp"

#include <cassert>

namespace td::sim {

const unsigned char* TraceOperands::slab(const LayerInfo& layer, Operand operand,
                                         std::int64_t index, SlabBuffer&) const {
  const TensorView& tensor = trace_.tensor(layer, operand);
  const std::int64_t slabs = tensor.shape.front();
  assert(index >= 0 && index < slabs);
  return tensor.data + index * (tensor.count / slabs) * bytes(tensor.dtype);
}

std::vector<std::uint32_t> load_bits(const OperandSource& source, const LayerInfo& layer,
                                     Operand operand, Format format) {
  const Shape& shape = layer.shape(operand);
  TensorView slab{source.dtype(layer, operand), shape, nullptr, count(shape) / shape.front()};
  std::vector<std::uint32_t> all;
  all.reserve(static_cast<std::size_t>(count(shape)));
  SlabBuffer buffer;
  for (std::int64_t n = 0; n < shape.front(); ++n) {
    slab.data = source.slab(layer, operand, n, buffer);
    const std::vector<std::uint32_t> bits = load_bits(slab, format);
    all.insert(all.end(), bits.begin(), bits.end());
  }
  return all;
}

}  // namespace td::sim
