// SPDX-License-Identifier: Apache-2.0
// tdsim synth: simulates a network of which there is no trace.
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>

#include "gen/base/error.hpp"
#include "sim/network/network.hpp"
#include "sim/network/sparsity.hpp"
#include "sim/network/synthetic_operands.hpp"
#include "sim/tdsim/commands.hpp"
#include "sim/tdsim/simulation_command.hpp"

namespace td::sim {

Command synth_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("synth", "simulate a network without a trace");
  struct Options {
    std::string network;
    std::string sparsity;
    std::int64_t batch = 64;
    std::int64_t seed = 1;
    std::optional<double> epoch;
  };
  const auto options = std::make_shared<Options>();
  app->add_option("--network", options->network, "layers' shapes: a TOML file or a network's name")
      ->required();
  app->add_option("--sparsity", options->sparsity, "zeros: a TOML file or a sparsity's name")
      ->required();
  app->add_option(
      "--epoch", options->epoch,
      "where in training, of a sparsity that says epochs; between them is interpolated");
  app->add_option("--batch", options->batch, "samples, 1..65536 (default 64)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{65536}));
  // Unsigned, -1 would be taken for a large seed.
  app->add_option("--seed", options->seed, "of the zeros drawn, 0..2^63-1 (default 1)")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
  const auto command = std::make_shared<SimulationCommand>(*app);
  return {app, [options, command] {
            Network network = load_network(options->network, options->batch);
            const Sparsity sparsity = load_sparsity(options->sparsity, options->epoch);
            const std::string name = network.name;
            const LayerLinks links = network.links;
            const SyntheticOperands operands(std::move(network), sparsity,
                                             static_cast<std::uint64_t>(options->seed));
            command->check_files({options->network, options->sparsity});
            command->run(
                operands, name,
                fmt::format("zeros of {}{}, batch {}, seed {}", sparsity.document.file,
                            options->epoch ? fmt::format(" at epoch {}", *options->epoch) : "",
                            options->batch, options->seed),
                links);
            return kExitPass;
          }};
}

}  // namespace td::sim
