// SPDX-License-Identifier: Apache-2.0
// The forms of a result, against texts written by hand.
#include "sim/result_text.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "sim/columns.hpp"
#include "sim/text_table.hpp"
#include "verify/unit/result_draft.hpp"

namespace {

using nlohmann::json;
using td::sim::RunResult;
using td::sim::TextTable;
using td::unit::result_draft;

}  // namespace

TEST_CASE("columns: names have their units and no two are equal") {
  std::set<std::string> names;
  std::set<std::string> headings;
  for (const td::sim::Column& column : td::sim::columns()) {
    CHECK(names.insert(column.name).second);
    CHECK(column.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos);
    if (!column.heading.empty()) CHECK(headings.insert(column.heading).second);
  }
}

TEST_CASE("columns: values as text") {
  using td::sim::exact_text;
  using td::sim::Style;
  using td::sim::terminal_text;
  CHECK(exact_text({}) == "");
  CHECK(exact_text(true) == "true");
  CHECK(exact_text(false) == "false");
  CHECK(exact_text(std::string("a b")) == "a b");
  CHECK(exact_text(std::int64_t{4611686018427387905}) == "4611686018427387905");
  CHECK(exact_text(0.1) == "0.1");
  CHECK(exact_text(1.0 / 3) == "0.3333333333333333");
  CHECK(exact_text(2.0) == "2");
  CHECK(terminal_text({}, Style::factor) == "-");
  CHECK(terminal_text(true, Style::mark) == "yes");
  CHECK(terminal_text(false, Style::mark) == "");
  CHECK(terminal_text(0.12345, Style::percent) == "12.3");
  CHECK(terminal_text(1.995, Style::factor) == "2.00");
  CHECK(terminal_text(12.7, Style::count) == "13");
}

TEST_CASE("result: the terminal's table") {
  CHECK(result_table(result_draft()) ==
        R"(operands t.safetensors (toy, none), identity fedcba9876543210, F32 rounded to bf16
configuration small (0123456789abcdef): 2 tiles of 1x2 PEs of 4 lanes, one_sided, depth 3, pattern step_first
passes dealt in turn; scheduled operand: auto
no dgrad of early/conv1: its input needs no gradient
snapshot layer op    scheduled zeros % gated passes dense cyc. cycles speed-up ideal cyc. used %
early    conv1 fwd   A            37.5            4         20     10     2.00          6   60.0
early    conv1 wgrad GO            2.5 yes        2         30     30     1.00         25   83.3
late     conv1 dgrad W             0.0            0          0      0        -          0      -
early          all                                6         50     40     1.25         31   77.5
late           all                                0          0      0        -          0      -
total          fwd                                4         20     10     2.00          6   60.0
total          dgrad                              0          0      0        -          0      -
total          wgrad                              2         30     30     1.00         25   83.3
total          all                                6         50     40     1.25         31   77.5

where the multipliers' cycles went, in %   fwd dgrad wgrad   all
effectual                                 60.0   0.0  83.3  77.5
ineffectual pairs                          0.0   0.0  16.7  12.5
array edge                                 2.5   0.0   0.0   0.6
channel padding                            5.0   0.0   0.0   1.2
lane conflicts                             7.5   0.0   0.0   1.9
stream tails                               3.1   0.0   0.0   0.8
row imbalance                              1.3   0.0   0.0   0.3
depth limit                               10.6   0.0   0.0   2.7
tile imbalance                            10.0   0.0   0.0   2.5
together                                 100.0   0.0 100.0 100.0
)");
}

