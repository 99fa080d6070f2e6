// SPDX-License-Identifier: Apache-2.0
#include "sim/system/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <queue>

#include "gen/base/error.hpp"
#include "sim/results/stored_result.hpp"
#include "sim/system/cases/case_file.hpp"

namespace td::job {

namespace {

constexpr double kMostMs = 1e12;
constexpr double kMostBytes = 1e15;

/// A size, or the sum of several outputs'.
double read_bytes(const JsonValue& value) {
  if (!value.raw().is_array()) return value.number(0, kMostBytes);
  double sum = 0;
  for (const double bytes : value.numbers(0, kMostBytes)) sum += bytes;
  return sum;
}

/// The number that a node's id ends in; ids are told apart by it.
std::int64_t number_of(const JsonValue& id) {
  const std::string& text = id.name();
  const auto digits = std::find_if(text.rbegin(), text.rend(), [](unsigned char c) {
                        return std::isdigit(c) == 0;
                      }).base();
  std::int64_t number = 0;
  const auto end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + (digits - text.begin()), end, number);
  if (error != std::errc() || stop != end) id.fail("a name that ends in a number");
  return number;
}

/// Nodes by their numbers, with whom they wait for.
class LayerProfileReader {
 public:
  Profile read(const JsonValue& root, const std::string& path) {
    profile_.source = path;
    profile_.model = root.member("model", "model").name();
    read_nodes(root.member("nodes", "nodes"));
    read_edges(root.member("edges", "edges"));
    sort();
    return std::move(profile_);
  }

 private:
  struct Node {
    ProfileLayer layer;
    std::vector<std::int64_t> after;
    std::size_t waits_for = 0;
    bool input = false;
  };

  void read_nodes(const JsonValue& nodes) {
    constexpr double ms = 1e-3;
    constexpr const char* legal = "[id, operation, forward ms, backward ms, bytes, bytes]";
    constexpr std::size_t fields = 6;
    const std::size_t size = nodes.size("an array of nodes");
    for (std::size_t i = 0; i < size; ++i) {
      const std::string name = fmt::format("nodes[{}]", i);
      const JsonValue node = nodes.element(i, name);
      if (node.size(legal) != fields) node.fail(legal);
      const auto field = [&](std::size_t k) {
        return node.element(k, fmt::format("{}[{}]", name, k));
      };
      Node read;
      const std::string& operation = field(1).printable();
      // "node7 Conv2d": what-ifs select operations by name.
      const std::string kind = operation.substr(0, operation.find('('));
      read.layer = {field(0).name() + " " + kind, field(2).number(0, kMostMs) * ms,
                    field(3).number(0, kMostMs) * ms, read_bytes(field(4)), read_bytes(field(5))};
      read.input = operation.rfind("Input", 0) == 0;
      if (!nodes_.emplace(number_of(field(0)), std::move(read)).second) {
        field(0).fail("a number that no other node has");
      }
    }
  }

  void read_edges(const JsonValue& edges) {
    const std::size_t size = edges.size("an array of edges");
    for (std::size_t i = 0; i < size; ++i) {
      const std::string name = fmt::format("edges[{}]", i);
      const JsonValue edge = edges.element(i, name);
      if (edge.size("[from, to]") != 2) edge.fail("[from, to]");
      Node* ends[2];
      for (std::size_t k = 0; k < 2; ++k) {
        const JsonValue id = edge.element(k, fmt::format("{}[{}]", name, k));
        const auto found = nodes_.find(number_of(id));
        if (found == nodes_.end()) id.fail("a node's id");
        ends[k] = &found->second;
        to_ = found->first;
      }
      if (ends[0]->input) continue;
      ends[0]->after.push_back(to_);
      ++ends[1]->waits_for;
    }
  }

  void sort() {
    std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> next;
    std::size_t left = 0;
    for (const auto& [number, node] : nodes_) {
      if (node.input) continue;
      ++left;
      if (node.waits_for == 0) next.push(number);
    }
    for (; !next.empty(); --left) {
      const Node& node = nodes_.at(next.top());
      next.pop();
      profile_.layers.push_back(node.layer);
      for (const std::int64_t after : node.after) {
        if (--nodes_.at(after).waits_for == 0) next.push(after);
      }
    }
    if (left > 0) {
      throw UserError(profile_.source, "edges", fmt::format("{} nodes on a cycle", left),
                      "no node that waits for itself");
    }
  }

