// SPDX-License-Identifier: Apache-2.0
// The machine within a simulation of a network: beside plans and counts made by hand, and why there
// is none.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/accelerator/machine/machine.hpp"
#include "sim/network/network_simulation.hpp"
#include "sim/results/result_text.hpp"
#include "verify/unit/accelerator/operation_case.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/memory/memory_operands.hpp"
#include "verify/unit/network/simulation_options.hpp"

namespace {

using td::Config;
using td::sim::DealingMode;
using td::sim::Energy;
using td::sim::LayerInfo;
using td::sim::Machine;
using td::sim::MachineUse;
using td::sim::Op;
using td::sim::OperationCounts;
using td::sim::OpResult;
using td::sim::PlacedOperation;
using td::sim::RunResult;
using td::sim::simulate_network;
using td::sim::SimulationOptions;
using td::sim::SparsePath;
using td::sim::StepLayout;
using td::sim::TileEnergy;
using td::sim::Which;
using td::unit::MemoryOperands;
using td::unit::pick;
using Numbers = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

constexpr const char* kSmall =
    "[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = 2\n"
    "[accelerator.sram]\nbanks = 1\nbank_bytes = 1024\n";

/// From memory to memory, whatever options() says.
SimulationOptions with_machine(const Config& config) {
  SimulationOptions wanted = td::unit::options();
  wanted.config = config;
  wanted.compute_only = false;
  wanted.technology = td::sim::find_technology("paper_65nm", config);
  wanted.compute = td::sim::stated_compute_energy(config, wanted.technology);
  return wanted;
}

SimulationOptions with_machine(const std::string& toml) {
  return with_machine(td::parse_config("name = \"c\"\n" + toml, "c.toml"));
}

void add(MemoryOperands& source, LayerInfo layer, const std::string& snapshot,
         const std::string& name, std::mt19937& random, double zeros) {
  layer.snapshot = snapshot;
  layer.name = name;
  source.add(layer, random, zeros, 0.5 * zeros, zeros);
}

/// Every part costs, so that all that is counted shows.
td::sim::StepEnergy costly_parts() {
  return {10,
          {0.5, 0.25, 0.125, 3, 5, 7, 9},
          {1, 2, 4, 8, 16, 32, 64},
          {11, 13, 17, 19, 23, 29, 59},
          {31, 37, 41, 43, 47, 53, 61}};
}

/// One step of a convolution and of a fully connected layer, without zeros and then with them.
MemoryOperands two_steps() {
  std::mt19937 random(3);
  MemoryOperands source;
  td::sim::Conv conv;
  conv.padding[0] = conv.padding[1] = 1;
  for (const auto& [snapshot, zeros] : {std::pair("early", 0.0), std::pair("late", 0.6)}) {
    add(source, td::unit::conv_layer({2, 12, 6, 6}, {10, 12, 3, 3}, conv), snapshot, "conv", random,
        zeros);
    add(source, td::unit::linear_layer(6, 40, 20), snapshot, "fc", random, zeros);
  }
  return source;
}

Numbers numbers(const OperationCounts& counts) {
  Numbers all = {counts.clocks, counts.bound, counts.beats.read, counts.beats.written};
  all.insert(all.end(), counts.tile_steps.begin(), counts.tile_steps.end());
  const td::sim::LevelBytes& levels = counts.levels;
  for (const td::sim::MovedBytes& one :
       {levels.off_chip, levels.operands, levels.scratchpads, levels.results}) {
    all.push_back(one.read);
    all.push_back(one.written);
  }
  return all;
}

std::vector<double> parts(const Energy& energy) {
  return {energy.compute_pJ, energy.scratchpad_pJ, energy.sram_pJ,
          energy.dram_pJ,    energy.leakage_pJ,    energy.surroundings_pJ};
}

const PlacedOperation& placed(const StepLayout& layout, const OpResult& one) {
  for (const PlacedOperation& operation : layout.operations()) {
    const LayerInfo& layer = *operation.layer;
    if (layer.snapshot == one.snapshot && layer.name == one.layer && operation.op == one.op) {
      return operation;
    }
  }
  FAIL("not placed");
  return layout.operations().front();
}

/// An operation in dense mode and not, counted one after the other.
struct ByHand {
  OperationCounts dense;
  OperationCounts tensordash;
  std::int64_t zero_free_clocks = 0;
  SparsePath path = SparsePath::on;
  bool packed = false;  ///< some operand is
};

/// Of the operations of a run.
std::vector<ByHand> count_by_hand(const MemoryOperands& source, const SimulationOptions& wanted,
                                  const RunResult& result) {
  td::sim::StepOptions memory;
  memory.bytes = std::uint64_t{1} << 40;
  memory.memory = wanted.memory;
  memory.packed = wanted.packed;
  const StepLayout layout(wanted.config, source, wanted.selection, memory);
  REQUIRE(layout.operations().size() == result.operations.size());
  std::vector<ByHand> counts(result.operations.size());
  std::vector<td::sim::Cut> cuts[2];
  for (std::size_t i = 0; i < result.operations.size(); ++i) {
    const OpResult& one = result.operations[i];
    const PlacedOperation& operation = placed(layout, one);
    REQUIRE(&operation == &layout.operations()[i]);
    counts[i].packed = std::any_of(operation.packed.begin(), operation.packed.end(),
                                   [](const auto& operand) { return operand.usual > 0; });
    const Which scheduled = one.cycles.scheduled;
    const double zeros = one.zeros.of(scheduled).share();
    const td::sim::Plans plans = layout.plans(operation, {scheduled, one.gated, zeros});
    cuts[0].push_back(plans.dense);
    cuts[1].push_back(plans.best());
  }
  const td::sim::ZeroFreeOperands zero_free(source);
  const auto count = [&](const td::sim::OperandSource& operands,
                         const td::sim::StepOperation& operation, bool zeros_in_dense) {
    return count_operation(wanted.config, operands, operation, false, wanted.memory,
                           zeros_in_dense);
  };
  for (td::sim::StepJobs jobs(layout, cuts[0]); !jobs.done();) {
    ByHand& one = counts[jobs.place()];
    one.dense = count(source, jobs.next(), false);
  }
  for (td::sim::StepJobs jobs(layout, cuts[1]); !jobs.done();) {
    ByHand& one = counts[jobs.place()];
    const td::sim::StepOperation operation = jobs.next();
    one.tensordash = count(source, operation, operation.cut.options.dense);
    one.zero_free_clocks = count(zero_free, operation, false).clocks;
    one.path = operation.cut.options.dense ? SparsePath::gated : SparsePath::on;
  }
  return counts;
}

Energy energy_by_hand(const SimulationOptions& wanted, const OperationCounts& counts, double pJ) {
  return operation_energy(wanted.config, wanted.technology, pJ,
                          td::sim::bf16_mac_pJ(wanted.config, wanted.technology, wanted.compute),
                          counts.levels, counts.clocks);
}

TileEnergy tiles_by_hand(const SimulationOptions& wanted, const OperationCounts& counts,
                         const OpResult& one, SparsePath path = SparsePath::on) {
  return tile_energy(wanted.config, counts.work, one.useful_macs, wanted.compute, path);
}

void check_by_hand(const SimulationOptions& wanted, const OpResult& one, ByHand expected) {
  CAPTURE(one.layer);
  CAPTURE(to_string(one.op));
  const MachineUse& machine = one.machine.value();
  CHECK(numbers(machine.dense) == numbers(expected.dense));
  CHECK(numbers(machine.tensordash) == numbers(expected.tensordash));
  CHECK(machine.zero_free_clocks == expected.zero_free_clocks);
  expected.dense.work.multipliers.effectual = expected.tensordash.work.multipliers.effectual;
  const TileEnergy dense = tiles_by_hand(wanted, expected.dense, one);
  const double tensordash =
      tiles_by_hand(wanted, expected.tensordash, one, expected.path).tensordash_pJ;
  CHECK(parts(machine.energy.dense) ==
        parts(energy_by_hand(wanted, expected.dense, dense.dense_pJ)));
  CHECK(parts(machine.energy.zero_gated) ==
        parts(energy_by_hand(wanted, expected.dense, dense.zero_gated_pJ)));
  CHECK(parts(machine.energy.tensordash) ==
        parts(energy_by_hand(wanted, expected.tensordash, tensordash)));
}

}  // namespace

