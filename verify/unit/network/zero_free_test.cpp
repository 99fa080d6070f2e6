// SPDX-License-Identifier: Apache-2.0
// Filled-in and data speed-up: cycles of tensors without zeros, which one image stands for.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "sim/cycles/op_simulator.hpp"
#include "sim/network/embedded.hpp"
#include "sim/network/network_simulation.hpp"
#include "sim/network/synthetic_operands.hpp"
#include "sim/trace/zero_free_operands.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"
#include "verify/unit/network/simulation_options.hpp"

namespace {

using td::Config;
using td::sim::LayerInfo;
using td::sim::Op;
using td::sim::OpCycles;
using td::sim::OpResult;
using td::sim::OpSimulator;
using td::sim::Part;
using td::sim::RunResult;
using td::sim::Which;
using td::sim::ZeroFreeOperands;
using td::unit::MemoryOperands;
using td::unit::pick;
using Numbers = std::vector<std::int64_t>;

constexpr const char* kPaperTile = "[tile]\nlanes = 16\nrows = 4\ncolumns = 4\n";

Numbers numbers(const OpCycles& cycles) {
  Numbers all = {cycles.passes, cycles.rows, cycles.dense_cycles, cycles.cycles,
                 cycles.tile_cycles};
  for (const Part& part : td::sim::parts()) all.push_back(cycles.multipliers.*part.cycles);
  return all;
}

/// Every number of the tensors is drawn below `zeros`.
RunResult simulate(const std::string& network, const std::string& zeros,
                   const td::sim::SimulationOptions& options) {
  std::string laws;
  for (const char* tensor : {"A", "W", "GO"}) {
    laws += std::string(tensor) + " = { zeros = " + zeros + " }\n";
  }
  const td::sim::SyntheticOperands source(td::sim::load_network(network, 2),
                                          td::sim::parse_sparsity({"t.toml", laws}), 1);
  return simulate_network(source, options);
}

RunResult simulate(const std::string& network, const std::string& zeros) {
  td::sim::SimulationOptions options = td::unit::options(kPaperTile);
  options.config.accelerator.tiles = 16;
  return simulate(network, zeros, options);
}

}  // namespace

TEST_CASE("zero-free: one image stands for all, in any layer and configuration") {
  std::mt19937 random(60);
  for (int i = 0; i < 150; ++i) {
    const Config config =
        td::unit::on_tiles(td::unit::random_config(random, {}), pick(random, 1, 5));
    const LayerInfo layer =
        pick(random, 0, 4) > 0
            ? td::unit::random_conv(random)
            : td::unit::linear_layer(pick(random, 1, 40), pick(random, 1, 70), pick(random, 1, 40));
    MemoryOperands full;  // no zeros either, but nobody has said that its images are equal
    full.add(layer, random, 0, 0, 0);
    const ZeroFreeOperands source(full);
    const OpSimulator simulator(config);
    for (Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
      for (Which which : {Which::first, Which::second}) {
        REQUIRE(numbers(simulator.run(source, layer, op, which)) ==
                numbers(simulator.run(full, layer, op, which)));
        const Numbers passes = simulator.pass_cycles(full, layer, op, which);
        REQUIRE(simulator.pass_cycles(source, layer, op, which) == passes);
        if (passes.empty()) continue;
        const std::int64_t last = static_cast<std::int64_t>(passes.size()) - 1;
        REQUIRE(simulator.pass_cycles(source, layer, op, which, {last}) == Numbers{passes.back()});
      }
    }
  }
}

