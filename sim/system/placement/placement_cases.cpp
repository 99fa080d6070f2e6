// SPDX-License-Identifier: Apache-2.0
#include "sim/system/placement/placement_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "base/support/error.hpp"
#include "sim/system/placement/contraction.hpp"
#include "sim/system/placement/split.hpp"

namespace td::job {

namespace {

/// A graph and what is found out about it once.
struct Placed {
  std::string file;
  OperatorGraph graph;
  BlockGraph blocks;
  Ideals line;                ///< of one topological order
  std::optional<Ideals> all;  ///< once asked for
};

std::unique_ptr<Placed> placed_of(const std::string& file, OperatorGraph graph) {
  auto placed = std::make_unique<Placed>();
  placed->file = file;
  placed->graph = std::move(graph);
  placed->blocks = blocks_of(placed->graph);
  placed->line = ideals_of_order(placed->blocks);
  return placed;
}

const Ideals& ideals_of(Placed& placed) {
  if (!placed.all) placed.all = all_ideals(placed.blocks);
  return *placed.all;
}

std::string too_many_ideals() { return fmt::format("more than {} ideals", kMostIdeals); }

/// The graph of a case; the last one is kept, as files have them together.
class Graphs {
 public:
  explicit Graphs(const CaseFile& file) : file_(file) {}

  Placed& of(const JsonValue& one) {
    const std::string file = fmt::format("{}_{}.json", one.member("level", "level").name(),
                                         one.member("graph", "graph").name());
    if (!last_ || last_->file != file) last_ = placed_of(file, read_operator_graph(path_of(file)));
    return *last_;
  }

 private:
  std::string path_of(const std::string& file) const {
    try {
      return file_.sibling(file_.folder(), file + ".gz");
    } catch (const UserError&) {
      return file_.sibling(file_.folder(), file);
    }
  }

  const CaseFile& file_;
  std::unique_ptr<Placed> last_;
};

Devices read_devices(const JsonValue& one, const OperatorGraph& graph) {
  const auto count = [&one](const char* key) {
    return one.member(key, key).integer(0, kMostDevices);
  };
  Devices devices = {count("accelerators"), count("cpus"), graph.memory_bytes};
  if (devices.accelerators + devices.cpus == 0) {
    one.member("accelerators", "accelerators").fail("at least one device");
  }
  return devices;
}

void set_load(Json& line, const Split& split) {
  if (std::isinf(split.max_load)) {
    line["refused"] = "no split fits the memory";
  } else {
    line["max_load"] = split.max_load;
  }
}

void answer_exact(Json& line, Placed& placed, const Devices& devices) {
  const Ideals& ideals = ideals_of(placed);
  if (ideals.size() == 0) {
    line["refused"] = too_many_ideals();
    return;
  }
  const double infinite = std::numeric_limits<double>::infinity();
  const double bound =
      best_split(placed.graph, placed.blocks, placed.line, devices, infinite).max_load;
  set_load(line, best_split(placed.graph, placed.blocks, ideals, devices, bound));
  line["ideals"] = ideals.size();
}

void answer_line(Json& line, const Placed& placed, const Devices& devices) {
  set_load(line, best_split(placed.graph, placed.blocks, placed.line, devices,
                            std::numeric_limits<double>::infinity()));
  line["ideals"] = placed.line.size();
}

/// The largest load of {"cpus": [{"nodes": ids}], "fpgas": [{"nodes": ids}]}.
double load_of_split(const OperatorGraph& graph, const JsonValue& split) {
  double largest = 0;
  std::vector<bool> placed(graph.nodes.size());
  for (const char* kind : {"cpus", "fpgas"}) {
    const JsonValue devices = split.member(kind, kind);
    for (std::size_t d = 0; d < devices.size("an array of devices"); ++d) {
      const std::string field = fmt::format("{}[{}].nodes", kind, d);
      const JsonValue nodes = devices.element(d, field).member("nodes", field);
      std::vector<bool> here(graph.nodes.size());
      for (std::size_t i = 0; i < nodes.size("an array of ids"); ++i) {
        const JsonValue id = nodes.element(i, fmt::format("{}[{}]", field, i));
        const std::uint32_t node = node_of(graph, id);
        if (placed[node]) id.fail("a node that is on no other device");
        placed[node] = here[node] = true;
      }
      largest = std::max(largest, load_of(graph, here, std::string(kind) == "cpus"));
    }
  }
  if (std::find(placed.begin(), placed.end(), false) != placed.end()) {
    split.fail("a device for every node");
  }
  return largest;
}

void answer_one(Json& line, const CaseFile& file, const std::string& method, Placed& placed,
                const Devices& devices) {
  if (method == "exact_contiguous") {
    answer_exact(line, placed, devices);
  } else if (method == "linearised") {
    answer_line(line, placed, devices);
  } else if (method == "pipedream_contraction") {
    answer_line(line, *placed_of(placed.file, contracted(placed.graph)), devices);
  } else if (method == "single_accelerator") {
    double load = 0;
    for (const Block& block : placed.blocks.blocks) load += block.accelerator_time;
    line["max_load"] = load;
  } else if (method == "human_expert_split") {
    const std::string name = fmt::format("human_experts/{}_expert.json", placed.graph.name);
    with_json(file.sibling(file.folder(), name),
              [&](const JsonValue& root) { line["max_load"] = load_of_split(placed.graph, root); });
  } else {
    line["refused"] = fmt::format("method {} is not computed", method);
  }
}

}  // namespace

void answer_max_load(const CaseFile& file, const CaseOutput& print) {
  Graphs graphs(file);
  each_case(file, [&](const JsonValue& one) {
    Json line = identity(one, {"graph", "level", "accelerators", "cpus", "method", "digits"});
    line["max_load"] = nullptr;
    line["ideals"] = nullptr;
    Placed& placed = graphs.of(one);
    answer_one(line, file, one.member("method", "method").name(), placed,
               read_devices(one, placed.graph));
    print(line);
  });
}

void answer_operator_graph(const CaseFile& file, const CaseOutput& print) {
  const std::unique_ptr<Placed> placed = placed_of(file.name(), read_operator_graph(file.path()));
  const Ideals& ideals = ideals_of(*placed);
  Json line = {{"graph", placed->graph.name},
               {"nodes", placed->graph.nodes.size()},
               {"blocks", placed->blocks.blocks.size()}};
  line["ideals"] = ideals.size() > 0 ? Json(ideals.size()) : Json(nullptr);
  if (ideals.size() == 0) line["refused"] = too_many_ideals();
  print(line);
}

}  // namespace td::job
