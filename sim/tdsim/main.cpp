// SPDX-License-Identifier: Apache-2.0
// tdsim: what TensorDash makes of a whole network.
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
#include "sim/tdsim/commands.hpp"

namespace td::sim {
namespace {

int run(int argc, char** argv) {
  CLI::App program("Simulates whole networks on an array of TensorDash tiles.", "tdsim");
  program.set_version_flag("--version", fmt::format("tdsim {}", kGeneratorVersion));
  program.require_subcommand(0, 1);
  const Command commands[] = {run_command(program),      synth_command(program),
                              compare_command(program),  fields_command(program),
                              memories_command(program), pass_command(program),
                              explore_command(program),  quantise_command(program)};
  program.footer("Many runs at once: scripts/tdsim sweep --help");
  if (const auto status = parse_command_line(program, argc, argv)) return *status;
  const auto* command = std::find_if(std::begin(commands), std::end(commands),
                                     [](const Command& one) { return one.app->parsed(); });
  if (command == std::end(commands)) {
    throw UserError(
        "tdsim: give a subcommand: run, synth, compare, fields, memories, pass, explore or "
        "quantise; "
        "--help explains them");
  }
  const int status = command->run();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw UserError("standard output", "write", std::strerror(errno), "a disk with room");
  }
  return status;
}

}  // namespace
}  // namespace td::sim

int main(int argc, char** argv) {
  return td::run_program("tdsim", [&] { return td::sim::run(argc, argv); });
}
