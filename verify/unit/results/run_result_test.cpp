// SPDX-License-Identifier: Apache-2.0
// Sums over operations, and what must hold of each operation.
#include "sim/results/run_result.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/results/invariants.hpp"
#include "verify/unit/results/result_draft.hpp"

namespace {

using td::Config;
using td::sim::check_invariants;
using td::sim::MultiplierCycles;
using td::sim::Op;
using td::sim::OpResult;
using td::sim::Part;
using td::sim::TotalBy;
using td::unit::empty_operation;
using td::unit::gated_operation;
using td::unit::sparse_operation;

/// The configuration of the hand-made results, which have two tiles.
Config small_config() {
  Config config;
  config.lanes = 4;
  config.rows = 1;
  config.columns = 2;
  config.depth = 3;
  config.accelerator.tiles = 2;
  return config;
}

/// What is said of a result that is spoilt, less the source and the configuration's hash; empty
/// when nothing is.
std::string broken(OpResult result, const std::function<void(OpResult&, Config&)>& spoil) {
  Config config = small_config();
  spoil(result, config);
  try {
    check_invariants(result, config, "t.safetensors");
  } catch (const std::logic_error& error) {
    const std::string what = error.what();
    const std::string where =
        " of t.safetensors, configuration " + td::config_hash_text(config) + ": ";
    const std::size_t at = what.find(where);
    REQUIRE(at != std::string::npos);
    return what.substr(0, at) + ": " + what.substr(at + where.size());
  }
  return "";
}

}  // namespace

TEST_CASE("run result: the parts are all of the multipliers' cycles") {
  MultiplierCycles cycles;
  std::int64_t next = 1;
  std::int64_t sum = 0;
  for (const Part& part : td::sim::parts()) {
    CHECK(cycles.*part.cycles == 0);
    cycles.*part.cycles = next;
    sum += next;
    next *= 2;
  }
  CHECK(cycles.total() == sum);
  CHECK(sizeof cycles == td::sim::parts().size() * sizeof(std::int64_t));
}

TEST_CASE("run result: totals by kind, layer, snapshot and over all") {
  OpResult other = sparse_operation();
  other.layer = "conv2";
  OpResult late = empty_operation();
  late.op = Op::fwd;
  const std::vector<OpResult> operations = {gated_operation(), sparse_operation(), other, late};

  const auto by_op = totals(operations, TotalBy::op);
  REQUIRE(by_op.size() == 2);
  CHECK(by_op[0].op == Op::fwd);
  CHECK(by_op[0].cycles.cycles == 20);
  CHECK(by_op[1].op == Op::wgrad);
  CHECK(by_op[1].cycles.cycles == 30);

  const auto by_layer = totals(operations, TotalBy::layer);
  REQUIRE(by_layer.size() == 3);
  CHECK(by_layer[0].snapshot + "/" + by_layer[0].layer == "early/conv1");
  CHECK(by_layer[0].cycles.cycles == 40);
  CHECK(by_layer[1].snapshot + "/" + by_layer[1].layer == "early/conv2");
  CHECK(by_layer[1].cycles.cycles == 10);
  CHECK(by_layer[2].snapshot + "/" + by_layer[2].layer == "late/conv1");
  CHECK(by_layer[2].cycles.cycles == 0);

  const auto by_snapshot = totals(operations, TotalBy::snapshot);
  REQUIRE(by_snapshot.size() == 2);
  CHECK(by_snapshot[0].snapshot == "early");
  CHECK(by_snapshot[0].layer.empty());
  CHECK(by_snapshot[0].cycles.cycles == 50);
  CHECK(by_snapshot[1].snapshot == "late");

  const auto by_both = totals(operations, TotalBy::snapshot_op);
  REQUIRE(by_both.size() == 3);
  CHECK(by_both[0].snapshot + "/" + to_string(by_both[0].op) == "early/wgrad");
  CHECK(by_both[0].cycles.cycles == 30);
  CHECK(by_both[1].snapshot + "/" + to_string(by_both[1].op) == "early/fwd");
  CHECK(by_both[2].snapshot == "late");

  const auto all = totals(operations, TotalBy::all);
  REQUIRE(all.size() == 1);
  CHECK(all[0].snapshot.empty());
  const td::sim::OpCycles& sum = all[0].cycles;
  CHECK(all[0].useful_macs == 154);
  CHECK(sum.passes == 10);
  CHECK(sum.rows == 132);
  CHECK(sum.dense_cycles == 70);
  CHECK(sum.cycles == 50);
  CHECK(sum.tile_cycles == 96);
  CHECK(sum.multipliers.effectual == 592);
  CHECK(sum.multipliers.ineffectual == 80);
  CHECK(sum.multipliers.array_edge == 8);
  CHECK(sum.multipliers.channel_padding == 16);
  CHECK(sum.multipliers.lane_conflicts == 24);
  CHECK(sum.multipliers.stream_tail == 10);
  CHECK(sum.multipliers.row_imbalance == 4);
  CHECK(sum.multipliers.depth_limit == 34);
  CHECK(sum.multipliers.tile_imbalance == 32);
  CHECK(totals({}, TotalBy::all).empty());
}

