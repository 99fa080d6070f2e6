// SPDX-License-Identifier: Apache-2.0
// Energy of tiles: a case worked out by hand, the gating decision, and where a tile's energy comes
// from.
#include "sim/memory/energy.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "base/configuration/preset.hpp"
#include "sim/memory/synthesis.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/memory/synthesis_draft.hpp"

namespace {

using td::Config;
using td::find_config;
using td::sim::ComputeEnergy;
using td::sim::find_technology;
using td::sim::load_compute_energy;
using td::sim::OpCycles;
using td::sim::SparsePath;
using td::sim::stand_in_synthesis;
using td::sim::stated_compute_energy;
using td::sim::step_counts;
using td::sim::Synthesis;
using td::sim::Technology;
using td::sim::tile_energy;
using td::sim::TileEnergy;
using td::unit::Folder;
using td::unit::good_synthesis;
using td::unit::message_of;
using td::unit::write_synthesis;

/// Steps alone cost: 8 pJ each, 10 of TensorDash, 9 with its sparse path off, 7 zero-gated.
ComputeEnergy plain_compute() {
  ComputeEnergy compute;
  compute.parts.dense_step_pJ = 8;
  compute.parts.dense.step = 1;
  compute.parts.sparse.step = 1.25;
  compute.parts.gated.step = 1.125;
  compute.parts.zero_gated.step = 0.875;
  compute.source = "by hand";
  return compute;
}

constexpr std::int64_t kUsefulMacs = 32;

/// On one tile: 16 rows in all passes, 10 cycles.
OpCycles small_cycles() {
  OpCycles cycles;
  cycles.rows = 16;
  cycles.dense_cycles = 16;
  cycles.cycles = 10;
  cycles.tile_cycles = 10;
  cycles.passes = 3;
  cycles.multipliers.effectual = 80;
  return cycles;
}

}  // namespace

TEST_CASE("energy: steps alone, worked out by hand") {
  const TileEnergy energy = tile_energy(find_config("tiny"), small_cycles(), kUsefulMacs,
                                        plain_compute(), SparsePath::on);
  CHECK(energy.dense_pJ == 16 * 8);
  CHECK(energy.tensordash_pJ == 10 * 10);
  CHECK(energy.zero_gated_pJ == 16 * 7);
  CHECK(energy.efficiency() == 1.28);
  CHECK(energy.efficiency_over_zero_gated() == 1.12);
}

TEST_CASE("energy: every part of a step counts, in every way of working") {
  const Config config = find_config("tiny");  // 16 multipliers, sums of 4
  ComputeEnergy compute;
  compute.parts = {10,
                   {0.5, 0.25, 0.125, 3, 5, 7, 9},
                   {1, 2, 4, 8, 16, 32, 64},
                   {11, 13, 17, 19, 23, 29, 59},
                   {31, 37, 41, 43, 47, 53, 61}};
  const auto energy = [&](SparsePath path) {
    return tile_energy(config, small_cycles(), kUsefulMacs, compute, path);
  };
  // 32 of 256 pairs in 16 steps; 80 lanes were chosen for, 5 of every multiplier; 32 of 160 in 10.
  const double dense_sums = 16 * (1 - std::pow(0.875, 4));
  const double sums = 10 * (1 - std::pow(0.8, 4));
  // Over the four lanes of a tree: two adders of two lanes, and one of all.
  const double dense_adds = 16 * (2 * (1 - std::pow(0.875, 2)) + 1 - std::pow(0.875, 4)) / 4;
  const double adds = 10 * (2 * (1 - std::pow(0.8, 2)) + 1 - std::pow(0.8, 4)) / 4;
  const auto approx = [](double value) { return doctest::Approx(value).epsilon(1e-14); };
  CHECK(energy(SparsePath::on).dense_pJ == approx(10 * (16 * 0.5 + 16 * 0.25 + 5 * 0.125 + 2 * 3 +
                                                        dense_sums * 5 + 3 * 7 + dense_adds * 9)));
  CHECK(energy(SparsePath::on).tensordash_pJ ==
        approx(10 * (10 * 1 + 16 * 2 + 5 * 4 + 2 * 8 + sums * 16 + 3 * 32 + adds * 64)));
  CHECK(energy(SparsePath::gated).tensordash_pJ ==
        approx(10 *
               (16 * 11 + 16 * 13 + 5 * 17 + 2 * 19 + dense_sums * 23 + 3 * 29 + dense_adds * 59)));
  for (const SparsePath path : {SparsePath::on, SparsePath::gated}) {
    CHECK(energy(path).dense_pJ == energy(SparsePath::on).dense_pJ);
    CHECK(energy(path).zero_gated_pJ == approx(10 * (16 * 31 + 16 * 37 + 5 * 41 + 2 * 43 +
                                                     dense_sums * 47 + 3 * 53 + dense_adds * 61)));
  }
}

