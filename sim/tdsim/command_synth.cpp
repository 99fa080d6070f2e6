// SPDX-License-Identifier: Apache-2.0
// tdsim synth: simulates a network of which there is no trace.
#include <memory>

#include "base/support/error.hpp"
#include "sim/tdsim/commands.hpp"
#include "sim/tdsim/drawn_network.hpp"
#include "sim/tdsim/simulation_command.hpp"

namespace td::sim {

Command synth_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("synth", "simulate a network without a trace");
  const auto network = std::make_shared<DrawnNetwork>(*app);
  network->network()->required();
  network->sparsity()->required();
  const auto command = std::make_shared<SimulationCommand>(*app);
  return {app, [network, command] {
            const DrawnOperands drawn = network->draw();
            command->check_files(network->files());
            command->run(*drawn.operands, drawn.model, drawn.dataset);
            return kExitPass;
          }};
}

}  // namespace td::sim
