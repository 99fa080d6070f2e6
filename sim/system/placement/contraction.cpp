// SPDX-License-Identifier: Apache-2.0
#include "sim/system/placement/contraction.hpp"

#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace td::job {
namespace {

/// Disjoint sets of numbers.
class Sets {
 public:
  explicit Sets(std::size_t count) : to_(count) { std::iota(to_.begin(), to_.end(), 0U); }

  std::uint32_t find(std::uint32_t one) {
    while (to_[one] != one) one = to_[one] = to_[to_[one]];
    return one;
  }
  void join(std::uint32_t one, std::uint32_t other) { to_[find(one)] = find(other); }

 private:
  std::vector<std::uint32_t> to_;
};

/// Edges between halves of colours, 2 * color + backward, but for those of halves that take
/// nothing.
std::vector<OperatorEdge> edges_of_halves(const OperatorGraph& graph) {
  std::vector<double> size(2 * graph.colors);
  const auto half = [&graph](std::uint32_t node) {
    return 2 * graph.nodes[node].color + (graph.nodes[node].backward ? 1 : 0);
  };
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    size[half(i)] += graph.nodes[i].accelerator_time + graph.nodes[i].memory_bytes;
  }
  std::vector<OperatorEdge> edges;
  for (const auto [from, to] : graph.edges) {
    const bool passed_over = !graph.nodes[from].backward && size[half(from)] == 0;
    if (!passed_over && half(from) != half(to)) edges.push_back({half(from), half(to)});
  }
  return edges;
}

/// Of each edge the biconnected component, by the lower end of an edge of a depth-first tree: an
/// edge that leads up the tree makes one of all that it spans.
std::vector<std::uint32_t> components_of(const std::vector<OperatorEdge>& edges,
                                         std::size_t vertices) {
  std::vector<std::vector<std::uint32_t>> near(vertices);
  for (const auto [from, to] : edges) {
    near[from].push_back(to);
    near[to].push_back(from);
  }
  std::vector<std::uint32_t> above(vertices), depth(vertices);
  const std::function<void(std::uint32_t)> visit = [&](std::uint32_t vertex) {
    for (const std::uint32_t next : near[vertex]) {
      if (depth[next] > 0) continue;
      depth[next] = depth[vertex] + 1;
      above[next] = vertex;
      visit(next);
    }
  };
  for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
    if (depth[vertex] > 0) continue;
    depth[vertex] = 1;
    visit(vertex);
  }
  Sets joined(vertices);
  std::vector<std::uint32_t> lower;
  for (const auto [from, to] : edges) {
    lower.push_back(depth[from] > depth[to] ? from : to);
    const std::uint32_t upper = from + to - lower.back();
    for (std::uint32_t at = lower.back(); above[at] != upper; at = above[at]) {
      joined.join(at, above[at]);
    }
  }
  for (std::uint32_t& one : lower) one = joined.find(one);
  return lower;
}

}  // namespace

OperatorGraph contracted(OperatorGraph graph) {
  const std::vector<OperatorEdge> edges = edges_of_halves(graph);
  const std::vector<std::uint32_t> components = components_of(edges, 2 * graph.colors);
  Sets colors(graph.colors);
  std::map<std::uint32_t, std::uint32_t> first;  // color that gives to a component
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::uint32_t color = edges[i].from / 2;
    colors.join(color, first.emplace(components[i], color).first->second);
  }
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (OperatorNode& node : graph.nodes) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    node.color = numbers.emplace(colors.find(node.color), number).first->second;
  }
  graph.colors = static_cast<std::uint32_t>(numbers.size());
  return graph;
}

}  // namespace td::job
