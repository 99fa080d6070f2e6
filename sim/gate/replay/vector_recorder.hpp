// SPDX-License-Identifier: Apache-2.0
// Writes down what stands on the inputs of one block, for a simulation of that block alone.
#pragma once

#include <string>
#include <vector>

#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/simulation/simulator.hpp"

namespace td::gate_replay {

class VectorRecorder {
 public:
  /// The first instance of the module that block_name() calls `block`. Throws UserError when the
  /// netlist has none, or it has no inputs.
  VectorRecorder(const gate::Netlist& netlist, const std::string& configuration,
                 const std::string& block);

  /// Appends the settled values of copy 0.
  void record(const gate::Simulator& simulator);

  /// Lines for $readmemh: comments that name the block, its place and its inputs, then a number in
  /// hexadecimal for each clock, the inputs in the order of the comment, the first in its highest
  /// bits. Clocks stand there as the settled value, zero.
  std::string text() const;

 private:
  std::string heading_;
  std::vector<gate::Net> nets_;  ///< lowest bit first
  std::string lines_;
  std::int64_t clocks_ = 0;
};

}  // namespace td::gate_replay
