// SPDX-License-Identifier: Apache-2.0
#include "sim/system/rounds/study.hpp"

#include "base/support/parallel.hpp"

namespace td::job {
namespace {

RoundsResult run_point(const Study& study, const StudyPoint& point, std::uint64_t seed) {
  TraceModel model = study.model;
  model.jobs_per_hour = point.jobs_per_hour;
  DrawnTrace trace(study.kinds, model, seed);
  RoundOptions options = study.options;
  options.policy = point.policy;
  options.seed = seed;
  const JobSource source = [&trace] { return std::optional<TraceJob>(trace.next()); };
  return simulate_rounds(study.kinds.types, source, options, study.kinds.source);
}

RoundsResult mean_of(const RoundsResult* results, std::size_t count) {
  RoundsResult mean;
  for (std::size_t i = 0; i < count; ++i) {
    const RoundsResult& one = results[i];
    mean.overloaded = mean.overloaded || one.overloaded;
    mean.average_completion_s += one.average_completion_s / static_cast<double>(count);
    mean.makespan_s += one.makespan_s / static_cast<double>(count);
    mean.busy_share += one.busy_share / static_cast<double>(count);
    mean.rounds += one.rounds;
    mean.allocations += one.allocations;
    mean.moves += one.moves;
  }
  return mean;
}

}  // namespace

std::vector<RoundsResult> run_study(const Study& study, const std::vector<StudyPoint>& points) {
  const std::size_t seeds = study.seeds.size();
  std::vector<RoundsResult> results(points.size() * seeds);
  parallel_pieces(static_cast<std::int64_t>(results.size()), [&](std::int64_t i, std::int64_t end) {
    for (; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      results[at] = run_point(study, points[at / seeds], study.seeds[at % seeds]);
    }
  });
  std::vector<RoundsResult> means;
  for (std::size_t i = 0; i < points.size(); ++i) {
    means.push_back(mean_of(&results[i * seeds], seeds));
  }
  return means;
}

}  // namespace td::job
