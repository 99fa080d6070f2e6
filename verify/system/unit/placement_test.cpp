// SPDX-License-Identifier: Apache-2.0
// Placements: the dynamic programme beside all splits there are, and what never makes one worse.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <string>

#include "base/support/error.hpp"
#include "sim/system/placement/contraction.hpp"
#include "sim/system/placement/split.hpp"

namespace {

using td::job::BlockGraph;
using td::job::Devices;
using td::job::OperatorGraph;
using td::job::Split;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Draw {
  std::mt19937& random;
  std::uint32_t operator()(std::uint32_t least, std::uint32_t most) const {
    return std::uniform_int_distribution<std::uint32_t>(least, most)(random);
  }
};

void add_node(OperatorGraph& graph, const Draw& draw, bool backward, std::uint32_t color) {
  const std::uint32_t time = draw(0, 4);
  const std::uint32_t cpu_time = time * draw(1, 3);
  const bool supported = draw(0, 9) > 0;
  graph.nodes.push_back({1.0 * time, 1.0 * cpu_time, supported, backward, color, 1.0 * draw(0, 5),
                         0.25 * draw(0, 8)});
  graph.colors = std::max(graph.colors, color + 1);
}

/// Up to eight forward nodes, of which some share a colour; a training graph has a backward node
/// for most of them, edges mirrored, and some without a forward node.
OperatorGraph random_operators(std::mt19937& random, bool training) {
  const Draw draw = {random};
  OperatorGraph graph;
  const std::uint32_t count = draw(1, training ? 4 : 8);
  for (std::uint32_t i = 0; i < count; ++i) {
    add_node(graph, draw, false, draw(0, 3) == 0 ? draw(0, i) : i);
    for (std::uint32_t edges = std::min(i, draw(0, 2)); edges > 0; --edges) {
      graph.edges.push_back({draw(0, i - 1), i});
    }
  }
  graph.memory_bytes = 30;
  if (!training) return graph;
  const std::uint32_t backward = draw(1, 4);
  for (std::uint32_t i = 0; i < backward; ++i) {
    const std::uint32_t node = count + i;
    add_node(graph, draw, true, draw(0, 1) == 0 ? count + i : draw(0, count - 1));
    graph.edges.push_back({draw(0, node - 1), node});
    if (i > 0) graph.edges.push_back({node - 1, node});
  }
  return graph;
}

/// Whether slots of colours keep the order: forward nodes as their edges, orphans of the backward
/// pass as the mirror image.
bool keeps_order(const OperatorGraph& graph, const std::vector<std::uint32_t>& slot) {
  std::vector<bool> has_forward(graph.colors);
  for (const auto& node : graph.nodes) {
    if (!node.backward) has_forward[node.color] = true;
  }
  return std::all_of(graph.edges.begin(), graph.edges.end(), [&](const td::job::OperatorEdge& e) {
    const auto& from = graph.nodes[e.from];
    const auto& to = graph.nodes[e.to];
    if (!from.backward && !to.backward) return slot[from.color] <= slot[to.color];
    if (!from.backward || (has_forward[from.color] && has_forward[to.color])) return true;
    return slot[from.color] >= slot[to.color];
  });
}

/// The largest load of slots, of which `cpu` (if it is one of them) is the CPU; infinite where an
/// accelerator cannot.
double load_of_slots(const OperatorGraph& graph, const std::vector<std::uint32_t>& slot,
                     std::uint32_t slots, std::uint32_t cpu, double memory) {
  double largest = 0;
  for (std::uint32_t device = 0; device < slots; ++device) {
    double load = 0;
    double bytes = 0;
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
      const auto& node = graph.nodes[i];
      const bool here = slot[node.color] == device;
      if (here && device == cpu) load += node.cpu_time;
      if (device == cpu) continue;
      if (here && !node.supported) return kInfinite;
      if (here) load += node.accelerator_time;
      if (here) bytes += node.memory_bytes;
      const bool crosses = std::any_of(graph.edges.begin(), graph.edges.end(), [&](const auto& e) {
        return e.from == i && here != (slot[graph.nodes[e.to].color] == device);
      });
      if (crosses) load += node.transfer_time;
    }
    if (device != cpu && bytes > memory) return kInfinite;
    largest = std::max(largest, load);
  }
  return largest;
}

