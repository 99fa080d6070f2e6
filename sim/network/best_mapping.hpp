// SPDX-License-Identifier: Apache-2.0
// Finds the best dataflow of every operation, beside what tdsim's rule takes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "sim/network/network_simulation.hpp"
#include "sim/trace/zero_free_operands.hpp"

namespace td::sim {

class BestMapping {
 public:
  /// Both must outlive it.
  BestMapping(const OperandSource& source, const SimulationOptions& options);

  /// What leaves the chip of what an operation makes.
  using Leaving = std::function<std::optional<LeavingResult>(Op)>;

  /// Adds the best dataflows to the results of operations of the layer, which are else complete.
  void add(const LayerInfo& layer, const Leaving& leaving, std::vector<OpResult>& results);

 private:
  DataflowCycles zero_free(const LayerInfo& layer, const OpResult& result);

  const OperandSource& source_;
  const SimulationOptions& options_;
  const ZeroFreeOperands zero_free_;
  /// Shapes alone decide it: geometry, operation, side B, whether rows are shared, tiles of first
  /// streams, rows of chunks, images of a part.
  std::map<std::tuple<std::string, Op, Which, bool, std::int64_t, std::int64_t, std::int64_t>,
           DataflowCycles>
      kept_;
};

}  // namespace td::sim
