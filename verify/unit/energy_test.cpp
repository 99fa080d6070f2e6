// SPDX-License-Identifier: Apache-2.0
// Energy: a case worked out by hand, the gating decision, and synthesis results read and refused.
#include "sim/energy.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>

#include "gen/preset.hpp"
#include "sim/synthesis.hpp"
#include "verify/unit/layers.hpp"
#include "verify/unit/refusal.hpp"
#include "verify/unit/trace_draft.hpp"

namespace {

using nlohmann::json;
using td::Config;
using td::find_config;
using td::sim::ComputeEnergy;
using td::sim::find_technology;
using td::sim::LayerInfo;
using td::sim::load_compute_energy;
using td::sim::load_synthesis;
using td::sim::MemoryTraffic;
using td::sim::Op;
using td::sim::op_energy;
using td::sim::OpCycles;
using td::sim::OpEnergy;
using td::sim::SparsePath;
using td::sim::stated_compute_energy;
using td::sim::Technology;
using td::unit::Folder;
using td::unit::message_of;

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
  technology.bf16_mac_pJ = 0.5;
  technology.bf16_power_ratio = 1.25;
  return technology;
}

LayerInfo small_layer() { return td::unit::conv_layer({1, 4, 3, 3}, {3, 4, 2, 2}, {}); }

/// On one tile: 16 rows in all passes, 10 cycles.
OpCycles small_cycles() {
  OpCycles cycles;
  cycles.rows = 16;
  cycles.dense_cycles = 16;
  cycles.cycles = 10;
  cycles.tile_cycles = 10;
  return cycles;
}

json good_synthesis(const Config& config) {
  return {{"format", "tensordash-synthesis-1"},
          {"configuration", td::config_hash_text(config)},
          {"clock_MHz", 500},
          {"library", "osu018_stdcells"},
          {"corner", "typical"},
          {"energy_pJ_per_cycle", {{"tile", 1234.5}}}};
}

std::string written(const Folder& folder, const std::string& name, const json& text) {
  std::ofstream(folder.file(name)) << text;
  return folder.file(name);
}

}  // namespace

TEST_CASE("energy: a small fwd, worked out by hand") {
  const Config config = find_config("tiny");
  const Technology technology = plain_technology();
  const OpCycles cycles = small_cycles();
  // Rows of 8 bytes, of results 16: memory_test works out 32 + 24 rows read from scratchpads, 16 +
  // 24 filled, 21 fetched, 4 of results, 121 + 48 bytes off-chip.
  const MemoryTraffic traffic =
      memory_traffic(small_layer(), Op::fwd, config, technology, 1, cycles, {10, 48});
  // 2 x 2 PEs of 4 lanes at 0.5 pJ, 1.25 times that in TensorDash.
  const ComputeEnergy compute = stated_compute_energy(config, technology);
  CHECK(compute.dense_tile_pJ_per_cycle == 8);
  CHECK(compute.tile_pJ_per_cycle == 10);
  const OpEnergy energy = op_energy(config, technology, cycles, traffic, compute, SparsePath::on);
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
  const MemoryTraffic traffic =
      memory_traffic(small_layer(), Op::wgrad, config, technology, 1, cycles, {36, 12});
  // 4 blocks of 4 rows of 8 bytes, in and out.
  const OpEnergy energy = op_energy(config, technology, cycles, traffic,
                                    stated_compute_energy(config, technology), SparsePath::on);
  CHECK(energy.dense.transposer_pJ == 4 * 4 * 8 * (1 + 4));
  CHECK(energy.tensordash.transposer_pJ == energy.dense.transposer_pJ);
}

TEST_CASE("energy: a gated operation costs what the dense one costs") {
  const Config config = find_config("tiny");
  const Technology technology = plain_technology();
  const MemoryTraffic traffic =
      memory_traffic(small_layer(), Op::fwd, config, technology, 1, small_cycles(), {10, 48});
  const OpEnergy energy = op_energy(config, technology, small_cycles(), traffic,
                                    stated_compute_energy(config, technology), SparsePath::gated);
  CHECK(energy.tensordash.compute_pJ == 128);
  CHECK(energy.compute_efficiency() == 1);
  CHECK(energy.system_efficiency() == 1);
}

