// SPDX-License-Identifier: Apache-2.0
// tdsim synth: simulates a network without a trace, from its layers' shapes and its zero shares.
#include <fmt/format.h>

#include <memory>

#include "gen/error.hpp"
#include "sim/commands.hpp"
#include "sim/simulation_command.hpp"
#include "sim/sparsity.hpp"
#include "sim/synthetic_operands.hpp"

namespace td::sim {
namespace {

struct Options {
  std::string network;
  std::string sparsity;
  std::int64_t batch = 64;
  std::uint64_t seed = 1;
};

}  // namespace

Command synth_command(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("synth", "simulate a network from its shapes and zero shares");
  const auto options = std::make_shared<Options>();
  app->add_option("--network", options->network,
                  "layer shapes: a TOML file or one of resnet50, vgg16, alexnet, densenet121, "
                  "squeezenet, bert_base")
      ->required();
  app->add_option("--sparsity", options->sparsity,
                  "zero shares: a TOML file or one of half, relu, relu_vgg16, pruned")
      ->required();
  app->add_option("--batch", options->batch, "samples of the batch, 1..65536 (default 64)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{65536}));
  app->add_option("--seed", options->seed, "of the operands drawn (default 1)");
  const auto command = std::make_shared<SimulationCommand>(*app);
  return {app, [options, command] {
            const Network network = load_network(options->network, options->batch);
            const Sparsity sparsity = load_sparsity(options->sparsity);
            command->check_files({network.document.file, sparsity.document.file});
            command->run(
                SyntheticOperands(network, sparsity, options->seed), network.name,
                fmt::format("synthetic: {}, batch {}, seed {}", sparsity.document.file,
                            options->batch, options->seed));
            return kExitPass;
          }};
}

}  // namespace td::sim
