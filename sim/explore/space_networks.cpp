// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/space_networks.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "sim/network/network.hpp"
#include "sim/network/sparsity.hpp"
#include "sim/network/synthetic_operands.hpp"

namespace td::sim {
namespace {

void open_trace(const TomlTable& table, SpaceNetwork& network) {
  table.allow_only({"trace", "use"});
  const std::string path = table.name("trace");
  network.name = std::filesystem::path(path).stem().string();
  network.trace = std::make_unique<Trace>(path);
  network.source = std::make_unique<TraceOperands>(*network.trace);
}

void draw_network(const TomlTable& table, SpaceNetwork& network) {
  table.allow_only({"network", "sparsity", "batch", "seed", "use"});
  const std::int64_t batch = table.has("batch") ? table.integer("batch", 1, 65536) : 4;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t seed = table.has("seed") ? table.integer("seed", 0, most) : 1;
  const std::string sparsity = table.name("sparsity");
  Network layers = load_network(table.name("network"), batch);
  network.name = layers.name + "_" + std::filesystem::path(sparsity).stem().string();
  network.source = std::make_unique<SyntheticOperands>(std::move(layers), load_sparsity(sparsity),
                                                       static_cast<std::uint64_t>(seed));
}

SpaceNetwork read_network(const TomlTable& table) {
  SpaceNetwork network;
  if (table.has("use")) {
    const std::string use = table.name("use");
    if (use != "tune" && use != "judge") table.fail("use", "tune or judge");
    network.use = use == "tune" ? NetworkUse::tune : NetworkUse::judge;
  }
  if (table.has("trace")) {
    open_trace(table, network);
  } else {
    draw_network(table, network);
  }
  return network;
}

}  // namespace

std::vector<SpaceNetwork> read_networks(const TomlTable& space) {
  std::vector<SpaceNetwork> networks;
  for (const TomlTable& table : space.tables("networks")) {
    networks.push_back(read_network(table));
    for (std::size_t i = 0; i + 1 < networks.size(); ++i) {
      if (networks[i].name == networks.back().name) {
        table.fail(table.has("trace") ? "trace" : "network", "networks that differ in their names");
      }
    }
  }
  const bool tuned = std::any_of(networks.begin(), networks.end(), [](const SpaceNetwork& one) {
    return one.use == NetworkUse::tune;
  });
  if (!tuned)
    space.tables("networks").front().fail("use", "tune, for at least one of the networks");
  return networks;
}

}  // namespace td::sim
