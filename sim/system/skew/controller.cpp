// SPDX-License-Identifier: Apache-2.0
#include "sim/system/skew/controller.hpp"

#include <algorithm>
#include <utility>

namespace td::job {

double skew_objective(const SkewOptions& options, double interval, double loss_percent) {
  constexpr double percent = 100;
  const double beyond = std::max(loss_percent - options.tolerated_percent, 0.0) / percent;
  return options.accuracy_weight * beyond + options.communication_weight / interval;
}

SkewController::SkewController(SkewOptions options, std::size_t first)
    : options_(std::move(options)), current_(first), measured_(options_.intervals.size()) {}

bool SkewController::known(std::size_t index) const {
  return measured_[index] && decision_ - measured_[index]->decision <= options_.forget;
}

std::size_t SkewController::decide(double loss_percent) {
  ++decision_;
  measured_[current_] =
      Measured{skew_objective(options_, options_.intervals[current_], loss_percent), decision_};
  std::vector<std::size_t> neighbours;
  if (current_ + 1 < measured_.size()) neighbours.push_back(current_ + 1);
  // More exchanges cannot pay where the loss is tolerated, unless they are known to.
  const bool tolerated = loss_percent <= options_.tolerated_percent;
  if (current_ > 0) {
    neighbours.insert(tolerated ? neighbours.end() : neighbours.begin(), current_ - 1);
  }
  std::size_t best = current_;
  for (const std::size_t one : neighbours) {
    if (known(one) && measured_[one]->objective < measured_[best]->objective) best = one;
  }
  if (best != current_) return current_ = best;
  for (const std::size_t one : neighbours) {
    if (!known(one) && (one > current_ || !tolerated)) return current_ = one;
  }
  return current_;
}

}  // namespace td::job
