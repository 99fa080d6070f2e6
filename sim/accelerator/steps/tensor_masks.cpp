// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/steps/tensor_masks.hpp"

#include <cstddef>
#include <cstdint>

#include "gen/base/parallel.hpp"
#include "sim/masks/nonzero.hpp"

namespace td::sim {

template <class Mask>
std::vector<Mask> tensor_masks(const OperandSource& source, const LayerInfo& layer, Operand operand,
                               const TensorLayout& layout, Format format) {
  std::vector<Mask> masks(static_cast<std::size_t>(layout.rows()));
  with_nonzero_test(source.dtype(layer, operand), format, [&](const auto& nonzero) {
    parallel_pieces(layout.slabs(), [&](std::int64_t begin, std::int64_t end) {
      std::vector<unsigned char> buffer;
      for (std::int64_t slab = begin; slab < end; ++slab) {
        const unsigned char* data = source.slab(layer, operand, slab, buffer);
        layout.each_run(slab, [&](std::int64_t first, std::int64_t step, std::int64_t count,
                                  std::int64_t row, std::int64_t pitch, std::int64_t lane) {
          for (std::int64_t i = 0; i < count; ++i) {
            Mask& mask = masks[static_cast<std::size_t>(row + i * pitch)];
            mask = static_cast<Mask>(
                mask | static_cast<Mask>(Mask{nonzero(data, first + i * step)} << lane));
          }
        });
      }
    });
  });
  return masks;
}

template std::vector<std::uint16_t> tensor_masks(const OperandSource&, const LayerInfo&, Operand,
                                                 const TensorLayout&, Format);
template std::vector<std::uint32_t> tensor_masks(const OperandSource&, const LayerInfo&, Operand,
                                                 const TensorLayout&, Format);
template std::vector<std::uint64_t> tensor_masks(const OperandSource&, const LayerInfo&, Operand,
                                                 const TensorLayout&, Format);

}  // namespace td::sim
