// SPDX-License-Identifier: Apache-2.0
// A result as JSON, against texts worked out from the draft's numbers.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sim/results/result_text.hpp"
#include "verify/unit/results/result_draft.hpp"

namespace {

using nlohmann::json;
using td::sim::RunResult;
using td::unit::result_draft;

}  // namespace

TEST_CASE("result: JSON says what share of the step it is of, and what is missing") {
  RunResult result = result_draft();
  result.coverage = {
      {"early", 1000, 932, {{"mix", "mv", 68, "a vector"}, {"d", "cdist", {}, "?"}}}};
  const json coverage = json::parse(result_json(result))["source"]["coverage"];
  CHECK(coverage == json::parse(R"([{"snapshot": "early", "step_macs": 1000, "captured_macs": 932,
    "captured_ratio": 0.932, "is_upper_bound": true, "not_captured": [
    {"name": "mix", "operator": "mv", "macs": 68, "why": "a vector"},
    {"name": "d", "operator": "cdist", "macs": null, "why": "?"}]}])"));
}

TEST_CASE("result: JSON") {
  const std::string text = result_json(result_draft());
  const std::string head = R"({
 "format": "tensordash-result-14",
 "program": "tdsim 0.0.0",
 "configuration": {
  "name": "small",
  "hash": "0123456789abcdef",
  "lanes": 4,
  "rows": 1,
  "columns": 2,
  "scheduling": "one_sided",
  "depth_rows": 3,
  "pattern": "step_first",
  "options": [
   [
    0,
    0
   ],
   [
    1,
    -1
   ]
  ],
  "format": "bf16",
  "output": "fp32"
 },
 "accelerator": {
  "hash": "8899aabbccddeeff",
  "tiles": 2,
  "fill_rows": 4,
  "beat_rows": 2,
  "unpack_rows": 4,
  "collect_words": 2,
  "outstanding": 16,
  "sram.banks": 4,
  "sram.bank_bytes": 262144,
  "scratchpad.bank_bytes": 2048
 },
 "split": "passes dealt in turn",
 "schedule": "auto",
 "gate": false,
 "latency_clocks": 20,
 "bandwidth_bytes_in_1000_clocks": 51200,
 "packed": true,
 "objective": "energy",
 "technology": {
  "name": "paper_90nm",
  "hash": "00112233445566aa",
  "clock_MHz": 450,
  "memories": "",
  "compute_energy": "constants of paper_90nm",
  "dense_step_pJ": 12.5,
  "gating_zero_share": 0.25
 },
 "source": {
  "path": "t.safetensors",
  "identity": "fedcba9876543210",
  "model": "toy",
  "dataset": "none",
  "conversion": "F32 rounded to bf16",
  "coverage": []
 },
 "notes": [
  "no dgrad of early/conv1: its input needs no gradient"
 ],
 "operations": [
  {
   "snapshot": "early",
   "layer": "conv1",
   "op": "fwd",
   "side_b_tensor": "activations",
   "side_b_tensor_zeros_ratio": 0.2857142857142857,
   "side_b_counted_zeros_ratio": 0.375,
   "first_counted_zeros": 3,
   "first_counted_elements": 8,
   "second_counted_zeros": 0,
   "second_counted_elements": 5,
   "first_tensor_zeros": 2,
   "first_tensor_elements": 7,
   "second_tensor_zeros": 1,
   "second_tensor_elements": 6,
   "gated": false,
   "passes": 4,
   "all_passes_rows": 36,
   "useful_macs": 77,
   "dense_cycles": 20,
   "zero_free_cycles": 16,
   "cycles": 10,
   "all_tiles_cycles": 18,
   "data_speedup_ratio": 1.6,
   "filled_in_speedup_ratio": 1.25,
   "total_speedup_ratio": 2.0,
   "ideal_cycles": 6.0,
   "utilisation_ratio": 0.6,
   "lost_ineffectual_cycles": 0.0,
   "lost_array_edge_cycles": 0.25,
   "lost_channel_padding_cycles": 0.5,
   "lost_lane_conflicts_cycles": 0.75,
   "lost_stream_tail_cycles": 0.3125,
   "lost_row_imbalance_cycles": 0.125,
   "lost_depth_limit_cycles": 1.0625,
   "lost_tile_imbalance_cycles": 1.0,
   "effectual_multiplier_cycles": 96,
   "ineffectual_multiplier_cycles": 0,
   "array_edge_multiplier_cycles": 4,
   "channel_padding_multiplier_cycles": 8,
   "lane_conflicts_multiplier_cycles": 12,
   "stream_tail_multiplier_cycles": 5,
   "row_imbalance_multiplier_cycles": 2,
   "depth_limit_multiplier_cycles": 17,
   "tile_imbalance_multiplier_cycles": 16,
   "dense_plan_hash": "1234567890abcdef",
   "plan_hash": "fedcba0987654321",
   "plan_drops": true,
   "dense_memory_cycles": 44,
   "dense_bound_cycles": 40,
   "dense_over_bound_ratio": 1.1,
   "dense_slowest_tile_steps": 20,
   "dense_all_tiles_steps": 36,
   "dense_bus_read_cycles": 26,
   "dense_bus_written_cycles": 6,
   "dense_memory_steps_cycles": 20,
   "dense_memory_fill_cycles": 10,
   "dense_memory_collect_cycles": 4,
   "dense_memory_store_cycles": 5,
   "dense_memory_load_cycles": 3,
   "dense_memory_control_cycles": 2,
   "dense_dram_read_bytes": 1000,
   "dense_dram_written_bytes": 1001,
   "dense_operand_memory_read_bytes": 1002,
   "dense_operand_memory_written_bytes": 1003,
   "dense_scratchpad_read_bytes": 1004,
   "dense_scratchpad_written_bytes": 1005,
   "dense_result_memory_read_bytes": 1006,
   "dense_result_memory_written_bytes": 1007,
   "memory_cycles": 32,
   "bound_cycles": 25,
   "over_bound_ratio": 1.28,
   "slowest_tile_steps": 10,
   "all_tiles_steps": 17,
   "bus_read_cycles": 25,
   "bus_written_cycles": 5,
   "memory_steps_cycles": 10,
   "memory_fill_cycles": 12,
   "memory_collect_cycles": 4,
   "memory_store_cycles": 3,
   "memory_load_cycles": 2,
   "memory_control_cycles": 1,
   "dram_read_bytes": 700000,
   "dram_written_bytes": 700001,
   "operand_memory_read_bytes": 700002,
   "operand_memory_written_bytes": 700003,
   "scratchpad_read_bytes": 700004,
   "scratchpad_written_bytes": 700005,
   "result_memory_read_bytes": 700006,
   "result_memory_written_bytes": 700007,
   "zero_free_memory_cycles": 40,
   "data_memory_speedup_ratio": 1.25,
   "total_memory_speedup_ratio": 1.375,
   "dense_compute_energy_pJ": 3000000.0,
   "zero_free_compute_energy_pJ": 2500000.0,
   "zero_gated_compute_energy_pJ": 2400000.0,
   "zero_free_zero_gated_compute_energy_pJ": 2200000.0,
   "compute_energy_pJ": 2000000.5,
   "data_compute_efficiency_ratio": 1.249999687500078,
   "total_compute_efficiency_ratio": 1.4999996250000938,
   "data_compute_efficiency_over_zero_gated_ratio": 1.0999997250000688,
   "total_compute_efficiency_over_zero_gated_ratio": 1.199999700000075,
   "ungated_cycles": 10,
   "ungated_compute_energy_pJ": 2000000.5,
   "dense_tiles_energy_pJ": 3000000.0,
   "dense_scratchpad_energy_pJ": 400000.0,
   "dense_sram_energy_pJ": 500000.0,
   "dense_dram_energy_pJ": 6900000.0,
   "dense_leakage_energy_pJ": 100000.0,
   "dense_surroundings_energy_pJ": 0.0,
   "dense_energy_pJ": 10900000.0,
   "zero_gated_tiles_energy_pJ": 2400000.0,
   "zero_gated_scratchpad_energy_pJ": 400001.0,
   "zero_gated_sram_energy_pJ": 500002.0,
   "zero_gated_dram_energy_pJ": 6900004.0,
   "zero_gated_leakage_energy_pJ": 100003.0,
   "zero_gated_surroundings_energy_pJ": 0.0,
   "zero_gated_energy_pJ": 10300010.0,
   "tiles_energy_pJ": 2000000.5,
   "scratchpad_energy_pJ": 400003.0,
   "sram_energy_pJ": 500004.0,
   "dram_energy_pJ": 6920004.0,
   "leakage_energy_pJ": 80000.0,
   "surroundings_energy_pJ": 0.0,
   "energy_pJ": 9900011.5,
   "total_system_efficiency_ratio": 1.1010088220604592,
   "total_system_efficiency_over_zero_gated_ratio": 1.0404038419551331
  },
)";
  CHECK(text.substr(0, head.size()) == head);
  const std::string tail = R"(
  "all": {
   "passes": 6,
   "all_passes_rows": 96,
   "useful_macs": 77,
   "dense_cycles": 50,
   "zero_free_cycles": 46,
   "cycles": 40,
   "all_tiles_cycles": 78,
   "data_speedup_ratio": 1.15,
   "filled_in_speedup_ratio": 1.0869565217391304,
   "total_speedup_ratio": 1.25,
   "ideal_cycles": 31.0,
   "utilisation_ratio": 0.775,
   "lost_ineffectual_cycles": 5.0,
   "lost_array_edge_cycles": 0.25,
   "lost_channel_padding_cycles": 0.5,
   "lost_lane_conflicts_cycles": 0.75,
   "lost_stream_tail_cycles": 0.3125,
   "lost_row_imbalance_cycles": 0.125,
   "lost_depth_limit_cycles": 1.0625,
   "lost_tile_imbalance_cycles": 1.0,
   "effectual_multiplier_cycles": 496,
   "ineffectual_multiplier_cycles": 80,
   "array_edge_multiplier_cycles": 4,
   "channel_padding_multiplier_cycles": 8,
   "lane_conflicts_multiplier_cycles": 12,
   "stream_tail_multiplier_cycles": 5,
   "row_imbalance_multiplier_cycles": 2,
   "depth_limit_multiplier_cycles": 17,
   "tile_imbalance_multiplier_cycles": 16,
   "dense_memory_cycles": 146,
   "dense_bound_cycles": 128,
   "dense_over_bound_ratio": 1.140625,
   "dense_slowest_tile_steps": 50,
   "dense_all_tiles_steps": 97,
   "dense_bus_read_cycles": 99,
   "dense_bus_written_cycles": 36,
   "dense_memory_steps_cycles": 51,
   "dense_memory_fill_cycles": 53,
   "dense_memory_collect_cycles": 15,
   "dense_memory_store_cycles": 14,
   "dense_memory_load_cycles": 8,
   "dense_memory_control_cycles": 5,
   "dense_dram_read_bytes": 20001064,
   "dense_dram_written_bytes": 20001130,
   "dense_operand_memory_read_bytes": 20001004,
   "dense_operand_memory_written_bytes": 20001006,
   "dense_scratchpad_read_bytes": 20001008,
   "dense_scratchpad_written_bytes": 20001010,
   "dense_result_memory_read_bytes": 20001012,
   "dense_result_memory_written_bytes": 20001014,
   "memory_cycles": 134,
   "bound_cycles": 113,
   "over_bound_ratio": 1.1858407079646018,
   "slowest_tile_steps": 41,
   "all_tiles_steps": 78,
   "bus_read_cycles": 98,
   "bus_written_cycles": 35,
   "memory_steps_cycles": 41,
   "memory_fill_cycles": 55,
   "memory_collect_cycles": 15,
   "memory_store_cycles": 12,
   "memory_load_cycles": 7,
   "memory_control_cycles": 4,
   "dram_read_bytes": 20700064,
   "dram_written_bytes": 20700130,
   "operand_memory_read_bytes": 20700004,
   "operand_memory_written_bytes": 20700006,
   "scratchpad_read_bytes": 20700008,
   "scratchpad_written_bytes": 20700010,
   "result_memory_read_bytes": 20700012,
   "result_memory_written_bytes": 20700014,
   "zero_free_memory_cycles": 142,
   "data_memory_speedup_ratio": 1.0597014925373134,
   "total_memory_speedup_ratio": 1.0895522388059702,
   "dense_compute_energy_pJ": 8000000.0,
   "zero_free_compute_energy_pJ": 7500000.0,
   "zero_gated_compute_energy_pJ": 6900000.0,
   "zero_free_zero_gated_compute_energy_pJ": 6700000.0,
   "compute_energy_pJ": 7250000.5,
   "data_compute_efficiency_ratio": 1.034482687277056,
   "total_compute_efficiency_ratio": 1.1034481997621932,
   "data_compute_efficiency_over_zero_gated_ratio": 0.9241378673008367,
   "total_compute_efficiency_over_zero_gated_ratio": 0.9517240722948915,
   "ungated_cycles": 37,
   "ungated_compute_energy_pJ": 7500000.5,
   "dense_tiles_energy_pJ": 8000000.0,
   "dense_scratchpad_energy_pJ": 6400000.0,
   "dense_sram_energy_pJ": 7500000.0,
   "dense_dram_energy_pJ": 15604000.0,
   "dense_leakage_energy_pJ": 400000.0,
   "dense_surroundings_energy_pJ": 0.0,
   "dense_energy_pJ": 37904000.0,
   "zero_gated_tiles_energy_pJ": 6900000.0,
   "zero_gated_scratchpad_energy_pJ": 6400001.0,
   "zero_gated_sram_energy_pJ": 7500002.0,
   "zero_gated_dram_energy_pJ": 15604004.0,
   "zero_gated_leakage_energy_pJ": 400003.0,
   "zero_gated_surroundings_energy_pJ": 0.0,
   "zero_gated_energy_pJ": 36804010.0,
   "tiles_energy_pJ": 7250000.5,
   "scratchpad_energy_pJ": 6400003.0,
   "sram_energy_pJ": 7500004.0,
   "dram_energy_pJ": 15624004.0,
   "leakage_energy_pJ": 380000.0,
   "surroundings_energy_pJ": 0.0,
   "energy_pJ": 37154011.5,
   "total_system_efficiency_ratio": 1.0201859360462329,
   "total_system_efficiency_over_zero_gated_ratio": 0.9905797116954652
  }
 }
}
)";
  REQUIRE(text.size() > tail.size());
  CHECK(text.substr(text.size() - tail.size()) == tail);

  const json root = json::parse(text);
  REQUIRE(root["operations"].size() == 3);
  CHECK(root["operations"][2]["data_speedup_ratio"].is_null());
  CHECK(root["operations"][2]["total_memory_speedup_ratio"] == 1.0);
  CHECK(root["operations"][2]["total_system_efficiency_ratio"] == 1.0);
  const json& by = root["totals"];
  REQUIRE(by["by_op"].size() == 3);
  CHECK(by["by_op"][2]["op"] == "wgrad");
  CHECK(by["by_op"][2]["cycles"] == 30);
  REQUIRE(by["by_layer"].size() == 2);
  CHECK(by["by_layer"][0]["snapshot"] == "early");
  CHECK(by["by_layer"][0]["layer"] == "conv1");
  CHECK(by["by_layer"][0]["cycles"] == 40);
  CHECK(by["by_layer"][0]["slowest_tile_steps"] == 41);
  REQUIRE(by["by_snapshot"].size() == 2);
  CHECK(by["by_snapshot"][1]["snapshot"] == "late");
  CHECK(by["by_snapshot"][1]["cycles"] == 0);
  REQUIRE(by["by_snapshot_op"].size() == 3);
  CHECK(by["by_snapshot_op"][1]["snapshot"] == "early");
  CHECK(by["by_snapshot_op"][1]["op"] == "wgrad");
  CHECK(by["by_snapshot_op"][1]["cycles"] == 30);
}

