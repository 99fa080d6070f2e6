// SPDX-License-Identifier: Apache-2.0
// Transformations: work is kept, order is kept, and they compose.
#include "sim/system/graph/transformation.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <utility>

#include "base/support/error.hpp"
#include "sim/system/graph/execution.hpp"
#include "verify/system/unit/random_graph.hpp"

namespace {

using td::job::Graph;
using td::job::Policy;
using td::job::Task;
using td::job::TaskId;
using td::unit::random_graph;

double work(const Graph& graph) {
  double seconds = 0;
  for (const Task& task : graph.tasks()) seconds += task.seconds;
  return seconds;
}

std::vector<TaskId> every_third(const Graph& graph) {
  std::uint32_t count = 0;
  return td::job::select(graph, [&count](const Task&) { return count++ % 3 == 0; });
}

/// Pairs of names of which the second waits for the first, directly or not.
std::set<std::pair<std::string, std::string>> order(const Graph& graph) {
  const auto after = td::job::successors(graph);
  std::set<std::pair<std::string, std::string>> pairs;
  for (TaskId from = 0; from < graph.tasks().size(); ++from) {
    std::vector<TaskId> open = {from};
    std::set<TaskId> seen;
    while (!open.empty()) {
      const TaskId one = open.back();
      open.pop_back();
      for (std::size_t i = after.begin[one]; i < after.begin[one + 1]; ++i) {
        if (!seen.insert(after.items[i]).second) continue;
        open.push_back(after.items[i]);
        pairs.emplace(graph.tasks()[from].name, graph.tasks()[after.items[i]].name);
      }
    }
  }
  return pairs;
}

}  // namespace

TEST_CASE("transformation: scaling changes what is selected, by the factor") {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    const Graph graph = random_graph(random);
    const auto tasks = every_third(graph);
    const Graph scaled = td::job::scale(graph, tasks, 0.5);
    double selected = 0;
    for (const TaskId task : tasks) selected += graph.tasks()[task].seconds;
    CHECK(work(scaled) == work(graph) - selected / 2);
    CHECK(td::job::execute(td::job::scale(graph, tasks, 1)).start == td::job::execute(graph).start);
  }
  CHECK_THROWS_AS(td::job::scale(random_graph(random), {}, -1), td::UserError);
}

TEST_CASE("transformation: what is left keeps its order when others are removed") {
  std::mt19937 random(4);
  for (int i = 0; i < 300; ++i) {
    const Graph graph = random_graph(random, 20);
    const auto tasks = every_third(graph);
    std::set<std::string> gone;
    double removed = 0;
    for (const TaskId task : tasks) {
      gone.insert(graph.tasks()[task].name);
      removed += graph.tasks()[task].seconds;
    }
    const Graph rest = td::job::remove(graph, tasks);
    CHECK(rest.tasks().size() == graph.tasks().size() - tasks.size());
    CHECK(work(rest) == work(graph) - removed);
    auto expected = order(graph);
    for (auto pair = expected.begin(); pair != expected.end();) {
      const bool cut = gone.count(pair->first) + gone.count(pair->second) > 0;
      pair = cut ? expected.erase(pair) : std::next(pair);
    }
    CHECK(order(rest) == expected);
  }
}

TEST_CASE("transformation: a task in place of several waits as they did, and the work is kept") {
  Graph graph("chain");
  for (const char* name : {"a", "b", "c", "d"}) {
    graph.add({name, td::job::kNoResource, 1, 0, "", ""});
  }
  for (TaskId t = 1; t < 4; ++t) graph.add_edge(t - 1, t);
  const Graph fused = td::job::replace(graph, {1, 2}, {"bc", td::job::kNoResource, 2, 0, "", ""});
  CHECK(work(fused) == work(graph));
  CHECK(order(fused) ==
        std::set<std::pair<std::string, std::string>>{{"a", "bc"}, {"bc", "d"}, {"a", "d"}});
  CHECK(td::job::execute(fused).makespan == 4);
}

TEST_CASE("transformation: a task that is inserted waits, and is waited for") {
  Graph chain("chain");
  for (const char* name : {"a", "b"}) chain.add({name, td::job::kNoResource, 1, 0, "", ""});
  chain.add_edge(0, 1);
  const Graph more = td::job::insert(chain, {"new", td::job::kNoResource, 3, 0, "", ""}, {0}, {1});
  CHECK(td::job::execute(more).start == std::vector<double>{0, 4, 1});
}

TEST_CASE("transformation: insertion and removal undo each other") {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    const Graph graph = random_graph(random);
    const auto last = static_cast<TaskId>(graph.tasks().size());
    const Graph more = td::job::insert(graph, {"new", td::job::kNoResource, 3, 0, "", ""}, {}, {0});
    CHECK(work(more) == work(graph) + 3);
    CHECK(order(td::job::remove(more, {last})) == order(graph));
  }
}

TEST_CASE("transformation: another policy and ranks; and one after the other") {
  Graph graph("two");
  const auto id = graph.add({"one", td::job::ResourceKind::compute, Policy::fifo});
  graph.add({"a", id, 1, 0, "", ""});
  graph.add({"b", id, 2, 0, "", ""});
  const auto longest_first = [id](Graph one) {
    return td::job::schedule(std::move(one), id, Policy::priority,
                             [](const Task& task) { return -static_cast<int>(task.seconds); });
  };
  const auto slower = [](Graph one) { return td::job::scale(std::move(one), {0}, 5); };
  CHECK(td::job::execute(td::job::apply(graph, {longest_first})).start ==
        std::vector<double>{2, 0});
  CHECK(td::job::execute(td::job::apply(graph, {slower, longest_first})).start ==
        std::vector<double>{0, 5});
}
