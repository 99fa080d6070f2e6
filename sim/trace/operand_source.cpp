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

}  // namespace td::sim
