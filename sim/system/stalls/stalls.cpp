// SPDX-License-Identifier: Apache-2.0
#include "sim/system/stalls/stalls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace td::job {

namespace {

/// Seconds in which an epoch's bytes arrive.
double fetch_seconds(const DataPath& path, double cached_share) {
  return cached_share * path.dataset_bytes / path.memory_bytes_per_s +
         (1 - cached_share) * path.dataset_bytes / path.disk_bytes_per_s;
}

}  // namespace

const char* to_string(Bottleneck bottleneck) {
  constexpr std::array<const char*, 3> names = {"accelerator", "preprocess", "fetch"};
  return names[static_cast<std::size_t>(bottleneck)];
}

StallAnalysis analyse_stalls(const DataPath& path, double cached_share) {
  StallAnalysis analysis;
  analysis.fetch_samples_per_s = path.samples / fetch_seconds(path, cached_share);
  const std::array<double, 3> rates = {path.accelerator_samples_per_s,
                                       path.preprocess_samples_per_s, analysis.fetch_samples_per_s};
  const auto* slowest = std::min_element(rates.begin(), rates.end());
  analysis.bottleneck = static_cast<Bottleneck>(slowest - rates.begin());
  analysis.training_samples_per_s = *slowest;
  analysis.stall_percent = 100 * (1 - *slowest / path.accelerator_samples_per_s);
  return analysis;
}

double cache_for_no_fetch_stall(const DataPath& path) {
  const double needed = std::min(path.accelerator_samples_per_s, path.preprocess_samples_per_s);
  const double seconds = path.samples / needed;
  const double cold = fetch_seconds(path, 0);
  if (seconds >= cold) return 0;
  const double warm = fetch_seconds(path, 1);
  return warm < cold ? (cold - seconds) / (cold - warm) : 2;
}

Graph epoch_graph(const DataPath& path, double cached_share, std::int64_t batches,
                  const std::string& source) {
  Graph graph(source);
  const ResourceId disk = graph.add({"disk", ResourceKind::disk, Policy::fifo});
  const ResourceId host = graph.add({"host", ResourceKind::input, Policy::fifo});
  const ResourceId accelerator = graph.add({"accelerator", ResourceKind::compute, Policy::fifo});
  const auto count = static_cast<double>(batches);
  const double samples = path.samples / count;
  const double fetch = fetch_seconds(path, cached_share) / count;
  for (std::int64_t i = 0; i < batches; ++i) {
    const auto add = [&](const char* phase, ResourceId on, double seconds) {
      return graph.add({fmt::format("{} {}", phase, i), on, seconds, 0, "", phase});
    };
    const TaskId fetched = add("fetch", disk, fetch);
    const TaskId prepared = add("preprocess", host, samples / path.preprocess_samples_per_s);
    const TaskId trained = add("train", accelerator, samples / path.accelerator_samples_per_s);
    graph.add_edge(fetched, prepared);
    graph.add_edge(prepared, trained);
  }
  return graph;
}

}  // namespace td::job