TEST_CASE("zero-free: data without zeros have a data speed-up of 1 in every shipped network") {
  bool filled_in = false;
  for (const td::EmbeddedFile& network : td::sim::networks()) {
    if (network.name == "gpt2_small")
      continue;  // kinds of operations as bert_base's, 12 times the time
    CAPTURE(network.name);
    const RunResult result = simulate(std::string(network.name), "0");
    REQUIRE_FALSE(result.operations.empty());
    for (const OpResult& operation : result.operations) {
      CAPTURE(operation.layer);
      REQUIRE(operation.zero_free.cycles == operation.cycles.cycles);
      // As many cycles, of dense tiles: what differs in energy is what their parts cost.
      td::sim::OpCycles cycles = operation.cycles;
      cycles.rows = cycles.tile_cycles;
      const td::sim::StepEnergy& parts = result.compute.parts;
      const td::Config config = td::unit::options(kPaperTile).config;
      const td::sim::StepParts counts =
          step_counts(config, cycles, operation.useful_macs, cycles.tile_cycles);
      REQUIRE(operation.zero_free.dense_pJ ==
              doctest::Approx(parts.dense_step_pJ * energy_of(counts, parts.dense)));
      REQUIRE(operation.zero_free.zero_gated_pJ ==
              doctest::Approx(parts.dense_step_pJ * energy_of(counts, parts.zero_gated)));
      filled_in |= operation.zero_free.cycles < operation.cycles.dense_cycles;
    }
  }
  CHECK(filled_in);
}

TEST_CASE("zero-free: dense tiles do less work, on the data that there are") {
  td::sim::SimulationOptions options = td::unit::options(kPaperTile);
  options.config.accelerator.tiles = 1;
  options.compute.parts.dense = {1, 2, 3, 4, 5, 6};
  options.compute.parts.zero_gated = {6, 5, 4, 3, 2, 1};
  const RunResult result = simulate("squeezenet", "0.5", options);
  REQUIRE_FALSE(result.operations.empty());
  for (const OpResult& operation : result.operations) {
    CAPTURE(operation.layer);
    td::sim::OpCycles cycles = operation.cycles;
    cycles.rows = operation.zero_free.cycles;
    const td::sim::StepParts counts =
        step_counts(options.config, cycles, operation.useful_macs, operation.zero_free.cycles);
    const td::sim::StepEnergy& parts = options.compute.parts;
    REQUIRE(operation.zero_free.dense_pJ ==
            doctest::Approx(parts.dense_step_pJ * energy_of(counts, parts.dense)));
    REQUIRE(operation.zero_free.zero_gated_pJ ==
            doctest::Approx(parts.dense_step_pJ * energy_of(counts, parts.zero_gated)));
  }
}

TEST_CASE("zero-free: zeros change neither the cycles without them nor the dense ones") {
  const RunResult full = simulate("squeezenet", "0");
  const RunResult half = simulate("squeezenet", "0.5");
  REQUIRE(full.operations.size() == half.operations.size());
  for (std::size_t i = 0; i < full.operations.size(); ++i) {
    const OpResult& one = full.operations[i];
    const OpResult& other = half.operations[i];
    CHECK(one.cycles.dense_cycles == other.cycles.dense_cycles);
    // Where another tensor is on side B, other streams are.
    if (one.scheduled != other.scheduled) continue;
    CHECK(one.zero_free.cycles == other.zero_free.cycles);
  }
}

TEST_CASE("zero-free: the machine's clocks without zeros are its own where there are none") {
  td::sim::SimulationOptions options = td::unit::options(kPaperTile);
  options.compute_only = false;
  options.selection.layer = "features.[36].*";
  const RunResult full = simulate("squeezenet", "0", options);
  const RunResult half = simulate("squeezenet", "0.5", options);
  REQUIRE(full.operations.size() == half.operations.size());
  bool dropped = false;
  for (std::size_t i = 0; i < full.operations.size(); ++i) {
    const td::sim::MachineUse& one = full.operations[i].machine.value();
    const td::sim::MachineUse& other = half.operations[i].machine.value();
    CHECK(one.zero_free_clocks == one.tensordash.clocks);
    dropped |= other.tensordash.clocks < other.zero_free_clocks;
  }
  CHECK(dropped);
}
