// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/plan_trial.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "sim/accelerator/plan/expected_steps.hpp"
#include "sim/accelerator/plan/planner/planner.hpp"
#include "sim/accelerator/timing/timeline.hpp"

namespace td::sim {

namespace {

constexpr std::size_t kCutsTried = 8;   // of those of each kind of tiles
constexpr std::size_t kStartsKept = 4;  // of these, for the second trial
constexpr std::size_t kOthersKept = 3;  // ... of those that are smaller or larger
// Of a trial, about.
constexpr std::int64_t kFewClocks = 30000;
constexpr std::int64_t kMostClocks = 300000;
constexpr std::int64_t kAllClocks = 3000000;  // of dropping pairs or not
constexpr double kLonger = 3;                 // at most, to end in the middle of a part

constexpr double kClear = 0.8;    // of the dense score: dropping pairs pays
constexpr double kEqual = 0.001;  // ... apart: tiles hold up nothing

// What pairs that are dropped must save at least: where zeros are is not known, what dense tiles do
// is.
constexpr double kDoubt = 1.01;

constexpr double kLag = 0.9;  // of what loads or stores lag behind in the begin, for all clocks

/// Passes of a compute that take as long as is expected. `drawn`: groups before them.
PassSteps expected(const ComputeDescriptor& compute, const ExpectedSteps& steps,
                   std::size_t& drawn) {
  PassSteps result;
  for (std::size_t i = 0; i < std::size_t{compute.b_lines} * compute.b_groups; ++i) {
    result.groups.push_back(steps.draw(compute.chunk_rows, drawn++));
  }
  result.behind.assign(compute.b_lines, 1);
  return result;
}

/// Clocks in which nothing but loads and stores can be done.
double least_clocks(const Geometry& geometry, const JobsBegin& begin, const MemoryTiming& memory) {
  const std::int64_t both = (begin.loaded + begin.stored) * geometry.beat_bytes();
  return static_cast<double>(std::max({begin.loaded, begin.stored, memory.clocks_of(both)}));
}

/// About half of it, in whole units.
std::int64_t half(std::int64_t size, std::int64_t unit) {
  return std::min(size, ceil_div(ceil_div(size, 2), unit) * unit);
}

/// Shares of the pairs of an operation: what goes on from `middle` to `end` is taken to go on.
struct TrialShares {
  double middle;
  double end;
};

/// Of a trial of about so many clocks. Parts that come one after the other are alike, the load of
/// the next one and the stores of the one before among them: from the middle of one to the middle
/// of another. Where a load waits for what it replaces, so do computes: from load to load.
TrialShares trial_shares(const Estimate& estimate, std::int64_t clocks) {
  const double share = static_cast<double>(clocks) / static_cast<double>(estimate.total);
  for (const std::int64_t count : {estimate.lone_loads, estimate.parts}) {
    const auto all = static_cast<double>(count);
    if (share >= 1 || count < 2 || 1.5 > kLonger * share * all) continue;
    const double whole = std::max(1.0, std::floor(share * all));
    return {(std::floor(whole / 2) + 0.5) / all, (whole + 0.5) / all};
  }
  return {share / 2, share};
}

/// What decides the jobs of a cut, and how many of them are tried.
auto jobs_key(const Cut& cut) {
  return std::make_tuple(cut.options.dense, cut.across, cut.chunk, cut.part, cut.row_sub,
                         cut.row_super, cut.lane_sub, cut.lane_super, cut.rows_outer, cut.together,
                         cut.keeps, cut.slots[0], cut.slots[1], cut.pairs, cut.adds, cut.area_words,
                         cut.areas);
}

/// A cut, and what it costs by a trial.
struct Tested {
  double score;
  Cut cut;
};

/// Of an operation on a machine.
class Trial {
 public:
  Trial(const Operation& operation, const Config& config, const PlanOptions& options,
        const Placement& placement, const Aim& aim)
      : operation_(operation),
        config_(config),
        geometry_(geometry_of(config)),
        options_(options),
        placement_(placement),
        aim_(aim) {
    if (drops()) dropping_ = expected_steps(config, operation, options);
  }

