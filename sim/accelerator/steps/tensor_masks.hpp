// SPDX-License-Identifier: Apache-2.0
// Which elements of a tensor are not zero, row by row as it lies in the accelerator's memory.
#pragma once

#include <vector>

#include "base/configuration/format.hpp"
#include "sim/accelerator/layout.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// [row of the layout]: a bit for each lane. What is filled in is zero; rounding to `format` makes
/// zeros. `Mask` (std::uint16_t, std::uint32_t, std::uint64_t) has a bit for every lane or more.
/// Uses the threads of the caller's arena.
template <class Mask>
std::vector<Mask> tensor_masks(const OperandSource& source, const LayerInfo& layer, Operand operand,
                               const TensorLayout& layout, Format format);

/// Of each block of kBlockRows rows as they lie there, the elements whose bits are not all zero:
/// those that a packed tensor keeps. Uses the threads of the caller's arena.
std::vector<std::int64_t> kept_values(const OperandSource& source, const LayerInfo& layer,
                                      Operand operand, const TensorLayout& layout, Format format);

}  // namespace td::sim
