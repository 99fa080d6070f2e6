// SPDX-License-Identifier: Apache-2.0
#include "sim/system/profile/network_profile.hpp"

#include <fmt/format.h>

#include <map>

#include "base/support/error.hpp"
#include "sim/system/cases/case_file.hpp"

namespace td::job {

namespace {

constexpr double kMostMilliseconds = 1e12;
constexpr double kMostBytes = 1e18;
constexpr double kSecondsOfMillisecond = 1e-3;

/// A number, or the sum of a list of them.
double bytes_of(const JsonValue& value) {
  if (!value.raw().is_array()) return value.number(0, kMostBytes);
  double sum = 0;
  for (const double one : value.numbers(0, kMostBytes)) sum += one;
  return sum;
}

ProfiledLayer read_layer(const JsonValue& node) {
  const auto column = [&](std::size_t i, const char* name) {
    return node.element(i, fmt::format("{}.{}", node.field(), name));
  };
  ProfiledLayer layer;
  layer.id = column(0, "id").name();
  layer.operation = column(1, "operation").text();
  layer.forward = column(2, "forward_ms").number(0, kMostMilliseconds) * kSecondsOfMillisecond;
  layer.backward = column(3, "backward_ms").number(0, kMostMilliseconds) * kSecondsOfMillisecond;
  layer.activation = bytes_of(column(4, "activation_bytes"));
  layer.parameters = column(5, "parameter_bytes").number(0, kMostBytes);
  return layer;
}

NetworkProfile read_nodes(const JsonValue& root, std::map<std::string, std::uint32_t>& ids) {
  constexpr std::size_t columns = 6;
  constexpr const char* legal = "[id, operation, forward ms, backward ms, bytes, bytes]";
  NetworkProfile profile;
  profile.model = root.member("model", "model").name();
  const JsonValue nodes = root.member("nodes", "nodes");
  const std::size_t count = nodes.size("an array of nodes");
  for (std::size_t i = 0; i < count; ++i) {
    const JsonValue node = nodes.element(i, fmt::format("nodes[{}]", i));
    if (node.size(legal) != columns) node.fail(legal);
    profile.layers.push_back(read_layer(node));
    if (!ids.emplace(profile.layers.back().id, static_cast<std::uint32_t>(i)).second) {
      node.fail("a node whose id no other has");
    }
  }
  return profile;
}

std::uint32_t end_of(const JsonValue& edge, std::size_t i,
                     const std::map<std::string, std::uint32_t>& ids) {
  const JsonValue id = edge.element(i, edge.field());
  const auto found = ids.find(id.name());
  if (found == ids.end()) id.fail("the id of a node");
  return found->second;
}

/// The profile of those layers that are `kept`.
NetworkProfile only(const NetworkProfile& profile, const std::vector<bool>& kept) {
  NetworkProfile part;
  part.model = profile.model;
  std::vector<std::uint32_t> index(profile.layers.size());
  for (std::size_t i = 0; i < profile.layers.size(); ++i) {
    index[i] = static_cast<std::uint32_t>(part.layers.size());
    if (kept[i]) part.layers.push_back(profile.layers[i]);
  }
  for (const auto [from, to] : profile.edges) {
    if (kept[from] && kept[to]) part.edges.push_back({index[from], index[to]});
  }
  return part;
}

/// Without layers whose operation starts with `prefix` and that no edge leads to, or from.
NetworkProfile without(const NetworkProfile& profile, const char* prefix,
                       std::uint32_t NetworkProfile::Edge::*end) {
  std::vector<bool> joined(profile.layers.size());
  for (const NetworkProfile::Edge& edge : profile.edges) joined[edge.*end] = true;
  std::vector<bool> kept(profile.layers.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    kept[i] = joined[i] || profile.layers[i].operation.rfind(prefix, 0) != 0;
  }
  return only(profile, kept);
}

}  // namespace

NetworkProfile read_network_profile(const std::string& path) {
  NetworkProfile profile;
  with_json(path, [&](const JsonValue& root) {
    std::map<std::string, std::uint32_t> ids;
    profile = read_nodes(root, ids);
    const JsonValue edges = root.member("edges", "edges");
    const std::size_t count = edges.size("an array of edges");
    for (std::size_t i = 0; i < count; ++i) {
      const JsonValue edge = edges.element(i, fmt::format("edges[{}]", i));
      if (edge.size("two ids") < 2) edge.fail("two ids");
      profile.edges.push_back({end_of(edge, 0, ids), end_of(edge, 1, ids)});
    }
  });
  ancestors_of(profile, path);
  return profile;
}

NetworkProfile without_inputs(const NetworkProfile& profile, const std::string& source) {
  const NetworkProfile inner = without(profile, "Input", &NetworkProfile::Edge::to);
  NetworkProfile pruned = without(inner, "__getitem__", &NetworkProfile::Edge::from);
  if (pruned.layers.empty()) {
    throw UserError(source, "nodes", "[]", "layers that are neither inputs nor picks");
  }
  return pruned;
}

std::vector<NodeSet> ancestors_of(const NetworkProfile& profile, const std::string& source) {
  const std::size_t count = profile.layers.size();
  std::vector<std::vector<std::uint32_t>> next(count);
  std::vector<std::size_t> waiting(count);
  for (const auto [from, to] : profile.edges) {
    next[from].push_back(to);
    ++waiting[to];
  }
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (waiting[i] == 0) ready.push_back(i);
  }
  std::vector<NodeSet> ancestors(count, NodeSet(count));
  for (std::size_t done = 0; done < ready.size(); ++done) {
    const std::uint32_t from = ready[done];
    for (const std::uint32_t to : next[from]) {
      ancestors[to] |= ancestors[from];
      ancestors[to].insert(from);
      if (--waiting[to] == 0) ready.push_back(to);
    }
  }
  if (ready.size() != count)
    throw UserError(source, "edges", "(a cycle)", "a graph without cycles");
  return ancestors;
}

}  // namespace td::job
