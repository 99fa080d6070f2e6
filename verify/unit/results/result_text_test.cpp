// SPDX-License-Identifier: Apache-2.0
// The forms of a result, against texts written by hand.
#include "sim/results/result_text.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <regex>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "gen/base/text_table.hpp"
#include "sim/results/columns.hpp"
#include "verify/unit/results/result_draft.hpp"

namespace {

using td::sim::Column;
using td::sim::columns;
using td::sim::RunResult;
using td::sim::Style;
using td::sim::Value;
using td::unit::result_draft;

}  // namespace

TEST_CASE("columns: names end in their units and no two are equal") {
  const std::set<std::string> whole = {"blocks", "bytes",  "cycles", "elements",
                                       "macs",   "passes", "rows",   "zeros"};
  std::set<std::string> names;
  std::set<std::string> headings;
  for (const Column& column : columns()) {
    CAPTURE(column.name);
    CHECK(names.insert(column.name).second);
    if (!column.heading.empty()) CHECK(headings.insert(column.heading).second);
    // Capitals are those of units.
    const std::string plain = std::regex_replace(column.name, std::regex("_(pJ|MHz)(?=_|$)"), "");
    CHECK(plain.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos);
    const std::string unit = column.name.substr(column.name.rfind('_') + 1);
    td::sim::OpResult operation = td::unit::sparse_operation();
    operation.best.emplace().tensordash.cycles = 1;
    operation.best->tensordash.memory_cycles = 1;
    operation.best->tensordash.energy.dram_pJ = 1;
    const Value value = column.value(operation, {2, 1, 2, 4});
    if (column.style == Style::text || column.style == Style::mark) {
      CHECK(column.of_sums == false);
      CHECK_FALSE((std::holds_alternative<double>(value) || whole.count(unit) > 0));
    } else if (unit == "ratio" || unit == "pJ") {
      CHECK(std::holds_alternative<double>(value));
    } else {
      CHECK(whole.count(unit) == 1);
      // Shares of the array's cycles are no whole numbers.
      const bool share = column.name == "ideal_cycles" || column.name.rfind("lost_", 0) == 0;
      CHECK(std::holds_alternative<double>(value) == share);
    }
    const bool is_factor = column.style == Style::factor || column.style == Style::percent;
    if (is_factor) CHECK(unit == "ratio");
  }
}

TEST_CASE("columns: values as text") {
  using td::sim::exact_text;
  using td::sim::terminal_text;
  CHECK(exact_text({}) == "");
  CHECK(exact_text(true) == "true");
  CHECK(exact_text(false) == "false");
  CHECK(exact_text(std::string("a b")) == "a b");
  CHECK(exact_text(std::int64_t{4611686018427387905}) == "4611686018427387905");
  CHECK(exact_text(0.1) == "0.1");
  CHECK(exact_text(1.0 / 3) == "0.3333333333333333");
  CHECK(exact_text(2.0) == "2");
  CHECK(exact_text(2000000.5) == "2000000.5");
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
snapshot layer op    side B      zeros % gated passes dense cyc. cycles speed-up: data filled total used %
early    conv1 fwd   activations    28.6            4         20     10           1.60   1.25  2.00   60.0
early    conv1 wgrad gradients       5.1 yes        2         30     30           1.00   1.00  1.00   83.3
late     conv1 dgrad weights           -            0          0      0              -      -     -      -
early          all                                  6         50     40           1.15   1.09  1.25   77.5
late           all                                  0          0      0              -      -     -      -
total          fwd                                  4         20     10           1.60   1.25  2.00   60.0
total          dgrad                                0          0      0              -      -     -      -
total          wgrad                                2         30     30           1.00   1.00  1.00   83.3
total          all                                  6         50     40           1.15   1.09  1.25   77.5

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

accelerator 8899aabbccddeeff, technology paper_90nm, 450 MHz
compute energy from constants of paper_90nm
memory and energy                        fwd dgrad wgrad   all
off-chip traffic, raw, MB               1.54  0.00 23.00 24.54
off-chip traffic, zero-compressed, MB   1.04  0.00 12.00 13.04
cycles with memory, dense, raw            47     0   150   197
cycles with memory, dense, compressed     22     0    80   102
cycles with memory, TensorDash            16     0    80    96
speed-up with memory, data              1.12     -  1.00  1.02
speed-up with memory, total             1.38     -  1.00  1.06
compute energy, dense, uJ               3.00  0.00  5.00  8.00
compute energy, zero-gated, uJ          2.40  0.00  4.50  6.90
compute energy, TensorDash, uJ          2.00  0.00  5.00  7.00
energy with memory, dense, uJ          10.96  0.00 35.00 45.96
energy with memory, zero-gated, uJ     10.36  0.00 34.50 44.86
energy with memory, TensorDash, uJ      9.96  0.00 35.00 44.96
energy efficiency, compute only, data   1.25  1.00  1.00  1.07
energy efficiency, compute only, total  1.50  1.00  1.00  1.14
energy efficiency, whole system, data   1.05  1.00  1.00  1.01
energy efficiency, whole system, total  1.10  1.00  1.00  1.02
over zero-gated, compute only, data     1.10  1.00  0.90  0.96
over zero-gated, compute only, total    1.20  1.00  0.90  0.99
over zero-gated, whole system, data     1.02  1.00  0.99  0.99
over zero-gated, whole system, total    1.04  1.00  0.99  1.00
)");
}