TEST_CASE("result: marks, snapshots and names of one tile where there are any") {
  RunResult result = result_draft();
  result.operations = {td::unit::sparse_operation()};
  result.operations[0].layer = std::string(100, 'x') + "/conv";
  result.array.tiles = 1;
  result.gate = true;
  result.conversion.clear();
  const std::string text = result_table(result);
  CHECK(text.find("gated passes") == std::string::npos);
  CHECK(text.find("\nearly          all") == std::string::npos);
  CHECK(text.find(": 1 tile of 1x2") != std::string::npos);
  CHECK(text.find("auto; operations with few zeros are gated\n") != std::string::npos);
  CHECK(text.find("identity fedcba9876543210\n") != std::string::npos);
  const std::size_t begin = text.find("\nearly") + 1;
  CHECK(text.find('\n', begin) - begin == 120);
  CHECK(text.find(" ..xxx") != std::string::npos);
  CHECK(text.find("xxx/conv ") != std::string::npos);
}

TEST_CASE("result: tenths of a percent that add up") {
  RunResult result = result_draft();
  result.operations = {td::unit::sparse_operation()};
  auto& multipliers = result.operations[0].cycles.multipliers;
  multipliers = {};
  multipliers.effectual = 1;
  multipliers.array_edge = 1;
  multipliers.stream_tail = 1;
  const std::string text = result_table(result);
  CHECK(text.find("effectual                                 33.4 ") != std::string::npos);
  CHECK(text.find("array edge                                33.3 ") != std::string::npos);
  CHECK(text.find("stream tails                              33.3 ") != std::string::npos);
  CHECK(text.find("together                                 100.0 ") != std::string::npos);
}

TEST_CASE("result: JSON") {
  const std::string text = result_json(result_draft());
  const std::string head = R"({
 "format": "tensordash-result-1",
 "program": "tdsim 0.0.0",
 "configuration": {
  "name": "small",
  "hash": "0123456789abcdef",
  "lanes": 4,
  "rows": 1,
  "columns": 2,
  "scheduling": "one_sided",
  "depth_rows": 3,
  "pattern": "step_first"
 },
 "tiles": 2,
 "split": "passes dealt in turn",
 "schedule": "auto",
 "gate": false,
 "source": {
  "path": "t.safetensors",
  "identity": "fedcba9876543210",
  "model": "toy",
  "dataset": "none",
  "conversion": "F32 rounded to bf16"
 },
 "notes": [
  "no dgrad of early/conv1: its input needs no gradient"
 ],
 "operations": [
  {
   "snapshot": "early",
   "layer": "conv1",
   "op": "fwd",
   "scheduled_operand": "A",
   "scheduled_zeros_ratio": 0.375,
   "first_zeros": 3,
   "first_elements": 8,
   "second_zeros": 0,
   "second_elements": 5,
   "gated": false,
   "passes": 4,
   "stream_rows": 36,
   "dense_cycles": 20,
   "cycles": 10,
   "tile_cycles": 18,
   "speedup_ratio": 2.0,
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
   "tile_imbalance_multiplier_cycles": 16
  },
)";
  CHECK(text.substr(0, head.size()) == head);
  const std::string tail = R"(
  "all": {
   "passes": 6,
   "stream_rows": 96,
   "dense_cycles": 50,
   "cycles": 40,
   "tile_cycles": 78,
   "speedup_ratio": 1.25,
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
   "tile_imbalance_multiplier_cycles": 16
  }
 }
}
)";
  REQUIRE(text.size() > tail.size());
  CHECK(text.substr(text.size() - tail.size()) == tail);

  const json root = json::parse(text);
  REQUIRE(root["operations"].size() == 3);
  CHECK(root["operations"][2]["speedup_ratio"].is_null());
  const json& by = root["totals"];
  REQUIRE(by["by_op"].size() == 3);
  CHECK(by["by_op"][2]["op"] == "wgrad");
  CHECK(by["by_op"][2]["cycles"] == 30);
  REQUIRE(by["by_layer"].size() == 2);
  CHECK(by["by_layer"][0]["snapshot"] == "early");
  CHECK(by["by_layer"][0]["layer"] == "conv1");
  CHECK(by["by_layer"][0]["cycles"] == 40);
  REQUIRE(by["by_snapshot"].size() == 2);
  CHECK(by["by_snapshot"][1]["snapshot"] == "late");
  CHECK(by["by_snapshot"][1]["cycles"] == 0);
}

