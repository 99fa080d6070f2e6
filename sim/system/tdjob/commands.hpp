// SPDX-License-Identifier: Apache-2.0
// The subcommands of tdjob.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "sim/system/scenario/scenario.hpp"

namespace td::job {

/// A declared subcommand, and what it does once the command line has been parsed: throws UserError,
/// or returns the exit status.
struct Command {
  CLI::App* app;
  std::function<int()> run;
};

/// A scenario, and what the command line has otherwise.
struct ScenarioOptions {
  std::string path;
  ScenarioChanges changes;
};

/// Declares them; `options` must outlive the parsing.
void add_scenario(CLI::App& app, ScenarioOptions& options, const std::string& what);

Command run_command(CLI::App& program);
Command compare_command(CLI::App& program);
Command plan_command(CLI::App& program);
Command case_command(CLI::App& program);

}  // namespace td::job
