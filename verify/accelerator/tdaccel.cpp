// SPDX-License-Identifier: Apache-2.0
// tdaccel: drives a verilated accelerator. Each configuration has one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <stdexcept>

#include "gen/base/command_line.hpp"
#include "gen/base/program.hpp"
#include "gen/configuration/preset.hpp"
#include "verify/accelerator/random_layers.hpp"
#include "verify/accelerator/verilated_accelerator.hpp"

#include TD_VERILATED_HEADER

namespace td::verify {
namespace {

int run(int argc, char** argv) {
  CLI::App app("Drives a verilated accelerator.", "tdaccel");
  RandomLayers layers;
  app.add_option("--first", layers.first, "number of the first random layer")
      ->capture_default_str();
  app.add_option("--layers", layers.count, "random layers")->capture_default_str();
  app.add_option("--stall", layers.stall, "share of clocks in which a channel of the bus waits")
      ->check(CLI::Range(0.0, 0.9))
      ->capture_default_str();
  app.add_option("--errors", layers.errors, "share of layers run with errors of the bus, too")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--resets", layers.resets, "share of layers stopped by a soft reset, too")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  if (const auto status = parse_command_line(app, argc, argv)) return *status;
  VerilatedAccelerator<TD_VERILATED> model;
  try {
    const RandomLayersResult result = run_random_layers(find_config(TD_CONFIG), model, layers);
    fmt::print(
        "{}: {} random layers, {} refused, {} bytes equal, {} clocks, {} jobs ended by errors of "
        "the "
        "bus, {} by resets\n",
        TD_CONFIG, result.run, result.refused, result.bytes, result.clocks, result.errors,
        result.resets);
    return result.run > 0 ? kExitPass : kExitCheckFailed;
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "tdaccel: {}\n", error.what());
    return kExitCheckFailed;
  }
}

}  // namespace
}  // namespace td::verify

int main(int argc, char** argv) {
  return td::run_program("tdaccel", [&] { return td::verify::run(argc, argv); });
}