TEST_CASE("result: JSON of a path that is no UTF-8 and of integers beyond a double's") {
  RunResult result = result_draft();
  result.source_path = "a\xff.safetensors";
  result.operations[0].cycles.multipliers.effectual = 9007199254740993;
  const std::string text = result_json(result);
  CHECK(json::parse(text)["source"]["path"] == "a\xef\xbf\xbd.safetensors");
  CHECK(text.find("\"effectual_multiplier_cycles\": 9007199254740993,") != std::string::npos);
}

TEST_CASE("result: CSV") {
  RunResult result = result_draft();
  result.operations[0].layer = "a \"b\", c";
  result.operations[2].snapshot = "two\nlines";
  CHECK(result_csv(result) ==
        "configuration_hash,source_identity,snapshot,layer,op,scheduled_operand,"
        "scheduled_zeros_ratio,first_zeros,first_elements,second_zeros,second_elements,gated,"
        "passes,stream_rows,dense_cycles,cycles,tile_cycles,speedup_ratio,ideal_cycles,"
        "utilisation_ratio,lost_ineffectual_cycles,lost_array_edge_cycles,"
        "lost_channel_padding_cycles,lost_lane_conflicts_cycles,lost_stream_tail_cycles,"
        "lost_row_imbalance_cycles,lost_depth_limit_cycles,lost_tile_imbalance_cycles,"
        "effectual_multiplier_cycles,ineffectual_multiplier_cycles,array_edge_multiplier_cycles,"
        "channel_padding_multiplier_cycles,lane_conflicts_multiplier_cycles,"
        "stream_tail_multiplier_cycles,row_imbalance_multiplier_cycles,"
        "depth_limit_multiplier_cycles,tile_imbalance_multiplier_cycles\n"
        "0123456789abcdef,fedcba9876543210,early,\"a \"\"b\"\", c\",fwd,A,0.375,3,8,0,5,false,4,36,"
        "20,10,18,2,6,0.6,0,0.25,0.5,0.75,0.3125,0.125,1.0625,1,96,0,4,8,12,5,2,17,16\n"
        "0123456789abcdef,fedcba9876543210,early,conv1,wgrad,GO,0.025,3,8,1,40,true,2,60,30,30,60,"
        "1,25,0.8333333333333334,5,0,0,0,0,0,0,0,400,80,0,0,0,0,0,0,0\n"
        "0123456789abcdef,fedcba9876543210,\"two\nlines\",conv1,dgrad,W,0,4,4,0,5,false,0,0,0,0,0,,"
        "0,,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n");
}

TEST_CASE("table: columns as wide as their texts, long ones shortened from the front") {
  TextTable table;
  table.add_column("name", TextTable::Align::left);
  table.add_column("n", TextTable::Align::right);
  table.add_column("last", TextTable::Align::left);
  table.add_row({"zw\xc3\xb6lf", "12", ""});
  table.add_row({"a", "1", "b"});
  CHECK(table.text() == "name   n last\nzw\xc3\xb6lf 12\na      1 b\n");
  table.fit(13, 0, 2);
  CHECK(table.text().find("zw\xc3\xb6lf 12\n") != std::string::npos);
  table.fit(12, 0, 2);
  CHECK(table.text() == "name  n last\n..lf 12\na     1 b\n");
  table.fit(1, 0, 3);
  CHECK(table.text() == "..e  n last\n..f 12\na    1 b\n");
  TextTable umlauts;
  umlauts.add_column("", TextTable::Align::left);
  umlauts.add_row({"\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6"});
  umlauts.fit(4, 0, 2);
  CHECK(umlauts.text() == "\n..\xc3\xb6\xc3\xb6\n");
}
