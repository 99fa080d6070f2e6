// SPDX-License-Identifier: Apache-2.0
#include "sim/results/invariants.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace td::sim {

namespace {

/// Checks of one operation, which all name the same place.
class Checks {
 public:
  Checks(const OpResult& result, const Config& config, const std::string& source)
      : result_(result), config_(config), source_(source) {}

  /// `a` and `b` are the two numbers, `rule` what should hold between them.
  template <class Number>
  void require(bool holds, const std::string& rule, Number a, Number b) const {
    if (holds) return;
    throw std::logic_error(
        fmt::format("invariant broken by {}/{} {} of {}, configuration {}: {}, but they are {} and "
                    "{}",
                    result_.snapshot, result_.layer, to_string(result_.op), source_,
                    config_hash_text(config_), rule, a, b));
  }

  void check_cycles() const {
    const OpCycles& cycles = result_.cycles;
    const MultiplierCycles& multipliers = cycles.multipliers;
    const std::int64_t total = multipliers.total();
    require(multipliers.effectual <= total,
            "effectual multiplier-cycles are at most all of them (utilisation <= 1)",
            multipliers.effectual, total);
    for (const Part& part : parts()) {
      const std::int64_t one = multipliers.*part.cycles;
      require(one >= 0, fmt::format("multiplier-cycles of {} are at least 0", part.text), one,
              std::int64_t{0});
    }
    const ArraySize array{config_.accelerator.tiles, config_.rows, config_.columns, config_.lanes};
    const std::int64_t all = cycles.cycles * array.multipliers();
    require(total == all, "the parts of the multiplier-cycles add up to cycles * multipliers",
            total, all);
    require(cycles.cycles <= cycles.dense_cycles, "cycles are at most dense cycles", cycles.cycles,
            cycles.dense_cycles);
    const std::int64_t depth = config_.is_dense() || result_.gated ? 1 : config_.depth;
    require(cycles.dense_cycles <= depth * cycles.cycles,
            "dense cycles are at most depth * cycles (speed-up <= depth)", cycles.dense_cycles,
            depth * cycles.cycles);
    // With more zeros, a greedy scheduler may take a cycle more: the others are not ordered.
    const std::int64_t zero_free = result_.zero_free.cycles;
    require(zero_free <= cycles.dense_cycles && cycles.dense_cycles <= depth * zero_free,
            "cycles without zeros are at most dense cycles, and these at most depth times those",
            zero_free, cycles.dense_cycles);
  }

  void check_machine() const {
    const MachineUse& machine = *result_.machine;
    for (const OperationCounts& counts : {machine.dense, machine.tensordash}) {
      require(counts.slowest_steps() <= counts.clocks,
              "clocks from memory to memory are at least the steps of any tile", counts.clocks,
              counts.slowest_steps());
    }
  }

  /// Nothing computed need not take energy.
  void check_energy() const {
    if (result_.cycles.cycles == 0) return;
    const TileEnergy& tiles = result_.energy;
    for (const double pJ : {tiles.dense_pJ, tiles.zero_gated_pJ, tiles.tensordash_pJ}) {
      require(pJ > 0 && std::isfinite(pJ), "energies of compute are above 0, and finite", pJ, 0.0);
    }
    if (!result_.machine) return;
    const HardwareEnergy& all = result_.machine->energy;
    for (const Energy& energy : {all.dense, all.zero_gated, all.tensordash}) {
      require(energy.compute_pJ > 0 && energy.total_pJ() > energy.compute_pJ &&
                  std::isfinite(energy.total_pJ()),
              "energies of compute and of memory in pJ are above 0, and finite", energy.compute_pJ,
              energy.total_pJ() - energy.compute_pJ);
    }
  }

 private:
  const OpResult& result_;
  const Config& config_;
  const std::string& source_;
};

}  // namespace

void check_invariants(const OpResult& result, const Config& config, const std::string& source) {
  const Checks checks(result, config, source);
  checks.check_cycles();
  if (result.machine) checks.check_machine();
  checks.check_energy();
}

}  // namespace td::sim
