// SPDX-License-Identifier: Apache-2.0
#include "sim/system/scenario/scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/readers/toml_document.hpp"
#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/text_file.hpp"
#include "sim/system/scenario/setting.hpp"

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

/// Puts another profile instead of those that the scenario names.
void set_profile(toml::table& root, const std::string& profile, const std::string& path) {
  bool found = false;
  for (const char* name : {"graph", "plan"}) {
    toml::table* table = root[name].as_table();
    if (table == nullptr || !table->contains("profile")) continue;
    // Of the command line, not of the scenario's folder.
    table->insert_or_assign("profile", std::filesystem::absolute(profile).string());
    found = true;
  }
  if (!found) throw UserError(path, "profile", profile, "(absent): the scenario has none");
}

}  // namespace

std::string path_beside(const TomlTable& table, const char* key) {
  return (std::filesystem::path(table.file()).parent_path() / table.name(key)).string();
}

Plan plan_by_hardware(const TomlTable& table,
                      const std::function<Plan(const std::string& hardware)>& make) {
  if (!table.has("hardware")) return make("");
  Plan plan;
  for (const std::string& hardware : table.names("hardware")) {
    const Plan one = make(hardware);
    for (const auto& [name, value] : one.items()) plan[hardware + " " + name] = value;
  }
  return plan;
}

Scenario load_scenario(const std::string& path, const ScenarioKinds& kinds,
                       const ScenarioChanges& changes) {
  const std::string text = read_text(path, "a readable scenario (TOML)");
  toml::table parsed = parse_toml(text, path);
  if (!changes.profile.empty()) set_profile(parsed, changes.profile, path);
  for (const std::string& setting : changes.settings) apply_setting(parsed, setting);
  const TomlTable root(parsed, path, "");
  root.allow_only({"name", "hardware", "cluster", "graph", "transformation", "plan"});
  Scenario scenario;
  scenario.name = root.name("name");
  // What a name says of the file's own values is not wrong with others behind it.
  for (const std::string& setting : changes.settings) scenario.name += ", " + setting;
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

void write_settings(const std::string& path, const std::vector<std::string>& settings) {
  std::string text = read_text(path, "a readable scenario (TOML)");
  for (const std::string& setting : settings) text = with_setting(text, path, setting);
  // A link stays one: the file that it leads to is replaced.
  write_files({{std::filesystem::canonical(path).string(), text}});
}

}  // namespace td::job
