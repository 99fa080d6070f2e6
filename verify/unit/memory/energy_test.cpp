// SPDX-License-Identifier: Apache-2.0
// Energy: a case worked out by hand, the gating decision, and where a tile's energy comes from.
#include "sim/memory/energy.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>

#include "gen/configuration/preset.hpp"
#include "sim/memory/synthesis.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/synthesis_draft.hpp"

namespace {

using td::Config;
using td::find_config;
using td::sim::ComputeEnergy;
using td::sim::find_technology;
using td::sim::LayerInfo;
using td::sim::load_compute_energy;
using td::sim::MemoryTraffic;
using td::sim::Op;
using td::sim::op_energy;
using td::sim::OpCycles;
using td::sim::OpEnergy;
using td::sim::power_ratio_synthesis;
using td::sim::SparsePath;
using td::sim::stated_compute_energy;
using td::sim::Synthesis;
using td::sim::Technology;
using td::unit::Folder;
using td::unit::good_synthesis;
using td::unit::message_of;
using td::unit::on_tiles;
using td::unit::write_synthesis;

/// Numbers that are easy to follow.
Technology plain_technology() {
  Technology technology = find_technology("paper_65nm");
  technology.scratchpad_read_pJ_per_byte = 2;
  technology.scratchpad_write_pJ_per_byte = 3;
  technology.sram_read_pJ_per_byte = 5;
  technology.sram_write_pJ_per_byte = 7;
  technology.transposer_read_pJ_per_byte = 1;
  technology.transposer_write_pJ_per_byte = 4;
  technology.dram_pJ_per_bit = 10;
  return technology;
}

LayerInfo small_layer() { return td::unit::conv_layer({1, 4, 3, 3}, {3, 4, 2, 2}, {}); }

ComputeEnergy plain_compute() { return {8, 10, "by hand"}; }

/// On one tile: 16 rows in all passes, 10 cycles.
OpCycles small_cycles() {
  OpCycles cycles;
  cycles.rows = 16;
  cycles.dense_cycles = 16;
  cycles.cycles = 10;
  cycles.tile_cycles = 10;
  return cycles;
}

}  // namespace

TEST_CASE("energy: a small fwd, worked out by hand") {
  const Config config = find_config("tiny");
  const Technology technology = plain_technology();
  const OpCycles cycles = small_cycles();
  // Rows of 8 bytes, of results 16: memory_test works out 32 + 24 rows read from scratchpads, 16 +
  // 24 filled, 21 fetched, 4 of results, 121 + 48 bytes off-chip.
  const MemoryTraffic traffic = memory_traffic(small_layer(), Op::fwd, on_tiles(config, 1),
                                               technology.clock_MHz, cycles, {10, 48});
  const OpEnergy energy =
      op_energy(config, technology, cycles, traffic, plain_compute(), SparsePath::on);
  CHECK(energy.dense.compute_pJ == 16 * 8);
  CHECK(energy.tensordash.compute_pJ == 10 * 10);
  CHECK(energy.compute_efficiency() == 1.28);
  for (const td::sim::Energy& side : {energy.dense, energy.tensordash}) {
    CHECK(side.scratchpad_pJ == 56 * 8 * 2 + 40 * 8 * 3);
    CHECK(side.sram_pJ == 40 * 8 * 5 + 21 * 8 * 7 + 4 * 16 * (5 + 7));
    CHECK(side.transposer_pJ == 0);
    CHECK(side.dram_pJ == 8 * 169 * 10);
  }
  CHECK(energy.dense.total_pJ() == 128 + 1856 + 3544 + 13520);
  CHECK(energy.tensordash.total_pJ() == 100 + 1856 + 3544 + 13520);
  CHECK(energy.system_efficiency() == doctest::Approx(19048.0 / 19020.0).epsilon(1e-15));
}

TEST_CASE("energy: transposers, worked out by hand") {
  const Config config = find_config("tiny");
  const Technology technology = plain_technology();
  const OpCycles cycles = small_cycles();
  const MemoryTraffic traffic = memory_traffic(small_layer(), Op::wgrad, on_tiles(config, 1),
                                               technology.clock_MHz, cycles, {36, 12});
  // 4 blocks of 4 rows of 8 bytes, in and out.
  const OpEnergy energy =
      op_energy(config, technology, cycles, traffic, plain_compute(), SparsePath::on);
  CHECK(energy.dense.transposer_pJ == 4 * 4 * 8 * (1 + 4));
  CHECK(energy.tensordash.transposer_pJ == energy.dense.transposer_pJ);
}

