// SPDX-License-Identifier: Apache-2.0
#include "sim/invariants.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace td::sim {

namespace {

/// `a` and `b` are the two numbers, `rule` what should hold between them.
void require(bool holds, const OpResult& result, const std::string& rule, std::int64_t a,
             std::int64_t b) {
  if (holds) return;
  throw std::logic_error(fmt::format("invariant broken by {}/{} {}: {}, but they are {} and {}",
                                     result.snapshot, result.layer, to_string(result.op), rule, a,
                                     b));
}

}  // namespace

void check_invariants(const OpResult& result, const Config& config, std::int64_t tiles) {
  const OpCycles& cycles = result.cycles;
  const MultiplierCycles& multipliers = cycles.multipliers;
  const std::int64_t total = multipliers.total();
  require(multipliers.effectual <= total, result,
          "effectual multiplier-cycles are at most all of them (utilisation <= 1)",
          multipliers.effectual, total);
  for (const Part& part : parts()) {
    const std::int64_t one = multipliers.*part.cycles;
    require(one >= 0, result, fmt::format("multiplier-cycles of {} are at least 0", part.text), one,
            0);
  }
  const ArraySize array{tiles, config.rows, config.columns, config.lanes};
  const std::int64_t all = cycles.cycles * array.multipliers();
  require(total == all, result, "the parts of the multiplier-cycles add up to cycles * multipliers",
          total, all);
  require(cycles.cycles <= cycles.dense_cycles, result, "cycles are at most dense cycles",
          cycles.cycles, cycles.dense_cycles);
  const std::int64_t depth = config.is_dense() || result.gated ? 1 : config.depth;
  require(cycles.dense_cycles <= depth * cycles.cycles, result,
          "dense cycles are at most depth * cycles (speed-up <= depth)", cycles.dense_cycles,
          depth * cycles.cycles);
  for (const Energy& energy : {result.energy.dense, result.energy.tensordash}) {
    if (cycles.cycles > 0 && !(energy.compute_pJ > 0 && energy.total_pJ() > energy.compute_pJ)) {
      throw std::logic_error(fmt::format(
          "invariant broken by {}/{} {}: energy of compute and of memory is above 0, but they are "
          "{} and {} pJ",
          result.snapshot, result.layer, to_string(result.op), energy.compute_pJ,
          energy.total_pJ() - energy.compute_pJ));
    }
  }
}

}  // namespace td::sim