TEST_CASE("energy: nothing costs nothing") {
  const td::sim::StepParts none = step_counts(find_config("tiny"), {}, 0, 0);
  for (const td::sim::StepPart& part : td::sim::kStepParts) CHECK(none.*part.value == 0);
}

TEST_CASE("energy: a gated operation costs what the tile takes with its sparse path off") {
  const TileEnergy energy = tile_energy(find_config("tiny"), small_cycles(), kUsefulMacs,
                                        plain_compute(), SparsePath::gated);
  CHECK(energy.dense_pJ == 128);
  CHECK(energy.tensordash_pJ == 144);
  CHECK(energy.zero_gated_pJ == 112);
  CHECK(energy.efficiency() < 1);
}

TEST_CASE("energy: nothing computed is no efficiency to speak of") {
  const TileEnergy energy;
  CHECK(energy.efficiency() == 1);
  CHECK(energy.efficiency_over_zero_gated() == 1);
}

TEST_CASE("energy: a sum is that of every part") {
  td::sim::Energy sum = {1, 2, 4, 8, 16};
  CHECK(sum.total_pJ() == 31);
  sum.add({100, 200, 400, 800, 1600});
  CHECK(sum.compute_pJ == 101);
  CHECK(sum.scratchpad_pJ == 202);
  CHECK(sum.sram_pJ == 404);
  CHECK(sum.dram_pJ == 808);
  CHECK(sum.leakage_pJ == 1616);
}

TEST_CASE("energy: the default follows tile and format, its components are measured") {
  const Technology technology = find_technology("paper_65nm", find_config("tiny"));
  for (const char* name : {"paper_fp32", "paper_bf16", "wide4_bf16", "odd_fp16", "pe_two_sided"}) {
    CAPTURE(name);
    const Config config = find_config(name);
    const Synthesis& synthesis = stand_in_synthesis(config);
    const double dense =
        config.rows * config.columns * config.lanes * technology.mac_pJ(config.format);
    const ComputeEnergy energy = stated_compute_energy(config, technology);
    CHECK(energy.parts.dense_step_pJ == dense);
    for (const td::sim::StepPart& part : td::sim::kStepParts) {
      CHECK(energy.parts.dense.*part.value == synthesis.parts.dense.*part.value);
      CHECK(energy.parts.sparse.*part.value == synthesis.parts.sparse.*part.value);
      CHECK(energy.parts.gated.*part.value == synthesis.parts.gated.*part.value);
      CHECK(energy.parts.zero_gated.*part.value == synthesis.parts.zero_gated.*part.value);
    }
    CHECK(energy.gating_zero_share == gating_zero_share(config, energy.parts));
    CHECK(energy.source ==
          "constants of paper_65nm, components of " + synthesis.name + " in " + synthesis.library);
  }
  CHECK(stated_compute_energy(find_config("paper_fp32"), technology).parts.dense_step_pJ ==
        256 * 4.6);
}

