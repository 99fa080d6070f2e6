// SPDX-License-Identifier: Apache-2.0
// tdsim run: simulates the network of a trace.
#include <memory>

#include "gen/base/error.hpp"
#include "sim/tdsim/commands.hpp"
#include "sim/tdsim/simulation_command.hpp"
#include "sim/trace/trace.hpp"

namespace td::sim {

Command run_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("run", "simulate the network of a trace");
  const auto path = std::make_shared<std::string>();
  app->add_option("trace", *path, "trace (safetensors)")->required();
  const auto command = std::make_shared<SimulationCommand>(*app);
  command->offer_gating(*app);
  return {app, [path, command] {
            const Trace trace(*path);
            command->check_files({*path});
            command->run(TraceOperands(trace), trace.model(), trace.dataset());
            return kExitPass;
          }};
}

}  // namespace td::sim
