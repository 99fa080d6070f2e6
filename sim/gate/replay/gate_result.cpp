// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/replay/gate_result.hpp"

namespace td::gate_replay {

replay::Tally OpActivity::total() const {
  replay::Tally total;
  for (const replay::Tally& tally : replay.tallies) {
    total.passes += tally.passes;
    total.passes_done += tally.passes_done;
    total.dense_cycles += tally.dense_cycles;
    total.zero_free_cycles += tally.zero_free_cycles;
    total.cycles += tally.cycles;
    total.outputs += tally.outputs;
  }
  total.mismatches = replay.mismatches;  // those of no pass included
  return total;
}

gate::PowerGroups OpActivity::power() const {
  gate::PowerGroups sum;
  for (const BlockActivity& block : blocks) add(block.power, sum);
  return sum;
}

double OpActivity::toggles_per_clock() const {
  double sum = 0;
  for (const BlockActivity& block : blocks) sum += block.toggles_per_clock;
  return sum;
}

double GateResult::energy_pJ(const OpActivity& op) const {
  constexpr double kFemtojoulesPerPicojoule = 1000;  // µW · ns = fJ
  return op.power().total().total() * power.clock_ns / kFemtojoulesPerPicojoule;
}

double energy_per_pJ(const GateResult& result, const OpActivity& op, std::int64_t events) {
  if (events == 0) return 0;
  return result.energy_pJ(op) * static_cast<double>(op.replay.clocks) / static_cast<double>(events);
}

}  // namespace td::gate_replay
