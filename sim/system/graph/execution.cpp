// SPDX-License-Identifier: Apache-2.0
#include "sim/system/graph/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <queue>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "base/support/error.hpp"

namespace td::job {

namespace {

/// A ready task as its resource sees it: compared by key, then by when it was ready, then by id.
struct Ready {
  std::int64_t key;  ///< 0 under fifo, the rank under priority, the position in a fixed order
  double since;
  TaskId task;

  bool operator>(const Ready& other) const {
    return std::tie(key, since, task) > std::tie(other.key, other.since, other.task);
  }
};

struct End {
  double time;
  TaskId task;

  bool operator>(const End& other) const {
    return std::tie(time, task) > std::tie(other.time, other.task);
  }
};

template <class Item>
using SmallestFirst = std::priority_queue<Item, std::vector<Item>, std::greater<Item>>;

struct ResourceState {
  SmallestFirst<Ready> ready;
  bool busy = false;
  std::vector<TaskId> order;  ///< of Policy::fixed
  std::size_t next = 0;       ///< in order
};

/// Task ids on a cycle of edges among those that never became ready; empty where there is none.
std::vector<TaskId> find_cycle(const Graph& graph, const std::vector<std::uint32_t>& waits_for) {
  const Neighbours before = predecessors(graph);
  const auto stuck = std::find_if(waits_for.begin(), waits_for.end(),
                                  [](std::uint32_t count) { return count > 0; });
  if (stuck == waits_for.end()) return {};
  // Going back among tasks that wait leads into a cycle, or to one whose resource waits.
  std::vector<TaskId> path;
  std::vector<bool> seen(waits_for.size());
  TaskId task = static_cast<TaskId>(stuck - waits_for.begin());
  while (!seen[task]) {
    seen[task] = true;
    path.push_back(task);
    const auto begin = before.items.begin() + static_cast<std::ptrdiff_t>(before.begin[task]);
    const auto end = before.items.begin() + static_cast<std::ptrdiff_t>(before.begin[task + 1]);
    const auto waiting = std::find_if(begin, end, [&](TaskId one) { return waits_for[one] > 0; });
    if (waiting == end) return {};
    task = *waiting;
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), task));
  std::reverse(path.begin(), path.end());
  return path;
}

class Executor {
 public:
  explicit Executor(const Graph& graph)
      : graph_(graph), after_(successors(graph)), resources_(graph.resources().size()) {
    const std::size_t count = graph.tasks().size();
    schedule_.start.assign(count, 0);
    schedule_.end.assign(count, 0);
    waits_for_.assign(count, 0);
    for (const Edge& edge : graph.edges()) ++waits_for_[edge.after];
    set_keys();
  }

  Schedule run() {
    for (TaskId task = 0; task < waits_for_.size(); ++task) {
      if (waits_for_[task] == 0) make_ready(task, 0);
    }
    choose(0);
    while (!ends_.empty()) {
      const double now = ends_.top().time;
      while (!ends_.empty() && ends_.top().time == now) {
        const TaskId task = ends_.top().task;
        ends_.pop();
        finish(task, now);
      }
      choose(now);
      schedule_.makespan = now;
    }
    if (done_ < waits_for_.size()) fail();
    return std::move(schedule_);
  }

 private:
  void set_keys() {
    const std::vector<Task>& tasks = graph_.tasks();
    keys_.assign(tasks.size(), 0);
    for (TaskId task = 0; task < tasks.size(); ++task) {
      const ResourceId id = tasks[task].resource;
      if (id == kNoResource) continue;
      const Policy policy = graph_.resources()[id].policy;
      if (policy == Policy::priority) keys_[task] = tasks[task].rank;
      if (policy == Policy::fixed) resources_[id].order.push_back(task);
    }
    for (ResourceState& state : resources_) {
      std::stable_sort(state.order.begin(), state.order.end(),
                       [&](TaskId a, TaskId b) { return tasks[a].rank < tasks[b].rank; });
      for (std::size_t i = 0; i < state.order.size(); ++i) {
        keys_[state.order[i]] = static_cast<std::int64_t>(i);
      }
    }
  }

