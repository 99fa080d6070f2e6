// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/plan_trial.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include "sim/accelerator/plan/estimate.hpp"
#include "sim/accelerator/plan/planner/planner.hpp"
#include "sim/accelerator/timing/timeline.hpp"

namespace td::sim {

namespace {

constexpr std::size_t kCutsTried = 8;        // of those of each kind of tiles
constexpr std::int64_t kMostClocks = 30000;  // of a trial, about

/// Passes of a compute that take as long as is expected.
PassSteps expected(const ComputeDescriptor& compute, const PlanOptions& options,
                   const Geometry& geometry) {
  const std::int64_t steps = expected_steps(options, compute.chunk_rows, geometry.depth);
  return {std::vector<std::int64_t>(std::size_t{compute.b_lines} * compute.b_groups, steps),
          std::vector<std::int64_t>(compute.b_lines, 1)};
}

/// Pairs of rows that the tiles take.
std::int64_t pairs_of(const Descriptor& descriptor) {
  const auto* compute = std::get_if<ComputeDescriptor>(&descriptor);
  if (compute == nullptr) return 0;
  return std::int64_t{compute->a_groups} * compute->b_groups * compute->chunk_rows;
}

std::int64_t pairs_of(const std::vector<Job>& jobs) {
  std::int64_t pairs = 0;
  for (const Job& job : jobs) {
    for (const Descriptor& descriptor : job) pairs += pairs_of(descriptor);
  }
  return pairs;
}

/// Of a cut's jobs: of as much of them, from the begin, as takes about kMostClocks, and the rest
/// likewise.
std::int64_t clocks_of(const Operation& operation, const Config& config, const Cut& cut,
                       const Placement& placement, const MemoryTiming& memory) {
  const Geometry geometry = geometry_of(config);
  const std::vector<Job> jobs = Planner(geometry).add(operation, cut, placement);
  const double share = static_cast<double>(kMostClocks) /
                       static_cast<double>(std::max(kMostClocks, cut.estimate.total));
  const auto all = static_cast<double>(pairs_of(jobs));
  double tried = 0;
  Timeline timeline(config, memory, false);
  for (const Job& job : jobs) {
    if (tried > share * all) break;
    timeline.begin_job();
    for (const Descriptor& descriptor : job) {
      if (tried > share * all) break;
      const auto* compute = std::get_if<ComputeDescriptor>(&descriptor);
      timeline.add(descriptor,
                   compute == nullptr ? PassSteps() : expected(*compute, cut.options, geometry));
      tried += static_cast<double>(pairs_of(descriptor));
    }
    timeline.end_job();
  }
  return static_cast<std::int64_t>(static_cast<double>(timeline.clocks()) * all / tried);
}

}  // namespace

Cut best_cut(const Operation& operation, const Config& config, const PlanOptions& options,
             const std::string& field, const Placement& placement, const Aim& aim,
             const MemoryTiming& memory) {
  const Geometry geometry = geometry_of(config);
  PlanOptions asked = options;
  asked.memory = memory;
  const auto cuts_for = [&](const PlanOptions& what) {
    return choose_cuts(operation, geometry, what, field, aim, kCutsTried);
  };
  std::vector<Cut> cuts = cuts_for(asked);
  if (!cuts.front().options.dense) {
    PlanOptions dense = asked;
    dense.dense = true;
    for (Cut cut : cuts_for(dense)) {
      cut.options = asked;
      cuts.push_back(cut);
    }
  }
  if (cuts.size() == 1) return cuts.front();
  std::vector<double> scores;
  for (const Cut& cut : cuts) {
    scores.push_back(score_of(operation, geometry, aim, cut,
                              clocks_of(operation, config, cut, placement, memory)));
  }
  return cuts[static_cast<std::size_t>(std::min_element(scores.begin(), scores.end()) -
                                       scores.begin())];
}

}  // namespace td::sim
