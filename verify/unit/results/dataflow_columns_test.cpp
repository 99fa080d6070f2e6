// SPDX-License-Identifier: Apache-2.0
// What results say of the best dataflows, with numbers that are easy to follow.
#include <doctest/doctest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sim/results/columns.hpp"
#include "sim/results/result_text.hpp"
#include "verify/unit/results/result_draft.hpp"

namespace {

using td::sim::BestDataflows;
using td::sim::DataflowResult;
using td::sim::RunResult;
using td::sim::Which;

DataflowResult dataflow_result(std::int64_t cycles, double compute_pJ) {
  DataflowResult result;
  result.dataflow = {Which::first, 2, 1, 0};
  result.cycles = cycles;
  result.tile_cycles = cycles + 1;
  result.memory_cycles = cycles + 2;
  result.counts.first = {10, 20, 30};
  result.counts.second = {1, 2, 3};
  result.counts.partial_rows = 5;
  result.counts.passes = 7;
  result.dram_bytes = 11;
  result.energy.compute_pJ = compute_pJ;
  result.energy.scratchpad_pJ = 100;
  result.energy.sram_pJ = 200;
  result.energy.dram_pJ = 650;
  result.energy.leakage_pJ = 50;
  return result;
}

BestDataflows best_draft() {
  BestDataflows best;
  best.dense = dataflow_result(58, 3000);
  best.dense.dataflow = {Which::second, 1, 2, 24};
  best.zero_gated = dataflow_result(58, 2000);
  best.zero_gated.gradients_once = true;
  best.zero_gated.dataflow.images = 8;
  best.tensordash = dataflow_result(28, 1000);
  best.tensordash.path = td::sim::SparsePath::gated;
  best.zero_free.cycles = 42;
  best.zero_free.memory_cycles = 45;
  best.zero_free.dense.compute_pJ = 2500;
  best.zero_free.zero_gated.compute_pJ = 1500;
  return best;
}

/// Two operations with equal dataflows.
RunResult best_result() {
  RunResult result = td::unit::result_draft();
  result.mapping = "best";
  result.objective = "energy";
  result.without = {"sums"};
  result.operations.resize(2);
  for (td::sim::OpResult& operation : result.operations) operation.best = best_draft();
  return result;
}

}  // namespace

TEST_CASE("best dataflows: every value where it belongs, and sums of them") {
  const auto root = nlohmann::json::parse(result_json(best_result()));
  CHECK(root["mapping"] == "best");
  CHECK(root["objective"] == "energy");
  CHECK(root["without"] == nlohmann::json{"sums"});
  const auto& one = root["operations"][0];
  CHECK(one["best_dense_dataflow"] == "weights stay, 1x2 tiles, chunks of 24 rows");
  CHECK(one["best_zero_gated_dataflow"] ==
        "activations stay, 2x1 tiles, uncut, gradients once, 8 images at a time");
  CHECK(one["best_dataflow"] == "activations stay, 2x1 tiles, uncut, sparse path off");
  for (const int times : {1, 2}) {
    const auto& all = times == 1 ? one : root["totals"]["all"];
    CHECK(all["best_dense_cycles"] == times * 58);
    CHECK(all["best_cycles"] == times * 28);
    CHECK(all["best_zero_free_cycles"] == times * 42);
    CHECK(all["best_memory_cycles"] == times * 30);
    CHECK(all["best_dense_memory_cycles"] == times * 60);
    CHECK(all["best_zero_free_memory_cycles"] == times * 45);
    CHECK(all["best_all_tiles_cycles"] == times * 29);
    CHECK(all["best_passes"] == times * 7);
    CHECK(all["best_sram_read_rows"] == times * (10 + 1 + 5));
    CHECK(all["best_partial_sums_rows"] == times * 5);
    CHECK(all["best_dram_bytes"] == times * 11);
    CHECK(all["best_scratchpad_written_rows"] == times * 22);
    CHECK(all["best_scratchpad_read_rows"] == times * 33);
    CHECK(all["best_dense_compute_energy_pJ"] == times * 3000);
    CHECK(all["best_scratchpad_energy_pJ"] == times * 100);
    CHECK(all["best_zero_gated_sram_energy_pJ"] == times * 200);
    CHECK(all["best_dense_leakage_energy_pJ"] == times * 50);
    CHECK(all["best_energy_pJ"] == times * 2000);
    CHECK(all["best_data_speedup_ratio"] == 1.5);
    CHECK(all["best_total_speedup_ratio"].get<double>() == doctest::Approx(58.0 / 28));
    CHECK(all["best_data_memory_speedup_ratio"] == 1.5);
    CHECK(all["best_total_memory_speedup_ratio"] == 2);
    CHECK(all["best_data_system_efficiency_ratio"] == 1.25);
    CHECK(all["best_total_system_efficiency_ratio"] == 2);
    CHECK(all["best_data_system_efficiency_over_zero_gated_ratio"] == 0.75);
    CHECK(all["best_total_system_efficiency_over_zero_gated_ratio"] == 1.5);
  }
  CHECK_FALSE(root["totals"]["all"].contains("best_dataflow"));
}

TEST_CASE("best dataflows: a table of their own, and nothing where none was searched") {
  const std::string text = result_table(best_result());
  CHECK(text.find("best dataflows (least energy, without sums)") != std::string::npos);
  // Headings are those of both kinds of operations and of all.
  const auto line = text.find("\ncycles with memory, dense  ");
  REQUIRE(line != std::string::npos);
  std::istringstream words(text.substr(line, text.find('\n', line + 1) - line));
  CHECK(std::vector<std::string>(std::istream_iterator<std::string>(words), {}) ==
        std::vector<std::string>{"cycles", "with", "memory,", "dense", "60", "60", "120"});
  const RunResult paper = td::unit::result_draft();
  CHECK(result_table(paper).find("best dataflows") == std::string::npos);
  CHECK(result_csv(paper).find("best_") == std::string::npos);
  CHECK(result_json(paper).find("best_") == std::string::npos);
}
