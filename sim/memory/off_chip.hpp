// SPDX-License-Identifier: Apache-2.0
// Tensors on and off the chip: their rows in the large memories, their bytes, and how long these
// take.
#pragma once

#include <cstdint>

#include "gen/configuration/config.hpp"
#include "sim/mapping/layer.hpp"

namespace td::sim {

/// One operand of an operation.
struct StoredTensor {
  std::int64_t rows = 0;    ///< in the SRAM
  std::int64_t blocks = 0;  ///< of lanes by lanes, that are turned on the way; 0: it need not be
  std::int64_t raw_bytes = 0;
  std::int64_t compressed_bytes = 0;
};

/// A tensor of an operation: `layer` is the one off the chip, `on_chip` the same as its rows lie.
/// Throws std::invalid_argument for more non-zero elements than elements.
StoredTensor stored_tensor(const LayerInfo& layer, const LayerInfo& on_chip, Op op, Operand operand,
                           const Config& config, std::int64_t nonzero_elements);

/// SRAM rows of a tensor: lanes channels of one position each.
std::int64_t channel_rows(const Shape& shape, int lanes);

/// A bit for every element, and those that are not zero; never more than all as they are.
std::int64_t compressed_bytes(std::int64_t elements, std::int64_t nonzero_elements,
                              std::int64_t element_bytes);

/// Rows of operands in a half of one kind of memory: the other half is filled meanwhile.
std::int64_t half_rows(const Config& config);

/// Binary32 sums in a half of the result memories: results leave through the other.
std::int64_t half_sums(const Config& config);

/// Of the core's clock: ceil(bytes / bandwidth).
std::int64_t dram_cycles(const Accelerator& machine, std::int64_t clock_MHz, std::int64_t bytes);

/// N * ceil(blocks * ceil(N * row bytes / buffer bytes) / transposers).
std::int64_t transposer_cycles(const Config& config, std::int64_t blocks);

}  // namespace td::sim