  Plans plans(const std::string& field) {
    PlanOptions options = options_;
    options.dense = true;
    const Tested dense = best(choose(options, field), {});
    if (!drops()) return {dense.cut, dense.cut, false};
    options.dense = false;
    std::vector<Cut> more;
    if (const auto same = cut_with(operation_, geometry_, dense.cut, options, dropping_)) {
      more.push_back(*same);
    }
    const Tested dropping = best(choose(options, field), more);
    return {dense.cut, dropping.cut, pays(dropping, dense)};
  }

 private:
  std::vector<Cut> choose(const PlanOptions& options, const std::string& field) const {
    return choose_cuts(operation_, geometry_, options, options.dense ? every_ : dropping_, field,
                       aim_, kCutsTried);
  }

  /// Whether dropping pairs does, which takes a longer trial where it saves little. Where scores
  /// are all but equal, tiles hold up nothing.
  bool pays(const Tested& dropping, const Tested& dense) {
    if (dropping.score < kClear * dense.score) return true;
    if (std::abs(dropping.score - dense.score) <= kEqual * dense.score) return false;
    Aim gated = aim_;  // TensorDash's tiles are not the dense ones
    gated.costs.dense = aim_.costs.gated;
    return kDoubt * score(dropping.cut, kAllClocks, aim_) < score(dense.cut, kAllClocks, gated);
  }

  /// Starts from `more`, the best of `cuts` by its estimate, and the best of them after a short
  /// trial; makes the best of these smaller or larger while that is better.
  Tested best(const std::vector<Cut>& cuts, std::vector<Cut> more) {
    more.push_back(cuts.front());
    add_best(cuts, kStartsKept, std::numeric_limits<double>::max(), more);
    for (Tested best = test(more, kMostClocks).front();;) {
      std::vector<Cut> others;
      add_best(others_like(best.cut), kOthersKept, score(best.cut, kFewClocks, aim_), others);
      const std::vector<Tested> tested = test(others, kMostClocks);
      if (tested.empty() || tested.front().score >= best.score) return best;
      best = tested.front();
    }
  }

  /// Fills `more` up to `most` with the best of `cuts` whose score is less after a short trial.
  void add_best(const std::vector<Cut>& cuts, std::size_t most, double score,
                std::vector<Cut>& more) {
    for (const Tested& tested : test(cuts, kFewClocks)) {
      if (more.size() < most && tested.score < score) more.push_back(tested.cut);
    }
  }

  /// The cut with less or more of the operands in their memories at once: about half or twice as
  /// much of the rows, of the lanes or of the sums. Where it keeps a side, no more sums: chunks are
  /// all of a part.
  std::vector<Cut> others_like(const Cut& cut) const {
    std::vector<Cut> found;
    const Extents rows = operation_.most_rows(), sums = operation_.most_reduction();
    const auto vary = [&](auto size, std::int64_t unit, std::int64_t all) {
      Cut other = cut;
      std::int64_t& changed = size(other);
      const std::int64_t was = changed;
      for (const std::int64_t next : {half(was, unit), was < all ? std::min(all, 2 * was) : was}) {
        if (next == was) continue;
        changed = next;
        const auto fits = cut_with(operation_, geometry_, other, cut.options, steps_of(cut));
        if (fits) found.push_back(*fits);
      }
    };
    for (std::size_t i = 0; i < 3; ++i) {
      vary([i](Cut& one) -> std::int64_t& { return one.row_super[i]; }, cut.row_sub[i], rows[i]);
      vary([i](Cut& one) -> std::int64_t& { return one.part[i]; }, cut.chunk[i],
           cut.keeps ? cut.part[i] : sums[i]);
    }
    vary([](Cut& one) -> std::int64_t& { return one.lane_super; }, cut.lane_sub,
         operation_.lane_blocks());
    return found;
  }

  /// The best of cuts by what they cost after so many clocks, the cheapest first.
  std::vector<Tested> test(const std::vector<Cut>& cuts, std::int64_t clocks) {
    std::vector<Tested> tested;
    for (const Cut& cut : cuts) tested.push_back({score(cut, clocks, aim_), cut});
    std::stable_sort(tested.begin(), tested.end(),
                     [](const Tested& a, const Tested& b) { return a.score < b.score; });
    return tested;
  }

  /// How far jobs got.
  struct Tried {
    double pairs = 0;
    double clocks = 0;
  };

  bool drops() const { return !options_.dense && !config_.is_dense(); }

