// SPDX-License-Identifier: Apache-2.0
#include "sim/system/placement/blocks.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace td::job {

namespace {

/// Which colours must come ahead of which, directly or not.
std::vector<NodeSet> colors_ahead(const OperatorGraph& graph) {
  std::vector<bool> has_forward(graph.colors);
  for (const OperatorNode& node : graph.nodes) {
    if (!node.backward) has_forward[node.color] = true;
  }
  std::vector<NodeSet> ahead(graph.colors, NodeSet(graph.colors));
  for (const auto [from, to] : graph.edges) {
    const OperatorNode& source = graph.nodes[from];
    const OperatorNode& sink = graph.nodes[to];
    if (!source.backward && !sink.backward) ahead[sink.color].insert(source.color);
    const bool orphan = !has_forward[source.color] || !has_forward[sink.color];
    if (source.backward && sink.backward && orphan) ahead[source.color].insert(sink.color);
  }
  for (std::uint32_t through = 0; through < graph.colors; ++through) {
    for (NodeSet& set : ahead) {
      if (set.contains(through)) set |= ahead[through];
    }
  }
  return ahead;
}

/// Outputs that leave their block; those with the same ends together.
std::vector<Signal> signals_of(const OperatorGraph& graph,
                               const std::vector<std::uint32_t>& of_node) {
  std::vector<std::vector<std::uint32_t>> takers(graph.nodes.size());
  for (const auto [from, to] : graph.edges) {
    if (of_node[from] != of_node[to]) takers[from].push_back(of_node[to]);
  }
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, double> times;
  for (std::size_t i = 0; i < takers.size(); ++i) {
    std::vector<std::uint32_t>& to = takers[i];
    if (to.empty() || graph.nodes[i].transfer_time <= 0) continue;
    std::sort(to.begin(), to.end());
    to.erase(std::unique(to.begin(), to.end()), to.end());
    times[{of_node[i], to}] += graph.nodes[i].transfer_time;
  }
  std::vector<Signal> signals;
  for (const auto& [ends, time] : times) signals.push_back({ends.first, ends.second, time});
  return signals;
}

/// Blocks that an ideal can grow by.
std::vector<std::uint32_t> growth(const BlockGraph& graph, const NodeSet& ideal) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    if (!ideal.contains(b) && graph.needs[b].within(ideal)) found.push_back(b);
  }
  return found;
}

}  // namespace

BlockGraph blocks_of(const OperatorGraph& graph) {
  const std::vector<NodeSet> ahead = colors_ahead(graph);
  constexpr std::uint32_t none = UINT32_MAX;
  BlockGraph found;
  std::vector<std::uint32_t> of_color(graph.colors, none);
  for (std::uint32_t color = 0; color < graph.colors; ++color) {
    if (of_color[color] != none) continue;
    const auto block = static_cast<std::uint32_t>(found.blocks.size());
    of_color[color] = block;
    for (std::uint32_t other = color + 1; other < graph.colors; ++other) {
      if (ahead[color].contains(other) && ahead[other].contains(color)) of_color[other] = block;
    }
    found.blocks.emplace_back();
  }
  for (const OperatorNode& node : graph.nodes) {
    found.of_node.push_back(of_color[node.color]);
    Block& block = found.blocks[of_color[node.color]];
    block.accelerator_time += node.accelerator_time;
    block.cpu_time += node.cpu_time;
    block.memory_bytes += node.memory_bytes;
    block.supported = block.supported && node.supported;
  }
  found.needs.assign(found.blocks.size(), NodeSet(found.blocks.size()));
  for (std::uint32_t color = 0; color < graph.colors; ++color) {
    for (std::uint32_t other = 0; other < graph.colors; ++other) {
      if (of_color[color] != of_color[other] && ahead[color].contains(other)) {
        found.needs[of_color[color]].insert(of_color[other]);
      }
    }
  }
  found.signals = signals_of(graph, found.of_node);
  return found;
}

Ideals all_ideals(const BlockGraph& graph) {
  Ideals ideals;
  std::vector<NodeSet> sets = {NodeSet(graph.blocks.size())};
  std::unordered_map<NodeSet, std::uint32_t, NodeSet::Hash> ids = {{sets.front(), 0}};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (const std::uint32_t block : growth(graph, sets[i])) {
      NodeSet grown = sets[i];
      grown.insert(block);
      const auto [found, is_new] = ids.emplace(grown, static_cast<std::uint32_t>(sets.size()));
      if (is_new) sets.push_back(std::move(grown));
      ideals.steps.push_back({block, found->second});
    }
    ideals.begin.push_back(ideals.steps.size());
    if (sets.size() > kMostIdeals) return {};
  }
  return ideals;
}

Ideals ideals_of_order(const BlockGraph& graph) {
  const std::size_t count = graph.blocks.size();
  Ideals ideals;
  NodeSet ideal(count);
  std::vector<std::uint32_t> ready;  // the last first
  NodeSet seen(count);
  for (std::uint32_t i = 0;; ++i) {
    for (const std::uint32_t block : growth(graph, ideal)) {
      if (!seen.contains(block)) ready.push_back(block);
      seen.insert(block);
    }
    if (!ready.empty()) {
      ideals.steps.push_back({ready.back(), i + 1});
      ideal.insert(ready.back());
      ready.pop_back();
    }
    ideals.begin.push_back(ideals.steps.size());
    if (i == count) return ideals;
  }
}

}  // namespace td::job