/// The best of all splits.
double least_load(const OperatorGraph& graph, const Devices& devices) {
  const auto slots = static_cast<std::uint32_t>(devices.accelerators + devices.cpus);
  double least = kInfinite;
  std::vector<std::uint32_t> slot(graph.colors, 0);
  for (bool more = true; more;) {
    if (keeps_order(graph, slot)) {
      for (std::uint32_t cpu = devices.cpus > 0 ? 0 : slots; cpu < slots + 1; ++cpu) {
        if (devices.cpus > 0 && cpu == slots) break;
        least = std::min(least, load_of_slots(graph, slot, slots, cpu, devices.memory_bytes));
      }
    }
    more = false;
    for (std::uint32_t& one : slot) {
      if (++one < slots) {
        more = true;
        break;
      }
      one = 0;
    }
  }
  return least;
}

Split best(const OperatorGraph& graph, const Devices& devices) {
  const BlockGraph blocks = td::job::blocks_of(graph);
  const double bound =
      best_split(graph, blocks, ideals_of_order(blocks), devices, kInfinite).max_load;
  return best_split(graph, blocks, all_ideals(blocks), devices, bound);
}

}  // namespace

TEST_CASE("placement: the best of all splits that there are") {
  std::mt19937 random(2);
  int none = 0;
  for (int i = 0; i < 400; ++i) {
    const OperatorGraph graph = random_operators(random, i % 2 == 0);
    const Devices devices = {1 + i % 3, i % 3 == 2 ? 0 : i / 3 % 2,
                             i % 5 == 0 ? graph.memory_bytes / 4 : graph.memory_bytes};
    OperatorGraph limited = graph;
    limited.memory_bytes = devices.memory_bytes;
    CAPTURE(i);
    const double least = least_load(graph, devices);
    const Split found = best(limited, devices);
    if (std::isinf(least)) {
      ++none;
      CHECK(std::isinf(found.max_load));
    } else {
      CHECK(found.max_load == doctest::Approx(least).epsilon(1e-12));
    }
  }
  CHECK(none > 0);
  CHECK(none < 200);
}

TEST_CASE("placement: parts are the graph, and their loads by the rule are not below the answer") {
  std::mt19937 random(4);
  for (int i = 0; i < 60; ++i) {
    const OperatorGraph graph = random_operators(random, i % 2 == 0);
    const BlockGraph blocks = td::job::blocks_of(graph);
    const Devices devices = {2, 1};
    const Split line = best_split(graph, blocks, ideals_of_order(blocks), devices, kInfinite);
    const Split exact = best_split(graph, blocks, all_ideals(blocks), devices, line.max_load);
    CHECK(exact.max_load <= line.max_load * (1 + 1e-12));
    for (const Split& split : {line, exact}) {
      std::vector<int> count(blocks.blocks.size());
      double largest = 0;
      for (const td::job::Part& part : split.parts) {
        for (const std::uint32_t block : part.blocks) ++count[block];
        largest = std::max(largest, td::job::load_of(graph, blocks, part));
      }
      CHECK(std::count(count.begin(), count.end(), 1) == static_cast<std::ptrdiff_t>(count.size()));
      CHECK(largest == split.max_load);
    }
  }
}

