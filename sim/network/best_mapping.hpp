// SPDX-License-Identifier: Apache-2.0
// Finds the best dataflow of every operation, beside what tdsim's rule takes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "sim/network/network_simulation.hpp"
#include "sim/trace/zero_free_operands.hpp"

namespace td::sim {

class BestMapping {
 public:
  /// Both must outlive it.
  BestMapping(const OperandSource& source, const SimulationOptions& options);

  /// Adds the best dataflows to the result of an operation of the layer, which is else complete.
  /// `stored` is what leaves the chip of what it makes.
  void add(const LayerInfo& layer, const std::optional<LeavingResult>& stored, OpResult& result);

 private:
  DataflowCycles zero_free(const LayerInfo& layer, const OpResult& result);

  const OperandSource& source_;
  const SimulationOptions& options_;
  const ZeroFreeOperands zero_free_;
  /// Shapes alone decide it: geometry, operation, side B, whether rows are shared, tiles of first
  /// streams, rows of chunks.
  std::map<std::tuple<std::string, Op, Which, bool, std::int64_t, std::int64_t>, DataflowCycles>
      kept_;
};

}  // namespace td::sim