TEST_CASE("run result: energy of compute is summed") {
  const auto all = totals({sparse_operation(), empty_operation(), gated_operation()}, TotalBy::all);
  REQUIRE(all.size() == 1);
  const OpResult& sum = all[0];
  CHECK(sum.energy.dense_pJ == 8000000);
  CHECK(sum.energy.zero_gated_pJ == 6900000);
  CHECK(sum.energy.tensordash_pJ == 7250000.5);
  CHECK(sum.zero_free.cycles == 46);
  CHECK(sum.zero_free.dense_pJ == 7500000);
  CHECK(sum.zero_free.zero_gated_pJ == 6700000);
  CHECK(sum.data_energy().efficiency() == 7500000 / 7250000.5);
  CHECK(sum.data_energy().efficiency_over_zero_gated() == 6700000 / 7250000.5);
  CHECK(sum.ungated_cycles == 37);
  CHECK(sum.ungated_pJ == 7500000.5);
}

TEST_CASE("run result: what the machine takes is summed, tile by tile and level by level") {
  const auto all = totals({sparse_operation(), empty_operation(), gated_operation()}, TotalBy::all);
  REQUIRE(all.size() == 1);
  const td::sim::MachineUse& sum = all[0].machine.value();
  CHECK(sum.zero_free_clocks == 142);
  CHECK(sum.dense.clocks == 146);
  CHECK(sum.dense.bound == 128);
  CHECK(sum.dense.port == 136);
  CHECK(sum.tensordash.port == 124);
  CHECK(sum.dense.tile_steps == std::vector<std::int64_t>{50, 47});
  CHECK(sum.dense.slowest_steps() == 50);
  CHECK(sum.dense.all_steps() == 97);
  CHECK(sum.dense.beats.read == 99);
  CHECK(sum.dense.beats.written == 36);
  CHECK(sum.tensordash.clocks == 134);
  CHECK(sum.tensordash.bound == 113);
  CHECK(sum.tensordash.tile_steps == std::vector<std::int64_t>{37, 41});
  CHECK(sum.tensordash.slowest_steps() == 41);
  CHECK(sum.tensordash.beats.read == 98);
  CHECK(sum.tensordash.beats.written == 35);
  const td::sim::LevelBytes& levels = sum.tensordash.levels;
  CHECK(levels.off_chip.read == 20700064);
  CHECK(levels.off_chip.written == 20700130);
  CHECK(levels.operands.read == 20700004);
  CHECK(levels.operands.written == 20700006);
  CHECK(levels.scratchpads.read == 20700008);
  CHECK(levels.scratchpads.written == 20700010);
  CHECK(levels.results.read == 20700012);
  CHECK(levels.results.written == 20700014);
  CHECK(sum.dense.levels.off_chip.read == 20001064);
  const td::sim::Energy& dense = sum.energy.dense;
  CHECK(dense.compute_pJ == 8000000);
  CHECK(dense.scratchpad_pJ == 6400000);
  CHECK(dense.sram_pJ == 7500000);
  CHECK(dense.dram_pJ == 15604000);
  CHECK(dense.leakage_pJ == 400000);
  const td::sim::Energy& zero_gated = sum.energy.zero_gated;
  CHECK(zero_gated.compute_pJ == 6900000);
  CHECK(zero_gated.total_pJ() == 36804010);
  const td::sim::Energy& tensordash = sum.energy.tensordash;
  CHECK(tensordash.compute_pJ == 7250000.5);
  CHECK(tensordash.leakage_pJ == 380000);
  CHECK(tensordash.total_pJ() == 37154011.5);
  CHECK(sum.energy.efficiency() == 37904000 / 37154011.5);
  CHECK(sum.energy.efficiency_over_zero_gated() == 36804010 / 37154011.5);
}

