// SPDX-License-Identifier: Apache-2.0
// Cycles of one operation of one layer on an array of tiles: exact, and fast enough for whole
// networks.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/cycles/dealing/stream_order.hpp"
#include "sim/cycles/op_cycles.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// Simulates operations on an array of equal tiles.
class OpSimulator {
 public:
  explicit OpSimulator(const Config& config)
      : config_(config), tiles_(static_cast<int>(config.accelerator.tiles)) {}

  /// With the operand `scheduled` on side B, its streams dealt to tile rows as asked for (two-sided
  /// and dense: naturally). `dense`: the sparse path is off. Throws UserError when
  /// the layer cannot be mapped. Runs on the threads of the caller's arena; the result does not
  /// depend on their number.
  OpCycles run(const OperandSource& source, const LayerInfo& layer, Op op, Which scheduled,
               bool dense = false, Dealing dealing = Dealing::natural) const;

  /// Cycles of some passes, by their ascending numbers in the order of Mapping's blocks and passes;
  /// blocks without rows have none. Little more is scheduled than these need. For comparison with
  /// the hardware.
  std::vector<std::int64_t> pass_cycles(const OperandSource& source, const LayerInfo& layer, Op op,
                                        Which scheduled, const std::vector<std::int64_t>& numbers,
                                        Dealing dealing = Dealing::natural) const;

  /// The same of every pass.
  std::vector<std::int64_t> pass_cycles(const OperandSource& source, const LayerInfo& layer, Op op,
                                        Which scheduled, Dealing dealing = Dealing::natural) const;

 private:
  Config config_;
  int tiles_;
};

}  // namespace td::sim
