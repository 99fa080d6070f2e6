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

/// Blocks of colours; `ahead` as colors_ahead() has it, with no cycle between blocks.
BlockGraph build(const OperatorGraph& graph, const std::vector<std::uint32_t>& of_color,
                 const std::vector<NodeSet>& ahead) {
  BlockGraph found;
  const std::size_t count = 1 + *std::max_element(of_color.begin(), of_color.end());
  found.blocks.resize(count);
  for (const OperatorNode& node : graph.nodes) {
    found.of_node.push_back(of_color[node.color]);
    Block& block = found.blocks[of_color[node.color]];
    block.accelerator_time += node.accelerator_time;
    block.cpu_time += node.cpu_time;
    block.memory_bytes += node.memory_bytes;
    block.supported = block.supported && node.supported;
  }
  found.needs.assign(count, NodeSet(count));
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

/// Colours that need one another are one block.
std::vector<std::uint32_t> fused_colors(const std::vector<NodeSet>& ahead) {
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> of_color(ahead.size(), none);
  std::uint32_t blocks = 0;
  for (std::size_t color = 0; color < ahead.size(); ++color) {
    if (of_color[color] != none) continue;
    of_color[color] = blocks;
    for (std::size_t other = color + 1; other < ahead.size(); ++other) {
      if (ahead[color].contains(other) && ahead[other].contains(color)) of_color[other] = blocks;
    }
    ++blocks;
  }
  return of_color;
}

/// Whether only `neighbour` gives to a block, or takes from it, what costs a transfer.
bool talks_only_to(const BlockGraph& graph, std::uint32_t block, std::uint32_t neighbour) {
  return std::all_of(graph.signals.begin(), graph.signals.end(), [&](const Signal& signal) {
    if (signal.home == block) return signal.to == std::vector<std::uint32_t>{neighbour};
    const bool takes = std::binary_search(signal.to.begin(), signal.to.end(), block);
    return !takes || signal.home == neighbour;
  });
}

/// Whether a block may share its neighbour's device in some best split: it takes no time, is first
/// or last, and joined to nothing but the neighbour, so that no part's load rises and all stay
/// contiguous.
bool folds_into(const BlockGraph& graph, std::uint32_t block, std::uint32_t neighbour) {
  const NodeSet& needs = graph.needs[block];
  const std::size_t count = graph.blocks.size();
  NodeSet with_neighbour = graph.needs[neighbour];
  with_neighbour.insert(neighbour);
  bool first = needs == NodeSet(count) && graph.needs[neighbour].contains(block);
  bool last = needs == with_neighbour;
  for (std::uint32_t other = 0; other < count && (first || last); ++other) {
    if (!graph.needs[other].contains(block)) continue;
    last = false;
    first = first && (other == neighbour || graph.needs[other].contains(neighbour));
  }
  return (first || last) && talks_only_to(graph, block, neighbour);
}

/// Finds a block to fold and its neighbour; false if there is none. Memory must not matter.
bool find_fold(const BlockGraph& graph, bool memory_matters, std::uint32_t& block,
               std::uint32_t& neighbour) {
  for (block = 0; block < graph.blocks.size(); ++block) {
    const Block& one = graph.blocks[block];
    const bool free = one.accelerator_time <= 0 && one.cpu_time <= 0 && one.supported;
    if (!free || (memory_matters && one.memory_bytes > 0)) continue;
    for (neighbour = 0; neighbour < graph.blocks.size(); ++neighbour) {
      if (neighbour != block && folds_into(graph, block, neighbour)) return true;
    }
  }
  return false;
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
  std::vector<std::uint32_t> of_color = fused_colors(ahead);
  double memory = 0;
  for (const OperatorNode& node : graph.nodes) memory += node.memory_bytes;
  BlockGraph found = build(graph, of_color, ahead);
  std::uint32_t block = 0;
  std::uint32_t neighbour = 0;
  while (find_fold(found, memory > graph.memory_bytes, block, neighbour)) {
    for (std::uint32_t& one : of_color) {
      if (one == block) one = neighbour;
      if (one > block) --one;
    }
    found = build(graph, of_color, ahead);
  }
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
