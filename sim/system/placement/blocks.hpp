// SPDX-License-Identifier: Apache-2.0
// What of a graph must share a device, and in which order it can be cut.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/graph/node_set.hpp"
#include "sim/system/placement/operator_graph.hpp"

namespace td::job {

/// Nodes that share a device: colours, joined where they need one another.
struct Block {
  double accelerator_time = 0;
  double cpu_time = 0;
  double memory_bytes = 0;
  bool supported = true;
};

/// An output, or several with the same ends, that crosses to or from an accelerator once.
struct Signal {
  std::uint32_t home;             ///< block that makes it
  std::vector<std::uint32_t> to;  ///< other blocks that take it, ascending
  double time;                    ///< of the transfer
};

/// The order is that of forward nodes. A backward node follows those of its colour; a colour of
/// backward nodes only is ordered as the mirror image of its backward edges.
struct BlockGraph {
  std::vector<Block> blocks;
  std::vector<NodeSet> needs;  ///< of each block those directly ahead of it
  std::vector<Signal> signals;
  std::vector<std::uint32_t> of_node;  ///< block of each node of the operator graph
};

BlockGraph blocks_of(const OperatorGraph& graph);

/// Sets of blocks that hold all that their members need (ideals), and how each grows by one block.
/// Ideal 0 is empty, the last is the whole graph; steps lead to later ideals.
struct Ideals {
  struct Step {
    std::uint32_t block;
    std::uint32_t next;
  };
  std::vector<std::size_t> begin = {0};  ///< of the steps of each ideal, and an end
  std::vector<Step> steps;

  std::size_t size() const { return begin.size() - 1; }
};

/// At most so many ideals are looked through.
inline constexpr std::size_t kMostIdeals = 65536;

/// All ideals, or none when there are more than kMostIdeals.
Ideals all_ideals(const BlockGraph& graph);

/// Those that one topological order fills, which is depth first.
Ideals ideals_of_order(const BlockGraph& graph);

}  // namespace td::job
