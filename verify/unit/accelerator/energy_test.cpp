// SPDX-License-Identifier: Apache-2.0
// What a compute moves, by hand, and what bytes cost.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/configuration/preset.hpp"
#include "base/support/error.hpp"
#include "sim/accelerator/energy/level_bytes.hpp"
#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/accelerator/model/compute_model.hpp"
#include "sim/memory/embedded.hpp"
#include "sim/memory/surroundings.hpp"

namespace {

using td::find_config;
using td::sim::ComputeCounts;
using td::sim::ComputeDescriptor;
using td::sim::ComputeModel;
using td::sim::Energy;
using td::sim::LevelBytes;

/// Streams of two rows that follow each other in the operand memory.
void walk_rows(td::sim::OperandWalk& walk, std::uint16_t streams) {
  walk.blocks = streams;
  walk.levels[0] = {2, 0, 0, 1};
  walk.levels[3] = {streams, 0, 0, 1};
}

}  // namespace

TEST_CASE("accelerator energy: what a compute of four tiles moves") {
  // 2 x 2 tiles of 4 x 4 PEs: two lines of a group each, chunks of two rows, one pass a tile.
  ComputeDescriptor compute;
  compute.across = 1;
  compute.chunk_rows = 2;
  compute.a_lines = compute.b_lines = 2;
  walk_rows(compute.a, 8);
  walk_rows(compute.b, 8);
  ComputeModel model(find_config("accel_quad"));
  model.run(compute);
  ComputeCounts counts = model.counts();
  CHECK(counts.passes == 4);
  CHECK(counts.rows == 8);
  CHECK(counts.operand_rows_read == 2 * 8 * 2);
  CHECK(counts.scratchpad_rows_written == 2 * 8 * 2 * 2);     // each in two tiles
  CHECK(counts.scratchpad_rows_read == 4 * 2 * 4 * (2 + 3));  // three banks in front
  CHECK(counts.skipped == counts.rows * 4 * 16);              // all are zeros
  CHECK(counts.result_words_written == 4 * 4);
  CHECK(counts.result_words_added_to == 0);

  const ComputeCounts before = counts;
  compute.accumulate = compute.dense = true;
  compute.a.y = 1;  // outside: padding is not read
  model.run(compute);
  counts = model.counts();
  CHECK(counts.operand_rows_read - before.operand_rows_read == 8 * 2);
  CHECK(counts.result_words_written - before.result_words_written == 4 * 4);
  CHECK(counts.result_words_added_to == 4 * 4);
  const td::sim::OpCycles work =
      td::sim::tile_work(td::geometry_of(find_config("accel_quad")), counts, before);
  CHECK(work.passes == 4);
  CHECK(work.rows == 8);
  CHECK(work.tile_cycles == 8);                         // dense: a step a row
  CHECK(work.multipliers.effectual == 8 * 4 * 16 * 4);  // nothing was skipped
}

TEST_CASE("accelerator energy: bytes times the figures of CACTI") {
  const td::Config config = find_config("accel_tiny");
  const td::sim::Technology technology = td::sim::accelerator_technology(config);
  const auto energy = [&](const LevelBytes& bytes) {
    return td::sim::operation_energy(config, technology, 5, 0, bytes, 0);
  };
  LevelBytes bytes;
  bytes.off_chip = {1, 1};
  bytes.scratchpads = {8, 16};
  bytes.operands = {8, 0};
  bytes.results = {0, 8};
  const Energy found = energy(bytes);
  CHECK(found.compute_pJ == 5);
  CHECK(found.dram_pJ == doctest::Approx(2 * 8 * 8));                  // 8 pJ a bit
  CHECK(found.scratchpad_pJ == doctest::Approx(0.6437 + 2 * 0.9469));  // 512 bytes, 64 bits
  CHECK(found.sram_pJ == doctest::Approx(7.2331 + 5.6190));            // 32768 bytes, 64 bits
  CHECK(found.leakage_pJ == 0);
  CHECK(found.total_pJ() ==
        doctest::Approx(found.compute_pJ + found.dram_pJ + found.scratchpad_pJ + found.sram_pJ));
  // 3 large memories, 4 lines of 3 banks; clocks of 388 MHz.
  CHECK(td::sim::operation_energy(config, technology, 0, 0, {}, 388).leakage_pJ ==
        doctest::Approx(1000 * (3 * 0.43772 + 12 * 0.00752)));
}

