// SPDX-License-Identifier: Apache-2.0
// Simulation of a network: what is selected, how the scheduled operand is chosen, and its cycles.
#include "sim/network/network_simulation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/cycles/op_simulator.hpp"
#include "sim/mapping/mapping.hpp"
#include "sim/results/result_text.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/network/simulation_options.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace {

using td::sim::Mapping;
using td::sim::OpResult;
using td::sim::RunResult;
using td::sim::ScheduleMode;
using td::sim::simulate_network;
using td::sim::SimulationOptions;
using td::sim::Trace;
using td::sim::TraceOperands;
using td::sim::Which;
using td::unit::options;

/// A trace with zeros in it: whole numbers of either type, in no regular order.
class SparseTrace {
 public:
  explicit SparseTrace(td::unit::Draft draft = td::unit::good())
      : trace_(td::unit::write(folder_, sparse(std::move(draft)))), operands_(trace_) {}
  const Trace& trace() const { return trace_; }
  const TraceOperands& operands() const { return operands_; }

 private:
  static td::unit::Draft sparse(td::unit::Draft draft) {
    for (std::size_t i = 0; i + 4 <= draft.data.size(); i += 4) {
      if ((i * 2654435761U >> 9) % 8 < 5) draft.data.replace(i, 4, 4, '\0');
    }
    return draft;
  }
  td::unit::Folder folder_;
  Trace trace_;
  TraceOperands operands_;
};

}  // namespace

TEST_CASE(
    "network simulation: cycles are those of the operations, in every mode and configuration") {
  const SparseTrace sparse;
  const std::string configs[] = {
      "[tile]\nlanes = 4\nrows = 2\ncolumns = 3\n",
      "[tile]\nlanes = 2\nrows = 4\ncolumns = 1\n[tile.interconnect]\ndepth = 2\n",
      "[tile]\nlanes = 8\nrows = 1\ncolumns = 1\nscheduling = \"two_sided\"\n",
      "[tile]\nlanes = 4\nrows = 3\ncolumns = 2\nscheduling = \"dense\"\n"};
  for (const std::string& toml : configs) {
    for (const ScheduleMode mode :
         {ScheduleMode::automatic, ScheduleMode::first, ScheduleMode::second, ScheduleMode::best}) {
      SimulationOptions wanted = options(toml);
      wanted.schedule = mode;
      const bool both = wanted.config.scheduling == td::Scheduling::two_sided;
      if (both && mode != ScheduleMode::automatic) {
        CHECK(td::unit::message_of([&] { simulate_network(sparse.operands(), wanted); }) ==
              std::string("command line: --schedule = ") + to_string(mode) +
                  " is illegal; legal: auto: c is two_sided, which searches both operands for "
                  "zeros");
        continue;
      }
      const RunResult result = simulate_network(sparse.operands(), wanted);
      REQUIRE(result.operations.size() == 5);
      CHECK(result.schedule == to_string(mode));
      for (const OpResult& operation : result.operations) {
        const std::vector<td::sim::LayerInfo>& layers = sparse.trace().layers();
        const td::sim::LayerInfo& layer = operation.layer == "fc" ? layers[1] : layers[0];
        CHECK(operation.cycles.cycles ==
              td::sim::OpSimulator(wanted.config)
                  .run(sparse.operands(), layer, operation.op, operation.cycles.scheduled)
                  .cycles);
        CHECK(operation.ungated_cycles == operation.cycles.cycles);
        CHECK(operation.cycles.dense_cycles ==
              dense_cycles(Mapping(layer, operation.op, wanted.config.lanes), wanted.config.rows,
                           wanted.config.columns, operation.cycles.scheduled));
        CHECK(operation.scheduled == operand(operation.op, operation.cycles.scheduled));
        if (mode == ScheduleMode::first) CHECK(operation.cycles.scheduled == Which::first);
        if (mode == ScheduleMode::second) CHECK(operation.cycles.scheduled == Which::second);
        if (mode == ScheduleMode::automatic) {
          CHECK(operation.cycles.scheduled == operation.zeros.scheduled());
        }
      }
    }
  }
}

TEST_CASE("network simulation: the best operand is the one with fewer cycles") {
  const SparseTrace sparse;
  SimulationOptions wanted = options();
  std::vector<RunResult> results;
  for (const ScheduleMode mode :
       {ScheduleMode::first, ScheduleMode::second, ScheduleMode::best, ScheduleMode::automatic}) {
    wanted.schedule = mode;
    results.push_back(simulate_network(sparse.operands(), wanted));
  }
  bool differs = false;
  for (std::size_t i = 0; i < 5; ++i) {
    const std::int64_t least =
        std::min(results[0].operations[i].cycles.cycles, results[1].operations[i].cycles.cycles);
    CHECK(results[2].operations[i].cycles.cycles == least);
    differs |= results[3].operations[i].cycles.cycles != least;
  }
  CHECK(differs);
}

