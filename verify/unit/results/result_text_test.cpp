// SPDX-License-Identifier: Apache-2.0
// The forms of a result, against texts written by hand.
#include "sim/results/result_text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/support/text_table.hpp"
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
  const std::set<std::string> whole = {"bytes",  "cycles", "elements", "macs",
                                       "passes", "rows",   "steps",    "zeros"};
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
    const Value value = column.value(td::unit::sparse_operation(), {2, 1, 2, 4});
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

from memory to memory dense clocks TensorDash speed-up of steps over bound: dense TensorDash bytes read  written
early/conv1/fwd                 44         32     1.38     2.12              1.10       1.28     700000   700001
early/conv1/wgrad               90         90     1.00     1.00              1.12       1.12   20000000 20000001
late/conv1/dgrad                12         12     1.00        -              1.50       1.50         64      128
total                          146        134     1.09     1.24              1.14       1.19   20700064 20700130

accelerator 8899aabbccddeeff, technology paper_90nm, 450 MHz
compute energy from constants of paper_90nm
tiles alone                             fwd dgrad wgrad  all
compute energy, dense, uJ              3.00  0.00  5.00 8.00
compute energy, zero-gated, uJ         2.40  0.00  4.50 6.90
compute energy, TensorDash, uJ         2.00  0.00  5.25 7.25
energy efficiency, compute only, data  1.25  1.00  0.95 1.03
energy efficiency, compute only, total 1.50  1.00  0.95 1.10
over zero-gated, compute only, data    1.10  1.00  0.86 0.92
over zero-gated, compute only, total   1.20  1.00  0.86 0.95

from memory to memory, latency 20, 51.2 bytes a clock, operands packed  fwd dgrad wgrad   all
clocks with memory, dense                                                44    12    90   146
clocks with memory, TensorDash                                           32    12    90   134
speed-up with memory, data                                             1.25  1.00  1.00  1.06
speed-up with memory, total                                            1.38  1.00  1.00  1.09
speed-up of the fullest ports                                          1.40  1.00  1.00  1.10
clocks over their bound, dense                                         1.10  1.50  1.12  1.14
clocks over their bound, TensorDash                                    1.28  1.50  1.12  1.19
off-chip traffic, dense, MB                                            0.00  0.00 40.00 40.00
off-chip traffic, TensorDash, MB                                       1.40  0.00 40.00 41.40

where the clocks went, in % tiles step fill collect store load control
dense                             34.9 36.3    10.3   9.6  5.5     3.4
TensorDash                        30.6 41.0    11.2   9.0  5.2     3.0

energy, uJ tiles scratchpads large memories off chip leakage around tiles total TensorDash's efficiency
dense       8.00        6.40           7.50    15.60    0.40         0.00 37.90                    1.02
zero-gated  6.90        6.40           7.50    15.60    0.40         0.00 36.80                    0.99
TensorDash  7.25        6.40           7.50    15.62    0.38         0.00 37.15                    1.00
)");
}

TEST_CASE("result: the terminal's table of compute alone ends with its energy") {
  const std::string with = result_table(result_draft());
  const std::string alone = result_table(td::unit::compute_alone_draft());
  CHECK(alone.find("memory to memory") == std::string::npos);
  const std::size_t machine = with.find("\nfrom memory to memory dense clocks");
  const std::size_t energy = with.find("\naccelerator 8899aabbccddeeff");
  const std::size_t end = with.find("\nfrom memory to memory, latency 20");
  REQUIRE(machine < energy);
  REQUIRE(energy < end);
  REQUIRE(end < with.size());
  CHECK(alone == with.substr(0, machine) + with.substr(energy, end - energy));
}

TEST_CASE("result: a table of the machine needs it of every operation") {
  RunResult result = result_draft();
  result.operations[1].machine.reset();
  CHECK_THROWS_AS(result_table(result), std::bad_optional_access);
}