  void make_ready(TaskId task, double now) {
    const ResourceId id = graph_.tasks()[task].resource;
    if (id == kNoResource) {
      start(task, now);
      return;
    }
    resources_[id].ready.push({keys_[task], now, task});
    to_choose_.insert(id);
  }

  void start(TaskId task, double now) {
    schedule_.start[task] = now;
    schedule_.end[task] = now + graph_.tasks()[task].seconds;
    ends_.push({schedule_.end[task], task});
  }

  void finish(TaskId task, double now) {
    ++done_;
    const ResourceId id = graph_.tasks()[task].resource;
    if (id != kNoResource) {
      resources_[id].busy = false;
      to_choose_.insert(id);
    }
    for (std::size_t i = after_.begin[task]; i < after_.begin[task + 1]; ++i) {
      if (--waits_for_[after_.items[i]] == 0) make_ready(after_.items[i], now);
    }
  }

  void choose(double now) {
    for (const ResourceId id : to_choose_) {
      ResourceState& state = resources_[id];
      if (state.busy || state.ready.empty()) continue;
      const TaskId task = state.ready.top().task;
      const bool fixed = graph_.resources()[id].policy == Policy::fixed;
      if (fixed && state.order[state.next] != task) continue;
      if (fixed) ++state.next;
      state.ready.pop();
      state.busy = true;
      start(task, now);
    }
    to_choose_.clear();
  }

  [[noreturn]] void fail() const {
    const std::vector<TaskId> cycle = find_cycle(graph_, waits_for_);
    const auto name = [&](TaskId task) { return graph_.tasks()[task].name; };
    if (!cycle.empty()) {
      std::string path;
      const std::size_t shown = std::min<std::size_t>(cycle.size(), 4);
      for (std::size_t i = 0; i < shown; ++i) path += name(cycle[i]) + " -> ";
      path += cycle.size() > shown ? fmt::format("{} more", cycle.size() - shown) : name(cycle[0]);
      throw UserError(graph_.source(), "edges", path, "no task waits for itself");
    }
    for (ResourceId id = 0; id < resources_.size(); ++id) {
      const ResourceState& state = resources_[id];
      if (state.next >= state.order.size()) continue;
      throw UserError(graph_.source(), fmt::format("order of {}", graph_.resources()[id].name),
                      name(state.order[state.next]), "a task that waits for none behind it");
    }
    throw std::logic_error("execution: tasks are left, and nothing keeps them");
  }

  const Graph& graph_;
  Neighbours after_;
  std::vector<ResourceState> resources_;
  std::vector<std::int64_t> keys_;  ///< of each task: see Ready
  std::vector<std::uint32_t> waits_for_;
  SmallestFirst<End> ends_;
  std::set<ResourceId> to_choose_;  ///< what may have changed at this time
  Schedule schedule_;
  std::size_t done_ = 0;
};

}  // namespace

Schedule execute(const Graph& graph) { return Executor(graph).run(); }

std::vector<double> busy_seconds(const Graph& graph) {
  std::vector<double> busy(graph.resources().size(), 0);
  for (const Task& task : graph.tasks()) {
    if (task.resource != kNoResource) busy[task.resource] += task.seconds;
  }
  return busy;
}

std::optional<double> steady_seconds(const Graph& graph, const Schedule& schedule) {
  std::map<std::int64_t, double> ends;
  for (std::size_t id = 0; id < graph.tasks().size(); ++id) {
    const Task& task = graph.tasks()[id];
    if (task.phase != "backward") continue;
    double& end = ends[task.iteration];
    end = std::max(end, schedule.end[id]);
  }
  if (ends.size() < 2) return std::nullopt;
  return ends.rbegin()->second - std::next(ends.rbegin())->second;
}

}  // namespace td::job
