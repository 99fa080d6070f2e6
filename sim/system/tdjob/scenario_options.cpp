// SPDX-License-Identifier: Apache-2.0
// What all subcommands that read a scenario have in common.
#include "sim/system/tdjob/commands.hpp"

namespace td::job {

void add_scenario(CLI::App& app, ScenarioOptions& options, const std::string& what) {
  app.add_option("SCENARIO", options.path, what)->required();
  app.add_option("--profile", options.changes.profile,
                 "a result of tdsim, or a profile, instead of the scenario's");
  app.add_option("--set", options.changes.settings,
                 "TABLE.KEY=VALUE instead of the scenario's, as cluster.accelerators=16; may be "
                 "given more than once")
      ->allow_extra_args(false);
}

}  // namespace td::job