TEST_CASE("result: what gating did") {
  RunResult result = result_draft();
  const std::string without = result_table(result);
  result.gate = true;
  const std::string text = result_table(result);
  const std::string said = "\n1 of 3 operations gated: +3 cycles, -0.250 uJ (-0.553 %)\n";
  REQUIRE(text.size() > said.size());
  CHECK(text.substr(text.size() - said.size()) == said);
  CHECK(without.find("gated:") == std::string::npos);
  result.operations = {td::unit::sparse_operation()};
  CHECK(result_table(result).find("\n0 of 1 operations gated: +0 cycles, +0.000 uJ (+0.000 %)\n") !=
        std::string::npos);
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
  CHECK(text.find("effectual                                 33.3 ") != std::string::npos);
  CHECK(text.find("array edge                                33.4 ") != std::string::npos);
  CHECK(text.find("stream tails                              33.3 ") != std::string::npos);
  CHECK(text.find("together                                 100.0 ") != std::string::npos);
  CHECK(text.find(" 33.3\ntotal") != std::string::npos);  // used %
  // 6.25 % is rounded up in both tables.
  multipliers = {};
  multipliers.effectual = 1;
  multipliers.array_edge = 15;
  const std::string halves = result_table(result);
  CHECK(halves.find("effectual                                  6.3 ") != std::string::npos);
  CHECK(halves.find("array edge                                93.7 ") != std::string::npos);
  CHECK(halves.find("  6.3\ntotal") != std::string::npos);
}

TEST_CASE("result: CSV") {
  RunResult result = result_draft();
  result.operations[0].layer = "a \"b\", c";
  result.operations[2].snapshot = "two\nlines";
  CHECK(result_csv(result) ==
        "configuration_hash,accelerator_hash,source_identity,snapshot,layer,op,side_b_tensor,"
        "side_b_tensor_zeros_ratio,side_b_counted_zeros_ratio,first_counted_zeros,"
        "first_counted_elements,"
        "second_counted_zeros,second_counted_elements,first_tensor_zeros,"
        "first_tensor_elements,second_tensor_zeros,second_tensor_elements,gated,passes,"
        "all_passes_rows,useful_macs,dense_cycles,zero_free_cycles,cycles,all_tiles_cycles,"
        "data_speedup_ratio,filled_in_speedup_ratio,total_speedup_ratio,ideal_cycles,"
        "utilisation_ratio,lost_ineffectual_cycles,lost_array_edge_cycles,"
        "lost_channel_padding_cycles,lost_lane_conflicts_cycles,lost_stream_tail_cycles,"
        "lost_row_imbalance_cycles,lost_depth_limit_cycles,lost_tile_imbalance_cycles,"
        "effectual_multiplier_cycles,ineffectual_multiplier_cycles,"
        "array_edge_multiplier_cycles,channel_padding_multiplier_cycles,"
        "lane_conflicts_multiplier_cycles,stream_tail_multiplier_cycles,"
        "row_imbalance_multiplier_cycles,depth_limit_multiplier_cycles,"
        "tile_imbalance_multiplier_cycles,first_scratchpad_banks_read_rows_0,"
        "first_scratchpad_banks_read_rows_1,first_scratchpad_banks_read_rows_2,"
        "first_scratchpad_written_rows,second_scratchpad_banks_read_rows_0,"
        "second_scratchpad_banks_read_rows_1,second_scratchpad_banks_read_rows_2,"
        "second_scratchpad_written_rows,sram_read_bytes,sram_written_bytes,transposed_blocks,"
        "dram_raw_read_bytes,dram_raw_written_bytes,dram_raw_cycles,dram_read_bytes,"
        "dram_written_bytes,dram_cycles,transposer_cycles,dense_raw_memory_cycles,"
        "dense_memory_cycles,zero_free_memory_cycles,memory_cycles,data_memory_speedup_ratio,"
        "total_memory_speedup_ratio,dense_compute_energy_pJ,compute_energy_pJ,"
        "dense_scratchpad_energy_pJ,scratchpad_energy_pJ,dense_sram_energy_pJ,sram_energy_pJ,"
        "dense_transposer_energy_pJ,transposer_energy_pJ,dense_dram_energy_pJ,dram_energy_pJ,"
        "dense_leakage_energy_pJ,leakage_energy_pJ,"
        "zero_gated_compute_energy_pJ,dense_energy_pJ,zero_free_energy_pJ,zero_gated_energy_pJ,"
        "zero_free_zero_gated_energy_pJ,energy_pJ,data_compute_efficiency_ratio,"
        "total_compute_efficiency_ratio,data_system_efficiency_ratio,"
        "total_system_efficiency_ratio,data_compute_efficiency_over_zero_gated_ratio,"
        "total_compute_efficiency_over_zero_gated_ratio,"
        "data_system_efficiency_over_zero_gated_ratio,"
        "total_system_efficiency_over_zero_gated_ratio,ungated_cycles,ungated_energy_pJ\n"
        "0123456789abcdef,8899aabbccddeeff,fedcba9876543210,early,\"a \"\"b\"\", c\",fwd,"
        "activations,0.2857142857142857,0.375,3,8,0,5,2,7,1,6,false,4,36,77,20,16,10,18,1.6,1.25,2,"
        "6,0.6,0,0.25,"
        "0.5,0.75,0.3125,0.125,1.0625,1,96,0,4,8,12,5,2,17,16,12,11,10,21,7,6,5,9,304,296,2,"
        "1200000,341000,46,700000,340000,15,13,47,22,18,16,1.125,1.375,3000000,2000000.5,"
        "400000,400001,500000,500002,60000,60003,6900000,6920004,100000,80000,2400000,10960000,"
        "10460010,"
        "10360010,10160010,9960010.5,"
        "1.249999687500078,1.4999996250000938,1.0502007000896234,1.1004004463649912,"
        "1.0999997250000688,1.199999700000075,"
        "1.0200802499153991,1.0401605500315487,10,9960010.5\n"
        "0123456789abcdef,8899aabbccddeeff,fedcba9876543210,early,conv1,wgrad,gradients,"
        "0.05128205128205128,0.025,3,8,1,40,1,3,2,39,true,2,60,0,30,30,30,60,1,1,1,25,0."
        "8333333333333334,5,0,0,0,0,"
        "0,0,0,400,80,0,0,0,0,0,0,0,100,200,300,400,500,600,0,700,10080,7680,110,20000000,"
        "3000000,140,10000000,2000000,70,60,150,80,80,80,1,1,5000000,5000000,6000000,6000000,"
        "7000000,7000000,8000000,8000000,8700000,8700000,300000,300000,4500000,35000000,35000000,"
        "34500000,"
        "34500000,35000000,1,1,1,1,0.9,0.9,0.9857142857142858,0.9857142857142858,"
        "27,35250000\n"
        "0123456789abcdef,8899aabbccddeeff,fedcba9876543210,\"two\nlines\",conv1,dgrad,weights,"
        ",0,4,4,0,5,0,0,0,0,false,0,0,0,0,0,0,0,,,,0,,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
        "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,,,0,0,0,0,0,0,0,0,4000,4000,0,0,0,4000,4000,4000,"
        "4000,4000,1,1,1,1,1,1,1,1,0,4000\n");
}

