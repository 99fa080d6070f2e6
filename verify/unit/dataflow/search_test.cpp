// SPDX-License-Identifier: Apache-2.0
// The search for the best dataflow: each objective's own is the best of all, and legal.
#include "sim/dataflow/search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "gen/base/error.hpp"
#include "sim/dataflow/chunk_cycles.hpp"
#include "verify/unit/dataflow/dataflow_cases.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Config;
using td::sim::BestDataflows;
using td::sim::DataflowResult;
using td::sim::Objective;
using td::sim::Which;

double energy(const DataflowResult& result) { return result.energy.total_pJ(); }
double time(const DataflowResult& result) { return static_cast<double>(result.memory_cycles); }

void check_best(const DataflowResult& least_energy, const DataflowResult& least_time,
                const DataflowResult& least_product) {
  for (const DataflowResult* one : {&least_energy, &least_time, &least_product}) {
    CHECK(energy(least_energy) <= energy(*one));
    CHECK(time(least_time) <= time(*one));
    CHECK(energy(least_product) * time(least_product) <= energy(*one) * time(*one));
    CHECK(one->memory_cycles >= one->cycles);
  }
}

}  // namespace

TEST_CASE("dataflow search: no candidate beats the best, each hardware has its own") {
  std::mt19937 random(65);
  const td::sim::Technology technology = td::sim::find_technology("cacti_45nm");
  const td::sim::ComputeEnergy compute{10, 12, "a test"};
  int differ = 0;
  for (int i = 0; i < 60; ++i) {
    const Config config = td::unit::dataflow_machine(random);
    const td::sim::LayerInfo layer = td::unit::dataflow_layer(random);
    const td::sim::Op op = i % 2 == 0 ? td::sim::Op::fwd : td::sim::Op::wgrad;
    const Which scheduled = td::unit::random_side(random);
    td::unit::MemoryOperands source(td::sim::Dtype::f32);
    source.add(layer, random, 0.6, 0.6, 0.6);
    const td::sim::DataflowMachine machine{config, technology, compute};
    const auto best = [&](Objective objective) {
      return best_dataflows(machine, source, layer, op, scheduled, {0, 0}, objective);
    };
    CAPTURE(i);
    const BestDataflows by_energy = best(Objective::energy);
    const BestDataflows by_time = best(Objective::time);
    const BestDataflows by_product = best(Objective::product);
    check_best(by_energy.dense, by_time.dense, by_product.dense);
    check_best(by_energy.tensordash, by_time.tensordash, by_product.tensordash);
    const auto blocks = super_blocks(td::sim::Mapping(layer, op, config.lanes));
    td::sim::OpCycles none;
    none.scheduled = scheduled;
    const td::sim::OffChip off_chip =
        memory_traffic(layer, op, config, technology.clock_MHz, none, {0, 0}).compressed;
    const std::int64_t hidden = std::max(off_chip.transposer_cycles, off_chip.dram_cycles);
    for (const std::int64_t chunk_rows : {std::int64_t{0}, td::sim::scratchpad_rows(config)}) {
      const td::sim::ChunkCycles cycles(config, source, layer, op, scheduled, chunk_rows);
      for (const td::sim::Dataflow& dataflow : td::sim::candidates(config, chunk_rows)) {
        if (!obstacle(blocks, config, scheduled, dataflow).empty()) continue;
        const auto array = cycles.array_cycles(dataflow.first_tiles, dataflow.second_tiles);
        CHECK(std::max(array, hidden) >= by_time.tensordash.memory_cycles);
      }
    }
    const td::sim::Dataflow& one = by_energy.dense.dataflow;
    const td::sim::Dataflow& two = by_time.tensordash.dataflow;
    const bool same = one.stationary == two.stationary && one.first_tiles == two.first_tiles &&
                      one.chunk_rows == two.chunk_rows;
    differ += same ? 0 : 1;
  }
  CHECK(differ > 5);
}

TEST_CASE("dataflow search: two-sided tiles have no cycles of a group alone") {
  std::mt19937 random(66);
  Config config = td::unit::dataflow_machine(random);
  config.scheduling = td::Scheduling::two_sided;
  const td::sim::LayerInfo layer = td::unit::linear_layer(4, 8, 4);
  td::unit::MemoryOperands source(td::sim::Dtype::f32);
  source.add(layer, random, 0.5, 0.5, 0.5);
  const td::sim::Technology technology = td::sim::find_technology("cacti_45nm");
  const td::sim::ComputeEnergy compute{10, 12, "a test"};
  CHECK_THROWS_AS(best_dataflows({config, technology, compute}, source, layer, td::sim::Op::fwd,
                                 Which::first, {0, 0}, Objective::energy),
                  td::UserError);
}
