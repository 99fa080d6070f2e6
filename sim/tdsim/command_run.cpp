// SPDX-License-Identifier: Apache-2.0
// tdsim run: simulates the network of a trace.
#include <fmt/format.h>

#include <limits>
#include <memory>

#include "base/support/error.hpp"
#include "sim/network/redrawn_operands.hpp"
#include "sim/tdsim/commands.hpp"
#include "sim/tdsim/simulation_command.hpp"
#include "sim/trace/quantised_operands.hpp"
#include "sim/trace/trace.hpp"

namespace td::sim {

Command run_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("run", "simulate the network of a trace");
  const auto path = std::make_shared<std::string>();
  app->add_option("trace", *path, "trace (safetensors)")->required();
  const auto command = std::make_shared<SimulationCommand>(*app);
  command->offer_gating(*app);
  struct Options {
    std::string zeros = to_string(ZeroOrigin::trace);
    std::int64_t seed = 1;
  };
  const auto options = std::make_shared<Options>();
  app->add_option(
         "--zeros", options->zeros,
         "where zeros lie: trace (the default), or as many in every tensor, drawn: random, "
         "or clustered, as synth does")
      ->check(CLI::IsMember({"trace", "random", "clustered"}));
  app->add_option("--seed", options->seed, "of the zeros drawn, 0..2^63-1 (default 1)")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
  return {app, [path, options, command] {
            const Trace trace(*path);
            command->check_files({*path});
            for (const ZeroOrigin origin : {ZeroOrigin::random, ZeroOrigin::clustered}) {
              if (options->zeros != to_string(origin)) continue;
              command->run(
                  RedrawnOperands(trace, origin, static_cast<std::uint64_t>(options->seed)),
                  trace.model(),
                  fmt::format("{}{}{} zeros, seed {}", trace.dataset(),
                              trace.dataset().empty() ? "" : ", ", options->zeros, options->seed));
              return kExitPass;
            }
            command->run(*operands_of(trace, command->config().format), trace.model(),
                         trace.dataset());
            return kExitPass;
          }};
}

}  // namespace td::sim
