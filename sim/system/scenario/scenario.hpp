// SPDX-License-Identifier: Apache-2.0
// Scenarios: files that name a graph, machines and what-ifs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// A what-if and its name in tables.
struct NamedTransformation {
  std::string name;
  Transformation apply;
};

/// A graph with the name of the hardware that its durations are of; empty where there is one only.
struct NamedGraph {
  std::string hardware;
  Graph graph;
};

struct Scenario {
  std::string name;                ///< the file's, with the changed settings behind it
  std::vector<NamedGraph> graphs;  ///< one for each hardware; empty for a scenario with a plan only
  std::vector<NamedTransformation> transformations;
  std::optional<Plan> plan;
};

/// What a command line has otherwise than the file.
struct ScenarioChanges {
  std::string profile;                ///< of [graph] and [plan], where they have one; empty: none
  std::vector<std::string> settings;  ///< "TABLE.KEY=VALUE", the value as TOML has it
};

/// Reads a TOML file. Throws UserError naming file, field, value and what is legal.
Scenario load_scenario(const std::string& path, const ScenarioKinds& kinds,
                       const ScenarioChanges& changes = {});

/// Puts settings into the file itself, whose other bytes stay: under a temporary name, then
/// renamed. Throws UserError and leaves the file as it was.
void write_settings(const std::string& path, const std::vector<std::string>& settings);

}  // namespace td::job