TEST_CASE("result: JSON of compute alone has null where others have the machine") {
  const json with = json::parse(result_json(result_draft()));
  const json alone = json::parse(result_json(td::unit::compute_alone_draft()));
  CHECK(alone["latency_clocks"].is_null());
  CHECK(alone["objective"].is_null());
  int nulls = 0;
  const auto compare = [&nulls](const json& a, const json& b) {
    REQUIRE(a.size() == b.size());
    for (const auto& [key, value] : a.items()) {
      CAPTURE(key);
      // Energies of compute alone say so.
      const bool is_energy = key.find("energy_pJ") != std::string::npos;
      const bool is_machine =
          key.find("memory") != std::string::npos || key.find("bound") != std::string::npos ||
          key.find("bus_") != std::string::npos || key.find("steps") != std::string::npos ||
          key.find("bytes") != std::string::npos || key.find("system") != std::string::npos ||
          key.find("plan") != std::string::npos ||
          (is_energy && key.find("compute") == std::string::npos);
      CHECK(b[key] == (is_machine ? json() : value));
      nulls += is_machine ? 1 : 0;
    }
  };
  for (std::size_t i = 0; i < 3; ++i) compare(with["operations"][i], alone["operations"][i]);
  compare(with["totals"]["all"], alone["totals"]["all"]);
  compare(with["totals"]["by_layer"][0], alone["totals"]["by_layer"][0]);
  CHECK(nulls == 5 * 68 + 3 * 3);
}

TEST_CASE("result: JSON of an operation without the machine that others have is null there") {
  RunResult result = result_draft();
  result.operations[1].machine.reset();
  const json operations = json::parse(result_json(result))["operations"];
  CHECK(operations[0]["memory_cycles"] == 32);
  CHECK(operations[1]["memory_cycles"].is_null());
}

TEST_CASE("result: JSON of a path that is no UTF-8 and of integers beyond a double's") {
  RunResult result = result_draft();
  result.source_path = "a\xff.safetensors";
  result.operations[0].cycles.multipliers.effectual = 9007199254740993;
  const std::string text = result_json(result);
  CHECK(json::parse(text)["source"]["path"] == "a\xef\xbf\xbd.safetensors");
  CHECK(text.find("\"effectual_multiplier_cycles\": 9007199254740993,") != std::string::npos);
}
