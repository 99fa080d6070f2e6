// SPDX-License-Identifier: Apache-2.0
// Graphs of layers or operators, to be placed on devices.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/readers/json_document.hpp"

namespace td::job {

/// One layer or operator. All times of a graph are in one unit of its own.
struct OperatorNode {
  double accelerator_time = 0;
  double cpu_time = 0;
  bool supported = true;    ///< by accelerators
  bool backward = false;    ///< belongs to the backward pass
  std::uint32_t color = 0;  ///< nodes of one colour share a device
  double memory_bytes = 0;
  double transfer_time = 0;  ///< of its output, to or from an accelerator
};

struct OperatorEdge {
  std::uint32_t from;
  std::uint32_t to;
};

struct OperatorGraph {
  std::string source;  ///< file, for messages
  std::string name;
  double memory_bytes = 0;  ///< of an accelerator
  std::vector<OperatorNode> nodes;
  std::vector<OperatorEdge> edges;
  std::map<std::string, std::uint32_t> ids;  ///< the file's, as JSON, of nodes
  std::uint32_t colors = 0;                  ///< one more than the largest
};

/// Reads a file {"graph", "memory_bytes_per_accelerator", "nodes": [[id, accelerator time, CPU
/// time, supported, backward, color class or null, memory bytes]], "edges": [[source, destination,
/// transfer time]]}, also one packed by gzip. A node without a colour has its own. Throws
/// UserError, for cycles, for edges from backward to forward nodes, and for a node with two
/// transfer times, too.
OperatorGraph read_operator_graph(const std::string& path);

/// The node with this id. Throws UserError.
std::uint32_t node_of(const OperatorGraph& graph, const JsonValue& id);

}  // namespace td::job