TEST_CASE("placement: more devices or cheaper transfers are never worse") {
  std::mt19937 random(6);
  for (int i = 0; i < 60; ++i) {
    OperatorGraph graph = random_operators(random, i % 2 == 0);
    for (auto& node : graph.nodes) node.supported = true;
    double before = kInfinite;
    for (std::int64_t accelerators = 1; accelerators <= 4; ++accelerators) {
      const double now = best(graph, {accelerators, 0}).max_load;
      CHECK(now <= before * (1 + 1e-12));
      CHECK(best(graph, {accelerators, 1}).max_load <= now * (1 + 1e-12));
      before = now;
    }
    for (auto& node : graph.nodes) node.transfer_time /= 2;
    CHECK(best(graph, {4, 0}).max_load <= before * (1 + 1e-12));
  }
}

TEST_CASE("placement: an orphan of the backward pass has its place and its load") {
  // Forward 0 -> 1, backward of 1 and of 0, and an orphan of colour 2 between them.
  OperatorGraph graph;
  graph.colors = 3;
  graph.memory_bytes = 1;
  graph.nodes = {{1, 9, true, false, 0, 0, 0},
                 {1, 9, true, false, 1, 0, 0},
                 {1, 9, true, true, 1, 0, 0},
                 {2, 9, true, true, 2, 0, 0},
                 {1, 9, true, true, 0, 0, 0}};
  graph.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  CHECK(td::job::blocks_of(graph).blocks.size() == 3);
  CHECK(td::job::all_ideals(td::job::blocks_of(graph)).size() == 4);
  CHECK(best(graph, {3, 0}).max_load == 2);
}

TEST_CASE("placement: graphs that are none are refused") {
  const auto path = std::filesystem::temp_directory_path() / "td_placement_test.json";
  const auto write = [&](const std::string& nodes, const std::string& edges) {
    std::ofstream(path) << R"({"graph": "g", "memory_bytes_per_accelerator": 1, "nodes": [)"
                        << nodes << R"(], "edges": [)" << edges << "]}";
  };
  const auto refused = [&](const std::string& nodes, const std::string& edges) {
    write(nodes, edges);
    CHECK_THROWS_AS(td::job::read_operator_graph(path.string()), td::UserError);
  };
  const std::string a = "[0, 1, 2, 1, 0, 7, 5]";
  const std::string b = "[1, 1, 2, 1, 0, null, 5]";
  const std::string back = "[1, 1, 2, 1, 1, 7, 5]";
  refused("", "");
  refused(a + "," + a, "");
  refused("[0, -1, 2, 1, 0, 7, 5]", "");
  refused("[0, 1, 2, 2, 0, 7, 5]", "");
  refused(a, "[0, 1, 0]");
  refused(a + "," + b, "[0, 1, 0], [1, 0, 0]");
  refused(a + "," + back, "[1, 0, 0]");
  refused(a + "," + b + ",[2, 1, 2, 1, 0, 8, 5]", "[0, 1, 1], [0, 2, 3]");
  refused(a + "," + b, "[0, 1, -1]");
  write(a + "," + b, "[0, 1, 0.5]");
  const OperatorGraph graph = td::job::read_operator_graph(path.string());
  CHECK(graph.colors == 2);
  CHECK(graph.nodes[0].transfer_time == 0.5);
  std::filesystem::resize_file(path, 20);
  CHECK_THROWS_AS(td::job::read_operator_graph(path.string()), td::UserError);
  std::filesystem::remove(path);
}

namespace {

/// Whether a way leads from one node to the other around a third; edges lead both ways.
bool joined_around(const OperatorGraph& graph, std::uint32_t from, std::uint32_t to,
                   std::uint32_t around) {
  std::vector<bool> reached(graph.nodes.size());
  reached[from] = true;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const auto& edge : graph.edges) {
      if (edge.from == around || edge.to == around) continue;
      if (reached[edge.from] || reached[edge.to]) reached[edge.from] = reached[edge.to] = true;
    }
  }
  return reached[to];
}