TEST_CASE("network simulation: tiles share the passes") {
  const SparseTrace sparse;
  SimulationOptions wanted = options();
  const RunResult one = simulate_network(sparse.operands(), wanted);
  wanted.config.accelerator.tiles = 3;
  const RunResult three = simulate_network(sparse.operands(), wanted);
  wanted.config.accelerator.tiles = 4096;
  const RunResult many = simulate_network(sparse.operands(), wanted);
  for (std::size_t i = 0; i < one.operations.size(); ++i) {
    const td::sim::OpCycles& single = one.operations[i].cycles;
    CHECK(single.tile_cycles == single.cycles);
    CHECK(single.multipliers.tile_imbalance == 0);
    CHECK(three.operations[i].cycles.tile_cycles == single.cycles);
    CHECK(three.operations[i].cycles.cycles * 3 >= single.cycles);
    CHECK(three.operations[i].cycles.cycles < single.cycles);
    CHECK(many.operations[i].cycles.passes <= 4096);
    CHECK(many.operations[i].cycles.multipliers.effectual == single.multipliers.effectual);
  }
  CHECK(result_json(many) == result_json(simulate_network(sparse.operands(), wanted)));
}

TEST_CASE("network simulation: what is selected and what is left out") {
  const SparseTrace sparse;
  SimulationOptions wanted = options();
  const RunResult all = simulate_network(sparse.operands(), wanted);
  CHECK(all.notes ==
        std::vector<std::string>{"no dgrad of early/conv1: its input needs no gradient"});
  CHECK(all.conversion == "F32 rounded to bf16");
  CHECK(all.source_path == sparse.trace().path());
  CHECK(all.source_identity == sparse.trace().identity());
  wanted.selection.layer = "fc";
  const RunResult linear = simulate_network(sparse.operands(), wanted);
  CHECK(linear.operations.size() == 3);
  CHECK(linear.notes.empty());
  wanted.selection.op = "dgrad";
  CHECK(simulate_network(sparse.operands(), wanted).operations.size() == 1);
  wanted.selection.layer = "conv1";
  const auto said = [&] {
    return td::unit::message_of([&] { simulate_network(sparse.operands(), wanted); });
  };
  const std::string file = sparse.trace().path();
  const std::string legal =
      " is illegal; legal: fwd, wgrad, or dgrad where the input needs a gradient, of: conv1 of "
      "early, fc of early";
  CHECK(said() == file + ": --layer, --op = conv1, dgrad" + legal);
  wanted.selection = {};
  wanted.selection.snapshot = "late";
  CHECK(said() == file + ": --snapshot = late" + legal);
}

TEST_CASE("network simulation: rows of transposed convolutions say what they are") {
  td::unit::Draft draft = td::unit::good();
  for (const char* snapshot : {"late", "last"}) {
    const std::string layer = std::string(snapshot) + "/up";
    draft.layers.push_back({{"snapshot", snapshot},
                            {"name", "up"},
                            {"type", "conv2d"},
                            {"operator", "conv_transpose2d"},
                            {"stride", {1, 1}},
                            {"padding", {0, 0}},
                            {"dilation", {1, 1}},
                            {"groups", 1}});
    draft.snapshots[snapshot] = draft.snapshots["early"];
    draft.add(layer + "/A", "F32", {1, 2, 3, 3});
    draft.add(layer + "/W", "F32", {3, 2, 1, 1});
    draft.add(layer + "/GO", "F32", {1, 3, 3, 3});
  }
  draft.layers[1]["operator"] = "matmul";
  const SparseTrace sparse(draft);
  SimulationOptions wanted = options();
  const RunResult all = simulate_network(sparse.operands(), wanted);
  REQUIRE(all.notes.size() == 2);
  CHECK(all.notes[1] ==
        "transposed convolutions, of which dgrad is the forward pass, and fwd the gradient of the "
        "layer's input: up");
  CHECK(result_table(all).find(all.notes[1] + '\n') != std::string::npos);
  CHECK(result_json(all).find(all.notes[1]) != std::string::npos);
  wanted.selection.layer = "fc";
  CHECK(simulate_network(sparse.operands(), wanted).notes.empty());
}

TEST_CASE("network simulation: the observer hears of all the work") {
  const SparseTrace sparse;
  std::vector<std::int64_t> heard;
  std::int64_t total = 0;
  simulate_network(sparse.operands(), options(), [&](std::int64_t done, std::int64_t all) {
    heard.push_back(done);
    CHECK((total == 0 || total == all));
    total = all;
  });
  REQUIRE(heard.size() >= 2);
  CHECK(heard.front() == 0);
  CHECK(heard.back() == total);
  CHECK(std::is_sorted(heard.begin(), heard.end()));
}
