// SPDX-License-Identifier: Apache-2.0
// tdliberty: what synthesis must know of a liberty file, as JSON.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/support/command_line.hpp"
#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/program.hpp"
#include "sim/gate/liberty/liberty_cut.hpp"
#include "sim/gate/liberty/liberty_json.hpp"
#include "sim/gate/liberty/liberty_syntax.hpp"

namespace td::gate {
namespace {

struct Options {
  std::string liberty;
  std::vector<std::string> dont_use;
  std::vector<std::pair<std::string, double>> areas;
  std::string copy;
  double wire_pF = 0;
  bool name = false;
};

std::string answer(const Options& options) {
  std::string text = liberty_text(options.liberty);
  if (options.name) return std::string(parse_liberty(text, options.liberty).name()) + '\n';
  text = without_cells(text, options.liberty, options.dont_use);
  for (const auto& [cell, area] : options.areas)
    text = with_area(text, options.liberty, cell, area);
  const Library library = parse_library(text, options.liberty, LibraryUse::synthesis);
  if (options.wire_pF > 0) text = with_wires(text, options.liberty, options.wire_pF);
  if (!options.copy.empty()) write_files({{options.copy, std::move(text)}});
  return library_json(library);
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Prints the cells of a liberty file as JSON: areas in its unit, capacitances in pF",
               "tdliberty");
  app.add_option("--liberty", options.liberty, "the file")->required();
  app.add_option("--dont-use", options.dont_use, "as if cells of such names (*, ?) were not there");
  app.add_option("--area", options.areas, "a cell's name and its area, in place of the file's")
      ->check(CLI::Validator(CLI::Range(0.0, 1e9)).application_index(1));
  app.add_option("--copy", options.copy, "also write the file as changed");
  app.add_option("--wire-pF", options.wire_pF,
                 "wire for each input that a net drives, as the copy's default")
      ->check(CLI::Range(0.0, 1e3));
  app.add_flag("--name", options.name, "print the name of the library, and no more");
  if (const auto status = parse_command_line(app, argc, argv)) return *status;
  fmt::print("{}", answer(options));
  if (std::fflush(stdout) != 0) {
    throw UserError("standard output", "write", std::strerror(errno), "a disk with room");
  }
  return kExitPass;
}

}  // namespace
}  // namespace td::gate

int main(int argc, char** argv) {
  return td::run_program("tdliberty", [&] { return td::gate::run(argc, argv); });
}
