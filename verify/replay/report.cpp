// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace td::verify {
namespace {

/// Cycles of the lines of a table and of their total; of a sample, estimated for all passes.
struct Cycles {
  double dense = 0;
  double zero_free = 0;
  double cycles = 0;
};

Cycles cycles(const replay::Tally& tally) {
  return {static_cast<double>(tally.dense_cycles), static_cast<double>(tally.zero_free_cycles),
          static_cast<double>(tally.cycles)};
}

/// Adds the tally as if all of its passes had been like those that were replayed.
void add_weighted(Cycles& sum, const replay::Tally& tally) {
  const double weight = static_cast<double>(tally.all_passes) /
                        static_cast<double>(std::max<std::int64_t>(1, tally.passes_done));
  const Cycles part = cycles(tally);
  sum.dense += weight * part.dense;
  sum.zero_free += weight * part.zero_free;
  sum.cycles += weight * part.cycles;
}

std::string ratio(double part, double whole) {
  return whole > 0 ? fmt::format("{:.2f}", part / whole) : "-";
}

void print_cells(std::size_t layer_width, const std::vector<std::string>& cells) {
  fmt::print(
      "{:<9} {:<{}} {:<5} {:<11} {:>7} {:>13} {:>12} {:>12} {:>14} {:>6} {:>5} {:>10} {:>10}\n",
      cells[0], cells[1], layer_width, cells[2], cells[3], cells[4], cells[5], cells[6], cells[7],
      cells[8], cells[9], cells[10], cells[11], cells[12]);
}

/// `of` is absent where no cycles stand for all of the tally's passes.
void print_line(const replay::Tally& tally, std::size_t layer_width,
                const std::optional<Cycles>& of) {
  const auto whole = [&](double Cycles::*count) {
    return of ? fmt::format("{:.0f}", (*of).*count) : "-";
  };
  const auto speed_up = [&](double Cycles::*part, double Cycles::*all) {
    return of ? ratio((*of).*part, (*of).*all) : "-";
  };
  print_cells(
      layer_width,
      {tally.snapshot, tally.layer, tally.op, tally.side_b,
       tally.side_b.empty() ? "" : fmt::format("{:.1f}", 100.0 * tally.zero_share),
       fmt::format("{}/{}", tally.passes_done, tally.all_passes), whole(&Cycles::dense),
       whole(&Cycles::cycles), speed_up(&Cycles::zero_free, &Cycles::cycles),
       speed_up(&Cycles::dense, &Cycles::zero_free), speed_up(&Cycles::dense, &Cycles::cycles),
       fmt::format("{}", tally.outputs), fmt::format("{}", tally.mismatches)});
}

/// The sum of all lines; of samples only where each has some passes, each line by how many it has.
void print_total(const std::vector<replay::Tally>& tallies, std::size_t layer_width) {
  replay::Tally total;
  total.snapshot = "total";
  std::optional<Cycles> sum = Cycles();
  for (const replay::Tally& tally : tallies) {
    total.all_passes += tally.all_passes;
    total.passes_done += tally.passes_done;
    total.outputs += tally.outputs;
    total.mismatches += tally.mismatches;
    if (tally.passes_done == 0 && tally.all_passes > 0) sum.reset();
    if (sum) add_weighted(*sum, tally);
  }
  print_line(total, layer_width, sum);
  if (total.passes_done == total.all_passes) return;
  fmt::print("a sample: cycles and speed-ups of the total {}\n",
             sum ? "are estimates, each line weighted by its passes"
                 : "are left out, as lines without a pass have none");
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
  for (const replay::Tally& tally : scoreboard.tallies()) {
    layer_width = std::max(layer_width, tally.layer.size());
  }
  print_cells(layer_width,
              {"snapshot", "layer", "op", "side B", "zeros %", "passes", "dense cyc.", "cycles",
               "speed-up: data", "filled", "total", "outputs", "mismatches"});
  for (const replay::Tally& tally : scoreboard.tallies()) {
    print_line(tally, layer_width, cycles(tally));
  }
  print_total(scoreboard.tallies(), layer_width);
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
