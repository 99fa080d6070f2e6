// SPDX-License-Identifier: Apache-2.0
#include "sim/system/scenario/task_list.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/support/error.hpp"

namespace td::job {

namespace {

constexpr double kMostSeconds = 1e12;
constexpr std::int64_t kMostRank = std::int64_t{1} << 40;

/// The value of a set of named ones that a key names. Throws UserError that lists them.
template <class Value>
Value one_of(const TomlTable& table, const char* key, const std::map<std::string, Value>& values) {
  const auto found = values.find(table.name(key));
  if (found != values.end()) return found->second;
  std::string names;
  for (const auto& [name, value] : values) names += (names.empty() ? "" : ", ") + name;
  table.fail(key, "one of " + names);
}

using Resources = std::map<std::string, ResourceId>;

Resources add_resources(const TomlTable& root, Graph& graph) {
  Resources ids;
  for (const TomlTable& table : root.tables("resources")) {
    table.allow_only({"name", "kind", "policy"});
    Resource resource;
    resource.name = table.name("name");
    if (table.has("kind")) {
      resource.kind = one_of<ResourceKind>(table, "kind",
                                           {{"compute", ResourceKind::compute},
                                            {"link", ResourceKind::link},
                                            {"input", ResourceKind::input},
                                            {"disk", ResourceKind::disk}});
    }
    if (table.has("policy")) {
      resource.policy = one_of<Policy>(
          table, "policy",
          {{"fifo", Policy::fifo}, {"priority", Policy::priority}, {"fixed", Policy::fixed}});
    }
    if (!ids.emplace(resource.name, graph.add(resource)).second) {
      table.fail("name", "a name that no other resource has");
    }
  }
  return ids;
}

Task read_task(const TomlTable& table, const Resources& resources) {
  table.allow_only({"name", "resource", "seconds", "after", "rank", "layer", "phase"});
  Task task;
  task.name = table.name("name");
  if (table.has("resource")) task.resource = one_of<ResourceId>(table, "resource", resources);
  task.seconds = table.number("seconds", 0, kMostSeconds);
  if (table.has("rank")) task.rank = table.integer("rank", -kMostRank, kMostRank);
  if (table.has("layer")) task.layer = table.name("layer");
  if (table.has("phase")) task.phase = table.name("phase");
  return task;
}

/// The first that has the name, else the end.
template <class Named>
auto find_name(const std::vector<Named>& all, const std::string& name) {
  return std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
}

/// Numbers of those that have one of the names. Throws UserError for a name that none has.
template <class Named>
std::vector<std::uint32_t> named(const std::vector<Named>& all, const char* what,
                                 const std::vector<std::string>& names, const std::string& file) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& name : names) {
    const auto found = find_name(all, name);
    if (found == all.end()) throw UserError(file, what, name, "the name of one of the graph");
    numbers.push_back(static_cast<std::uint32_t>(found - all.begin()));
  }
  return numbers;
}

/// Where a task stands behind others on a resource that takes all in a fixed order; of one rank,
/// the one added last is the last. Throws UserError where none of them is there.
std::int64_t rank_behind(const Graph& graph, const std::vector<TaskId>& behind, ResourceId resource,
                         const std::string& file) {
  std::optional<std::int64_t> rank;
  for (const TaskId one : behind) {
    const Task& task = graph.tasks()[one];
    if (task.resource == resource) rank = std::max(rank.value_or(task.rank), task.rank);
  }
  if (rank) return *rank;
  throw UserError(file, "transformation.after", "only tasks of other resources",
                  "one of " + graph.resources()[resource].name + ", which keeps an order");
}

/// Which tasks a what-if is about.
class Selection {
 public:
  explicit Selection(const TomlTable& table) : file_(table.file()) {
    for (const char* key : {"layer", "phase", "resource"}) {
      patterns_.push_back(table.has(key) ? table.name(key) : "*");
    }
  }

