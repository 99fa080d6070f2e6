// SPDX-License-Identifier: Apache-2.0
// Writes down what stands on the inputs of a block's instances, for a simulation of one alone.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/simulation/simulator.hpp"

namespace td::gate_replay {

class VectorRecorder {
 public:
  /// All instances of the module that block_name() calls `block`. Throws UserError when the netlist
  /// has none, or they have no inputs.
  VectorRecorder(const gate::Netlist& netlist, const std::string& configuration,
                 const std::string& block);

  /// Appends the settled values of copy 0, of an instance drawn anew every kStretch clocks: what is
  /// simulated of a block depends on no instance's share of the work.
  void record(const gate::Simulator& simulator);

  /// Lines for $readmemh: comments that name the block, how many instances it has and for how many
  /// clocks one is followed, and its inputs; then a number in hexadecimal for each clock, the
  /// inputs in the order of the comment, the first in its highest bits. Clocks stand there as the
  /// settled value, zero.
  std::string text() const;

 private:
  static constexpr std::int64_t kStretch = 12;

  std::string heading_;
  std::vector<std::vector<gate::Net>> instances_;  ///< [instance]: lowest bit first
  std::mt19937_64 random_{1};
  std::size_t instance_ = 0;
  std::string lines_;
  std::int64_t clocks_ = 0;
};

}  // namespace td::gate_replay