TEST_CASE("network machine: each operation as it is planned and counted by hand") {
  std::mt19937 random(91);
  int faster = 0, packed = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    Config config = td::unit::random_accelerator(random);
    while (config.is_dense()) config = td::unit::random_accelerator(random);
    MemoryOperands source;
    const double zeros = pick(random, 0, 9) / 10.0;
    for (const char* name : {"one", "two"}) {
      const LayerInfo layer = pick(random, 0, 3) > 0
                                  ? td::unit::random_conv(random)
                                  : td::unit::linear_layer(pick(random, 1, 40), pick(random, 1, 70),
                                                           pick(random, 1, 40));
      add(source, layer, "s", name, random, zeros);
    }
    SimulationOptions wanted = with_machine(config);
    wanted.memory.latency = pick(random, 1, 60);
    if (pick(random, 0, 1) == 0) wanted.memory.bandwidth = pick(random, 8000, 60000);
    wanted.packed = config.accelerator.unpack_rows > 0 && pick(random, 0, 3) > 0;
    if (pick(random, 0, 1) == 0) wanted.selection.layer = "two";
    if (pick(random, 0, 1) == 0) wanted.schedule = td::sim::ScheduleMode::first;
    const RunResult result = simulate_network(source, wanted);
    CHECK(result.latency == wanted.memory.latency);
    CHECK(result.bandwidth == wanted.memory.bandwidth);
    CHECK(result.packed == wanted.packed);
    CHECK(result.notes.empty());
    const std::vector<ByHand> expected = count_by_hand(source, wanted, result);
    for (std::size_t j = 0; j < expected.size(); ++j) {
      const OpResult& one = result.operations[j];
      check_by_hand(wanted, one, expected[j]);
      packed += expected[j].packed ? 1 : 0;
      faster += one.machine->tensordash.clocks < one.machine->dense.clocks ? 1 : 0;
    }
  }
  CHECK(faster > 25);
  CHECK(packed > 4);
}

