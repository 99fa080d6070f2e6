// SPDX-License-Identifier: Apache-2.0
#include "sim/system/scenario/scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "gen/base/error.hpp"
#include "gen/base/text_file.hpp"
#include "gen/readers/toml_document.hpp"

namespace td::job {

namespace {

/// The kind that a table names. Throws UserError that lists them.
template <class Kind>
const Kind& find_kind(const TomlTable& table, const std::vector<Kind>& kinds) {
  const std::string name = table.name("kind");
  std::vector<const char*> names;
  for (const Kind& kind : kinds) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  table.fail("kind", fmt::format("one of {}", fmt::join(names, ", ")));
}

Cluster read_cluster(const TomlTable& root) {
  Cluster cluster;
  if (!root.has("cluster")) return cluster;
  const TomlTable table = root.table("cluster");
  table.allow_only({"accelerators", "link_gbit_per_s"});
  constexpr std::int64_t most = 1 << 20;
  constexpr double bytes_of_gbit = 1e9 / 8;
  if (table.has("accelerators")) cluster.accelerators = table.integer("accelerators", 1, most);
  if (table.has("link_gbit_per_s")) {
    cluster.link_bytes_per_s = table.number("link_gbit_per_s", 1e-6, 1e6) * bytes_of_gbit;
  }
  return cluster;
}

}  // namespace

std::string path_beside(const TomlTable& table, const char* key) {
  return (std::filesystem::path(table.file()).parent_path() / table.name(key)).string();
}

Scenario load_scenario(const std::string& path, const ScenarioKinds& kinds) {
  const std::string text = read_text(path, "a readable scenario (TOML)");
  const toml::table parsed = parse_toml(text, path);
  const TomlTable root(parsed, path, "");
  root.allow_only({"name", "hardware", "cluster", "graph", "transformation", "plan"});
  Scenario scenario;
  scenario.name = root.name("name");
  const Cluster cluster = read_cluster(root);
  std::vector<std::string> hardware = {""};
  if (root.has("hardware")) hardware = root.names("hardware");
  if (root.has("graph")) {
    const TomlTable table = root.table("graph");
    const GraphKind& kind = find_kind(table, kinds.graphs);
    for (const std::string& one : hardware) {
      scenario.graphs.push_back({one, kind.build({table, cluster, one})});
    }
  }
  if (root.has("transformation")) {
    for (const TomlTable& table : root.tables("transformation")) {
      const TransformationKind& kind = find_kind(table, kinds.transformations);
      scenario.transformations.push_back({kind.name, kind.read(table, cluster)});
    }
  }
  if (root.has("plan")) {
    const TomlTable table = root.table("plan");
    scenario.plan = find_kind(table, kinds.plans).make(table, cluster);
  }
  return scenario;
}

}  // namespace td::job
