// SPDX-License-Identifier: Apache-2.0
// tdjob plan: what a scenario asks to be decided.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "base/support/error.hpp"
#include "sim/system/scenario/scenario.hpp"
#include "sim/system/tdjob/commands.hpp"
#include "sim/system/tdjob/registry.hpp"

namespace td::job {

namespace {

/// A line for each value, and for each of a list's parts that have names themselves.
void print_line(const std::string& name, const Plan& value) {
  if (!value.is_array() || value.empty() || !value.front().is_object()) {
    fmt::print("  {}: {}\n", name, value.dump());
    return;
  }
  fmt::print("  {}:\n", name);
  for (const Plan& part : value) fmt::print("    {}\n", part.dump());
}

void plan(const ScenarioOptions& options, bool json, bool write) {
  const Scenario scenario = load_scenario(options.path, scenario_kinds(), options.changes);
  if (!scenario.plan) throw UserError(options.path, "plan", "(absent)", "a table");
  if (write) write_settings(options.path, options.changes.settings);
  if (json) {
    fmt::print("{}\n", scenario.plan->dump());
    return;
  }
  fmt::print("{}\n", scenario.name);
  for (const auto& [name, value] : scenario.plan->items()) print_line(name, value);
}

}  // namespace

Command plan_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "plan", "answer the plan of a scenario: what to do, and what it takes");
  struct Options {
    ScenarioOptions scenario;
    bool json = false;
    bool write = false;
  };
  const auto options = std::make_shared<Options>();
  add_scenario(*app, options->scenario, "a TOML file with a table [plan]");
  app->add_flag("--json", options->json, "print one JSON line instead");
  app->add_flag("--write", options->write,
                "put the values of --set into the scenario's file, once its plan has been answered")
      ->needs("--set")
      ->excludes("--profile");
  return {app, [options] {
            plan(options->scenario, options->json, options->write);
            return kExitPass;
          }};
}

}  // namespace td::job
