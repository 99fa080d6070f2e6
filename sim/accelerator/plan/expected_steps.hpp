// SPDX-License-Identifier: Apache-2.0
// How many steps passes take before anybody knows where the zeros are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"

namespace td::sim {

/// Steps of passes whose streams on side B have zeros at random, in the expected share: each length
/// is scheduled for some groups of tile rows. The same for the same arguments.
class ExpectedSteps {
 public:
  /// Where every pair is taken.
  ExpectedSteps() = default;
  ExpectedSteps(const Config& config, double zeros);

  /// Of a pass over so many rows, in the mean.
  double mean(std::int64_t rows) const;
  /// ... of one of the groups that were drawn.
  std::int64_t draw(std::int64_t rows, std::size_t group) const;

 private:
  template <class Mask>
  void schedule(const Config& config, double zeros);

  // By rows, up to the most that are scheduled; none where nothing is dropped.
  std::vector<std::vector<std::int64_t>> drawn_;
  std::vector<double> means_;
};

}  // namespace td::sim
