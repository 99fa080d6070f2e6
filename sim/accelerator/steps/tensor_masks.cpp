// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/steps/tensor_masks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/support/parallel.hpp"
#include "sim/masks/nonzero.hpp"

namespace td::sim {

namespace {

/// Calls use(run, data) for runs of all elements, with the numbers of their slab.
template <class Use>
void each_run(const OperandSource& source, const LayerInfo& layer, Operand operand,
              const TensorLayout& layout, Use use) {
  parallel_pieces(layout.slabs(), [&](std::int64_t begin, std::int64_t end) {
    SlabBuffer buffer;
    for (std::int64_t slab = begin; slab < end; ++slab) {
      const unsigned char* data = source.slab(layer, operand, slab, buffer);
      layout.each_run(slab, [&](const TensorLayout::Run& run) { use(run, data); });
    }
  });
}

}  // namespace

template <class Mask>
std::vector<Mask> tensor_masks(const OperandSource& source, const LayerInfo& layer, Operand operand,
                               const TensorLayout& layout, Format format) {
  std::vector<Mask> masks(static_cast<std::size_t>(layout.rows()));
  with_nonzero_test(source.dtype(layer, operand), format, [&](const auto& nonzero) {
    const auto bit = [&nonzero](const TensorLayout::Run& run, const unsigned char* data,
                                std::int64_t i) {
      return static_cast<Mask>(Mask{nonzero(data, run.first + i * run.step)}
                               << (run.lane + i * run.lane_step));
    };
    each_run(source, layer, operand, layout,
             [&](const TensorLayout::Run& run, const unsigned char* data) {
               Mask* const first = &masks[static_cast<std::size_t>(run.row)];
               if (run.pitch == 0) {
                 Mask row = 0;
                 for (std::int64_t i = 0; i < run.count; ++i) row |= bit(run, data, i);
                 *first = static_cast<Mask>(*first | row);
               } else {
                 for (std::int64_t i = 0; i < run.count; ++i) {
                   Mask& row = first[i * run.pitch];
                   row = static_cast<Mask>(row | bit(run, data, i));
                 }
               }
             });
  });
  return masks;
}

std::vector<std::int64_t> kept_values(const OperandSource& source, const LayerInfo& layer,
                                      Operand operand, const TensorLayout& layout, Format format) {
  // Slabs share blocks, but no rows.
  std::vector<std::uint8_t> of_row(static_cast<std::size_t>(layout.rows()));
  with_nonzero_test(source.dtype(layer, operand), format, [&](const auto& nonzero) {
    each_run(source, layer, operand, layout,
             [&](const TensorLayout::Run& run, const unsigned char* data) {
               for (std::int64_t i = 0; i < run.count; ++i) {
                 std::uint8_t& row = of_row[static_cast<std::size_t>(run.row + i * run.pitch)];
                 row =
                     static_cast<std::uint8_t>(row + nonzero.kept(data, run.first + i * run.step));
               }
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
