// SPDX-License-Identifier: Apache-2.0
#include "sim/tdsim/drawn_network.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "sim/network/network.hpp"
#include "sim/network/sparsity.hpp"

namespace td::sim {

DrawnNetwork::DrawnNetwork(CLI::App& app) {
  network_option_ =
      app.add_option("--network", network_, "layers' shapes: a TOML file or a network's name");
  sparsity_option_ =
      app.add_option("--sparsity", sparsity_, "zeros: a TOML file or a sparsity's name");
  app.add_option("--epoch", epoch_,
                 "where in training, of a sparsity that says epochs; between them is interpolated")
      ->needs(network_option_);
  app.add_option("--batch", batch_, "samples, 1..65536 (default 64)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{65536}))
      ->needs(network_option_);
  // Unsigned, -1 would be taken for a large seed.
  app.add_option("--seed", seed_, "of the zeros drawn, 0..2^63-1 (default 1)")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->needs(network_option_);
}

DrawnOperands DrawnNetwork::draw() const {
  Network network = load_network(network_, batch_);
  const Sparsity sparsity = load_sparsity(sparsity_, epoch_);
  DrawnOperands drawn;
  drawn.model = network.name;
  drawn.dataset = fmt::format("zeros of {}{}, batch {}, seed {}", sparsity.document.file,
                              epoch_ ? fmt::format(" at epoch {}", *epoch_) : "", batch_, seed_);
  drawn.operands = std::make_unique<SyntheticOperands>(std::move(network), sparsity,
                                                       static_cast<std::uint64_t>(seed_));
  return drawn;
}

}  // namespace td::sim