TEST_CASE("run result: sums of compute alone have no machine") {
  const td::sim::RunResult result = td::unit::compute_alone_draft();
  for (const TotalBy by : {TotalBy::op, TotalBy::layer, TotalBy::snapshot, TotalBy::all}) {
    for (const OpResult& sum : totals(result.operations, by)) CHECK_FALSE(sum.machine.has_value());
  }
}

TEST_CASE("invariants: good results pass") {
  const auto nothing = [](OpResult&, Config&) {};
  CHECK(broken(sparse_operation(), nothing).empty());
  CHECK(broken(gated_operation(), nothing).empty());
  CHECK(broken(empty_operation(), nothing).empty());
  for (const OpResult& one : td::unit::compute_alone_draft().operations) {
    CHECK(broken(one, nothing).empty());
  }
  // The bounds themselves.
  CHECK(
      broken(sparse_operation(), [](OpResult& r, Config&) { r.cycles.dense_cycles = 30; }).empty());
  CHECK(broken(sparse_operation(), [](OpResult& r, Config&) {
          r.cycles.dense_cycles = r.zero_free.cycles = 10;
        }).empty());
  // More zeros may cost a greedy scheduler a cycle.
  CHECK(broken(sparse_operation(), [](OpResult& r, Config&) { r.zero_free.cycles = 9; }).empty());
}

TEST_CASE(
    "invariants: cycles without zeros lie between dense cycles and their share of the depth") {
  const auto said = [](std::int64_t cycles) {
    return broken(sparse_operation(),
                  [cycles](OpResult& r, Config&) { r.zero_free.cycles = cycles; });
  };
  const std::string rule =
      "invariant broken by early/conv1 fwd: cycles without zeros are at most dense cycles, and "
      "these at most depth times those, but they are ";
  CHECK(said(20).empty());
  CHECK(said(7).empty());
  CHECK(said(21) == rule + "21 and 20");
  CHECK(said(6) == rule + "6 and 20");
}

TEST_CASE("invariants: each names the operation and the two numbers") {
  CHECK(
      broken(sparse_operation(),
             [](OpResult& r, Config&) { r.cycles.multipliers.effectual = 97; }) ==
      "invariant broken by early/conv1 fwd: the parts of the multiplier-cycles add up to cycles * "
      "multipliers, but they are 161 and 160");
  CHECK(
      broken(sparse_operation(), [](OpResult&, Config& c) { c.lanes = 5; }) ==
      "invariant broken by early/conv1 fwd: the parts of the multiplier-cycles add up to cycles * "
      "multipliers, but they are 160 and 200");
  CHECK(broken(sparse_operation(),
               [](OpResult& r, Config&) {
                 r.cycles.multipliers.effectual = 170;
                 r.cycles.multipliers.depth_limit = -57;
               }) ==
        "invariant broken by early/conv1 fwd: effectual multiplier-cycles are at most all of them "
        "(utilisation <= 1), but they are 170 and 160");
  CHECK(broken(sparse_operation(), [](OpResult& r, Config&) { r.cycles.dense_cycles = 9; }) ==
        "invariant broken by early/conv1 fwd: cycles are at most dense cycles, but they are 10 and "
        "9");
  CHECK(broken(sparse_operation(), [](OpResult& r, Config&) { r.cycles.dense_cycles = 31; }) ==
        "invariant broken by early/conv1 fwd: dense cycles are at most depth * cycles (speed-up <= "
        "depth), but they are 31 and 30");
  CHECK(broken(gated_operation(), [](OpResult& r, Config&) { r.cycles.dense_cycles = 31; }) ==
        "invariant broken by early/conv1 wgrad: dense cycles are at most depth * cycles (speed-up "
        "<= depth), but they are 31 and 30");
  CHECK_FALSE(broken(sparse_operation(), [](OpResult&, Config& c) {
                c.scheduling = td::Scheduling::dense;
              }).empty());
  CHECK_FALSE(
      broken(empty_operation(), [](OpResult& r, Config&) { r.cycles.dense_cycles = 1; }).empty());
}