TEST_CASE("energy: a gated operation costs what the dense one costs") {
  const Config config = find_config("tiny");
  const Technology technology = plain_technology();
  const MemoryTraffic traffic = memory_traffic(small_layer(), Op::fwd, on_tiles(config, 1),
                                               technology.clock_MHz, small_cycles(), {10, 48});
  const OpEnergy energy =
      op_energy(config, technology, small_cycles(), traffic, plain_compute(), SparsePath::gated);
  CHECK(energy.tensordash.compute_pJ == 128);
  CHECK(energy.compute_efficiency() == 1);
  CHECK(energy.system_efficiency() == 1);
}

TEST_CASE("energy: nothing computed is no efficiency to speak of") {
  OpEnergy energy;
  CHECK(energy.compute_efficiency() == 1);
}

TEST_CASE("energy: the default follows tile and format, its ratio is measured") {
  const Technology technology = find_technology("paper_65nm");
  for (const char* name : {"paper_fp32", "paper_bf16", "wide4_bf16", "odd_fp16", "pe_two_sided"}) {
    CAPTURE(name);
    const Config config = find_config(name);
    const Synthesis& synthesis = power_ratio_synthesis(config);
    const double dense =
        config.rows * config.columns * config.lanes * technology.mac_pJ(config.format);
    const ComputeEnergy energy = stated_compute_energy(config, technology);
    CHECK(energy.dense_tile_pJ_per_cycle == dense);
    CHECK(energy.tile_pJ_per_cycle == dense * synthesis.power_ratio());
    CHECK(energy.source ==
          "constants of paper_65nm, power ratio of " + synthesis.name + " in " + synthesis.library);
  }
  CHECK(stated_compute_energy(find_config("paper_fp32"), technology).dense_tile_pJ_per_cycle ==
        256 * 4.6);
  const ComputeEnergy dense = stated_compute_energy(find_config("dense_bf16"), technology);
  CHECK(dense.dense_tile_pJ_per_cycle == 512);
  CHECK(dense.tile_pJ_per_cycle == 512);
  CHECK(dense.source == "constants of paper_65nm");
}

TEST_CASE("energy: the sparse path is gated below the threshold, and not at it") {
  Technology technology = find_technology("paper_65nm");
  technology.gating_zero_share = 0.05;
  CHECK(sparse_path(technology, {49, 1000}) == SparsePath::gated);
  CHECK(sparse_path(technology, {50, 1000}) == SparsePath::on);
  CHECK(sparse_path(technology, {0, 1000}) == SparsePath::gated);
  CHECK(sparse_path(technology, {0, 0}) == SparsePath::on);
}

TEST_CASE("energy: the gating threshold is where the best schedule there can be breaks even") {
  const double ratio = power_ratio_synthesis(find_config("paper_bf16")).power_ratio();
  const double percents = std::ceil(100 * (1 - 1 / ratio));
  INFO("gating.zero_share of constraints/paper_65nm.toml must be ", percents, " %");
  CHECK(find_technology("paper_65nm").gating_zero_share == doctest::Approx(percents / 100));
}

TEST_CASE("energy: every part is positive for every operation") {
  std::mt19937 random(34);
  const Technology technology = find_technology("paper_65nm");
  const Config config = find_config("paper_bf16");
  const auto pick = [&](int most) { return std::uniform_int_distribution<int>(1, most)(random); };
  for (int i = 0; i < 300; ++i) {
    const LayerInfo layer = td::unit::linear_layer(pick(40), pick(80), pick(80));
    for (const Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
      const OpCycles cycles = small_cycles();
      const MemoryTraffic traffic =
          memory_traffic(layer, op, on_tiles(config, 4), technology.clock_MHz, cycles, {});
      const OpEnergy energy =
          op_energy(config, technology, cycles, traffic, plain_compute(), SparsePath::on);
      CHECK(energy.dense.scratchpad_pJ > 0);
      CHECK(energy.dense.sram_pJ > 0);
      CHECK((energy.dense.transposer_pJ > 0) == (op != Op::fwd));
      CHECK(energy.dense.dram_pJ > 0);
      CHECK(energy.tensordash.compute_pJ > 0);
      // Less compute energy pays less where memory counts too.
      CHECK(energy.system_efficiency() > 1);
      CHECK(energy.system_efficiency() < energy.compute_efficiency());
    }
  }
}

TEST_CASE("energy: both tiles from one synthesis, at whatever clock its tiles met") {
  const Folder folder;
  const Config config = find_config("paper_bf16");
  nlohmann::json text = good_synthesis(config);
  for (const double clock : {0.001, 164.989276, 500.0, 1000000.0}) {
    text["clock_MHz"] = clock;
    const std::string path = write_synthesis(folder, text);
    const ComputeEnergy energy = load_compute_energy(path, config);
    CHECK(energy.dense_tile_pJ_per_cycle == 1200.25);
    CHECK(energy.tile_pJ_per_cycle == 1234.5);
    CHECK(energy.source == path + fmt::format(" (osu018_stdcells, typical, {} MHz, operands of "
                                              "plain.safetensors)",
                                              clock));
  }
}
