// SPDX-License-Identifier: Apache-2.0
#include "sim/timeline/timeline.hpp"

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

const std::vector<Hardware>& hardware() {
  static const std::vector<Hardware> all = {
      {"these tiles",
       {{"operations", [](R r) { return r.traffic.cycles; }},
        {"tiles", [](R r) { return r.cycles.cycles; }},
        {"transposers", [](R r) { return r.traffic.compressed.transposer_cycles; }},
        {"DRAM", [](R r) { return r.traffic.compressed.dram_cycles; }}}},
      {"dense tiles",
       {{"operations", [](R r) { return r.traffic.dense_cycles; }},
        {"tiles", [](R r) { return r.cycles.dense_cycles; }},
        {"transposers", [](R r) { return r.traffic.compressed.transposer_cycles; }},
        {"DRAM", [](R r) { return r.traffic.compressed.dram_cycles; }}}}};
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
