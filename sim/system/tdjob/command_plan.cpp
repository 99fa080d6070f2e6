// SPDX-License-Identifier: Apache-2.0
// tdjob plan: what a scenario asks to be decided.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "gen/base/error.hpp"
#include "sim/system/scenario/scenario.hpp"
#include "sim/system/tdjob/commands.hpp"
#include "sim/system/tdjob/registry.hpp"

namespace td::job {

Command plan_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "plan", "answer the plan of a scenario: what to do, and what it takes");
  const auto path = std::make_shared<std::string>();
  app->add_option("SCENARIO", *path, "a TOML file with a table [plan]")->required();
  return {app, [path] {
            const Scenario scenario = load_scenario(*path, scenario_kinds());
            if (!scenario.plan) throw UserError(*path, "plan", "(absent)", "a table");
            fmt::print("{}\n", scenario.name);
            for (const auto& [name, value] : scenario.plan->items()) {
              fmt::print("  {}: {}\n", name, value.dump());
            }
            return kExitPass;
          }};
}

}  // namespace td::job
