// SPDX-License-Identifier: Apache-2.0
// Profiles of networks: what each layer takes, as PipeDream's profiler measures it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/graph/node_set.hpp"

namespace td::job {

/// One layer; times and bytes of one minibatch.
struct ProfiledLayer {
  std::string operation;
  double forward = 0;     ///< seconds
  double backward = 0;    ///< seconds
  double activation = 0;  ///< bytes of all its outputs
  double parameters = 0;  ///< bytes
  std::string id{};       ///< of its node, where it was read
};

/// A network without cycles. `edges` are of indices into `layers`.
struct NetworkProfile {
  struct Edge {
    std::uint32_t from;
    std::uint32_t to;
  };
  std::string model;
  std::vector<ProfiledLayer> layers;
  std::vector<Edge> edges;
};

/// Reads a file {"model", "nodes": [[id, operation, forward ms, backward ms, activation bytes, or a
/// list of them, parameter bytes]], "edges": [[from, to]]}. Throws UserError, for a cycle too.
NetworkProfile read_network_profile(const std::string& path);

/// Without the sources that hand in data (Input...), then without the sinks that only pick one of
/// several outputs (__getitem__...). Throws UserError naming `source` when nothing is left.
NetworkProfile without_inputs(const NetworkProfile& profile, const std::string& source);

/// For each layer all layers that it needs, directly or not.
std::vector<NodeSet> ancestors_of(const NetworkProfile& profile, const std::string& source);

}  // namespace td::job