  Profile profile_;
  std::map<std::int64_t, Node> nodes_;
  std::int64_t to_ = 0;  ///< the edge's end that was read last
};

const std::string& fact(const sim::StoredResult& result, const std::string& name) {
  for (const auto& [key, value] : result.facts) {
    if (key == name) return value;
  }
  throw UserError(result.file, name, "(absent)", "what tdsim writes");
}

double cycles_of(const sim::StoredOperation& operation, const std::string& hardware) {
  if (hardware == "dense") return static_cast<double>(operation.dense_memory_cycles);
  if (hardware == "zero_free") return static_cast<double>(operation.zero_free_memory_cycles);
  return static_cast<double>(operation.memory_cycles);
}

/// Bytes of an operand: the name of its format ends in its bits.
double operand_bytes(const sim::StoredResult& result) {
  const std::string& format = fact(result, "configuration.format");
  for (const int bits : {8, 16, 32}) {
    const std::string text = fmt::format("{}", bits);
    if (format.size() > text.size() &&
        format.compare(format.size() - text.size(), text.size(), text) == 0) {
      return bits / 8.0;
    }
  }
  throw UserError(result.file, "configuration.format", format, "one whose name ends in its bits");
}

}  // namespace

double compute_seconds(const Profile& profile) {
  double seconds = 0;
  for (const ProfileLayer& layer : profile.layers) seconds += layer.forward_s + layer.backward_s;
  return seconds;
}

Profile read_layer_profile(const std::string& path) {
  Profile profile;
  with_json(path, [&](const JsonValue& root) { profile = LayerProfileReader().read(root, path); });
  return profile;
}

Profile read_result_profile(const std::string& path, const std::string& snapshot,
                            const std::string& hardware) {
  constexpr double parameter_bytes = 4;
  if (!hardware.empty() && hardware != "dense" && hardware != "zero_free" &&
      hardware != "tensordash") {
    throw UserError(path, "hardware", hardware, "dense, zero_free or tensordash");
  }
  const sim::StoredResult result = sim::read_result(path);
  const std::string wanted = snapshot.empty() ? result.operations.back().snapshot : snapshot;
  const double clock_hz = std::stod(fact(result, "technology.clock_MHz")) * 1e6;
  const double element_bytes = operand_bytes(result);
  Profile profile{path, fact(result, "source.model"), {}};
  std::map<std::string, std::size_t> index;
  for (const sim::StoredOperation& operation : result.operations) {
    if (operation.snapshot != wanted) continue;
    const auto [found, fresh] = index.emplace(operation.layer, profile.layers.size());
    if (fresh) profile.layers.push_back({operation.layer, 0, 0, 0, 0});
    ProfileLayer& layer = profile.layers[found->second];
    (operation.op == "fwd" ? layer.forward_s : layer.backward_s) +=
        cycles_of(operation, hardware) / clock_hz;
    const auto second = static_cast<double>(operation.second_tensor_elements);
    if (operation.op == "wgrad") layer.activation_bytes = second * element_bytes;
    if (operation.op == "fwd") layer.parameter_bytes = second * parameter_bytes;
  }
  if (profile.layers.empty()) throw UserError(path, "snapshot", wanted, "one of the result's");
  return profile;
}

Profile read_profile(const std::string& path, const std::string& snapshot,
                     const std::string& hardware) {
  bool result = false;
  with_json(path,
            [&](const JsonValue& root) { result = root.raw().is_object() && root.has("format"); });
  if (result) return read_result_profile(path, snapshot, hardware);
  if (!hardware.empty()) throw UserError(path, "hardware", hardware, "(absent), of such a profile");
  if (!snapshot.empty()) throw UserError(path, "snapshot", snapshot, "(absent), of such a profile");
  return read_layer_profile(path);
}

}  // namespace td::job
