// SPDX-License-Identifier: Apache-2.0
// Functional coverage: which situations a run has been through, by what the tile's signals did.
#pragma once

#include <string>
#include <vector>

#include "verify/replay/coverage/control_coverage.hpp"
#include "verify/replay/coverage/live_coverage.hpp"
#include "verify/replay/coverage/operand_coverage.hpp"
#include "verify/replay/coverage/schedule_coverage.hpp"

namespace td::verify {

/// Counts how often each declared situation came up. One that can and never did is a hole.
class Coverage {
 public:
  explicit Coverage(const Config& config);

  /// A clock out of reset.
  void on_clock(const Seen& seen);

  /// An output that leaves, with its flag.
  void on_nonfinite(bool flag) { bins_.hit(nonfinite_[flag ? 1 : 0]); }

  /// Reset is asserted, in the middle of a clock that looks like this; later it is released.
  void on_reset(const Seen& seen);
  void on_reset_over(std::int64_t edges) { control_.on_reset_over(edges); }

  const std::vector<Bin>& bins() const { return bins_.all(); }
  std::vector<std::string> holes() const;
  /// Situations that came up though they are said to be out of reach.
  std::vector<std::string> contradictions() const;

 private:
  /// Returns the pairs that leave without having been multiplied.
  std::int64_t on_step(const Seen& seen);

  Config config_;
  Bins bins_;
  ControlCoverage control_;
  ScheduleCoverage schedule_;
  LiveCoverage live_;
  OperandCoverage operands_;
  HeldRows rows_;
  std::array<Bins::Id, 2> nonfinite_;
};

/// Writes the counts to a file as JSON: a temporary name, renamed.
void write_coverage(const Coverage& coverage, const Config& config, const std::string& path);

/// Prints points, holes, and why the rest cannot be reached.
void print_coverage(const Coverage& coverage);

}  // namespace td::verify
