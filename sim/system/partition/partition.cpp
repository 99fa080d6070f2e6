// SPDX-License-Identifier: Apache-2.0
#include "sim/system/partition/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/support/error.hpp"

namespace td::job {

namespace {

/// Steps of the search: some minutes.
constexpr double kMostSteps = 1e11;

/// How the best time was found: the last stage begins after cut `split` (or at 0) on `replicas`
/// workers, the stages ahead of it use `others`.
struct Choice {
  double seconds = kInfeasible;
  std::int32_t split = -1;
  std::int32_t replicas = 0;
  std::int32_t others = 0;
};

/// Seconds of the layers after cut begin - 1 up to cut j, for all pairs that are one stage.
class StageTimes {
 public:
  explicit StageTimes(const std::vector<CutState>& states)
      : states_(states.size()), seconds_((states_ + 1) * states_, kInfeasible) {
    for (std::size_t j = 0; j < states_; ++j) {
      at(0, j) = states[j].seconds;
      for (const std::uint32_t k : states[j].earlier) {
        at(k + 1, j) = states[j].seconds - states[k].seconds;
      }
    }
  }
  double& at(std::size_t begin, std::size_t j) { return seconds_[begin * states_ + j]; }
  double at(std::size_t begin, std::size_t j) const { return seconds_[begin * states_ + j]; }

 private:
  std::size_t states_;
  std::vector<double> seconds_;
};

/// Whether a stage of `size` bytes fits on each of `replicas` workers, ahead of `others`: they keep
/// its weights and activations of all minibatches that are on the way.
bool fits_memory(const PartitionRequest& request, double size, std::int64_t others,
                 std::int64_t replicas) {
  if (!request.memory_bytes) return true;
  const std::int64_t ahead = request.in_flight ? *request.in_flight * (others + replicas) : others;
  const double versions = std::ceil(static_cast<double>(ahead) / static_cast<double>(replicas));
  return versions * size <= *request.memory_bytes;
}

/// One level of links, from the cut ahead of `begin`.
class LevelTable {
 public:
  LevelTable(const std::vector<CutState>& states, const PartitionRequest& request,
             const StageTimes& times, const LinkLevel& level, std::int64_t workers_inside)
      : states_(states),
        request_(request),
        times_(times),
        level_(level),
        inside_(static_cast<double>(workers_inside)),
        choices_(states.size() * static_cast<std::size_t>(level.workers)) {}

  /// Fills the table for stages that begin at `begin`.
  void fill(std::uint32_t begin) {
    std::fill(choices_.begin(), choices_.end(), Choice{});
    for (std::uint32_t j = begin; j < states_.size(); ++j) {
      for (std::int64_t workers = 1; workers <= level_.workers; ++workers) {
        choices_[index(j, workers)] = best(begin, j, workers);
      }
    }
  }

  const Choice& best_of(std::uint32_t j, std::int64_t workers) const {
    return choices_[index(j, workers)];
  }

