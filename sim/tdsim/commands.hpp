// SPDX-License-Identifier: Apache-2.0
// The subcommands of tdsim.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace td::sim {

/// A declared subcommand, and what it does once the command line has been parsed: throws UserError,
/// or returns the exit status.
struct Command {
  CLI::App* app;
  std::function<int()> run;
};

Command run_command(CLI::App& program);
Command synth_command(CLI::App& program);
Command compare_command(CLI::App& program);
Command fields_command(CLI::App& program);
Command memories_command(CLI::App& program);
Command explore_command(CLI::App& program);
Command pass_command(CLI::App& program);
Command quantise_command(CLI::App& program);

}  // namespace td::sim
