// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace td::verify {
namespace {

double speed_up(const replay::Tally& tally) {
  return static_cast<double>(tally.dense_cycles) /
         static_cast<double>(std::max<std::int64_t>(1, tally.cycles));
}

void print_line(const replay::Tally& tally, std::size_t layer_width, const std::string& passes) {
  fmt::print("{:<9} {:<{}} {:<5} {:<9} {:>7} {:>13} {:>12} {:>12} {:>8.2f} {:>10} {:>10}\n",
             tally.snapshot, tally.layer, layer_width, tally.op, tally.scheduled,
             tally.scheduled.empty() ? "" : fmt::format("{:.1f}", 100.0 * tally.zero_share), passes,
             tally.dense_cycles, tally.cycles, speed_up(tally), tally.outputs, tally.mismatches);
}

/// A number of the trace's header, which may be absent.
std::string fact(std::optional<double> value) {
  return value ? fmt::format("{:g}", *value) : "not recorded";
}

}  // namespace

void print_trace(const Config& config, const sim::Trace& trace,
                 const std::vector<std::string>& without_dgrad) {
  const std::string conversion = trace.conversion_text(config.format);
  fmt::print("trace {} ({}, {}){}{}\n", trace.path(), trace.model(), trace.dataset(),
             conversion.empty() ? "" : ", ", conversion);
  for (const sim::Snapshot& snapshot : trace.snapshots()) {
    fmt::print("snapshot {}: step {}, test accuracy {}\n", snapshot.name, fact(snapshot.step),
               fact(snapshot.test_accuracy));
  }
  for (const std::string& layer : without_dgrad) {
    fmt::print("no dgrad of {}: its input needs no gradient\n", layer);
  }
}

void print_report(const std::string& design, const replay::Scoreboard& scoreboard,
                  const BenchResult& result) {
  std::size_t layer_width = 5;
  replay::Tally total;
  total.snapshot = "total";
  for (const replay::Tally& tally : scoreboard.tallies()) {
    layer_width = std::max(layer_width, tally.layer.size());
    total.passes += tally.passes;
    total.passes_done += tally.passes_done;
    total.dense_cycles += tally.dense_cycles;
    total.cycles += tally.cycles;
    total.outputs += tally.outputs;
    total.mismatches += tally.mismatches;
  }
  fmt::print("{:<9} {:<{}} {:<5} {:<9} {:>7} {:>13} {:>12} {:>12} {:>8} {:>10} {:>10}\n",
             "snapshot", "layer", layer_width, "op", "scheduled", "zeros %", "passes", "dense cyc.",
             "cycles", "speed-up", "outputs", "mismatches");
  for (const replay::Tally& tally : scoreboard.tallies()) {
    print_line(tally, layer_width, fmt::format("{}/{}", tally.passes_done, tally.passes));
  }
  print_line(total, layer_width, fmt::format("{}/{}", total.passes_done, total.passes));
  if (scoreboard.passes_simulated() > 0) {
    fmt::print("cycles compared with tdsim's in {} passes\n", scoreboard.passes_simulated());
  }
  fmt::print(
      "configuration {}, {} clocks, {} mismatches, output hash {:016x}, "
      "{:.0f} kilocycles per CPU second\n",
      design, result.clocks, scoreboard.mismatches(), scoreboard.output_hash(),
      static_cast<double>(result.steps) / 1000.0 / std::max(result.cpu_seconds, 1e-9));
}

}  // namespace td::verify