  /// The stages of the best choice for all workers, ends at the last cut.
  std::vector<Stage> stages() const {
    std::vector<Stage> found;
    auto j = static_cast<std::uint32_t>(states_.size() - 1);
    for (std::int64_t workers = level_.workers;;) {
      const Choice& choice = best_of(j, workers);
      const auto begin = static_cast<std::uint32_t>(choice.split + 1);
      found.push_back({begin, j + 1, choice.replicas});
      if (begin == 0) break;
      j = begin - 1;
      workers = choice.others;
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

 private:
  std::size_t index(std::uint32_t j, std::int64_t workers) const {
    return j * static_cast<std::size_t>(level_.workers) + static_cast<std::size_t>(workers - 1);
  }
  double stage_seconds(double seconds, double parameters, std::int64_t replicas) const {
    const double averaging = averaging_seconds(parameters, replicas, level_.bandwidth) / inside_;
    return (seconds + averaging) / static_cast<double>(replicas);
  }

  Choice best(std::uint32_t begin, std::uint32_t j, std::int64_t workers) const {
    Choice found = one_stage(begin, j, workers);
    if (j == begin || workers == 1) return found;
    if (request_.use_fewer && best_of(j, workers - 1).seconds < found.seconds)
      found = best_of(j, workers - 1);
    for (const std::uint32_t k : states_[j].earlier) {
      if (k < begin) continue;
      const std::int64_t most = request_.straight ? 1 : workers - 1;
      for (std::int64_t m = 1; m <= most; ++m) {
        const double seconds = with_last_stage(k, j, workers, m);
        if (seconds < found.seconds) {
          found = {seconds, static_cast<std::int32_t>(k), static_cast<std::int32_t>(m),
                   static_cast<std::int32_t>(workers - m)};
        }
      }
    }
    return found;
  }

  Choice one_stage(std::uint32_t begin, std::uint32_t j, std::int64_t workers) const {
    Choice choice;
    if (request_.straight && workers > 1) return choice;
    const double before_parameters = begin == 0 ? 0 : states_[begin - 1].parameters;
    const double before_activation = begin == 0 ? 0 : states_[begin - 1].activation;
    const double parameters = states_[j].parameters - before_parameters;
    const double activation = states_[j].activation - before_activation;
    if (!fits_memory(request_, parameters + activation, level_.workers - workers, workers)) {
      return choice;
    }
    choice.seconds = stage_seconds(times_.at(begin, j), parameters, workers);
    choice.split = static_cast<std::int32_t>(begin) - 1;
    choice.replicas = static_cast<std::int32_t>(workers);
    return choice;
  }

  /// Of `workers` workers, m on the stage between cuts k and j, the others ahead of it.
  double with_last_stage(std::uint32_t k, std::uint32_t j, std::int64_t workers,
                         std::int64_t m) const {
    const double ahead = best_of(k, workers - m).seconds;
    if (ahead == kInfeasible) return kInfeasible;
    const double parameters = states_[j].parameters - states_[k].parameters;
    const double activation = states_[j].activation - states_[k].activation;
    if (!fits_memory(request_, parameters + activation, level_.workers - workers, m)) {
      return kInfeasible;
    }
    double seconds = std::max(ahead, stage_seconds(times_.at(k + 1, j), parameters, m));
    if (request_.compression) {
      const double rate = level_.bandwidth * static_cast<double>(m) * *request_.compression;
      seconds = std::max(seconds, 2 * states_[k].output / rate);
      if (j + 1 < states_.size()) seconds = std::max(seconds, 2 * states_[j].output / rate);
    }
    return seconds;
  }

  const std::vector<CutState>& states_;
  const PartitionRequest& request_;
  const StageTimes& times_;
  LinkLevel level_;
  double inside_;
  std::vector<Choice> choices_;
};

/// What one level makes of the times of its stages: times of the level outside.
StageTimes times_outside(const std::vector<CutState>& states, const StageTimes& times,
                         LevelTable& table, std::int64_t workers) {
  StageTimes outside = times;
  for (std::uint32_t begin = 0; begin < states.size(); ++begin) {
    table.fill(begin);
    for (std::uint32_t j = begin; j < states.size(); ++j) {
      outside.at(begin, j) = table.best_of(j, workers).seconds;
    }
  }
  return outside;
}

/// Throws when the search would take too long: last stages of all ends and numbers of workers, of
/// inner levels from all beginnings.
void check_steps(std::size_t states, const std::vector<LinkLevel>& levels,
                 const std::string& source) {
  const auto cuts = static_cast<double>(states);
  double steps = 0;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto workers = static_cast<double>(levels[level].workers);
    steps += cuts * cuts * workers * workers / 4 * (level + 1 < levels.size() ? cuts / 3 : 1);
  }
  if (steps <= kMostSteps) return;
  throw UserError(source, "workers", std::to_string(levels.back().workers),
                  fmt::format("fewer, as the network has {} cuts", states));
}

}  // namespace

double averaging_seconds(double parameters, std::int64_t workers, double bandwidth) {
  return 4 * static_cast<double>(workers - 1) * parameters /
         (bandwidth * static_cast<double>(workers));
}

Partition partition(const std::vector<CutState>& states, const PartitionRequest& request,
                    const std::string& source) {
  check_steps(states.size(), request.levels, source);
  StageTimes times(states);
  std::int64_t inside = 1;
  for (std::size_t level = 0;; ++level) {
    LevelTable table(states, request, times, request.levels[level], inside);
    inside = request.levels[level].workers;
    if (level + 1 < request.levels.size()) {
      times = times_outside(states, times, table, inside);
      continue;
    }
    table.fill(0);
    Partition found;
    found.seconds = table.best_of(static_cast<std::uint32_t>(states.size() - 1), inside).seconds;
    if (found.seconds != kInfeasible) found.stages = table.stages();
    return found;
  }
}

double pipeline_seconds(const std::vector<CutState>& states, const PartitionRequest& request,
                        const std::vector<Stage>& stages) {
  const double bandwidth = request.levels.front().bandwidth;
  double slowest = 0;
  for (const Stage& stage : stages) {
    const CutState ahead = stage.begin == 0 ? CutState{} : states[stage.begin - 1];
    const CutState& last = states[stage.end - 1];
    const auto replicas = static_cast<double>(stage.replicas);
    const double averaging =
        averaging_seconds(last.parameters - ahead.parameters, stage.replicas, bandwidth);
    slowest = std::max(slowest, (last.seconds - ahead.seconds + averaging) / replicas);
    if (stage.begin == 0 || !request.compression) continue;
    const double rate = bandwidth * replicas * *request.compression;
    slowest = std::max(slowest, 2 * ahead.output / rate);
    if (stage.end < states.size()) slowest = std::max(slowest, 2 * last.output / rate);
  }
  return slowest;
}

double data_parallel_seconds(const std::vector<CutState>& states,
                             const std::vector<LinkLevel>& levels) {
  double seconds = states.back().seconds;
  std::int64_t inside = 1;
  for (const LinkLevel& level : levels) {
    const double averaging =
        averaging_seconds(states.back().parameters, level.workers, level.bandwidth);
    seconds =
        (seconds + averaging / static_cast<double>(inside)) / static_cast<double>(level.workers);
    inside = level.workers;
  }
  return seconds;
}

}  // namespace td::job
