// SPDX-License-Identifier: Apache-2.0
// Partitions: the dynamic programme beside all partitions there are, what never makes one worse,
// and the pipeline at work.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>

#include "base/readers/toml_document.hpp"
#include "base/support/error.hpp"
#include "sim/system/graph/execution.hpp"
#include "sim/system/partition/execution.hpp"
#include "sim/system/partition/partition_plan.hpp"
#include "verify/system/unit/random_graph.hpp"

namespace {

using td::job::CutState;
using td::job::kInfeasible;
using td::job::NetworkProfile;
using td::job::PartitionRequest;
using td::job::Stage;

/// Layers in a row, or with branches that later layers join.
NetworkProfile random_network(std::mt19937& random, bool branches) {
  const auto draw = [&random](std::uint32_t least, std::uint32_t most) {
    return std::uniform_int_distribution<std::uint32_t>(least, most)(random);
  };
  NetworkProfile network;
  const std::uint32_t count = draw(2, 7);
  for (std::uint32_t i = 0; i < count; ++i) {
    network.layers.push_back(
        {"layer", 1.0 * draw(0, 9), 1.0 * draw(0, 9), 1.0 * draw(0, 9), 1.0 * draw(0, 9)});
    if (i == 0) continue;
    const std::uint32_t ahead = branches ? draw(0, i - 1) : i - 1;
    network.edges.push_back({ahead, i});
    if (ahead != i - 1 && draw(0, 1) == 1) network.edges.push_back({i - 1, i});
  }
  return network;
}

PartitionRequest random_request(std::mt19937& random, int i) {
  PartitionRequest request;
  request.levels = {{1 + i % 4, 1.0 + static_cast<double>(random() % 4)}};
  if (i % 3 != 0) request.compression = 1 + i % 2;
  request.straight = i % 7 == 0;
  if (i % 5 == 0) request.memory_bytes = 20.0 + static_cast<double>(random() % 60);
  return request;
}

/// Whether all stages fit, by the rule.
bool fits(const std::vector<CutState>& states, const PartitionRequest& request,
          const std::vector<Stage>& stages) {
  std::int64_t used = 0;
  for (const Stage& stage : stages) {
    used += stage.replicas;
    const CutState ahead = stage.begin == 0 ? CutState{} : states[stage.begin - 1];
    const CutState& last = states[stage.end - 1];
    const double bytes = last.activation - ahead.activation + last.parameters - ahead.parameters;
    const auto others = static_cast<double>(request.levels[0].workers - used);
    if (request.memory_bytes &&
        std::ceil(others / static_cast<double>(stage.replicas)) * bytes > *request.memory_bytes) {
      return false;
    }
  }
  return true;
}

/// The best of all partitions.
double least_seconds(const std::vector<CutState>& states, const PartitionRequest& request) {
  double least = kInfeasible;
  std::vector<Stage> stages;  // the last first
  const std::function<void(std::uint32_t, std::int64_t)> cut = [&](std::uint32_t end,
                                                                   std::int64_t workers) {
    for (std::int64_t m = 1; m <= (request.straight ? 1 : workers); ++m) {
      if (m == workers) {
        stages.push_back({0, end, m});
        const std::vector<Stage> forward(stages.rbegin(), stages.rend());
        if (fits(states, request, forward)) {
          least = std::min(least, td::job::pipeline_seconds(states, request, forward));
        }
        stages.pop_back();
        continue;
      }
      for (const std::uint32_t k : states[end - 1].earlier) {
        stages.push_back({k + 1, end, m});
        cut(k + 1, workers - m);
        stages.pop_back();
      }
    }
  };
  cut(static_cast<std::uint32_t>(states.size()), request.levels[0].workers);
  return least;
}

std::vector<CutState> states_of(const NetworkProfile& network) {
  return td::job::cut_states(network, "test");
}

/// A profile's file, for one test.
class ProfileFile {
 public:
  ProfileFile(const std::string& nodes, const std::string& edges)
      : path_(std::filesystem::temp_directory_path() / "td_partition_test.json") {
    std::ofstream(path_) << R"({"model": "m", "nodes": [)" << nodes << R"(], "edges": [)" << edges
                         << "]}";
  }
  ProfileFile(const ProfileFile&) = delete;
  ProfileFile& operator=(const ProfileFile&) = delete;
  ~ProfileFile() { std::filesystem::remove(path_); }

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

double best(const std::vector<CutState>& states, const PartitionRequest& request) {
  return td::job::partition(states, request, "test").seconds;
}

}  // namespace

TEST_CASE("partition: the best of all that there are") {
  std::mt19937 random(3);
  int infeasible = 0;
  for (int i = 0; i < 300; ++i) {
    const auto states = states_of(random_network(random, i % 2 == 0));
    const PartitionRequest request = random_request(random, i);
    const td::job::Partition found = td::job::partition(states, request, "test");
    const double least = least_seconds(states, request);
    CAPTURE(i);
    if (least == kInfeasible) {
      ++infeasible;
      CHECK(found.seconds == kInfeasible);
      continue;
    }
    CHECK(found.seconds == doctest::Approx(least).epsilon(1e-12));
    CHECK(td::job::pipeline_seconds(states, request, found.stages) ==
          doctest::Approx(found.seconds).epsilon(1e-12));
    CHECK(fits(states, request, found.stages));
    CHECK(found.stages.front().begin == 0);
    CHECK(found.stages.back().end == states.size());
  }
  CHECK(infeasible > 0);
  CHECK(infeasible < 150);
}

TEST_CASE("partition: cuts of a chain are its layers, and sums are exact") {
  std::mt19937 random(5);
  for (int i = 0; i < 20; ++i) {
    const NetworkProfile network = random_network(random, false);
    const auto states = states_of(network);
    REQUIRE(states.size() == network.layers.size());
    double seconds = 0;
    for (std::size_t s = 0; s < states.size(); ++s) {
      seconds += network.layers[s].forward + network.layers[s].backward;
      CHECK(states[s].seconds == seconds);
      CHECK(states[s].output == network.layers[s].activation);
      CHECK(states[s].earlier.size() == s);
    }
  }
}

TEST_CASE("partition: a branch that ends later crosses the cuts between") {
  // 0 -> 1 -> 2 and 0 -> 2: behind layer 1 the output of 0 is still to come.
  NetworkProfile network;
  network.layers = {{"a", 1, 1, 5, 0}, {"b", 1, 1, 7, 0}, {"c", 1, 1, 9, 0}};
  network.edges = {{0, 1}, {1, 2}, {0, 2}};
  const auto states = states_of(network);
  REQUIRE(states.size() == 3);
  CHECK(states[1].output == 12);
  CHECK(states[2].seconds == 6);
}

TEST_CASE("partition: more workers or faster links are never slower") {
  std::mt19937 random(8);
  for (int i = 0; i < 60; ++i) {
    const auto states = states_of(random_network(random, i % 2 == 0));
    PartitionRequest request;
    request.compression = 1;
    request.use_fewer = true;
    double before = kInfeasible;
    for (std::int64_t workers = 1; workers <= 5; ++workers) {
      request.levels = {{workers, 2}};
      const double now = best(states, request);
      CHECK(now <= before);
      before = now;
      request.levels = {{workers, 3}};
      CHECK(best(states, request) <= now);
    }
  }
}

TEST_CASE("partition: two levels of which one has one member are one level") {
  std::mt19937 random(12);
  for (int i = 0; i < 30; ++i) {
    const auto states = states_of(random_network(random, false));
    PartitionRequest flat;
    flat.levels = {{4, 2}};
    PartitionRequest outer = flat;
    outer.levels = {{1, 5}, {4, 2}};
    CHECK(best(states, outer) == doctest::Approx(best(states, flat)).epsilon(1e-12));
  }
}

TEST_CASE("partition: execution is as fast as the slowest stage, never faster") {
  std::mt19937 random(21);
  for (int i = 0; i < 60; ++i) {
    const auto states = states_of(random_network(random, false));
    PartitionRequest request;
    request.levels = {{1 + i % 4, 1e3}};
    request.straight = i % 2 == 0;
    const td::job::Partition found = td::job::partition(states, request, "test");
    if (found.seconds == kInfeasible || found.seconds <= 0) continue;
    const td::job::PartitionRun run = {states, request, found.stages};
    const double executed = td::job::executed_seconds(run, "test");
    CAPTURE(i);
    if (request.straight) {
      CHECK(executed == doctest::Approx(found.seconds).epsilon(1e-9));
    } else {
      CHECK(executed >= found.seconds * (1 - 1e-9));
    }
    const auto graph = td::job::partition_graph(run, 12, "test");
    CHECK(td::unit::schedule_fault(graph, td::job::execute(graph)) == "");
  }
}

TEST_CASE("partition: what cannot be cut or run is refused") {
  NetworkProfile network;
  network.layers = {{"a", 1, 1, 1, 1}, {"b", 1, 1, 1, 1}};
  network.edges = {{0, 1}, {1, 0}};
  CHECK_THROWS_AS(states_of(network), td::UserError);
  network.edges = {};
  CHECK_THROWS_AS(states_of(network), td::UserError);
  network.edges = {{0, 1}};
  network.layers[0].operation = "Input";
  network.layers[1].operation = "__getitem__(1)";
  CHECK_THROWS_AS(td::job::without_inputs(network, "test"), td::UserError);
  const auto states = states_of(network);
  PartitionRequest request;
  request.levels = {{1, 1}};
  const std::vector<Stage> stages = {{0, 2, 1}};
  PartitionRequest endless;
  endless.levels = {{1 << 20, 1}};
  CHECK_THROWS_AS(best(states, endless), td::UserError);
  CHECK_THROWS_AS(td::job::partition_graph({states, request, stages}, 0, "test"), td::UserError);
  CHECK_THROWS_AS(td::job::partition_graph({states, request, stages}, 1 << 30, "test"),
                  td::UserError);
}

TEST_CASE("partition: profiles that are none are refused") {
  const std::string a = R"(["a", "Conv", 1, 2, [3, 4], 5])";
  const auto refused = [](const std::string& nodes, const std::string& edges) {
    const ProfileFile file(nodes, edges);
    CHECK_THROWS_AS(td::job::read_network_profile(file.path()), td::UserError);
  };
  refused(a + "," + a, "");
  refused(R"(["a", "Conv", -1, 2, 3, 5])", "");
  refused(R"(["a", "Conv", 1, 2, [3, -4], 5])", "");
  refused(R"(["a", "Conv", 1, 2, 3])", "");
  refused(a, R"(["a", "b"])");
  refused(a, R"(["a"])");
  refused(a, R"(["a", "a"])");
  const ProfileFile file(a, "");
  const NetworkProfile network = td::job::read_network_profile(file.path());
  REQUIRE(network.layers.size() == 1);
  CHECK(network.layers[0].activation == 7);
  CHECK(network.layers[0].backward == 0.002);
}

TEST_CASE("partition: replicas without a short common turn, and too many minibatches") {
  NetworkProfile network;
  std::vector<Stage> stages;
  for (std::uint32_t i = 0; i < 6; ++i) {
    network.layers.push_back({"layer", 1, 2, 0, 0});
    if (i > 0) network.edges.push_back({i - 1, i});
    stages.push_back({i, i + 1, std::int64_t{31} + 2 * i});  // their common turn is 1.6e9
  }
  const auto states = states_of(network);
  PartitionRequest request;
  request.levels = {{1024, 1e3}};
  const td::job::PartitionRun run = {states, request, stages};
  // Of a longer execution than it looks at; slower than the slowest stage, for the turns.
  constexpr std::size_t count = 20000;
  const auto schedule = td::job::execute(td::job::partition_graph(run, count, "test"));
  const double longer = (schedule.end[2 * count - 1] - schedule.end[count - 1]) * 2 / count;
  CHECK(longer >= 3.0 / 31 * (1 - 1e-9));
  CHECK(td::job::executed_seconds(run, "test") == doctest::Approx(longer).epsilon(0.01));
  const td::job::PartitionRun deep = {states, request, stages, 64};
  CHECK_THROWS_AS(td::job::executed_seconds(deep, "test"), td::UserError);
}

TEST_CASE("partition: a plan's memory holds what is on the way") {
  // 1 GB of weights and 2 of activations a layer.
  const ProfileFile file(
      R"(["a", "Conv", 1000, 2000, 2e9, 1e9], ["b", "Conv", 1000, 2000, 2e9, 1e9])",
      R"(["a", "b"])");
  const auto plan = [&](const std::string& more) {
    const std::string text = "profile = '" + file.path() + "'\nkind = 'partition'\n" + more;
    const toml::table parsed = td::parse_toml(text, "test");
    const std::string name = "test";
    return td::job::plan_partition(td::TomlTable(parsed, name, ""), {2, 1.25e12});
  };
  // Two stages: two minibatches on the first, or four with twice the depth. One stage: 6 GB.
  CHECK(plan("memory_gb = 6")["data_parallel_s_per_minibatch"].is_number());
  CHECK(plan("memory_gb = 6\nstraight = true")["replicas_of_stages"] == "1-1");
  CHECK(plan("memory_gb = 6\nstraight = true")["minibatches_in_flight_of_first_worker"] == 2);
  CHECK_THROWS_AS(plan("memory_gb = 5.9"), td::UserError);
  CHECK_THROWS_AS(plan("memory_gb = 11.9\nstraight = true\nin_flight = 2"), td::UserError);
  CHECK(plan("memory_gb = 12\nstraight = true\nin_flight = 2")["replicas_of_stages"] == "1-1");
}

TEST_CASE("partition: a plan's hours are of the pipeline at work") {
  const ProfileFile file(R"(["i", "Input", 9, 9, 0, 0], ["a", "Conv", 1000, 2000, 0, 0],
                            ["b", "Conv", 1000, 2000, 0, 0])",
                         R"(["i", "a"], ["a", "b"])");
  const auto plan = [&](const std::string& more, std::int64_t accelerators) {
    const std::string text = "profile = '" + file.path() + "'\nkind = 'partition'\n" + more;
    const toml::table parsed = td::parse_toml(text, "test");
    const std::string name = "test";
    return td::job::plan_partition(td::TomlTable(parsed, name, ""), {accelerators, 1.25e9});
  };
  const td::job::Plan two = plan("minibatches = 3600", 2);
  CHECK(two["bound_s_per_minibatch"] == 3);
  CHECK(two["pipeline_hours"].get<double>() == doctest::Approx(3));
  CHECK(two["one_accelerator_s_per_minibatch"] == 6);
  CHECK(plan("", 1)["replicas_of_stages"] == "1");
  CHECK_THROWS_AS(plan("in_flight = 0", 2), td::UserError);
  CHECK_THROWS_AS(plan("compression = 0", 2), td::UserError);
  CHECK_THROWS_AS(plan("straight = 1", 2), td::UserError);
  CHECK_THROWS_AS(plan("hardware = ['dense']", 2), td::UserError);
  CHECK_THROWS_AS(plan("", 4096), td::UserError);
}
