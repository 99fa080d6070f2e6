// SPDX-License-Identifier: Apache-2.0
// Which operations of a network are searched for zeros where, and which are gated.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sim/cycles/operand_choice.hpp"
#include "sim/network/network_simulation.hpp"
#include "sim/results/result_comparison.hpp"
#include "sim/results/result_text.hpp"
#include "sim/results/stored_result.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"
#include "verify/unit/network/simulation_options.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace {

using td::sim::LayerInfo;
using td::sim::Op;
using td::sim::Operand;
using td::sim::OpResult;
using td::sim::RunResult;
using td::sim::ScheduleMode;
using td::sim::simulate_network;
using td::sim::SimulationOptions;
using td::sim::Which;
using td::unit::MemoryOperands;

/// Zeros of each tensor of the layer that small_layer() describes.
struct Zeros {
  int a = 0;   ///< of 100 elements
  int w = 0;   ///< of 500
  int go = 0;  ///< of 80
};

/// One twentieth, the threshold of gating(), is a whole number of zeros in every tensor.
constexpr Zeros at_threshold = {5, 25, 4};

LayerInfo small_layer(const std::string& snapshot, const std::string& name) {
  LayerInfo layer = td::unit::linear_layer(4, 25, 20);
  layer.snapshot = snapshot;
  layer.name = name;
  return layer;
}

void add(MemoryOperands& source, const std::string& snapshot, const Zeros& zeros,
         const std::string& name = "fc") {
  std::mt19937 random;
  const LayerInfo layer = small_layer(snapshot, name);
  source.add(layer, random, 0, 0, 0);
  const auto set = [&](Operand operand, int count) {
    std::vector<std::uint32_t> bits(static_cast<std::size_t>(td::sim::count(layer.shape(operand))),
                                    0x3f800000U);
    REQUIRE(static_cast<std::size_t>(count) <= bits.size());
    // Not one after the other: 7 has no factor in common with any of the sizes.
    for (int i = 0; i < count; ++i) bits[static_cast<std::size_t>(i) * 7 % bits.size()] = 0;
    source.set(layer, operand, bits);
  };
  set(Operand::A, zeros.a);
  set(Operand::W, zeros.w);
  set(Operand::GO, zeros.go);
}

int& zeros_of(Zeros& zeros, Operand operand) {
  return operand == Operand::A ? zeros.a : operand == Operand::W ? zeros.w : zeros.go;
}

SimulationOptions gating(const std::string& toml = "[tile]\nlanes = 4\nrows = 2\ncolumns = 3\n") {
  SimulationOptions wanted = td::unit::options(toml);
  wanted.gate = true;
  wanted.compute.gating_zero_share = 0.05;
  return wanted;
}

