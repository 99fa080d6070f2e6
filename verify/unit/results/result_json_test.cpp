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
 "format": "tensordash-result-8",
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
  "sram.banks": 4,
  "sram.bank_bytes": 262144,
  "scratchpad.bank_bytes": 2048,
  "transposer.count": 15,
  "transposer.buffer_bytes": 1024,
  "dram.MT_per_s": 3200,
  "dram.channels": 3,
  "dram.channel_bits": 16,
  "dram.efficiency_percent": 100
 },
 "split": "passes dealt in turn",
 "schedule": "auto",
 "gate": false,
 "mapping": "paper",
 "objective": "",
 "without": [],
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
   "first_scratchpad_banks_read_rows": [
    12,
    11,
    10
   ],
   "first_scratchpad_written_rows": 21,
   "second_scratchpad_banks_read_rows": [
    7,
    6,
    5
   ],
   "second_scratchpad_written_rows": 9,
   "sram_read_bytes": 304,
   "sram_written_bytes": 296,
   "transposed_blocks": 2,
   "dram_raw_read_bytes": 1200000,
   "dram_raw_written_bytes": 341000,
   "dram_raw_cycles": 46,
   "dram_read_bytes": 700000,
   "dram_written_bytes": 340000,
   "dram_cycles": 15,
   "transposer_cycles": 13,
   "dense_raw_memory_cycles": 47,
   "dense_memory_cycles": 22,
   "zero_free_memory_cycles": 18,
   "memory_cycles": 16,
   "data_memory_speedup_ratio": 1.125,
   "total_memory_speedup_ratio": 1.375,
   "dense_compute_energy_pJ": 3000000.0,
   "compute_energy_pJ": 2000000.5,
   "dense_scratchpad_energy_pJ": 400000.0,
   "scratchpad_energy_pJ": 400001.0,
   "dense_sram_energy_pJ": 500000.0,
   "sram_energy_pJ": 500002.0,
   "dense_transposer_energy_pJ": 60000.0,
   "transposer_energy_pJ": 60003.0,
   "dense_dram_energy_pJ": 6900000.0,
   "dram_energy_pJ": 6920004.0,
   "dense_leakage_energy_pJ": 100000.0,
   "leakage_energy_pJ": 80000.0,
   "zero_gated_compute_energy_pJ": 2400000.0,
   "dense_energy_pJ": 10960000.0,
   "zero_free_energy_pJ": 10460010.0,
   "zero_gated_energy_pJ": 10360010.0,
   "zero_free_zero_gated_energy_pJ": 10160010.0,
   "energy_pJ": 9960010.5,
   "data_compute_efficiency_ratio": 1.249999687500078,
   "total_compute_efficiency_ratio": 1.4999996250000938,
   "data_system_efficiency_ratio": 1.0502007000896234,
   "total_system_efficiency_ratio": 1.1004004463649912,
   "data_compute_efficiency_over_zero_gated_ratio": 1.0999997250000688,
   "total_compute_efficiency_over_zero_gated_ratio": 1.199999700000075,
   "data_system_efficiency_over_zero_gated_ratio": 1.0200802499153991,
   "total_system_efficiency_over_zero_gated_ratio": 1.0401605500315487,
   "ungated_cycles": 10,
   "ungated_energy_pJ": 9960010.5
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
   "first_scratchpad_banks_read_rows": [
    112,
    211,
    310
   ],
   "first_scratchpad_written_rows": 421,
   "second_scratchpad_banks_read_rows": [
    507,
    606,
    5
   ],
   "second_scratchpad_written_rows": 709,
   "sram_read_bytes": 10384,
   "sram_written_bytes": 7976,
   "transposed_blocks": 112,
   "dram_raw_read_bytes": 21200000,
   "dram_raw_written_bytes": 3341000,
   "dram_raw_cycles": 186,
   "dram_read_bytes": 10700000,
   "dram_written_bytes": 2340000,
   "dram_cycles": 85,
   "transposer_cycles": 73,
   "dense_raw_memory_cycles": 197,
   "dense_memory_cycles": 102,
   "zero_free_memory_cycles": 98,
   "memory_cycles": 96,
   "data_memory_speedup_ratio": 1.0208333333333333,
   "total_memory_speedup_ratio": 1.0625,
   "dense_compute_energy_pJ": 8000000.0,
   "compute_energy_pJ": 7000000.5,
   "dense_scratchpad_energy_pJ": 6400000.0,
   "scratchpad_energy_pJ": 6400001.0,
   "dense_sram_energy_pJ": 7500000.0,
   "sram_energy_pJ": 7500002.0,
   "dense_transposer_energy_pJ": 8060000.0,
   "transposer_energy_pJ": 8060003.0,
   "dense_dram_energy_pJ": 15604000.0,
   "dram_energy_pJ": 15624004.0,
   "dense_leakage_energy_pJ": 400000.0,
   "leakage_energy_pJ": 380000.0,
   "zero_gated_compute_energy_pJ": 6900000.0,
   "dense_energy_pJ": 45964000.0,
   "zero_free_energy_pJ": 45464010.0,
   "zero_gated_energy_pJ": 44864010.0,
   "zero_free_zero_gated_energy_pJ": 44664010.0,
   "energy_pJ": 44964010.5,
   "data_compute_efficiency_ratio": 1.0714284948979647,
   "total_compute_efficiency_ratio": 1.1428570612244957,
   "data_system_efficiency_ratio": 1.011119993400055,
   "total_system_efficiency_ratio": 1.0222397755200239,
   "data_compute_efficiency_over_zero_gated_ratio": 0.9571427887755151,
   "total_compute_efficiency_over_zero_gated_ratio": 0.9857142153061275,
   "data_system_efficiency_over_zero_gated_ratio": 0.9933279861679598,
   "total_system_efficiency_over_zero_gated_ratio": 0.9977759879759835,
   "ungated_cycles": 37,
   "ungated_energy_pJ": 45214010.5
  }
 }
}
)";
  REQUIRE(text.size() > tail.size());
  CHECK(text.substr(text.size() - tail.size()) == tail);

  const json root = json::parse(text);
  REQUIRE(root["operations"].size() == 3);
  CHECK(root["operations"][2]["data_speedup_ratio"].is_null());
  CHECK(root["operations"][2]["total_memory_speedup_ratio"].is_null());
  CHECK(root["operations"][2]["total_system_efficiency_ratio"] == 1.0);
  const json& by = root["totals"];
  REQUIRE(by["by_op"].size() == 3);
  CHECK(by["by_op"][2]["op"] == "wgrad");
  CHECK(by["by_op"][2]["cycles"] == 30);
  REQUIRE(by["by_layer"].size() == 2);
  CHECK(by["by_layer"][0]["snapshot"] == "early");
  CHECK(by["by_layer"][0]["layer"] == "conv1");
  CHECK(by["by_layer"][0]["cycles"] == 40);
  CHECK(by["by_layer"][0]["second_scratchpad_banks_read_rows"] == json({507, 606, 5}));
  REQUIRE(by["by_snapshot"].size() == 2);
  CHECK(by["by_snapshot"][1]["snapshot"] == "late");
  CHECK(by["by_snapshot"][1]["cycles"] == 0);
  REQUIRE(by["by_snapshot_op"].size() == 3);
  CHECK(by["by_snapshot_op"][1]["snapshot"] == "early");
  CHECK(by["by_snapshot_op"][1]["op"] == "wgrad");
  CHECK(by["by_snapshot_op"][1]["cycles"] == 30);
}

TEST_CASE("result: JSON of a path that is no UTF-8 and of integers beyond a double's") {
  RunResult result = result_draft();
  result.source_path = "a\xff.safetensors";
  result.operations[0].cycles.multipliers.effectual = 9007199254740993;
  const std::string text = result_json(result);
  CHECK(json::parse(text)["source"]["path"] == "a\xef\xbf\xbd.safetensors");
  CHECK(text.find("\"effectual_multiplier_cycles\": 9007199254740993,") != std::string::npos);
}
