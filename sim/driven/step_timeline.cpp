// SPDX-License-Identifier: Apache-2.0
#include "sim/driven/step_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "sim/timeline/trace_events.hpp"

namespace td::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kEngines[] = {"load", "compute", "store", "fill", "tile"};  // by Engine

/// The operations' track comes first, then those of the engines in the order of the data.
constexpr Engine kTracks[] = {Engine::load, Engine::fill, Engine::compute, Engine::store};
constexpr std::size_t kFirstTile = 1 + std::size(kTracks);

std::vector<std::string> track_names(std::uint64_t tiles) {
  std::vector<std::string> names = {"operations"};
  for (const Engine engine : kTracks) {
    names.emplace_back(kEngines[static_cast<std::size_t>(engine)]);
  }
  for (std::uint64_t tile = 0; tile < tiles; ++tile) {
    names.push_back(fmt::format("tile {}", tile));
  }
  return names;
}

std::size_t track_of(const EngineSpan& span) {
  if (span.engine == Engine::tile) return kFirstTile + span.tile;
  const auto* at = std::find(std::begin(kTracks), std::end(kTracks), span.engine);
  return 1 + static_cast<std::size_t>(at - std::begin(kTracks));
}

void add_mode(TraceEvents& events, std::size_t process, const StepRunResult& result,
              std::size_t mode) {
  std::int64_t begin = 0;
  for (const StepLine& line : result.lines) {
    const StepCounts& counts = line.modes[mode];
    const auto clocks = counts.model.clocks;
    events.add_span(process, 0, {line.operation(), line.op, begin, clocks},
                    {{"clocks", counts.clocks.busy}});
    begin += clocks;
    for (const EngineSpan& span : counts.model.spans) {
      const char* engine = kEngines[static_cast<std::size_t>(span.engine)];
      Json args = {{"operation", line.operation()}};
      if (span.engine == Engine::tile) args["steps"] = span.steps;
      events.add_span(
          process, track_of(span),
          {fmt::format("{} {}", engine, span.descriptor), line.op, span.begin, span.clocks()},
          args);
    }
  }
}

}  // namespace

std::string step_timeline_json(const Config& config, std::int64_t clock_MHz,
                               const StepRunResult& result) {
  TraceEvents events(clock_MHz);
  for (std::size_t mode = 0; mode < 2; ++mode) {
    const std::size_t process =
        events.add_process(fmt::format("{}: {}, {} tiles, {} MHz", config.name, kModeNames[mode],
                                       result.tiles, clock_MHz),
                           track_names(result.tiles));
    add_mode(events, process, result, mode);
  }
  return events.text();
}

}  // namespace td::sim