/// `early fwd`, for every operation that is gated.
std::vector<std::string> gated(const RunResult& result) {
  std::vector<std::string> names;
  for (const OpResult& one : result.operations) {
    if (one.gated) names.push_back(one.snapshot + " " + to_string(one.op));
  }
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("network gating: below the threshold in the snapshot before, and not at it") {
  for (const Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
    for (const ScheduleMode mode : {ScheduleMode::first, ScheduleMode::second}) {
      const Which which = mode == ScheduleMode::first ? Which::first : Which::second;
      SimulationOptions wanted = gating();
      wanted.schedule = mode;
      wanted.selection.op = to_string(op);
      CAPTURE(to_string(op));
      CAPTURE(to_string(mode));
      // All others are full of zeros, before and now: they must not matter.
      Zeros before = {100, 500, 80};
      zeros_of(before, operand(op, which)) = zeros_of(before, operand(op, which)) / 20;
      MemoryOperands at;
      add(at, "early", before);
      add(at, "late", {50, 250, 40});
      CHECK(gated(simulate_network(at, wanted)) == Names{});
      zeros_of(before, operand(op, which)) -= 1;
      MemoryOperands below;
      add(below, "early", before);
      add(below, "late", {50, 250, 40});
      CHECK(gated(simulate_network(below, wanted)) == Names{std::string("late ") + to_string(op)});
    }
  }
}

TEST_CASE("network gating: the operand is the one that is scheduled now") {
  // Before, A had the zeros; now W has them, and it had none before.
  MemoryOperands source;
  add(source, "early", {60, 0, 0});
  add(source, "late", {0, 300, 0});
  SimulationOptions wanted = gating();
  wanted.selection.op = "fwd";
  const RunResult result = simulate_network(source, wanted);
  REQUIRE(result.operations.size() == 2);
  CHECK(result.operations[0].scheduled == Operand::A);
  CHECK(result.operations[1].scheduled == Operand::W);
  CHECK(gated(result) == Names{"late fwd"});
  wanted.schedule = ScheduleMode::first;
  CHECK(gated(simulate_network(source, wanted)) == Names{});
}

TEST_CASE("network gating: never the first snapshot, else what the one before counted") {
  MemoryOperands source;
  add(source, "one", {});
  add(source, "two", {}, "only here");  // it has no snapshot before, whatever others have
  add(source, "two", at_threshold);
  add(source, "three", {});
  add(source, "four", {60, 300, 50});
  SimulationOptions wanted = gating();
  const Names two = {"two fwd", "two dgrad", "two wgrad"};
  const Names four = {"four fwd", "four dgrad", "four wgrad"};
  Names both = two;
  both.insert(both.end(), four.begin(), four.end());
  const RunResult all = simulate_network(source, wanted);
  CHECK(all.gate);
  CHECK(gated(all) == both);
  // What is not simulated decides nevertheless.
  wanted.selection.snapshot = "four";
  CHECK(gated(simulate_network(source, wanted)) == four);
  wanted.selection.snapshot = "three";
  CHECK(gated(simulate_network(source, wanted)) == Names{});
  wanted.selection.snapshot = "one";
  CHECK(gated(simulate_network(source, wanted)) == Names{});
  wanted.selection = {};
  wanted.gate = false;
  CHECK(gated(simulate_network(source, wanted)) == Names{});
}

TEST_CASE("network gating: the threshold is that of the tile's energies") {
  MemoryOperands source;
  add(source, "early", {30, 150, 24});
  add(source, "late", {60, 300, 48});
  SimulationOptions wanted = gating();
  CHECK(gated(simulate_network(source, wanted)) == Names{});
  wanted.compute.gating_zero_share = 0.31;
  CHECK(gated(simulate_network(source, wanted)).size() == 3);
  wanted.compute.gating_zero_share = 0;
  MemoryOperands full;
  add(full, "early", {});
  add(full, "late", {});
  CHECK(gated(simulate_network(full, wanted)) == Names{});
}

TEST_CASE("network gating: a gated operation is a dense one, and the ungated one is kept") {
  MemoryOperands source;
  add(source, "early", {});
  add(source, "late", {60, 300, 50});
  const SimulationOptions wanted = gating();
  SimulationOptions without = wanted;
  without.gate = false;
  for (const std::int64_t tiles : {1, 3}) {
    SimulationOptions with = wanted;
    with.config.accelerator.tiles = without.config.accelerator.tiles = tiles;
    const RunResult result = simulate_network(source, with);
    const RunResult ungated = simulate_network(source, without);
    REQUIRE(result.operations.size() == 6);
    CHECK(gated(result).size() == 3);
    for (std::size_t i = 0; i < 6; ++i) {
      const OpResult& one = result.operations[i];
      const OpResult& other = ungated.operations[i];
      CHECK(one.gated == (i >= 3));
      CHECK(other.ungated_cycles == other.cycles.cycles);
      CHECK(other.ungated_pJ == other.energy.tensordash_pJ);
      CHECK(one.ungated_cycles == other.cycles.cycles);
      CHECK(one.ungated_pJ == other.energy.tensordash_pJ);
      CHECK(one.cycles.scheduled == other.cycles.scheduled);
      if (!one.gated) {
        CHECK(one.cycles.cycles == other.cycles.cycles);
        CHECK(one.energy.tensordash_pJ == other.energy.tensordash_pJ);
        continue;
      }
      CHECK(one.cycles.cycles == one.cycles.dense_cycles);
      // A stream of wgrad is one row: there is nothing to look ahead to.
      const bool is_slower = one.cycles.cycles > other.cycles.cycles;
      CHECK(is_slower == (one.op != Op::wgrad));
      CHECK(one.cycles.tile_cycles == one.cycles.rows);
      // Its own measured energy, neither of the dense tiles'.
      CHECK(one.energy.tensordash_pJ != one.energy.dense_pJ);
      CHECK(one.energy.tensordash_pJ != one.energy.zero_gated_pJ);
      CHECK(one.energy.dense_pJ == other.energy.dense_pJ);
      const td::sim::MultiplierCycles& parts = one.cycles.multipliers;
      CHECK(parts.effectual == other.cycles.multipliers.effectual);
      CHECK(parts.ineffectual > 0);
      CHECK(parts.effectual + parts.ineffectual + parts.array_edge + parts.channel_padding +
                parts.tile_imbalance ==
            parts.total());
    }
  }
}

TEST_CASE("network gating: dense tiles have nothing to gate") {
  MemoryOperands source;
  add(source, "early", {});
  add(source, "late", {60, 300, 50});
  CHECK(gated(simulate_network(source, gating("[tile]\nlanes = 4\nrows = 2\ncolumns = 3\n"
                                              "scheduling = \"dense\"\n"))) == Names{});
}

TEST_CASE("network gating: two-sided tiles live on the zeros of either operand") {
  const SimulationOptions wanted =
      gating("[tile]\nlanes = 4\nrows = 1\ncolumns = 1\nscheduling = \"two_sided\"\n");
  const auto names = [&](const Zeros& before) {
    MemoryOperands source;
    add(source, "early", before);
    add(source, "late", {0, 250, 40});  // W and GO are sparser now
    return gated(simulate_network(source, wanted));
  };
  CHECK(names({}) == Names{"late fwd", "late dgrad", "late wgrad"});
  CHECK(names({4, 24, 3}) == Names{"late fwd", "late dgrad", "late wgrad"});
  CHECK(names({5, 0, 0}) == Names{"late dgrad"});
  CHECK(names({0, 25, 0}) == Names{"late wgrad"});
  CHECK(names({0, 0, 4}) == Names{"late fwd"});
}

TEST_CASE("network gating: what counts is the tensor, not the padding around it") {
  // A 2x2 image within a padding of 2: 32 of the 36 elements that the choice counts are zeros.
  td::sim::Conv conv;
  conv.padding[0] = conv.padding[1] = 2;
  MemoryOperands source;
  std::mt19937 random;
  for (const char* snapshot : {"early", "late"}) {
    LayerInfo layer = td::unit::conv_layer({1, 4, 2, 2}, {4, 4, 3, 3}, conv);
    layer.snapshot = snapshot;
    layer.name = "c";
    source.add(layer, random, 0, 0, 0);
  }
  const RunResult result = simulate_network(source, gating());
  CHECK(gated(result) == Names{"late fwd", "late dgrad", "late wgrad"});
  for (const OpResult& one : result.operations) {
    CHECK(one.zeros.first.zeros > 0);
    CHECK(one.first_tensor.zeros == 0);
    CHECK(one.second_tensor.zeros == 0);
    CHECK(one.first_tensor.elements == (one.op == Op::dgrad ? 64 : 16));
    CHECK(one.second_tensor.elements == (one.op == Op::wgrad ? 64 : 144));
  }
}

TEST_CASE("network gating: says where nothing was counted before") {
  MemoryOperands source;
  add(source, "one", {});
  add(source, "one", {}, "second");
  add(source, "two", {});
  add(source, "two", {}, "only here");
  const auto notes = [&](const SimulationOptions& wanted) {
    return simulate_network(source, wanted).notes;
  };
  SimulationOptions wanted = gating();
  const std::string first = "--gate: no snapshot before one: nothing is gated there";
  CHECK(notes(wanted) ==
        Names{first, "--gate: no snapshot before two/only here: nothing is gated there"});
  wanted.selection.layer = "fc";
  CHECK(notes(wanted) == Names{first});
  wanted.selection.snapshot = "two";
  CHECK(notes(wanted) == Names{});
  wanted = gating();
  wanted.gate = false;
  CHECK(notes(wanted) == Names{});
  // There, --gate changes nothing anywhere.
  CHECK(notes(gating("[tile]\nlanes = 4\nrows = 2\ncolumns = 3\nscheduling = \"dense\"\n")) ==
        Names{});
}

TEST_CASE("network simulation: auto schedules the operand that the counted zeros give") {
  std::mt19937 random(60);
  int firsts = 0;
  int operations = 0;
  for (int i = 0; i < 40; ++i) {
    const LayerInfo layer = td::unit::random_conv(random);
    std::array<double, 3> shares{};  // in the same order with every compiler
    for (double& share : shares) share = std::uniform_real_distribution<double>(0, 1)(random);
    MemoryOperands source;
    source.add(layer, random, shares[0], shares[1], shares[2]);
    const SimulationOptions wanted = td::unit::options();
    const td::sim::LayerZeros counted = count_zeros(source, layer, wanted.config.format);
    for (const OpResult& one : simulate_network(source, wanted).operations) {
      const td::sim::ZeroShares zeros = zero_shares(layer, one.op, counted);
      CHECK(one.zeros.first.zeros == zeros.first.zeros);
      CHECK(one.zeros.first.elements == zeros.first.elements);
      CHECK(one.zeros.second.zeros == zeros.second.zeros);
      CHECK(one.zeros.second.elements == zeros.second.elements);
      const Which expected = zeros.scheduled();
      CHECK(one.cycles.scheduled == expected);
      CHECK(one.scheduled == operand(one.op, expected));
      firsts += expected == Which::first ? 1 : 0;
      ++operations;
    }
  }
  CHECK(operations == 120);
  CHECK(firsts > 10);
  CHECK(firsts < 110);
}

TEST_CASE("network simulation: what it found can be written, read and compared") {
  MemoryOperands source;
  add(source, "early", {});
  add(source, "late", {60, 300, 50});
  const td::unit::Folder folder;
  const auto stored = [&](const std::string& name, const RunResult& result) {
    std::ofstream(folder.file(name)) << result_json(result);
    td::sim::StoredResult read = td::sim::read_result(folder.file(name));
    read.file = name;
    return read;
  };
  const SimulationOptions wanted = gating();
  const auto a = stored("a.json", simulate_network(source, wanted));
  const auto b = stored("b.json", simulate_network(source, wanted));
  const std::string same = comparison_text(a, b);
  CHECK(same.find("no difference in what was run\n") != std::string::npos);
  const auto dense = stored(
      "dense.json",
      simulate_network(
          source, gating("[tile]\nlanes = 4\nrows = 2\ncolumns = 3\nscheduling = \"dense\"\n")));
  const std::string other = comparison_text(a, dense);
  CHECK(other.find("\nconfiguration.scheduling ") != std::string::npos);
  CHECK(other.find("only in") == std::string::npos);
  REQUIRE(a.operations.size() == dense.operations.size());
  for (std::size_t i = 0; i < a.operations.size(); ++i) {
    CHECK(a.operations[i].cycles == b.operations[i].cycles);
    CHECK(a.operations[i].cycles <= dense.operations[i].cycles);
    CHECK(dense.operations[i].cycles == dense.operations[i].dense_cycles);
  }
}
