// SPDX-License-Identifier: Apache-2.0
// Plans that are kept from one run of a program for the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/accelerator/driver/plan_trial.hpp"

namespace td::sim {

/// A file for each plan, named by the hash of what was asked, in a folder for each build of the
/// program: another one may plan otherwise. Processes may share it, and threads may look for plans;
/// one at a time keeps them.
class PlanStore {
 public:
  /// Makes these folders if need be. Throws UserError when plans cannot be written there.
  explicit PlanStore(const std::string& folder);

  /// What was kept for just this question, with what decides its cuts, for plans_again(); nothing
  /// when it was not asked before, or when its file is damaged.
  std::optional<Plans> find(const std::string& asked) const;

  /// Where the disk is full meanwhile, nothing is kept.
  void keep(const std::string& asked, const Plans& plans) const;

 private:
  std::string path(const std::string& asked) const;

  std::string folder_;  ///< of this build
};

}  // namespace td::sim