TEST_CASE("energy: a tile that drops nothing is one of the dense tiles, beside the other") {
  const Technology technology = find_technology("paper_65nm", find_config("tiny"));
  const td::sim::StepEnergy paper = stand_in_synthesis(find_config("paper_bf16")).parts;
  const auto same = [](const td::sim::StepParts& a, const td::sim::StepParts& b) {
    return std::all_of(std::begin(td::sim::kStepParts), std::end(td::sim::kStepParts),
                       [&](const auto& part) { return a.*part.value == b.*part.value; });
  };
  REQUIRE_FALSE(same(paper.dense, paper.zero_gated));
  for (const bool rests : {false, true}) {
    const Config config = find_config(rests ? "zero_gated_bf16" : "dense_bf16");
    const ComputeEnergy energy = stated_compute_energy(config, technology);
    CAPTURE(config.name);
    CHECK(energy.parts.dense_step_pJ == 512);
    CHECK(same(energy.parts.dense, paper.dense));
    CHECK(same(energy.parts.zero_gated, paper.zero_gated));
    CHECK(same(energy.parts.sparse, rests ? paper.zero_gated : paper.dense));
    CHECK(same(energy.parts.gated, energy.parts.sparse));
    CHECK(energy.gating_zero_share == 0);
  }
}

TEST_CASE("energy: the sparse path is gated below the threshold, and not at it") {
  ComputeEnergy compute;
  compute.gating_zero_share = 0.05;
  CHECK(sparse_path(compute, {49, 1000}) == SparsePath::gated);
  CHECK(sparse_path(compute, {50, 1000}) == SparsePath::on);
  CHECK(sparse_path(compute, {0, 1000}) == SparsePath::gated);
  CHECK(sparse_path(compute, {0, 0}) == SparsePath::on);
}

TEST_CASE("energy: the gating threshold is where the best schedule there can be breaks even") {
  // Without zeros 10 against 8: 1 - z steps of 10 take as much as one of 8 at z = 0.2.
  td::sim::StepEnergy energy;
  energy.sparse.step = 10;
  energy.gated.step = 8;
  const Config config = find_config("tiny");
  CHECK(gating_zero_share(config, energy) == 0.2);
  // Pairs, choices and sums shrink with the steps, rows do not; sums of 4 of the gated tile do
  // less.
  energy.sparse = {4, 1, 2, 3, 1, 100};
  energy.gated = {4, 1, 0, 3, 1, 0};
  // 1 + 10 (1 - z) against 1 + 4 + 3 (1 - z) + (1 - z^4)
  const auto left = [](double z) { return 7 * (1 - z) - 5 + std::pow(z, 4); };
  const double share = gating_zero_share(config, energy);
  CHECK(left(share) <= 0);
  CHECK(left(share - 0.001) > 0);
  energy.gated.step = 6;
  CHECK(gating_zero_share(config, energy) == 0);
  energy.gated = {};
  energy.sparse.row = 1;
  CHECK(gating_zero_share(config, energy) == 1);
}

TEST_CASE("energy: the gating threshold counts choices and pairs with the sparse path off") {
  // Lanes rest at zeros with the sparse path off too. 10 (1 - z) against 4 + 1 + 3 (1 - z).
  td::sim::StepEnergy energy;
  energy.sparse = {7, 0, 1, 2, 0, 0};
  energy.gated = {4, 1, 2, 1, 0, 0};
  const Config config = find_config("paper_bf16");
  CHECK(gating_zero_share(config, energy) == 0.286);  // 2 / 7
  // With sums: against 4 + 3 (1 - z) + (1 - z^16).
  energy.gated = {4, 0, 2, 1, 1, 0};
  const auto left = [](double z) { return 7 * (1 - z) - 5 + std::pow(z, 16); };
  const double share = gating_zero_share(config, energy);
  for (double z = 0; z < share - 0.001; z += 0.001) REQUIRE(left(z) > 0);
  CHECK(left(share) <= 0);
}

TEST_CASE("energy: both tiles from one synthesis, at whatever clock its tiles met") {
  const Folder folder;
  const Config config = find_config("paper_bf16");
  nlohmann::json text = good_synthesis(config);
  for (const double clock : {0.001, 164.989276, 500.0, 1000000.0}) {
    text["clock_MHz"] = clock;
    const std::string path = write_synthesis(folder, text);
    const ComputeEnergy energy = load_compute_energy(path, config);
    CHECK(energy.parts.dense_step_pJ == 1200.25);
    CHECK(energy.parts.sparse.pair == 4.5);
    CHECK(energy.gating_zero_share == gating_zero_share(config, energy.parts));
    CHECK(energy.source == path + fmt::format(" (osu018_stdcells, typical, {} MHz, operands of "
                                              "plain.safetensors)",
                                              clock));
  }
}
