// SPDX-License-Identifier: Apache-2.0
#include "sim/timeline/timeline.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

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

/// The name of a process, or of a thread of it.
Json name_event(const char* what, std::size_t process, std::size_t thread,
                const std::string& name) {
  return {
      {"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

/// Cycles of the array by where its multipliers' cycles went.
void add_parts(Json& args, const OpResult& operation, const RunResult& run) {
  const auto multipliers = static_cast<double>(run.array.multipliers());
  for (const Part& part : parts()) {
    const std::int64_t cycles = operation.cycles.multipliers.*part.cycles;
    if (cycles == 0) continue;
    args[fmt::format("{}_cycles", part.name)] = static_cast<double>(cycles) / multipliers;
  }
}

Json work_event(const OpResult& operation, std::int64_t begin, std::int64_t cycles,
                const RunResult& run) {
  const auto clocks_of_us = static_cast<double>(run.clock_MHz);
  return {{"ph", "X"},
          {"name",
           fmt::format("{}/{} {}", operation.snapshot, operation.layer, to_string(operation.op))},
          {"cat", to_string(operation.op)},
          {"ts", static_cast<double>(begin) / clocks_of_us},
          {"dur", static_cast<double>(cycles) / clocks_of_us},
          {"args", {{"begin_cycle", begin}, {"cycles", cycles}}}};
}

/// All operations on one hardware, one behind the other.
void add_hardware(Json& events, const RunResult& run, std::size_t process) {
  const Hardware& one = hardware()[process];
  const bool first = process == 0;
  events.push_back(name_event("process_name", process, 0,
                              fmt::format("{}: {}, {} tiles, {} MHz", run.configuration, one.name,
                                          run.array.tiles, run.clock_MHz)));
  for (std::size_t thread = 0; thread < one.tracks.size(); ++thread) {
    events.push_back(name_event("thread_name", process, thread, one.tracks[thread].name));
  }
  std::int64_t begin = 0;
  for (const OpResult& operation : run.operations) {
    for (std::size_t thread = 0; thread < one.tracks.size(); ++thread) {
      const std::int64_t cycles = one.tracks[thread].cycles(operation);
      if (cycles == 0) continue;
      Json event = work_event(operation, begin, cycles, run);
      event["pid"] = process;
      event["tid"] = thread;
      if (first && thread == 1) add_parts(event["args"], operation, run);
      events.push_back(std::move(event));
    }
    begin += one.tracks.front().cycles(operation);
  }
}

}  // namespace

std::string timeline_json(const RunResult& result) {
  Json root = {{"displayTimeUnit", "ns"}, {"traceEvents", Json::array()}};
  for (std::size_t process = 0; process < hardware().size(); ++process) {
    add_hardware(root["traceEvents"], result, process);
  }
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace td::sim
