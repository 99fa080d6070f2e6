// SPDX-License-Identifier: Apache-2.0
#include "sim/dataflow/bandwidth.hpp"

#include <algorithm>

#include "sim/mapping/mapping.hpp"

namespace td::sim {

std::int64_t sram_cycles(const Config& config, const Technology& technology, const SramRows& rows,
                         const MemoryTraffic& traffic) {
  const auto accesses = [&](std::int64_t count, std::int64_t row_bytes) {
    return count * (technology.memories ? ceil_div(8 * row_bytes, technology.memories->port_bits)
                                        : std::int64_t{1});
  };
  // Written once and read once.
  const std::int64_t results = 2 * accesses(rows.partial, kPartialBytes * config.lanes) +
                               2 * accesses(traffic.output_rows, traffic.output_row_bytes);
  const std::int64_t busiest = std::max(
      {accesses(rows.first, traffic.row_bytes), accesses(rows.second, traffic.row_bytes), results});
  return ceil_div(busiest, config.accelerator.tiles * config.accelerator.sram_banks);
}

}  // namespace td::sim