TEST_CASE("network machine: as the machine says of the operation, on one thread and on several") {
  const MemoryOperands source = two_steps();
  SimulationOptions wanted = with_machine(kSmall);
  wanted.threads = 1;
  const RunResult result = simulate_network(source, wanted);
  wanted.threads = 4;
  CHECK(result_json(simulate_network(source, wanted)) == result_json(result));
  const Machine machine(wanted.config, wanted.technology, wanted.compute, wanted.objective,
                        wanted.memory, wanted.packed, nullptr, source, {});
  REQUIRE(result.operations.size() == 12);
  std::vector<td::sim::MachineTask> tasks;
  for (const LayerInfo& layer : source.layers()) {
    for (const Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
      const OpResult& one = result.operations[tasks.size()];
      CHECK(one.op == op);
      const Which scheduled = one.cycles.scheduled;
      tasks.push_back({&layer, op, scheduled, one.zeros.of(scheduled).share(), one.useful_macs});
    }
  }
  std::atomic<std::size_t> heard = 0;
  const std::vector<MachineUse> uses = machine.run(tasks, [&](std::size_t) { ++heard; });
  CHECK(heard == 24);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const MachineUse& of_run = result.operations[i].machine.value();
    CHECK(numbers(of_run.dense) == numbers(uses[i].dense));
    CHECK(numbers(of_run.tensordash) == numbers(uses[i].tensordash));
    CHECK(of_run.zero_free_clocks == uses[i].zero_free_clocks);
    CHECK(parts(of_run.energy.tensordash) == parts(uses[i].energy.tensordash));
  }
}

TEST_CASE("network machine: gated operations take the dense plan, and their own energy") {
  const MemoryOperands source = two_steps();
  SimulationOptions wanted = with_machine(kSmall);
  wanted.compute.gating_zero_share = 0.05;
  wanted.compute.parts = costly_parts();
  const RunResult on = simulate_network(source, wanted);
  wanted.gate = true;
  const RunResult gated = simulate_network(source, wanted);
  int count = 0;
  const std::vector<ByHand> by_hand = count_by_hand(source, wanted, gated);
  const std::vector<ByHand> ungated = count_by_hand(source, wanted, on);
  for (std::size_t i = 0; i < on.operations.size(); ++i) {
    const OpResult& one = gated.operations[i];
    CAPTURE(one.layer);
    CAPTURE(to_string(one.op));
    const MachineUse& machine = one.machine.value();
    const MachineUse& other = on.operations[i].machine.value();
    CHECK(numbers(machine.dense) == numbers(other.dense));
    CHECK(parts(machine.energy.dense) == parts(other.energy.dense));
    CHECK(parts(machine.energy.zero_gated) == parts(other.energy.zero_gated));
    CHECK(numbers(machine.tensordash) == numbers(by_hand[i].tensordash));
    if (!one.gated) continue;
    ++count;
    CHECK(machine.tensordash.tile_steps == machine.dense.tile_steps);
    CHECK(machine.zero_free_clocks == machine.tensordash.clocks);
    const OperationCounts& expected = by_hand[i].tensordash;
    CHECK(expected.work.multipliers.effectual == ungated[i].tensordash.work.multipliers.effectual);
    const double pJ = tiles_by_hand(wanted, expected, one, SparsePath::gated).tensordash_pJ;
    CHECK(parts(machine.energy.tensordash) == parts(energy_by_hand(wanted, expected, pJ)));
    CHECK(machine.energy.tensordash.compute_pJ > machine.energy.dense.compute_pJ);
  }
  CHECK(count == 6);
}

