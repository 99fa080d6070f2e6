// SPDX-License-Identifier: Apache-2.0
#include "sim/system/profile/profile_table.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "sim/system/cases/case_file.hpp"

namespace td::job {

namespace {

constexpr std::int64_t kMostBatch = std::int64_t{1} << 40;

std::string snapshot_of(const TomlTable& table) {
  return table.has("snapshot") ? table.name("snapshot") : "";
}

/// How many times the samples of the profile a step has.
double samples_factor(const TomlTable& table) {
  if (!table.has("profile_batch")) return 1;
  const auto profiled = static_cast<double>(table.integer("profile_batch", 1, kMostBatch));
  return batch_of(table) / profiled;
}

/// Takes the parameters from layers that have none: `name(layer)` and `parameters(layer)`.
template <class Layer, class Name>
void drop_weights(const TomlTable& table, std::vector<Layer>& layers, const Name& name,
                  double Layer::*parameters) {
  if (!table.has("without_weights")) return;
  for (const std::string& pattern : table.names("without_weights")) {
    bool fits = false;
    for (Layer& layer : layers) {
      if (::fnmatch(pattern.c_str(), name(layer).c_str(), 0) != 0) continue;
      layer.*parameters = 0;
      fits = true;
    }
    if (!fits)
      table.fail("without_weights", fmt::format("patterns of layers; none is {}", pattern));
  }
}

bool has_branches(const std::string& path) {
  bool branches = false;
  with_json(path,
            [&](const JsonValue& root) { branches = root.raw().is_object() && root.has("edges"); });
  return branches;
}

/// Layers in a row, as results of tdsim have them.
NetworkProfile chain_of(const Profile& profile) {
  NetworkProfile chain;
  chain.model = profile.model;
  for (const ProfileLayer& layer : profile.layers) {
    const auto index = static_cast<std::uint32_t>(chain.layers.size());
    if (index > 0) chain.edges.push_back({index - 1, index});
    chain.layers.push_back({layer.name, layer.forward_s, layer.backward_s, layer.activation_bytes,
                            layer.parameter_bytes});
  }
  return chain;
}

}  // namespace

double batch_of(const TomlTable& table) {
  return static_cast<double>(table.integer("batch", 1, kMostBatch));
}

Profile read_profile_of(const TomlTable& table, const std::string& hardware) {
  Profile profile = read_profile(path_beside(table, "profile"), snapshot_of(table), hardware);
  const double factor = samples_factor(table);
  for (ProfileLayer& layer : profile.layers) {
    layer.forward_s *= factor;
    layer.backward_s *= factor;
    layer.activation_bytes *= factor;
  }
  drop_weights(
      table, profile.layers, [](const ProfileLayer& layer) { return layer.name; },
      &ProfileLayer::parameter_bytes);
  return profile;
}

NetworkProfile read_network_of(const TomlTable& table, const std::string& hardware) {
  const std::string path = path_beside(table, "profile");
  if (!has_branches(path) || !hardware.empty() || table.has("snapshot")) {
    return chain_of(read_profile_of(table, hardware));
  }
  NetworkProfile network = without_inputs(read_network_profile(path), path);
  const double factor = samples_factor(table);
  for (ProfiledLayer& layer : network.layers) {
    layer.forward *= factor;
    layer.backward *= factor;
    layer.activation *= factor;
  }
  drop_weights(
      table, network.layers, [](const ProfiledLayer& layer) { return layer.operation; },
      &ProfiledLayer::parameters);
  return network;
}

}  // namespace td::job
