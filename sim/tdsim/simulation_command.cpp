// SPDX-License-Identifier: Apache-2.0
#include "sim/tdsim/simulation_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "base/configuration/parameters.hpp"
#include "base/configuration/preset.hpp"
#include "base/support/error.hpp"
#include "base/support/progress.hpp"
#include "base/support/result_paths.hpp"
#include "base/support/version.hpp"
#include "sim/accelerator/plan/operation.hpp"
#include "sim/memory/chip_memories.hpp"
#include "sim/memory/synthesis.hpp"
#include "sim/results/result_text.hpp"
#include "sim/timeline/result_timeline.hpp"

namespace td::sim {

namespace {

constexpr ScheduleMode kModes[] = {ScheduleMode::automatic, ScheduleMode::first,
                                   ScheduleMode::second, ScheduleMode::best};

constexpr DealingMode kDealings[] = {DealingMode::natural, DealingMode::density, DealingMode::time,
                                     DealingMode::best};
constexpr const char* kTiles = "accelerator.tiles";

/// Nothing where a name must stand is a mistake, as of a script's empty variable.
std::string refuse_empty(const std::string& text) { return text.empty() ? "no name is given" : ""; }

}  // namespace

SimulationCommand::SimulationCommand(CLI::App& app) {
  app.add_option("--config", config_, "configuration: a TOML file or the name of a preset")
      ->required();
  const Parameter& tiles = *find_parameter(kTiles);
  app.add_option("--tiles", tiles_,
                 fmt::format("tiles of the array, {}..{}, instead of the configuration's {}",
                             tiles.minimum, tiles.maximum, kTiles))
      ->check(CLI::Range(tiles.minimum, tiles.maximum));
  app.add_option("--schedule", schedule_,
                 "tensor on side B, which is searched for zeros: auto (the larger share of zeros), "
                 "first (activations; gradients in dgrad), second (weights; gradients in wgrad), "
                 "best (fewer cycles, by simulating both)")
      ->check(CLI::IsMember({"auto", "first", "second", "best"}));
  app.add_option(
         "--dealing", dealing_,
         "streams of side B that share a tile: natural (neighbours), density (of like zeros), "
         "time (that alone take alike long), best (fewest cycles, by simulating all)")
      ->check(CLI::IsMember({"natural", "density", "time", "best"}));
  app.add_flag("--compute-only", options_.compute_only,
               "tiles that are always served alone, without the accelerator around them");
  app.add_option("--objective", objective_,
                 "what plans of the accelerator are chosen for: time (default), energy or product")
      ->check(CLI::IsMember({"time", "energy", "product"}));
  app.add_option("--plans", plans_,
                 "keep plans of the accelerator in this folder, and take those that are there of "
                 "the same operations")
      ->check(refuse_empty);
  app.add_option("--latency", options_.memory.latency,
                 "clocks of the memory behind the accelerator, from address to data, 1..10000")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_option_function<double>(
         "--bandwidth",
         [this](double bytes) { options_.memory.bandwidth = std::llround(1000 * bytes); },
         "bytes that this memory moves in a clock, read and written together, 8..1000 (default: as "
         "many as the bus)")
      ->check(CLI::Range(kLeastBandwidth, kMostBandwidth));
  app.add_flag(
      "--packed", options_.packed,
      "operands lie packed in memory, without their zeros, where plans cost less with it; of "
      "configurations with accelerator.unpack_rows");
  app.add_option("--snapshot", options_.selection.snapshot, "this snapshot only")
      ->check(refuse_empty);
  app.add_option("--layer", options_.selection.layer,
                 "these layers only: a name, or a pattern of *, ? and [...]")
      ->check(refuse_empty);
  app.add_option("--op", options_.selection.op, "this operation only: fwd, dgrad or wgrad")
      ->check(CLI::IsMember({"fwd", "dgrad", "wgrad"}));
  app.add_option("--threads", options_.threads, "threads, 1..1024 (default: one for each core)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--technology", technology_,
                 "clock and energies: a TOML file or the name of a built-in one (default "
                 "paper_65nm)")
      ->check(refuse_empty);
  app.add_option("--memories", changes_.memories,
                 "NODE/DEVICE/PORT, as 45/itrs-lop/256: these lines of the technology's table of "
                 "memories")
      ->check(refuse_empty);
  app.add_option("--clock", changes_.clock_MHz,
                 fmt::format("MHz, 1..{}, instead of the technology's", kMostClockMHz))
      ->check(CLI::Range(std::int64_t{1}, kMostClockMHz));
  app.add_option("--synthesis", synthesis_,
                 "energy of the configuration's tile and of its dense counterparts, from synthesis "
                 "(JSON)")
      ->check(refuse_empty);
  app.add_option("--json", json_,
                 "write everything into this file; - for standard output, in place of the table")
      ->check(refuse_empty);
  app.add_option("--csv", csv_, "write a line for each operation into this file; - as above")
      ->check(refuse_empty);
  app.add_option(
         "--perfetto", perfetto_,
         "write a timeline of the operations into this file, for Perfetto or Chrome's trace "
         "viewer; - as above")
      ->check(refuse_empty);
}

void SimulationCommand::offer_gating(CLI::App& app) {
  app.add_flag("--gate", options_.gate,
               "operations run as on dense tiles where few zeros were counted a snapshot before");
}

Config SimulationCommand::config() const {
  Config config = find_config(config_);
  if (tiles_) find_parameter(kTiles)->set(config, *tiles_);
  return config;
}

void SimulationCommand::check_files(const std::vector<std::string>& inputs) const {
  std::vector<std::string> read = inputs;
  for (const std::string& name : {config_, technology_, synthesis_}) read.push_back(name);
  check_result_paths("--json, --csv, --perfetto", {json_, csv_, perfetto_}, read);
}

void SimulationCommand::note_components(RunResult& result) const {
  if (!synthesis_.empty() || options_.config.is_dense()) return;
  const Synthesis& synthesis = stand_in_synthesis(options_.config);
  if (synthesis.is_of(options_.config)) return;
  result.notes.push_back(fmt::format(
      "the tile's energies are those of {}, measured; scripts/ppa measures this configuration's",
      synthesis.name));
}

void SimulationCommand::note_latencies(RunResult& result) const {
  const Technology& technology = options_.technology;
  for (const MemoryKind& kind : memory_kinds()) {
    const MemoryFigures& memory = technology.*kind.figures;
    const std::int64_t clocks = access_clocks(memory, technology.clock_MHz);
    if (clocks <= 1) continue;
    result.notes.push_back(fmt::format(
        "an access of {} takes {} clocks ({} ns at {} MHz): pipelined, so latency and no bandwidth",
        kind.name, clocks, memory.access_ns, technology.clock_MHz));
  }
}

RunResult SimulationCommand::simulate(const OperandSource& source) const {
  std::optional<Progress> progress;
  const bool shown = ::isatty(STDERR_FILENO) != 0;
  try {
    return simulate_network(source, options_, [&](std::int64_t done, std::int64_t total) {
      if (!progress) progress.emplace("dense rows", total, shown);
      progress->show(done);
    });
  } catch (const CannotPlan& error) {
    throw UserError(fmt::format("{}; --compute-only simulates the tiles without the accelerator",
                                error.what()));
  }
}

void SimulationCommand::write(const RunResult& result) const {
  const auto as = [&](std::string (*text)(const RunResult&)) {
    return [&, text] { return text(result); };
  };
  write_results({{json_, as(result_json)}, {csv_, as(result_csv)}, {perfetto_, as(timeline_json)}},
                as(result_table));
}

void SimulationCommand::run(const OperandSource& source, const std::string& model,
                            const std::string& dataset) {
  options_.config = config();
  options_.technology = find_technology(technology_, options_.config, changes_);
  options_.compute = synthesis_.empty()
                         ? stated_compute_energy(options_.config, options_.technology)
                         : load_compute_energy(synthesis_, options_.config);
  for (const ScheduleMode mode : kModes) {
    if (schedule_ == to_string(mode)) options_.schedule = mode;
  }
  for (const DealingMode mode : kDealings) {
    if (dealing_ == to_string(mode)) options_.dealing = mode;
  }
  options_.objective = objective_of(objective_);
  if (!plans_.empty() && !options_.compute_only) options_.store = &store_.emplace(plans_);
  RunResult result = simulate(source);
  result.program = fmt::format("tdsim {}", kGeneratorVersion);
  result.model = model;
  result.dataset = dataset;
  note_components(result);
  note_latencies(result);
  write(result);
}

}  // namespace td::sim