TEST_CASE("invariants: no part may be negative") {
  for (const Part& part : td::sim::parts()) {
    // The sum stays right: another part makes up for it.
    const std::string text = broken(gated_operation(), [&part](OpResult& r, Config&) {
      MultiplierCycles& multipliers = r.cycles.multipliers;
      multipliers = {};
      const bool same = part.cycles == &MultiplierCycles::ineffectual;
      (same ? multipliers.array_edge : multipliers.ineffectual) = 481;
      multipliers.*part.cycles = -1;
    });
    CHECK(text == std::string("invariant broken by early/conv1 wgrad: multiplier-cycles of ") +
                      part.text + " are at least 0, but they are -1 and 0");
  }
}

TEST_CASE("invariants: compute and memory take energy, in every kind of hardware") {
  using td::sim::Energy;
  using td::sim::HardwareEnergy;
  const std::string start =
      "invariant broken by early/conv1 fwd: energies of compute and of memory in pJ are above 0, "
      "and finite, but they are ";
  const double infinity = std::numeric_limits<double>::infinity();
  const Energy good = {2, 1, 1, 1, 1};
  for (Energy HardwareEnergy::*side :
       {&HardwareEnergy::dense, &HardwareEnergy::zero_gated, &HardwareEnergy::tensordash}) {
    const auto said = [&](const Energy& energy) {
      return broken(sparse_operation(), [&](OpResult& r, Config&) {
        r.machine->energy = {good, good, good};
        r.machine->energy.*side = energy;
      });
    };
    CHECK(said(good).empty());
    CHECK(said({2, 0, 0, 0, 0.5}).empty());
    CHECK(said({0, 1, 1, 1, 1}) == start + "0 and 4");
    CHECK(said({-2, 1, 1, 1, 1}) == start + "-2 and 4");
    CHECK(said({2, 0, 0, 0, 0}) == start + "2 and 0");
    CHECK(said({2, 1, 1, -3, 0}) == start + "2 and -1");
    CHECK(said({std::nan(""), 1, 1, 1, 1}) == start + "nan and nan");
    CHECK(said({2, 1, 1, 1, infinity}) == start + "2 and inf");
  }
  // What takes no cycles need not take energy.
  CHECK(broken(empty_operation(), [](OpResult& r, Config&) { r.machine->energy = {}; }).empty());
}

TEST_CASE("invariants: tiles alone take energy, in every kind of hardware") {
  using td::sim::TileEnergy;
  const std::string start =
      "invariant broken by early/conv1 fwd: energies of compute are above 0, and finite, but they "
      "are ";
  for (double TileEnergy::*side :
       {&TileEnergy::dense_pJ, &TileEnergy::zero_gated_pJ, &TileEnergy::tensordash_pJ}) {
    const auto said = [&](double pJ) {
      return broken(sparse_operation(), [&](OpResult& r, Config&) { r.energy.*side = pJ; });
    };
    CHECK(said(0.5).empty());
    CHECK(said(0) == start + "0 and 0");
    CHECK(said(-2) == start + "-2 and 0");
    CHECK(said(std::nan("")) == start + "nan and 0");
    CHECK(said(std::numeric_limits<double>::infinity()) == start + "inf and 0");
  }
  CHECK(broken(empty_operation(), [](OpResult& r, Config&) { r.energy = {}; }).empty());
}

TEST_CASE("invariants: clocks from memory to memory are at least the steps of any tile") {
  using td::sim::MachineUse;
  const std::string start =
      "invariant broken by early/conv1 fwd: clocks from memory to memory are at least the "
      "steps of any tile, but they are ";
  for (td::sim::OperationCounts MachineUse::*side : {&MachineUse::dense, &MachineUse::tensordash}) {
    const auto said = [&](std::int64_t clocks, std::int64_t steps) {
      return broken(sparse_operation(), [&](OpResult& r, Config&) {
        (*r.machine.*side).clocks = clocks;
        (*r.machine.*side).tile_steps = {2, steps, 3};
      });
    };
    CHECK(said(9, 9).empty());
    CHECK(said(9, 10) == start + "9 and 10");
  }
}

TEST_CASE("invariants: zero-gated tiles may take more than dense ones") {
  CHECK(broken(sparse_operation(), [](OpResult& r, Config&) {
          r.energy.zero_gated_pJ = 2 * r.energy.dense_pJ;
          r.machine->energy.zero_gated.compute_pJ = 2 * r.machine->energy.dense.compute_pJ;
        }).empty());
}
