// SPDX-License-Identifier: Apache-2.0
// Plans that are kept from one run of a program for the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/accelerator/driver/plan_trial.hpp"

namespace td::sim {

/// A folder with a file for each plan, named by the hash of what was asked. Processes may share it,
/// and threads may look for plans; one at a time keeps them. What another build of the program
/// planned is not found: it may plan otherwise.
class PlanStore {
 public:
  /// Makes the folder if need be. Throws UserError when plans cannot be written there.
  explicit PlanStore(std::string folder);

  /// What was kept for just this question, with what decides its cuts, for plans_again(); nothing
  /// when it was not asked before, or when its file is damaged.
  std::optional<Plans> find(const std::string& asked) const;

  /// Throws UserError when the file cannot be written.
  void keep(const std::string& asked, const Plans& plans) const;

 private:
  std::string path(const std::string& asked) const;

  std::string folder_;
  std::string program_;  ///< hash of its file
};

}  // namespace td::sim
