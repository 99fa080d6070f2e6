// SPDX-License-Identifier: Apache-2.0
#include "sim/timeline/result_timeline.hpp"

#include <fmt/format.h>

#include <vector>

#include "sim/timeline/trace_events.hpp"

namespace td::sim {

namespace {

using Json = nlohmann::ordered_json;

/// What an operation keeps busy, and for how many cycles.
struct Track {
  const char* name;
  std::int64_t (*cycles)(const OpResult& operation);
};

/// One hardware: a process of the timeline. The first track is the operation from end to end.
struct Hardware {
  const char* name;
  std::vector<Track> tracks;
};

using R = const OpResult&;

/// Clocks from memory to memory, or of compute alone.
std::int64_t clocks(R r, OperationCounts MachineUse::*counts, std::int64_t alone) {
  return r.machine ? ((*r.machine).*counts).clocks : alone;
}

/// Beats of the bus, each way.
template <std::int64_t BusBeats::*way, OperationCounts MachineUse::*counts>
std::int64_t beats(R r) {
  return r.machine ? ((*r.machine).*counts).beats.*way : 0;
}

template <OperationCounts MachineUse::*counts>
std::int64_t steps(R r) {
  return ((*r.machine).*counts).slowest_steps();
}

const std::vector<Hardware>& hardware() {
  constexpr auto dense = &MachineUse::dense;
  constexpr auto sparse = &MachineUse::tensordash;
  static const std::vector<Hardware> all = {
      {"these tiles",
       {{"operations", [](R r) { return clocks(r, sparse, r.cycles.cycles); }},
        {"slowest tile", [](R r) { return r.machine ? steps<sparse>(r) : r.cycles.cycles; }},
        {"bus, reads", beats<&BusBeats::read, sparse>},
        {"bus, writes", beats<&BusBeats::written, sparse>}}},
      {"dense tiles",
       {{"operations", [](R r) { return clocks(r, dense, r.cycles.dense_cycles); }},
        {"slowest tile", [](R r) { return r.machine ? steps<dense>(r) : r.cycles.dense_cycles; }},
        {"bus, reads", beats<&BusBeats::read, dense>},
        {"bus, writes", beats<&BusBeats::written, dense>}}}};
  return all;
}

/// Cycles of the array by where its multipliers' cycles went.
Json parts_of(const OpResult& operation, const RunResult& run) {
  Json args = Json::object();
  const auto multipliers = static_cast<double>(run.array.multipliers());
  for (const Part& part : parts()) {
    const std::int64_t cycles = operation.cycles.multipliers.*part.cycles;
    if (cycles == 0) continue;
    args[fmt::format("{}_cycles", part.name)] = static_cast<double>(cycles) / multipliers;
  }
  return args;
}

/// All operations on one hardware, one behind the other.
void add_hardware(TraceEvents& events, const RunResult& run, std::size_t which) {
  const Hardware& one = hardware()[which];
  std::vector<std::string> names;
  for (const Track& track : one.tracks) names.emplace_back(track.name);
  const std::size_t process =
      events.add_process(fmt::format("{}: {}, {} tiles, {} MHz", run.configuration, one.name,
                                     run.array.tiles, run.clock_MHz),
                         names);
  std::int64_t begin = 0;
  for (const OpResult& operation : run.operations) {
    for (std::size_t track = 0; track < one.tracks.size(); ++track) {
      const std::int64_t cycles = one.tracks[track].cycles(operation);
      if (cycles == 0) continue;
      const bool tiles = which == 0 && track == 1;
      const std::string op = to_string(operation.op);
      events.add_span(
          process, track,
          {fmt::format("{}/{} {}", operation.snapshot, operation.layer, op), op, begin, cycles},
          tiles ? parts_of(operation, run) : Json::object());
    }
    begin += one.tracks.front().cycles(operation);
  }
}

}  // namespace

std::string timeline_json(const RunResult& result) {
  TraceEvents events(result.clock_MHz);
  for (std::size_t which = 0; which < hardware().size(); ++which) {
    add_hardware(events, result, which);
  }
  return events.text();
}

}  // namespace td::sim
