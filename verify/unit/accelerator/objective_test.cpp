// SPDX-License-Identifier: Apache-2.0
// What a cut is said to move, beside what its descriptors move; and plans that are chosen by that.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "base/configuration/preset.hpp"
#include "sim/accelerator/energy/level_bytes.hpp"
#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/accelerator/plan/objective/cut_moves.hpp"
#include "sim/accelerator/timing/timeline.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace {

using td::sim::Aim;
using td::sim::CutMoves;
using td::sim::LevelBytes;
using td::sim::Objective;
using td::sim::Op;
using td::sim::PlanCosts;
using td::unit::OperationCase;
using td::unit::OperationRun;

/// About those of a small accelerator, in pJ.
PlanCosts some_costs() {
  PlanCosts costs;
  costs.off_chip = {64, 64};
  costs.operands = costs.results = {1.5, 2};
  costs.scratchpads = {0.25, 0.5};
  costs.clock = 40;
  costs.dense = {10, 0, 20, 5};
  costs.dropping = {6, 1, 20, 5};
  return costs;
}

/// What a plan took, as it was counted.
struct Taken {
  CutMoves moves;  ///< of the cut's estimate
  LevelBytes levels;
  std::int64_t clocks = 0;
  double energy = 0;
  bool packed = false;  ///< some operand is
};

/// `keeps`: computes keep what they may, which no estimate knows of.
Taken taken(const OperationCase& what, bool keeps = true) {
  OperationRun run(what);
  if (!keeps) run.each_compute([](auto& compute) { compute.keep = 0; });
  td::sim::Timeline timeline(what.config, {}, false);
  REQUIRE(run.run(what.config, 0, &timeline).error == td::sim::ErrorCode::none);
  const auto& options = run.cut.options;
  const td::sim::ExpectedSteps steps =
      options.dense ? td::sim::ExpectedSteps() : td::sim::ExpectedSteps(what.config, options.zeros);
  td::sim::CutMover mover(run.operation, run.geometry, steps);
  Taken result;
  result.packed = run.is_packed();
  result.moves = mover.computes(run.cut);
  mover.add_loads(run.cut, result.moves);
  result.levels = level_bytes(run.geometry, run.counts, run.compute_counts);
  result.clocks = timeline.clocks();
  const td::sim::OpCycles work = tile_work(run.geometry, run.compute_counts, {});
  result.energy = mover.energy(run.cut, {result.levels, work.passes, work.rows, work.tile_cycles},
                               result.clocks, some_costs());
  CHECK(result.moves.passes == work.passes);
  CHECK(result.moves.rows == work.rows);
  return result;
}

}  // namespace

TEST_CASE("objective: what a cut is said to move is what its descriptors move") {
  std::mt19937 random(36);
  int operations = 0, exact = 0;
  double loaded[2] = {0, 0}, read[2] = {0, 0}, packed[2] = {0, 0};
  for (int i = 0; i < 900; ++i) {
    CAPTURE(i);
    OperationCase what = td::unit::random_case(random, td::unit::random_accelerator(random));
    what.aim = {static_cast<Objective>(i % 3), some_costs()};
    const Taken one = taken(what, false);
    const LevelBytes &said = one.moves.levels, &counted = one.levels;
    CHECK(said.off_chip.written == counted.off_chip.written);
    CHECK(said.operands.read == counted.operands.read);
    CHECK(said.scratchpads.read == counted.scratchpads.read);
    CHECK(said.scratchpads.written == counted.scratchpads.written);
    CHECK(said.results.read == counted.results.read);
    CHECK(said.results.written == counted.results.written);
    CHECK(said.operands.written >= 0.8 * static_cast<double>(counted.operands.written));
    ++operations;
    exact += said.operands.written == counted.operands.written ? 1 : 0;
    loaded[0] += static_cast<double>(said.operands.written);
    loaded[1] += static_cast<double>(counted.operands.written);
    auto& sums = one.packed ? packed : read;
    sums[0] += static_cast<double>(said.off_chip.read);
    sums[1] += static_cast<double>(counted.off_chip.read);
  }
  // Parts whose rows are all padding, and unlike parts with the same rows, are loaded less often.
  CHECK(exact > 0.95 * operations);
  CHECK(loaded[0] / loaded[1] == doctest::Approx(1).epsilon(0.04));
  CHECK(read[0] / read[1] == doctest::Approx(1).epsilon(0.04));
  CHECK(packed[0] / packed[1] == doctest::Approx(1).epsilon(0.04));
}

