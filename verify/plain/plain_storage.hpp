// SPDX-License-Identifier: Apache-2.0
// Rows of runs once more, run by run and stream by stream: what sim/storage is compared with.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/storage/stored_size.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::verify {

struct PlainStorage {
  std::int64_t runs = 0;
  sim::RunRows stored;
  std::vector<sim::RunRows> streamed;  ///< [block of the mapping's pattern]
};

/// Scheduled by the reference model's tile. Throws std::logic_error where a stream reads anything
/// but whole runs and padding.
PlainStorage plain_storage(const Config& config, const sim::OperandSource& source,
                           const sim::LayerInfo& layer, sim::Op op, sim::Operand operand);

}  // namespace td::verify
