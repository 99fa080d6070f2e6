// SPDX-License-Identifier: Apache-2.0
// What a room offers to scenarios: graphs, transformations, plans.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/readers/toml_table.hpp"
#include "sim/system/graph/transformation.hpp"

namespace td::job {

/// The machines of a scenario: [cluster].
struct Cluster {
  std::int64_t accelerators = 1;
  double link_bytes_per_s = 1.25e9;  ///< of each accelerator, each way
};

/// What a [graph] of one kind is built of: its table, the machines, and which hardware's durations
/// are meant, of a file that has several ("dense", "tensordash"; empty: the kind's own).
struct GraphRequest {
  TomlTable table;
  Cluster cluster;
  std::string hardware;
};

/// The path that a scenario's key names: relative to the scenario's folder. Throws UserError.
std::string path_beside(const TomlTable& table, const char* key);

struct GraphKind {
  const char* name;
  Graph (*build)(const GraphRequest& request);
};

/// Reads one [[transformation]].
struct TransformationKind {
  const char* name;
  Transformation (*read)(const TomlTable& table, const Cluster& cluster);
};

/// A plan: what is decided, as lines of "name: value" with their units in the names.
using Plan = nlohmann::ordered_json;

/// Answers `make` for each hardware that the table's key `hardware` names, whose name is put before
/// those of its lines; without the key for none, "".
Plan plan_by_hardware(const TomlTable& table,
                      const std::function<Plan(const std::string& hardware)>& make);

/// Answers the [plan] of a scenario, whose graph kind may be left out.
struct PlanKind {
  const char* name;
  Plan (*make)(const TomlTable& table, const Cluster& cluster);
};

/// All that there is: the program's registry.
struct ScenarioKinds {
  std::vector<GraphKind> graphs;
  std::vector<TransformationKind> transformations;
  std::vector<PlanKind> plans;
};

}  // namespace td::job