TEST_CASE("objective: plans for energy take less of it, as it is counted") {
  std::mt19937 random(37);
  double energy[2] = {0, 0}, product[2] = {0, 0};
  int less = 0, more = 0;
  for (int i = 0; i < 240; ++i) {
    CAPTURE(i);
    OperationCase what = td::unit::random_case(random, td::unit::random_accelerator(random));
    what.aim.costs = some_costs();
    Taken by[3];
    for (const Objective objective : {Objective::time, Objective::energy, Objective::product}) {
      what.aim.objective = objective;
      by[static_cast<std::size_t>(objective)] = taken(what);
    }
    // Clocks of a plan are estimated: their leakage may be more than what was saved. Or it fills in
    // what the other one keeps.
    CHECK(by[1].energy < 1.1 * by[0].energy);
    less += by[1].energy < 0.999 * by[0].energy ? 1 : 0;
    more += by[1].energy > 1.001 * by[0].energy ? 1 : 0;
    energy[0] += by[0].energy;
    energy[1] += by[1].energy;
    product[0] += by[0].energy * static_cast<double>(by[0].clocks);
    product[1] += by[2].energy * static_cast<double>(by[2].clocks);
  }
  CHECK(less > 120);
  CHECK(more < 16);
  CHECK(energy[1] < 0.96 * energy[0]);
  CHECK(product[1] < 0.99 * product[0]);
}

TEST_CASE("objective: a layer of which time and energy want other cuts") {
  std::mt19937 random(5);
  OperationCase what;
  what.config = td::find_config("accel_tiny");
  what.layer = td::unit::conv_layer({2, 24, 12, 12}, {24, 24, 3, 3}, {});
  for (const td::sim::Operand operand : {td::sim::Operand::A, td::sim::Operand::W}) {
    what.operands[static_cast<std::size_t>(operand)] =
        td::unit::random_bits(random, what.config.format, what.layer, operand, 0.5);
  }
  what.operands[2] =
      td::unit::random_bits(random, what.config.format, what.layer, td::sim::Operand::GO, 0);
  for (const bool dense : {false, true}) {
    what.options.dense = dense;
    what.aim = {Objective::time, some_costs()};
    const Taken fast = taken(what);
    what.aim.objective = Objective::energy;
    const Taken frugal = taken(what);
    CHECK(fast.clocks < frugal.clocks);
    CHECK(frugal.energy < 0.96 * fast.energy);
    // Time asks for no costs.
    what.aim = {};
    CHECK(taken(what).clocks == fast.clocks);
  }
}

TEST_CASE("objective: costs are those of a technology") {
  const td::Config config = td::find_config("accel_tiny");
  td::sim::Technology technology = td::sim::accelerator_technology(config);
  td::sim::ComputeEnergy compute = stated_compute_energy(config, technology);
  compute.parts.dense = {0.25, 0.5, 0, 0, 0, 2, 0};
  const Aim aim = aim_of(config, technology, compute, Objective::energy);
  CHECK(aim.objective == Objective::energy);
  const td::Geometry geometry = geometry_of(config);
  const td::sim::Operation operation(td::unit::linear_layer(8, 8, 8), Op::fwd, geometry, false);
  const td::sim::ExpectedSteps steps;
  const td::sim::CutMover mover(operation, geometry, steps);
  td::sim::Cut cut;
  cut.options.dense = true;
  CutMoves moves;
  moves.levels = {{1000, 20}, {300, 4000}, {50000, 600}, {7000, 800}};
  const double mac = bf16_mac_pJ(config, technology, compute);
  const td::sim::Energy energy = operation_energy(config, technology, 0, mac, moves.levels, 12345);
  CHECK(mover.energy(cut, moves, 12345, aim.costs) == doctest::Approx(energy.total_pJ()));
  // Of a dense tile steps are rows; without pairs that are not zero nothing else counts.
  td::sim::OpCycles work;
  moves.passes = work.passes = 3;
  moves.rows = moves.steps = work.rows = work.tile_cycles = 70;
  const double tiles = tile_energy(config, work, 0, compute, td::sim::SparsePath::on).dense_pJ;
  CHECK(mover.energy(cut, moves, 12345, aim.costs) == doctest::Approx(energy.total_pJ() + tiles));
}
