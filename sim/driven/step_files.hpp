// SPDX-License-Identifier: Apache-2.0
// The files into which a command of tdaccel writes what a step took.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/driven/driven_energy.hpp"
#include "sim/driven/driven_step.hpp"

namespace td::sim {

class StepFiles {
 public:
  /// Adds --json and --perfetto; neither goes with the option `other`, if there is one.
  void offer(CLI::App& app, CLI::Option* other = nullptr);

  bool wanted() const { return !json_.empty() || !perfetto_.empty(); }

  /// Refuses before a long run what could only fail after it. Throws UserError.
  void check(const std::vector<std::string>& read) const;

  /// Writes what is wanted, and prints the tables unless something else is wanted there.
  void write(const Config& config, const StepSource& source, const StepRun& what,
             const StepRunResult& result, const DrivenEnergy& energy,
             const std::function<std::string()>& tables) const;

 private:
  std::string json_;
  std::string perfetto_;
};

}  // namespace td::sim
