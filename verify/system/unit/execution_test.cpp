// SPDX-License-Identifier: Apache-2.0
// Execution: cases by hand, what holds of all schedules, what is refused, and its size.
#include "sim/system/graph/execution.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <random>
#include <string>

#include "base/support/error.hpp"
#include "verify/system/unit/random_graph.hpp"

namespace {

using td::UserError;
using td::job::execute;
using td::job::Graph;
using td::job::kNoResource;
using td::job::Policy;
using td::job::ResourceKind;
using td::job::Schedule;
using td::job::TaskId;
using td::unit::random_graph;
using td::unit::schedule_fault;

/// Three tasks of 1 s on one resource; the first in order of id has the last rank. `late` is ready
/// at 0.5 s, the others at 0 s.
Graph three(Policy policy) {
  Graph graph("three");
  const auto id = graph.add({"one", ResourceKind::compute, policy});
  graph.add({"c", id, 1, 2, "", ""});
  graph.add({"b", id, 1, 1, "", ""});
  const TaskId late = graph.add({"late", id, 1, 0, "", ""});
  const TaskId delay = graph.add({"delay", kNoResource, 0.5, 0, "", ""});
  graph.add_edge(delay, late);
  return graph;
}

std::vector<double> starts(Policy policy) {
  const Schedule schedule = execute(three(policy));
  return {schedule.start[0], schedule.start[1], schedule.start[2]};
}

std::string refusal(const Graph& graph) {
  try {
    execute(graph);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("execution: policies by hand") {
  CHECK(starts(Policy::fifo) == std::vector<double>{0, 1, 2});
  CHECK(starts(Policy::priority) == std::vector<double>{2, 0, 1});
  CHECK(starts(Policy::fixed) == std::vector<double>{2.5, 1.5, 0.5});
}

TEST_CASE("execution: what ends at a time is handled before resources choose at it") {
  // Both inputs of the link end at 1; the one of the smaller rank goes first, whatever its id.
  Graph graph("ends");
  const auto link = graph.add({"link", ResourceKind::link, Policy::priority});
  const auto device = graph.add({"device", ResourceKind::compute, Policy::fifo});
  const TaskId a = graph.add({"a", device, 1, 0, "", ""});
  const TaskId b = graph.add({"b", kNoResource, 1, 0, "", ""});
  const TaskId second = graph.add({"second", link, 1, 2, "", ""});
  const TaskId first = graph.add({"first", link, 1, 1, "", ""});
  graph.add_edge(a, second);
  graph.add_edge(b, first);
  const Schedule schedule = execute(graph);
  CHECK(schedule.start[first] == 1);
  CHECK(schedule.start[second] == 2);
  CHECK(schedule.makespan == 3);
}

TEST_CASE("execution: every schedule keeps inputs, resources and durations") {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Graph graph = random_graph(random);
    const Schedule schedule = execute(graph);
    CHECK(schedule_fault(graph, schedule) == "");
    const Schedule again = execute(graph);
    CHECK(schedule.start == again.start);
    // No resource can take less time than its work, nor all of it more than one after another.
    double all = 0;
    for (const auto& task : graph.tasks()) all += task.seconds;
    CHECK(schedule.makespan <= all);
    for (const double busy : busy_seconds(graph)) CHECK(schedule.makespan >= busy);
  }
}

TEST_CASE("execution: a faulty schedule is found") {
  Graph graph("two");
  const auto id = graph.add({"one", ResourceKind::compute, Policy::fifo});
  graph.add({"a", id, 1, 0, "", ""});
  graph.add({"b", id, 1, 0, "", ""});
  CHECK(schedule_fault(graph, {{0, 1}, {1, 2}, 2}) == "");
  CHECK(schedule_fault(graph, {{0, 0.5}, {1, 1.5}, 2}) == "b overlaps a");
  CHECK(schedule_fault(graph, {{0, 1}, {1, 1.5}, 2}) == "b is cut");
  graph.add_edge(1, 0);
  CHECK(schedule_fault(graph, {{0, 1}, {1, 2}, 2}) == "a starts before its input b");
}

TEST_CASE("execution: without resources, a task less or an edge less is never longer") {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const Graph graph = random_graph(random);
    Graph free("free");  // no resources: the longest path
    for (auto task : graph.tasks()) {
      task.resource = kNoResource;
      free.add(task);
    }
    Graph fewer = free;
    for (std::size_t e = 0; e < graph.edges().size(); ++e) {
      free.add_edge(graph.edges()[e].before, graph.edges()[e].after);
      if (e % 3 != 0) fewer.add_edge(graph.edges()[e].before, graph.edges()[e].after);
    }
    CHECK(execute(fewer).makespan <= execute(free).makespan);
    CHECK(execute(free).makespan <= execute(graph).makespan);
  }
}

TEST_CASE("execution: cycles and orders that wait for themselves are refused") {
  Graph graph("loop.toml");
  const auto id = graph.add({"one", ResourceKind::compute, Policy::fifo});
  for (const char* name : {"a", "b", "c"}) graph.add({name, id, 1, 0, "", ""});
  graph.add_edge(0, 1);
  graph.add_edge(1, 2);
  graph.add_edge(2, 1);
  CHECK(refusal(graph) ==
        "loop.toml: edges = c -> b -> c is illegal; legal: no task waits for itself");

  Graph order("order.toml");
  const auto fixed = order.add({"device", ResourceKind::compute, Policy::fixed});
  order.add({"first", fixed, 1, 1, "", ""});
  order.add({"second", fixed, 1, 2, "", ""});
  order.add_edge(1, 0);
  CHECK(refusal(order) ==
        "order.toml: order of device = first is illegal; legal: a task that waits for none behind "
        "it");
}

TEST_CASE("graph: what is put in is checked") {
  Graph graph("bad.toml");
  CHECK_THROWS_AS(graph.add({"a", 0, 1, 0, "", ""}), UserError);
  CHECK_THROWS_AS(graph.add({"a", kNoResource, -1, 0, "", ""}), UserError);
  CHECK_THROWS_AS(graph.add({"a", kNoResource, std::nan(""), 0, "", ""}), UserError);
  CHECK_THROWS_AS(graph.add_edge(0, 0), UserError);
  CHECK(execute(graph).makespan == 0);
}

TEST_CASE("execution: a million tasks") {
  // The time and memory that this takes are measured by whoever asks (scripts/bench measures
  // ratios).
  Graph graph("large");
  const std::uint32_t devices = 1000;
  for (std::uint32_t d = 0; d < devices; ++d) graph.add({"", ResourceKind::compute, Policy::fifo});
  const std::uint32_t count = 1000000;
  for (TaskId t = 0; t < count; ++t) {
    graph.add({"", t % devices, 1.0 + t % 7, 0, "", ""});
    if (t >= devices) graph.add_edge(t - devices, t);
    if (t > 1501) graph.add_edge(t - 1501, t);
  }
  const Schedule schedule = execute(graph);
  CHECK(schedule_fault(graph, schedule) == "");
}
