// SPDX-License-Identifier: Apache-2.0
// How much of a training step its recorded layers are, and what they are not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace td::sim {

/// An operator of the step of which no layer was recorded.
struct NotCaptured {
  std::string name;                  ///< where in the model
  std::string op;                    ///< the operator, as the framework calls it
  std::optional<std::int64_t> macs;  ///< multiply-accumulates, forward and backward; unknown: empty
  std::string why;
};

/// What one snapshot says of its step. A multiply-accumulate is one of the dense products.
struct Coverage {
  std::string snapshot;
  std::int64_t macs = 1;           ///< of the whole step, forward and backward, at least 1
  std::int64_t captured_macs = 0;  ///< of the recorded layers, before images were left out
  std::vector<NotCaptured> not_captured;

  double share() const { return static_cast<double>(captured_macs) / static_cast<double>(macs); }

  /// Whether some of the step was not counted, so that the share is an upper bound.
  bool is_bound() const {
    return std::any_of(not_captured.begin(), not_captured.end(),
                       [](const NotCaptured& one) { return !one.macs; });
  }
};

}  // namespace td::sim
