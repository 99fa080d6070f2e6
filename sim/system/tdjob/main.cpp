// SPDX-License-Identifier: Apache-2.0
// tdjob: how long training jobs take.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "base/support/command_line.hpp"
#include "base/support/error.hpp"
#include "base/support/program.hpp"
#include "base/support/version.hpp"
#include "sim/system/tdjob/commands.hpp"

namespace td::job {
namespace {

int run(int argc, char** argv) {
  CLI::App program("Simulates training jobs on accelerators, their links and their input.",
                   "tdjob");
  program.set_version_flag("--version", fmt::format("tdjob {}", kGeneratorVersion));
  program.require_subcommand(0, 1);
  const Command commands[] = {run_command(program), compare_command(program), plan_command(program),
                              case_command(program)};
  if (const auto status = parse_command_line(program, argc, argv)) return *status;
  const auto* command = std::find_if(std::begin(commands), std::end(commands),
                                     [](const Command& one) { return one.app->parsed(); });
  if (command == std::end(commands)) {
    throw UserError("tdjob: give a subcommand: run, compare, plan or case; --help explains them");
  }
  const int status = command->run();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw UserError("standard output", "write", std::strerror(errno), "a disk with room");
  }
  return status;
}

}  // namespace
}  // namespace td::job

int main(int argc, char** argv) {
  return td::run_program("tdjob", [&] { return td::job::run(argc, argv); });
}