/// The smallest node of each one's contracted colour, by what a biconnected component is: edges
/// that meet belong together where their other ends are joined around where they meet.
std::vector<std::uint32_t> smallest_of_contracted(const OperatorGraph& graph) {
  const auto& edges = graph.edges;
  std::vector<std::size_t> component(edges.size());
  std::iota(component.begin(), component.end(), std::size_t{0});
  for (std::size_t pass = 0; pass < edges.size(); ++pass) {
    for (std::size_t a = 0; a < edges.size(); ++a) {
      for (std::size_t b = 0; b < edges.size(); ++b) {
        for (const std::uint32_t at : {edges[a].from, edges[a].to}) {
          if (at != edges[b].from && at != edges[b].to) continue;
          if (joined_around(graph, edges[a].from + edges[a].to - at,
                            edges[b].from + edges[b].to - at, at)) {
            component[a] = component[b] = std::min(component[a], component[b]);
          }
        }
      }
    }
  }
  std::vector<std::uint32_t> smallest(graph.nodes.size());
  std::iota(smallest.begin(), smallest.end(), 0U);
  for (std::size_t pass = 0; pass < edges.size(); ++pass) {
    for (std::size_t a = 0; a < edges.size(); ++a) {
      for (std::size_t b = 0; b < edges.size(); ++b) {
        if (component[a] != component[b]) continue;
        auto& x = smallest[edges[a].from];
        auto& y = smallest[edges[b].from];
        x = y = std::min(x, y);
      }
    }
  }
  return smallest;
}

/// Likewise, as the contraction has it.
std::vector<std::uint32_t> smallest_of_colors(const OperatorGraph& graph) {
  std::vector<std::uint32_t> smallest(graph.nodes.size());
  for (std::uint32_t i = 0; i < smallest.size(); ++i) {
    while (graph.nodes[smallest[i]].color != graph.nodes[i].color) ++smallest[i];
  }
  return smallest;
}

}  // namespace

TEST_CASE("placement: contraction joins what gives to a biconnected component") {
  std::mt19937 random(8);
  const Draw draw = {random};
  for (int i = 0; i < 200; ++i) {
    OperatorGraph graph;
    const std::uint32_t count = draw(1, 9);
    for (std::uint32_t node = 0; node < count; ++node) {
      graph.nodes.push_back({1, 1, true, false, node, 1, 1});
      std::vector<bool> given(node);
      for (std::uint32_t edges = std::min(node, draw(0, 2)); edges > 0; --edges) {
        const std::uint32_t from = draw(0, node - 1);
        if (!given[from]) graph.edges.push_back({from, node});
        given[from] = true;
      }
    }
    graph.colors = count;
    CAPTURE(i);
    CHECK(smallest_of_colors(contracted(graph)) == smallest_of_contracted(graph));
  }
}

TEST_CASE("placement: contraction passes over a free mask, and is never better") {
  OperatorGraph chain;
  for (std::uint32_t i = 0; i < 5; ++i) chain.nodes.push_back({1.0, 1, true, false, i, 1, 0});
  chain.edges = {{0, 1}, {1, 2}, {2, 3}, {4, 1}, {4, 2}, {4, 3}};
  chain.colors = 5;
  CHECK(contracted(chain).colors == 3);
  chain.nodes[4].accelerator_time = 0;
  CHECK(contracted(chain).colors == 3);  // it still takes memory
  chain.nodes[4].memory_bytes = 0;
  CHECK(contracted(chain).colors == 5);
  std::mt19937 random(10);
  int worse = 0;
  for (int i = 0; i < 100; ++i) {
    OperatorGraph graph = random_operators(random, i % 2 == 0);
    for (auto& node : graph.nodes) node.supported = true;
    graph.memory_bytes = kInfinite;
    const double exact = best(graph, {3, 1}).max_load;
    const double chained = best(contracted(graph), {3, 1}).max_load;
    CHECK(chained >= exact * (1 - 1e-12));
    worse += chained > exact ? 1 : 0;
  }
  CHECK(worse > 5);
}