TEST_CASE("table: columns as wide as their texts, long ones shortened from the front") {
  td::TextTable table;
  table.add_column("name", td::TextTable::Align::left);
  table.add_column("n", td::TextTable::Align::right);
  table.add_column("last", td::TextTable::Align::left);
  table.add_row({"zw\xc3\xb6lf", "12", ""});
  table.add_row({"a", "1", "b"});
  CHECK(table.text() == "name   n last\nzw\xc3\xb6lf 12\na      1 b\n");
  table.fit(13, 0, 2);
  CHECK(table.text().find("zw\xc3\xb6lf 12\n") != std::string::npos);
  table.fit(12, 0, 2);
  CHECK(table.text() == "name  n last\n..lf 12\na     1 b\n");
  table.fit(1, 0, 3);
  CHECK(table.text() == "..e  n last\n..f 12\na    1 b\n");
  td::TextTable umlauts;
  umlauts.add_column("", td::TextTable::Align::left);
  umlauts.add_row({"\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6"});
  umlauts.fit(4, 0, 2);
  CHECK(umlauts.text() == "\n..\xc3\xb6\xc3\xb6\n");
}

TEST_CASE("result: of what share of the step the totals are, rounded down, and what they lack") {
  RunResult result = result_draft();
  const auto has = [&](const std::string& text) {
    return result_table(result).find(text) != std::string::npos;
  };
  CHECK_FALSE(has("of the step's MACs"));
  result.coverage = {
      {"early", 100000, 99999, {{"mix", "mv", 1, "a vector"}}},
      {"late", 1000, 932, {{"a", "x", 0, "none"}, {"b", "y", 68, "why"}, {"c", "z", {}, "?"}}}};
  CHECK(has("totals of 99.9 % of the step's MACs (early)\n  without mix (mv, 0.0 %): a vector\n"));
  CHECK(
      has("totals of at most 93.2 % of the step's MACs (late)\n  without c (z): ?\n"
          "  without b (y, 6.8 %): why\n  without a (x): none\n"));
  result.is_selection = true;
  CHECK(has("chosen from 99.9 % of the step's MACs (early)"));
}