TEST_CASE("network machine: tiles that drop nothing take what dense ones take") {
  const MemoryOperands source = two_steps();
  SimulationOptions dropping = with_machine(kSmall);
  dropping.compute.parts = costly_parts();
  const RunResult sparse = simulate_network(source, dropping);
  for (const bool rests : {false, true}) {
    SimulationOptions wanted = dropping;
    wanted.config.scheduling = rests ? td::Scheduling::zero_gated : td::Scheduling::dense;
    wanted.compute.parts.sparse =
        rests ? wanted.compute.parts.zero_gated : wanted.compute.parts.dense;
    const RunResult result = simulate_network(source, wanted);
    REQUIRE(result.operations.size() == sparse.operations.size());
    for (std::size_t i = 0; i < result.operations.size(); ++i) {
      const MachineUse& machine = result.operations[i].machine.value();
      CHECK(numbers(machine.tensordash) == numbers(machine.dense));
      CHECK(machine.zero_free_clocks == machine.dense.clocks);
      const td::sim::HardwareEnergy& energy = machine.energy;
      CHECK(parts(energy.tensordash) == parts(rests ? energy.zero_gated : energy.dense));
      // Beside a tile that drops pairs, dense ones are the same.
      const MachineUse& other = sparse.operations[i].machine.value();
      CHECK(numbers(machine.dense) == numbers(other.dense));
      CHECK(parts(energy.dense) == parts(other.energy.dense));
      CHECK(parts(energy.zero_gated) == parts(other.energy.zero_gated));
    }
  }
}

TEST_CASE("network machine: a run of compute alone says why, but where it was asked for") {
  const MemoryOperands source = two_steps();
  const auto notes = [&](const SimulationOptions& wanted) {
    const RunResult result = simulate_network(source, wanted);
    CHECK(result.latency.has_value() == false);
    for (const OpResult& one : result.operations) CHECK_FALSE(one.machine.has_value());
    return result.notes;
  };
  SimulationOptions wanted = with_machine(kSmall);
  wanted.compute_only = true;
  CHECK(notes(wanted) == Names{});
  wanted.compute_only = false;
  wanted.dealing = DealingMode::density;
  REQUIRE_FALSE(notes(wanted).empty());
  CHECK(notes(wanted)[0] == "compute alone: the accelerator does not deal streams by density");
  wanted.dealing = DealingMode::best;
  CHECK(notes(wanted)[0] == "compute alone: the accelerator does not deal streams by best");
  const std::string none = "compute alone, no accelerator is built: c: ";
  wanted = with_machine("[tile]\nlanes = 4\nrows = 1\ncolumns = 1\nscheduling = \"two_sided\"\n");
  CHECK(notes(wanted) ==
        Names{none + "tile.scheduling = two_sided is illegal; legal: one_sided, dense or "
                     "zero_gated in an accelerator"});
  CHECK(notes(with_machine("[tile]\nlanes = 4\nrows = 2\ncolumns = 3\n")) ==
        Names{none + "tile.rows = 2 is illegal; legal: 3, the columns, in an accelerator"});
  wanted = with_machine(kSmall);
  wanted.config.accelerator.tiles = 3;
  REQUIRE(notes(wanted).size() == 1);
  CHECK(notes(wanted)[0].rfind(none + "accelerator.tiles = 3 is illegal; legal: ", 0) == 0);
}

TEST_CASE("network machine: what the accelerator cannot do stops the run by name") {
  // Results of 2 streams of 64 channels take 8 words: too small.
  const std::string toml =
      "[tile]\nlanes = 16\nrows = 2\ncolumns = 2\n[tile.numerics]\nformat = \"fp32\"\n"
      "[accelerator]\ntiles = 1\n[accelerator.sram]\nbanks = 1\nbank_bytes = 512\n"
      "[accelerator.scratchpad]\nbank_bytes = 512\n";
  MemoryOperands source;
  std::mt19937 random(4);
  source.add(td::unit::linear_layer(20, 16, 16), random, 0, 0, 0);
  SimulationOptions wanted = with_machine(toml);
  const auto said = [&] { return td::unit::message_of([&] { simulate_network(source, wanted); }); };
  CHECK(said().rfind("accelerator: s/l/", 0) == 0);
  CHECK(said().find("; legal: memories that hold a smallest part of it") != std::string::npos);
  wanted.compute_only = true;
  CHECK(said() == "(accepted)");
}

TEST_CASE("network machine: the observer hears of the machine's work, too") {
  const MemoryOperands source = two_steps();
  const auto total_of = [&](bool compute_only) {
    SimulationOptions wanted = with_machine(kSmall);
    wanted.compute_only = compute_only;
    std::int64_t last = -1;
    std::int64_t total = 0;
    simulate_network(source, wanted, [&](std::int64_t done, std::int64_t all) {
      CHECK(done >= last);
      last = done;
      total = all;
    });
    CHECK(last == total);
    return total;
  };
  CHECK(total_of(false) == 3 * total_of(true));
}