TEST_CASE("energy: nothing computed is no efficiency to speak of") {
  OpEnergy energy;
  CHECK(energy.compute_efficiency() == 1);
}

TEST_CASE("energy: the stated constants follow tile and format") {
  const Technology technology = find_technology("paper_65nm");
  const ComputeEnergy fp32 = stated_compute_energy(find_config("paper_fp32"), technology);
  CHECK(fp32.dense_tile_pJ_per_cycle == 256 * 4.6);
  CHECK(fp32.tile_pJ_per_cycle == 256 * 4.6 * 1.02);
  const ComputeEnergy bf16 = stated_compute_energy(find_config("paper_bf16"), technology);
  CHECK(bf16.dense_tile_pJ_per_cycle == 512);
  CHECK(bf16.tile_pJ_per_cycle == 512 * 1.05);
  const ComputeEnergy dense = stated_compute_energy(find_config("dense_bf16"), technology);
  CHECK(dense.tile_pJ_per_cycle == 512);
}

TEST_CASE("energy: the stated power ratio is of the paper's tile") {
  using td::sim::has_stated_power_ratio;
  for (const char* name : {"paper_bf16", "paper_fp32", "wide4_bf16", "dense_bf16", "dense_fp32"}) {
    CAPTURE(name);
    CHECK(has_stated_power_ratio(find_config(name)));
  }
  CHECK_FALSE(has_stated_power_ratio(find_config("tiny")));
  const auto stated = [](const std::string& tile, const std::string& interconnect) {
    return has_stated_power_ratio(td::parse_config(
        "name = \"x\"\n[tile]\n" + tile + "\n[interconnect]\n" + interconnect, "x.toml"));
  };
  CHECK(stated("rows = 4\ncolumns = 4\nlanes = 16", "depth = 3"));
  CHECK(stated("rows = 2\nscheduling = \"dense\"", ""));
  for (const char* tile : {"rows = 5", "columns = 3", "lanes = 8",
                           "rows = 1\ncolumns = 1\nscheduling = \"two_sided\""}) {
    CAPTURE(tile);
    CHECK_FALSE(stated(tile, ""));
  }
  CHECK_FALSE(stated("", "depth = 4"));
  CHECK_FALSE(stated("", "pattern = [[0, 0], [1, 0], [2, 0]]"));
}

