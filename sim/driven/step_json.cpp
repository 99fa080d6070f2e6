// SPDX-License-Identifier: Apache-2.0
#include "sim/driven/step_json.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/support/version.hpp"
#include "sim/driven/lone_engines.hpp"
#include "sim/results/run_result.hpp"

namespace td::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kModeFields[] = {"dense", "tensordash"};

Json clocks_json(const StepCounts& counts, const LoneEngines& lone) {
  const ClockCounters& clocks = counts.clocks;
  return {{"clocks", clocks.busy},
          {"timeline_clocks", counts.model.clocks},
          {"first_to_last_step_clocks", clocks.spanned},
          {"stepped_clocks", clocks.stepped},
          {"fill_wait_clocks", clocks.filling},
          {"other_wait_clocks", clocks.other_waits()},
          {"no_compute_clocks", clocks.no_compute()},
          {"timeline_load_alone_clocks", lone.load},
          {"timeline_store_alone_clocks", lone.store},
          {"timeline_no_engine_clocks", lone.none},
          {"load_clocks", clocks.load},
          {"compute_clocks", clocks.compute},
          {"store_clocks", clocks.store},
          {"tiles_steps", counts.model.tile_steps}};
}

Json bytes_json(const LevelBytes& bytes) {
  return {{"off_chip_read_bytes", bytes.off_chip.read},
          {"off_chip_written_bytes", bytes.off_chip.written},
          {"operand_memory_read_bytes", bytes.operands.read},
          {"operand_memory_written_bytes", bytes.operands.written},
          {"scratchpad_read_bytes", bytes.scratchpads.read},
          {"scratchpad_written_bytes", bytes.scratchpads.written},
          {"result_memory_read_bytes", bytes.results.read},
          {"result_memory_written_bytes", bytes.results.written}};
}

Json energy_json(const Energy& energy) {
  return {{"compute_energy_pJ", energy.compute_pJ},
          {"scratchpad_energy_pJ", energy.scratchpad_pJ},
          {"large_memory_energy_pJ", energy.sram_pJ},
          {"off_chip_energy_pJ", energy.dram_pJ},
          {"leakage_energy_pJ", energy.leakage_pJ},
          {"surroundings_energy_pJ", energy.surroundings_pJ},
          {"energy_pJ", energy.total_pJ()}};
}

Json mode_json(const StepCounts& counts, const LoneEngines& lone, const Energy& energy) {
  Json mode = clocks_json(counts, lone);
  mode.update(bytes_json(counts.model.levels));
  mode.update(energy_json(energy));
  return mode;
}

/// Of the tile, and of what stands around it.
void add_configuration(Json& root, const Config& config) {
  root["configuration"] = {{"name", config.name},
                           {"hash", config_hash_text(config)},
                           {"lanes", config.lanes},
                           {"rows", config.rows},
                           {"columns", config.columns},
                           {"depth_rows", config.depth},
                           {"format", to_string(config.format)}};
  root["accelerator"] = {{"hash", accelerator_hash_text(config)}};
  for (const AcceleratorSize& size : accelerator_sizes(config.accelerator)) {
    root["accelerator"][size.name] = size.value;
  }
}

/// Each operation, and the sum of all.
void add_operations(Json& root, const StepRunResult& result, const DrivenEnergy& energy) {
  std::array<LoneEngines, 2> lone_total;
  std::array<std::int64_t, 2> begin = {0, 0};
  root["operations"] = Json::array();
  for (std::size_t i = 0; i < result.lines.size(); ++i) {
    const StepLine& line = result.lines[i];
    Json one = {{"snapshot", line.snapshot},
                {"layer", line.layer},
                {"op", line.op},
                {"useful_macs", line.useful_macs}};
    for (std::size_t mode = 0; mode < 2; ++mode) {
      const StepCounts& counts = line.modes[mode];
      const auto clocks = counts.model.clocks;
      const LoneEngines lone = lone_engines(counts.model.spans, begin[mode], clocks);
      begin[mode] += clocks;
      lone_total[mode].add(lone);
      one[kModeFields[mode]] = mode_json(counts, lone, energy.lines[i][mode]);
    }
    root["operations"].push_back(std::move(one));
  }
  for (std::size_t mode = 0; mode < 2; ++mode) {
    root["totals"][kModeFields[mode]] =
        mode_json(result.total(mode), lone_total[mode], energy.total[mode]);
  }
}

}  // namespace

std::string step_json(const Config& config, const StepSource& source, const StepRun& what,
                      const StepRunResult& result, const DrivenEnergy& energy) {
  const Technology& technology = energy.technology;
  Json root = {{"format", kAcceleratorFormat},
               {"program", fmt::format("tdaccel {}", kGeneratorVersion)}};
  add_configuration(root, config);
  root["technology"] = {{"name", technology.name},
                        {"hash", technology.hash},
                        {"clock_MHz", technology.clock_MHz},
                        {"memories", technology.memories->text()},
                        {"compute_energy", energy.parts.source}};
  root["memory"] = {{"latency_clocks", what.memory.latency},
                    {"bandwidth_bytes_in_1000_clocks",
                     what.memory.bandwidth > 0 ? Json(what.memory.bandwidth) : Json(nullptr)},
                    {"packed", what.packed},
                    {"stall_ratio", what.stall}};
  root["source"] = {{"path", source.path},
                    {"identity", source.identity},
                    {"model", source.model},
                    {"dataset", source.dataset},
                    {"conversion", source.conversion}};
  root["results_format"] = to_string(what.wide ? Format::fp32 : config.format);
  root["compared_bytes"] = result.bytes;
  add_operations(root, result, energy);
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace td::sim