TEST_CASE("result: what gating did") {
  RunResult result = result_draft();
  const std::string without = result_table(result);
  result.gate = true;
  const std::string text = result_table(result);
  const std::string said =
      "\n1 of 3 operations gated: +3 cycles, -0.250 uJ of compute (-3.333 %)\n";
  REQUIRE(text.size() > said.size());
  CHECK(text.substr(text.size() - said.size()) == said);
  CHECK(without.find("gated:") == std::string::npos);
  result.operations = {td::unit::sparse_operation()};
  CHECK(result_table(result).find(
            "\n0 of 1 operations gated: +0 cycles, +0.000 uJ of compute (+0.000 %)\n") !=
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
        "configuration_hash,accelerator_hash,source_identity,snapshot,layer,op,"
        "side_b_tensor,side_b_tensor_zeros_ratio,side_b_counted_zeros_ratio,"
        "first_counted_zeros,first_counted_elements,second_counted_zeros,"
        "second_counted_elements,first_tensor_zeros,first_tensor_elements,"
        "second_tensor_zeros,second_tensor_elements,gated,passes,all_passes_rows,"
        "useful_macs,dense_cycles,zero_free_cycles,cycles,all_tiles_cycles,"
        "data_speedup_ratio,filled_in_speedup_ratio,total_speedup_ratio,ideal_cycles,"
        "utilisation_ratio,lost_ineffectual_cycles,lost_array_edge_cycles,"
        "lost_channel_padding_cycles,lost_lane_conflicts_cycles,"
        "lost_stream_tail_cycles,lost_row_imbalance_cycles,lost_depth_limit_cycles,"
        "lost_tile_imbalance_cycles,effectual_multiplier_cycles,"
        "ineffectual_multiplier_cycles,array_edge_multiplier_cycles,"
        "channel_padding_multiplier_cycles,lane_conflicts_multiplier_cycles,"
        "stream_tail_multiplier_cycles,row_imbalance_multiplier_cycles,"
        "depth_limit_multiplier_cycles,tile_imbalance_multiplier_cycles,"
        "dense_plan_hash,plan_hash,plan_drops,dense_memory_cycles,dense_bound_cycles,"
        "dense_over_bound_ratio,dense_slowest_tile_steps,dense_all_tiles_steps,"
        "dense_bus_read_cycles,dense_bus_written_cycles,dense_memory_steps_cycles,"
        "dense_memory_fill_cycles,dense_memory_collect_cycles,"
        "dense_memory_store_cycles,dense_memory_load_cycles,"
        "dense_memory_control_cycles,dense_dram_read_bytes,dense_dram_written_bytes,"
        "dense_operand_memory_read_bytes,dense_operand_memory_written_bytes,"
        "dense_scratchpad_read_bytes,dense_scratchpad_written_bytes,"
        "dense_result_memory_read_bytes,dense_result_memory_written_bytes,"
        "memory_cycles,bound_cycles,over_bound_ratio,slowest_tile_steps,"
        "all_tiles_steps,bus_read_cycles,bus_written_cycles,memory_steps_cycles,"
        "memory_fill_cycles,memory_collect_cycles,memory_store_cycles,"
        "memory_load_cycles,memory_control_cycles,dram_read_bytes,dram_written_bytes,"
        "operand_memory_read_bytes,operand_memory_written_bytes,scratchpad_read_bytes,"
        "scratchpad_written_bytes,result_memory_read_bytes,result_memory_written_bytes,"
        "zero_free_memory_cycles,data_memory_speedup_ratio,total_memory_speedup_ratio,"
        "dense_compute_energy_pJ,zero_free_compute_energy_pJ,"
        "zero_gated_compute_energy_pJ,zero_free_zero_gated_compute_energy_pJ,"
        "compute_energy_pJ,data_compute_efficiency_ratio,"
        "total_compute_efficiency_ratio,data_compute_efficiency_over_zero_gated_ratio,"
        "total_compute_efficiency_over_zero_gated_ratio,ungated_cycles,"
        "ungated_compute_energy_pJ,dense_tiles_energy_pJ,dense_scratchpad_energy_pJ,"
        "dense_sram_energy_pJ,dense_dram_energy_pJ,dense_leakage_energy_pJ,"
        "dense_surroundings_energy_pJ,dense_energy_pJ,"
        "zero_gated_tiles_energy_pJ,zero_gated_scratchpad_energy_pJ,"
        "zero_gated_sram_energy_pJ,zero_gated_dram_energy_pJ,"
        "zero_gated_leakage_energy_pJ,zero_gated_surroundings_energy_pJ,"
        "zero_gated_energy_pJ,tiles_energy_pJ,"
        "scratchpad_energy_pJ,sram_energy_pJ,dram_energy_pJ,leakage_energy_pJ,"
        "surroundings_energy_pJ,"
        "energy_pJ,total_system_efficiency_ratio,"
        "total_system_efficiency_over_zero_gated_ratio\n"
        "0123456789abcdef,8899aabbccddeeff,fedcba9876543210,early,\"a \"\"b\"\", c\",fwd,"
        "activations,0.2857142857142857,0.375,3,8,0,5,2,7,1,6,false,4,36,77,20,16,10,"
        "18,1.6,1.25,2,6,0.6,0,0.25,0.5,0.75,0.3125,0.125,1.0625,1,96,0,4,8,12,5,2,17,"
        "16,1234567890abcdef,fedcba0987654321,true,44,40,1.1,20,36,26,6,20,10,4,5,3,2,1000,"
        "1001,1002,1003,1004,1005,1006,1007,32,25,1.28,10,17,25,5,10,12,4,3,2,1,700000,"
        "700001,700002,700003,700004,700005,700006,700007,40,1.25,1.375,3000000,"
        "2500000,2400000,2200000,2000000.5,1.249999687500078,1.4999996250000938,"
        "1.0999997250000688,1.199999700000075,10,2000000.5,3000000,400000,500000,"
        "6900000,100000,0,10900000,2400000,400001,500002,6900004,100003,0,10300010,"
        "2000000.5,400003,500004,6920004,80000,0,9900011.5,1.1010088220604592,"
        "1.0404038419551331\n"
        "0123456789abcdef,8899aabbccddeeff,fedcba9876543210,early,conv1,wgrad,"
        "gradients,0.05128205128205128,0.025,3,8,1,40,1,3,2,39,true,2,60,0,30,30,30,60,"
        "1,1,1,25,0.8333333333333334,5,0,0,0,0,0,0,0,400,80,0,0,0,0,0,0,0,"
        "0000000000000033,0000000000000033,false,90,80,1.125,31,61,71,22,31,40,9,5,3,2,"
        "20000000,20000001,20000002,20000003,20000004,20000005,20000006,20000007,90,80,"
        "1.125,31,61,71,22,31,40,9,5,3,2,20000000,20000001,20000002,20000003,20000004,"
        "20000005,20000006,20000007,90,1,1,5000000,5000000,4500000,4500000,5250000,"
        "0.9523809523809523,0.9523809523809523,0.8571428571428571,0.8571428571428571,"
        "27,5500000,5000000,6000000,7000000,8700000,300000,0,27000000,4500000,6000000,"
        "7000000,8700000,300000,0,26500000,5250000,6000000,7000000,8700000,300000,"
        "0,27250000,0.9908256880733946,0.9724770642201835\n"
        "0123456789abcdef,8899aabbccddeeff,fedcba9876543210,\"two\n"
        "lines\",conv1,dgrad,weights,,0,4,4,0,5,0,0,0,0,false,0,0,0,0,0,0,0,,,,0,,0,0,0,"
        "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0000000000000044,0000000000000044,false,12,8,1.5,0,0,2,"
        "8,0,3,2,4,2,1,64,128,0,0,0,0,0,0,12,8,1.5,0,0,2,8,0,3,2,4,2,1,64,128,0,0,0,0,"
        "0,0,12,1,1,0,0,0,0,0,1,1,1,1,0,0,0,0,0,4000,0,0,4000,0,0,0,4000,0,0,4000,0,"
        "0,0,4000,0,0,4000,1,1\n");
}

TEST_CASE("result: CSV of compute alone has nothing where others have the machine") {
  RunResult result = td::unit::compute_alone_draft();
  result.operations = {td::unit::sparse_operation()};
  const std::string with = result_csv(result);
  result.operations[0].machine.reset();
  const std::string alone = result_csv(result);
  const std::string header = with.substr(0, with.find('\n'));
  CHECK(alone.substr(0, header.size()) == header);
  CHECK(std::count(alone.begin(), alone.end(), ',') == std::count(with.begin(), with.end(), ','));
  CHECK(alone.find(",16" + std::string(49, ',') + "3000000,") != std::string::npos);
  const std::string end = ",2000000.5" + std::string(23, ',') + "\n";
  CHECK(alone.substr(alone.size() - end.size()) == end);
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
