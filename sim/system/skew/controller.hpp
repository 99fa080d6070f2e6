// SPDX-License-Identifier: Apache-2.0
// How rarely machines with skewed data may exchange what they learned: SkewScout's control (Hsieh
// et al., ICML 2020, arXiv:1910.00189) of the interval by the accuracy that it loses.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace td::job {

struct SkewOptions {
  std::vector<double> intervals;    ///< iterations between exchanges that may be chosen, rising
  double tolerated_percent = 5;     ///< of accuracy that a loss may cost for nothing
  double accuracy_weight = 50;      ///< of what it costs beyond, as a share
  double communication_weight = 1;  ///< of what is sent, over that of an exchange each iteration
  std::size_t forget = 8;           ///< decisions after which what was measured is old
};

/// What is to be small: accuracy_weight·max(0, loss − tolerated) + communication_weight/interval.
double skew_objective(const SkewOptions& options, double interval, double loss_percent);

/// Climbs over the intervals, one neighbour a decision.
class SkewController {
 public:
  /// Begins with `first`, an index of the intervals.
  SkewController(SkewOptions options, std::size_t first);

  std::size_t current() const { return current_; }

  /// After a time with the current interval, whose loss of accuracy was measured: the next one. A
  /// neighbour that is known to be better is taken. Else one that was not measured lately is tried:
  /// the rarer one; where the loss is not tolerated, the more frequent one before it.
  std::size_t decide(double loss_percent);

 private:
  struct Measured {
    double objective;
    std::size_t decision;
  };

  bool known(std::size_t index) const;

  SkewOptions options_;
  std::size_t current_;
  std::size_t decision_ = 0;
  std::vector<std::optional<Measured>> measured_;  ///< by interval
};

}  // namespace td::job
