// SPDX-License-Identifier: Apache-2.0
// The rules in which the authors' simulator and ours differ, each a switch of the reference.
#pragma once

#include <vector>

namespace td::authors {

enum class By { authors, ours };

/// One member for each rule; by default all are the authors'.
struct Rules {
  By operand = By::authors;
  By dgrad_padding = By::authors;
  By phase_padding = By::authors;
  By phase_weights = By::authors;
  By linear_windows = By::authors;
  By linear_wgrad = By::authors;
  By skip_reset = By::authors;
  By schedule_start = By::authors;
  By count_start = By::authors;
};

/// A rule, and what it says on either side.
struct Rule {
  By Rules::*member;
  const char* name;
  const char* authors;
  const char* ours;
};

/// All rules, in the order in which the comparison replaces the authors' by ours.
const std::vector<Rule>& all_rules();

}  // namespace td::authors
