// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/zero_free_operands.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace td::sim {

const unsigned char* ZeroFreeOperands::slab(const LayerInfo& layer, Operand operand, std::int64_t,
                                            SlabBuffer& buffer) const {
  constexpr std::uint16_t kOne = 0x3f80;  // bf16
  const Shape& shape = layer.shape(operand);
  const auto elements = static_cast<std::size_t>(count(shape) / shape.front());
  unsigned char* ones = buffer.bytes(elements * sizeof kOne);
  for (std::size_t i = 0; i < elements; ++i)
    std::memcpy(&ones[i * sizeof kOne], &kOne, sizeof kOne);
  return ones;
}

}  // namespace td::sim