TEST_CASE("accelerator energy: all memories leak, and nothing else, in each of the clocks") {
  td::Config config = find_config("paper_fp32");  // 16 tiles of 4x4 PEs, depth 3
  td::sim::Technology technology = td::sim::accelerator_technology(find_config("accel_tiny"));
  technology.sram.leakage_mW = 2;          // 16 * 3 * 4 banks: 384 mW
  technology.scratchpad.leakage_mW = 0.5;  // 16 * (4 + 4) * 3 banks: 192 mW
  technology.clock_MHz = 250;              // 4 ns
  const auto leaked = [&](std::int64_t clocks) {
    return td::sim::operation_energy(config, technology, 0, 0, {}, clocks);
  };
  CHECK(leaked(70).leakage_pJ == 576 * 70 * 4);
  CHECK(leaked(70).total_pJ() == 576 * 70 * 4);
  CHECK(leaked(0).total_pJ() == 0);
  config.accelerator.tiles = 8;
  CHECK(leaked(70).leakage_pJ == 288 * 70 * 4);
  technology.sram.leakage_mW = technology.scratchpad.leakage_mW = 0;
  CHECK(leaked(70).total_pJ() == 0);
}

TEST_CASE("accelerator energy: memories that no table has are refused") {
  td::Config config = find_config("accel_tiny");
  config.accelerator.scratchpad_bank_bytes = 528;
  CHECK_THROWS_AS(td::sim::accelerator_technology(config), td::UserError);
}

TEST_CASE("accelerator energy: around the tiles, counts times energies") {
  const td::Config config = find_config("accel_quad");  // 4 tiles of 4x4 PEs, rows of 16 in fp32
  const td::Geometry geometry = td::geometry_of(config);
  LevelBytes bytes;
  bytes.operands = {3, 1000};
  bytes.scratchpads = {5, 1000};
  bytes.results = {1000, 7};
  bytes.off_chip = {11, 13};
  bytes.transposed = 17;
  const double counts[] = {2,
                           2.0 * static_cast<double>(geometry.row_bytes()),
                           2.0 * static_cast<double>(geometry.tiles * geometry.lines),
                           3,
                           17.0 * static_cast<double>(geometry.lanes),
                           5,
                           7,
                           11,
                           13};
  std::size_t at = 0;
  for (const td::sim::SurroundingsCost& cost : td::sim::kSurroundingsCosts) {
    INFO(cost.name);
    td::sim::SurroundingsCosts one;
    one.*cost.value = 0.5;
    CHECK(td::sim::surroundings_steps(config, one, bytes, 2) == 0.5 * counts[at++]);
  }
}

TEST_CASE("accelerator energy: around the tiles, by multiply-accumulates of the technology") {
  td::Config config = find_config("accel_tiny");
  config.format = td::Format::fp32;
  const td::sim::Technology technology = td::sim::accelerator_technology(config);
  const td::sim::ComputeEnergy compute = td::sim::stated_compute_energy(config, technology);
  const double mac = td::sim::bf16_mac_pJ(config, technology, compute);
  CHECK(mac == doctest::Approx(technology.mac_pJ(td::Format::bf16)));
  const td::sim::Surroundings& around = td::sim::built_in_surroundings();
  CHECK(td::sim::operation_energy(config, technology, 0, mac, {}, 9).surroundings_pJ ==
        doctest::Approx(td::sim::surroundings_steps(config, around.costs, {}, 9) * 16 * mac));
}

TEST_CASE("accelerator energy: figures around the tiles that are none are refused") {
  const std::string good(td::sim::surroundings().front().text);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK_NOTHROW(td::sim::parse_surroundings(good, "f"));
  CHECK_THROWS_WITH_AS(
      td::sim::parse_surroundings(with("surroundings-1", "surroundings-2"), "f"),
      "f: format = \"tensordash-surroundings-2\" is illegal; legal: tensordash-surroundings-1",
      td::UserError);
  CHECK_THROWS_AS(td::sim::parse_surroundings(with("\"filled\": ", "\"filled\": -"), "f"),
                  td::UserError);
  CHECK_THROWS_AS(td::sim::parse_surroundings(with("\"stored\"", "\"later\""), "f"), td::UserError);
  CHECK_THROWS_AS(td::sim::parse_surroundings(with("{", "["), "f"), td::UserError);
}
