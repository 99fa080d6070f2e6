// SPDX-License-Identifier: Apache-2.0
#include "sim/system/placement/operator_graph.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <memory>

#include "base/readers/json_document.hpp"
#include "base/support/error.hpp"

namespace td::job {

namespace {

constexpr std::size_t kMostText = std::size_t{1} << 28;
constexpr std::size_t kMostNodes = 8192;
constexpr double kMostTime = 1e12;
constexpr double kMostBytes = 1e18;

/// A file's text, unpacked if it is packed.
std::string read_packed(const std::string& path) {
  const auto fail = [&path](const char* legal) { throw UserError(path, "file", path, legal); };
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) fail("a readable file");
  std::string text;
  char block[1 << 16];
  for (;;) {
    const int count = gzread(file.get(), block, sizeof block);
    if (count < 0) fail("JSON, plain or whole and packed by gzip");
    if (count == 0) break;
    text.append(block, static_cast<std::size_t>(count));
    if (text.size() > kMostText) fail("a file of at most 256 MiB");
  }
  int error = Z_OK;
  gzerror(file.get(), &error);
  if (error != Z_OK && error != Z_STREAM_END) fail("JSON, plain or whole and packed by gzip");
  return text;
}

/// Fills a graph from a file.
class GraphReader {
 public:
  OperatorGraph read(const JsonValue& root, const std::string& path) {
    graph_.source = path;
    graph_.name = root.member("graph", "graph").name();
    graph_.memory_bytes =
        root.member("memory_bytes_per_accelerator", "memory_bytes_per_accelerator")
            .number(0, kMostBytes);
    read_nodes(root.member("nodes", "nodes"));
    read_edges(root.member("edges", "edges"));
    check_order();
    return std::move(graph_);
  }

 private:
  void read_nodes(const JsonValue& nodes) {
    const std::size_t count = nodes.size("an array of nodes");
    if (count < 1 || count > kMostNodes) nodes.fail(fmt::format("1 to {} nodes", kMostNodes));
    for (std::size_t i = 0; i < count; ++i) {
      constexpr std::size_t columns = 7;
      const JsonValue node = nodes.element(i, fmt::format("nodes[{}]", i));
      if (node.size("seven columns") != columns) node.fail("seven columns");
      const auto column = [&](std::size_t k) {
        return node.element(k, fmt::format("{}[{}]", node.field(), k));
      };
      OperatorNode one;
      one.accelerator_time = column(1).number(0, kMostTime);
      one.cpu_time = column(2).number(0, kMostTime);
      one.supported = column(3).integer(0, 1) == 1;
      one.backward = column(4).integer(0, 1) == 1;
      one.color = color_of(column(5));
      one.memory_bytes = column(6).number(0, kMostBytes);
      graph_.nodes.push_back(one);
      const std::string id = column(0).raw().dump();
      if (!graph_.ids.emplace(id, static_cast<std::uint32_t>(i)).second) {
        column(0).fail("an id that no other node has");
      }
    }
  }

  std::uint32_t color_of(const JsonValue& value) {
    if (value.raw().is_null()) return graph_.colors++;
    const auto [found, is_new] = colors_.emplace(value.raw().dump(), graph_.colors);
    if (is_new) ++graph_.colors;
    return found->second;
  }

  std::uint32_t end_of(const JsonValue& edge, std::size_t k) const {
    return node_of(graph_, edge.element(k, fmt::format("{}[{}]", edge.field(), k)));
  }

  void read_edges(const JsonValue& edges) {
    const std::size_t count = edges.size("an array of edges");
    std::vector<bool> known(graph_.nodes.size());
    for (std::size_t i = 0; i < count; ++i) {
      constexpr std::size_t columns = 3;
      constexpr double rounding = 1e-6;
      const JsonValue edge = edges.element(i, fmt::format("edges[{}]", i));
      if (edge.size("[from, to, transfer time]") != columns) edge.fail("[from, to, transfer time]");
      const OperatorEdge one = {end_of(edge, 0), end_of(edge, 1)};
      const JsonValue time = edge.element(2, edge.field() + "[2]");
      OperatorNode& from = graph_.nodes[one.from];
      if (!known[one.from]) from.transfer_time = time.number(0, kMostTime);
      if (std::abs(time.number(0, kMostTime) - from.transfer_time) > rounding) {
        time.fail("one transfer time for all edges of a node");
      }
      known[one.from] = true;
      if (from.backward && !graph_.nodes[one.to].backward) {
        edge.fail("no edge from a backward to a forward node");
      }
      graph_.edges.push_back(one);
    }
  }

  void check_order() const {
    std::vector<std::size_t> waiting(graph_.nodes.size());
    std::vector<std::vector<std::uint32_t>> next(graph_.nodes.size());
    for (const auto [from, to] : graph_.edges) {
      ++waiting[to];
      next[from].push_back(to);
    }
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i] == 0) ready.push_back(i);
    }
    for (std::size_t done = 0; done < ready.size(); ++done) {
      for (const std::uint32_t to : next[ready[done]]) {
        if (--waiting[to] == 0) ready.push_back(to);
      }
    }
    if (ready.size() < waiting.size()) {
      throw UserError(graph_.source, "edges", "(a cycle)", "a graph without cycles");
    }
  }

  OperatorGraph graph_;
  std::map<std::string, std::uint32_t> colors_;
};

}  // namespace

std::uint32_t node_of(const OperatorGraph& graph, const JsonValue& id) {
  const auto found = graph.ids.find(id.raw().dump());
  if (found == graph.ids.end()) id.fail("the id of a node");
  return found->second;
}

OperatorGraph read_operator_graph(const std::string& path) {
  const std::string text = read_packed(path);
  const JsonDocument document(text, path, "file");
  return GraphReader().read(document.root(), path);
}

}  // namespace td::job