  /// One at least. Throws UserError: none, or all.
  std::vector<TaskId> of(const Graph& graph, bool all_too) const {
    std::vector<TaskId> tasks = select(graph, [&](const Task& task) { return holds(graph, task); });
    if (tasks.empty()) refuse("patterns that match tasks");
    if (!all_too && tasks.size() == graph.tasks().size()) refuse("patterns that leave a task");
    return tasks;
  }

 private:
  bool holds(const Graph& graph, const Task& task) const {
    const std::string on =
        task.resource == kNoResource ? "" : graph.resources()[task.resource].name;
    const std::array<std::string, 3> texts = {task.layer, task.phase, on};
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (::fnmatch(patterns_[i].c_str(), texts[i].c_str(), 0) != 0) return false;
    }
    return true;
  }

  [[noreturn]] void refuse(const char* legal) const {
    throw UserError(file_, "transformation",
                    fmt::format("layer \"{}\", phase \"{}\", resource \"{}\"", patterns_[0],
                                patterns_[1], patterns_[2]),
                    legal);
  }

  std::string file_;
  std::vector<std::string> patterns_;  ///< of layer, phase, resource
};

}  // namespace

Graph build_task_list(const GraphRequest& request) {
  const TomlTable& root = request.table;
  root.allow_only({"kind", "resources", "tasks"});
  if (!request.hardware.empty()) {
    throw UserError(root.file(), "hardware", request.hardware,
                    "(absent), where tasks have seconds");
  }
  Graph graph(root.file());
  const Resources resources = add_resources(root, graph);
  std::map<std::string, TaskId> ids;
  const std::vector<TomlTable> tables = root.tables("tasks");
  for (const TomlTable& table : tables) {
    Task task = read_task(table, resources);
    const std::string name = task.name;
    if (!ids.emplace(name, graph.add(std::move(task))).second) {
      table.fail("name", "a name that no other task has");
    }
  }
  for (const TomlTable& table : tables) {
    if (!table.has("after")) continue;
    for (const std::string& before : table.names("after")) {
      const auto found = ids.find(before);
      if (found == ids.end()) table.fail("after", "names of tasks");
      graph.add_edge(found->second, ids.at(table.name("name")));
    }
  }
  return graph;
}

Transformation read_scale(const TomlTable& table, const Cluster&) {
  table.allow_only({"kind", "layer", "phase", "resource", "factor"});
  const double factor = table.number("factor", 0, 1e6);
  return [factor, selection = Selection(table)](Graph graph) {
    const std::vector<TaskId> tasks = selection.of(graph, true);
    return scale(std::move(graph), tasks, factor);
  };
}

Transformation read_insert(const TomlTable& table, const Cluster&) {
  table.allow_only({"kind", "name", "resource", "seconds", "after", "before"});
  Task task;
  task.name = table.name("name");
  task.seconds = table.number("seconds", 0, kMostSeconds);
  return [task, file = table.file(), resource = table.name("resource"),
          after = table.names("after"), before = table.names("before")](Graph graph) {
    if (find_name(graph.tasks(), task.name) != graph.tasks().end()) {
      throw UserError(file, "transformation.name", task.name, "a name that no other task has");
    }
    Task added = task;
    added.resource = named(graph.resources(), "transformation.resource", {resource}, file).front();
    const auto behind = named(graph.tasks(), "transformation.after", after, file);
    if (graph.resources()[added.resource].policy == Policy::fixed) {
      added.rank = rank_behind(graph, behind, added.resource, file);
    }
    return insert(graph, added, behind,
                  named(graph.tasks(), "transformation.before", before, file));
  };
}

Transformation read_remove(const TomlTable& table, const Cluster&) {
  table.allow_only({"kind", "layer", "phase", "resource"});
  return [selection = Selection(table)](const Graph& graph) {
    return remove(graph, selection.of(graph, false));
  };
}

}  // namespace td::job
