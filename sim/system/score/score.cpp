// SPDX-License-Identifier: Apache-2.0
#include "sim/system/score/score.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace td::job {
namespace {

double mean(std::vector<double>::const_iterator begin, std::vector<double>::const_iterator end) {
  return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
}

/// `times`: ascending, one at least.
TrainingTimes times_of(const std::vector<double>& times) {
  TrainingTimes all;
  all.mean_seconds = mean(times.begin(), times.end());
  double squares = 0;
  for (const double time : times) squares += std::pow(time - all.mean_seconds, 2);
  if (times.size() > 1) {
    all.deviation_seconds = std::sqrt(squares / static_cast<double>(times.size() - 1));
  }
  all.variation = all.deviation_seconds / all.mean_seconds;
  all.slowest_over_fastest = times.back() / times.front();
  return all;
}

}  // namespace

std::optional<std::size_t> required_runs(const std::string& benchmark) {
  static const std::map<std::string, std::size_t> runs = {
      {"resnet", 5}, {"ssd", 5}, {"mask", 5}, {"gnmt", 10}, {"transformer", 10}};
  const auto found = runs.find(benchmark);
  return found == runs.end() ? std::nullopt : std::make_optional(found->second);
}

TrainingScore score_of(const std::vector<TrainingRun>& runs, std::size_t required) {
  std::vector<double> times;
  for (const TrainingRun& run : runs) {
    if (!run.aborted) times.push_back(run.seconds);
  }
  std::sort(times.begin(), times.end());
  TrainingScore score;
  score.runs = runs.size();
  score.aborted = runs.size() - times.size();
  if (times.empty()) return score;
  // Without the slowest: the aborted one, where there is one.
  const auto end = times.end() - (score.aborted == 0 ? 1 : 0);
  const auto begin = times.begin() + 1;
  if (score.runs >= required && score.aborted <= 1 && begin < end) {
    score.minutes = mean(begin, end) / 60;
  }
  score.times = times_of(times);
  return score;
}

}  // namespace td::job