  const ExpectedSteps& steps_of(const Cut& cut) const {
    return cut.options.dense ? every_ : dropping_;
  }

  double score(const Cut& cut, std::int64_t most, const Aim& aim) {
    most = std::min(most, cut.estimate.total);
    const auto [found, is_new] = tried_.try_emplace(std::make_pair(most, jobs_key(cut)));
    if (is_new) found->second = clocks(cut, most);
    return score_of(operation_, geometry_, steps_of(cut), aim, cut, found->second);
  }

  /// Of a cut's jobs. Of more than `most` clocks, a begin is tried: the rest goes on like what
  /// comes behind its middle.
  std::int64_t clocks(const Cut& cut, std::int64_t most) const {
    const TrialShares shares = trial_shares(cut.estimate, most);
    const JobsBegin jobs = Planner(geometry_).begin(operation_, cut, placement_, shares.end);
    const auto all = static_cast<double>(jobs.pairs);
    Tried middle;
    const Tried begin = run(jobs.jobs, steps_of(cut), shares, all, middle);
    if (begin.pairs >= all) return static_cast<std::int64_t>(begin.clocks);
    const double found = begin.clocks + (all - begin.pairs) * (begin.clocks - middle.clocks) /
                                            (begin.pairs - middle.pairs);
    const double least = least_clocks(geometry_, jobs, options_.memory);
    // Loads or stores that lag behind in the begin hold up the rest; of two cuts that they hold up
    // alike, what was found says which is better.
    return static_cast<std::int64_t>(found < least ? found + kLag * (least - found) : found);
  }

  /// Jobs, from the begin, until more of all pairs have been taken, or when these are all, until
  /// the last results are stored; `middle`: had it been as many as there.
  Tried run(const std::vector<Job>& jobs, const ExpectedSteps& steps, const TrialShares& shares,
            double all, Tried& middle) const {
    Timeline timeline(config_, options_.memory, false);
    const double most = shares.end * all;
    double taken = 0;
    std::size_t drawn = 0;
    const auto enough = [&] { return taken > most && taken < all; };
    for (const Job& job : jobs) {
      if (enough()) break;
      timeline.begin_job();
      for (const Descriptor& descriptor : job) {
        if (enough()) break;
        const auto* compute = std::get_if<ComputeDescriptor>(&descriptor);
        timeline.add(descriptor,
                     compute == nullptr ? PassSteps() : expected(*compute, steps, drawn));
        if (compute != nullptr) taken += static_cast<double>(pairs_of(*compute));
        if (middle.pairs > 0 || taken <= shares.middle * all || taken > most) continue;
        timeline.mark_begin();
        middle.pairs = taken;
      }
      timeline.end_job();
    }
    middle.clocks = static_cast<double>(timeline.begin_clocks());
    return {taken, static_cast<double>(timeline.clocks())};
  }

  const Operation& operation_;
  const Config& config_;
  Geometry geometry_;
  PlanOptions options_;
  const Placement& placement_;
  const Aim& aim_;
  ExpectedSteps every_;
  ExpectedSteps dropping_;
  std::map<std::pair<std::int64_t, decltype(jobs_key(Cut()))>, std::int64_t> tried_;  ///< clocks
};

}  // namespace

Plans best_plans(const Operation& operation, const Config& config, const PlanOptions& options,
                 const std::string& field, const Placement& placement, const Aim& aim,
                 const MemoryTiming& memory) {
  PlanOptions asked = options;
  asked.memory = memory;
  return Trial(operation, config, asked, placement, aim).plans(field);
}

std::optional<Plans> plans_again(const Operation& operation, const Config& config,
                                 const PlanOptions& options, const MemoryTiming& memory,
                                 const Plans& known) {
  const Geometry geometry = geometry_of(config);
  PlanOptions asked = options;
  asked.memory = memory;
  const bool drops = !options.dense && !config.is_dense();
  asked.dense = true;
  const auto dense = cut_with(operation, geometry, known.dense, asked, ExpectedSteps());
  if (!dense) return std::nullopt;
  if (!drops) return Plans{*dense, *dense, false};
  asked.dense = false;
  const auto dropping = cut_with(operation, geometry, known.dropping, asked,
                                 expected_steps(config, operation, asked));
  if (!dropping) return std::nullopt;
  return Plans{*dense, *dropping, known.pays};
}

}  // namespace td::sim