TEST_CASE("energy: the sparse path is gated below the threshold, and not at it") {
  const Technology technology = find_technology("paper_65nm");
  CHECK(sparse_path(technology, {49, 1000}) == SparsePath::gated);
  CHECK(sparse_path(technology, {50, 1000}) == SparsePath::on);
  CHECK(sparse_path(technology, {0, 1000}) == SparsePath::gated);
  CHECK(sparse_path(technology, {0, 0}) == SparsePath::on);
  // Where the best schedule there can be only just breaks even, the path is gated.
  CHECK(technology.gating_zero_share > 1 - 1 / technology.bf16_power_ratio);
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
      const MemoryTraffic traffic = memory_traffic(layer, op, config, technology, 4, cycles, {});
      const OpEnergy energy = op_energy(config, technology, cycles, traffic,
                                        stated_compute_energy(config, technology), SparsePath::on);
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

TEST_CASE("synthesis: results of the configuration are taken") {
  const Folder folder;
  const Config config = find_config("paper_bf16");
  json text = good_synthesis(config);
  text["area_um2"] = 5;  // others' members are ignored
  const td::sim::Synthesis synthesis = load_synthesis(written(folder, "s.json", text), config);
  CHECK(synthesis.clock_MHz == 500);
  CHECK(synthesis.library == "osu018_stdcells");
  CHECK(synthesis.corner == "typical");
  CHECK(synthesis.tile_pJ_per_cycle == 1234.5);
}

TEST_CASE("synthesis: what is not of the schema, or of another configuration, is refused") {
  const Folder folder;
  const Config config = find_config("paper_bf16");
  const auto message = [&](const json& text) {
    const std::string path = written(folder, "s.json", text);
    const std::string what = message_of([&] { load_synthesis(path, config); });
    CAPTURE(what);
    CHECK(what.find('\n') == std::string::npos);
    CHECK(what.rfind(path + ": ", 0) == 0);
    return what.substr(std::min(what.size(), path.size() + 2));
  };
  const json good = good_synthesis(config);
  for (const auto& item : good.items()) {
    const std::string& key = item.key();
    json text = good;
    text.erase(key);
    CHECK(message(text) == key + " is missing");
    text[key] = nullptr;
    CHECK(message(text).rfind(key + " = null", 0) == 0);
    text[key] = json::array();
    CHECK(message(text).rfind(key + " = []", 0) == 0);
  }
  json text = good_synthesis(config);
  text["format"] = "tensordash-synthesis-2";
  CHECK(message(text) ==
        "format = \"tensordash-synthesis-2\" is illegal; legal: tensordash-synthesis-1");
  text = good_synthesis(find_config("paper_fp32"));
  CHECK(message(text) ==
        fmt::format("configuration = \"{}\" is illegal; legal: {}, the hash of paper_bf16",
                    td::config_hash_text(find_config("paper_fp32")), td::config_hash_text(config)));
  text = good_synthesis(config);
  text["energy_pJ_per_cycle"] = json::object();
  CHECK(message(text) == "energy_pJ_per_cycle.tile is missing");
  for (const json& value : {json(0), json(-1), json(2e9), json("1"), json(true)}) {
    text["energy_pJ_per_cycle"]["tile"] = value;
    CHECK(message(text).rfind("energy_pJ_per_cycle.tile = ", 0) == 0);
  }
  text = good_synthesis(config);
  text["clock_MHz"] = 0;
  CHECK(message(text) == "clock_MHz = 0 is illegal; legal: a number above 0, at most 1000000");
  CHECK(message(json::array()) == "synthesis = [] is illegal; legal: an object");
  const std::string broken = folder.file("broken.json");
  std::ofstream(broken) << "{";
  CHECK(message_of([&] { load_synthesis(broken, config); }).rfind(broken + ": synthesis", 0) == 0);
  CHECK(message_of([&] { load_synthesis(folder.file("none"), config); }) ==
        folder.file("none") +
            ": file = No such file or directory is illegal; legal: a readable JSON file of "
            "synthesis results");
}

TEST_CASE("synthesis: two results that may be compared, and some that may not") {
  const Folder folder;
  const Config config = find_config("paper_bf16");
  const Config dense = find_config("dense_bf16");
  const std::string path = written(folder, "tile.json", good_synthesis(config));
  Technology technology = find_technology("paper_65nm");
  const auto load = [&](const json& text) {
    return load_compute_energy(path, config, written(folder, "dense.json", text), dense,
                               technology);
  };
  json text = good_synthesis(dense);
  text["energy_pJ_per_cycle"]["tile"] = 1200;
  const ComputeEnergy energy = load(text);
  CHECK(energy.dense_tile_pJ_per_cycle == 1200);
  CHECK(energy.tile_pJ_per_cycle == 1234.5);
  for (const auto& [key, value] :
       {std::pair<std::string, json>{"clock_MHz", 400}, {"library", "other"}, {"corner", "slow"}}) {
    json other = text;
    other[key] = value;
    const std::string what = message_of([&] { load(other); });
    CHECK(what.rfind(folder.file("dense.json") + ": " + key + " = ", 0) == 0);
    CHECK(what.find("as in " + path) != std::string::npos);
  }
  // Power at another clock is no energy of this technology's cycle.
  technology.clock_MHz = 499;
  CHECK(message_of([&] { load(text); }) ==
        path + ": clock_MHz = 500 is illegal; legal: 499, the clock of technology paper_65nm");
  technology.clock_MHz = 500;
  // Neither another format nor a tile that is not dense is the counterpart.
  for (const char* name : {"dense_fp32", "wide4_bf16", "paper_bf16"}) {
    const Config wrong = find_config(name);
    const std::string file = written(folder, "wrong.json", good_synthesis(wrong));
    CHECK(message_of([&] { load_compute_energy(path, config, file, wrong, technology); }) ==
          file + ": configuration = " + name +
              " is illegal; legal: paper_bf16 with tile.scheduling = \"dense\"");
  }
}
