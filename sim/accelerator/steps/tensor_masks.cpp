// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/steps/tensor_masks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/support/parallel.hpp"
#include "sim/masks/nonzero.hpp"

namespace td::sim {

namespace {

/// Calls use(row, lane, data, index) for every element: the numbers of its slab, and which it is.
template <class Use>
void each_element(const OperandSource& source, const LayerInfo& layer, Operand operand,
                  const TensorLayout& layout, Use use) {
  parallel_pieces(layout.slabs(), [&](std::int64_t begin, std::int64_t end) {
    SlabBuffer buffer;
    for (std::int64_t slab = begin; slab < end; ++slab) {
      const unsigned char* data = source.slab(layer, operand, slab, buffer);
      layout.each_run(slab, [&](std::int64_t first, std::int64_t step, std::int64_t count,
                                std::int64_t row, std::int64_t pitch, std::int64_t lane) {
        for (std::int64_t i = 0; i < count; ++i) {
          use(static_cast<std::size_t>(row + i * pitch), lane, data, first + i * step);
        }
      });
    }
  });
}

}  // namespace

template <class Mask>
std::vector<Mask> tensor_masks(const OperandSource& source, const LayerInfo& layer, Operand operand,
                               const TensorLayout& layout, Format format) {
  std::vector<Mask> masks(static_cast<std::size_t>(layout.rows()));
  with_nonzero_test(source.dtype(layer, operand), format, [&](const auto& nonzero) {
    each_element(
        source, layer, operand, layout,
        [&](std::size_t row, std::int64_t lane, const unsigned char* data, std::int64_t index) {
          masks[row] =
              static_cast<Mask>(masks[row] | static_cast<Mask>(Mask{nonzero(data, index)} << lane));
        });
  });
  return masks;
}

std::vector<std::int64_t> kept_values(const OperandSource& source, const LayerInfo& layer,
                                      Operand operand, const TensorLayout& layout, Format format) {
  // Slabs share blocks, but no rows.
  std::vector<std::uint8_t> of_row(static_cast<std::size_t>(layout.rows()));
  with_nonzero_test(source.dtype(layer, operand), format, [&](const auto& nonzero) {
    each_element(source, layer, operand, layout,
                 [&](std::size_t row, std::int64_t, const unsigned char* data, std::int64_t index) {
                   of_row[row] = static_cast<std::uint8_t>(of_row[row] + nonzero.kept(data, index));
                 });
  });
  std::vector<std::int64_t> kept(static_cast<std::size_t>(ceil_div(layout.rows(), kBlockRows)));
  for (std::size_t row = 0; row < of_row.size(); ++row) kept[row / kBlockRows] += of_row[row];
  return kept;
}

template std::vector<std::uint16_t> tensor_masks(const OperandSource&, const LayerInfo&, Operand,
                                                 const TensorLayout&, Format);
template std::vector<std::uint32_t> tensor_masks(const OperandSource&, const LayerInfo&, Operand,
                                                 const TensorLayout&, Format);
template std::vector<std::uint64_t> tensor_masks(const OperandSource&, const LayerInfo&, Operand,
                                                 const TensorLayout&, Format);

}  // namespace td::sim
