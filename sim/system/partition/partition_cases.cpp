// SPDX-License-Identifier: Apache-2.0
#include "sim/system/partition/partition_cases.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "sim/system/partition/partition.hpp"

namespace td::job {

namespace {

constexpr std::uint64_t kMostWorkers = 1024;
constexpr double kMostBandwidth = 1e18;
constexpr double kMostBytes = 1e18;
constexpr double kLeastRatio = 1e-9;
constexpr double kMostRatio = 1e9;

/// A partition recomputed by the rule may be off by the rounding of sums.
constexpr double kRounding = 1e-12;

JsonValue member(const JsonValue& one, const char* key) { return one.member(key, key); }

struct Network {
  NetworkProfile whole;
  std::vector<CutState> states;
};

Network read_network(const std::string& path) {
  Network network;
  network.whole = read_network_profile(path);
  network.states = cut_states(without_inputs(network.whole, path), path);
  return network;
}

/// Networks of the profiles beside a file, each read once.
class Networks {
 public:
  explicit Networks(const CaseFile& file) : file_(file) {}

  const Network& of(const JsonValue& one) {
    const std::string model = member(one, "model").name();
    const auto found = networks_.find(model);
    if (found != networks_.end()) return found->second;
    const std::string path = file_.sibling(file_.folder(), fmt::format("profile_{}.json", model));
    return networks_.emplace(model, read_network(path)).first->second;
  }

 private:
  const CaseFile& file_;
  std::map<std::string, Network> networks_;
};

bool given(const JsonValue& one, const char* key) {
  return one.has(key) && !member(one, key).raw().is_null();
}

bool flag(const JsonValue& one, const char* key) {
  return given(one, key) && member(one, key).boolean();
}

/// All but the levels.
PartitionRequest read_options(const JsonValue& one) {
  PartitionRequest request;
  if (given(one, "activation_compression")) {
    request.compression = member(one, "activation_compression").number(kLeastRatio, kMostRatio);
  }
  if (given(one, "memory_bytes")) {
    request.memory_bytes = member(one, "memory_bytes").number(0, kMostBytes);
  }
  request.straight = flag(one, "straight");
  request.use_fewer = flag(one, "use_fewer");
  return request;
}

double read_bandwidth(const JsonValue& value) { return value.number(1, kMostBandwidth); }

std::vector<LinkLevel> read_levels(const JsonValue& one) {
  const JsonValue workers = member(one, "workers_per_level");
  const JsonValue bandwidths = member(one, "bandwidths_bytes_per_s");
  const std::size_t count = workers.size("one or two numbers of workers");
  if (count < 1 || count > 2) workers.fail("one or two numbers of workers");
  if (bandwidths.size("a bandwidth a level") != count) bandwidths.fail("a bandwidth a level");
  std::vector<LinkLevel> levels;
  for (std::size_t i = 0; i < count; ++i) {
    const auto in = [i](const JsonValue& list) {
      return list.element(i, fmt::format("{}[{}]", list.field(), i));
    };
    levels.push_back({in(workers).integer(1, kMostWorkers), read_bandwidth(in(bandwidths))});
  }
  return levels;
}

Json json_of(const std::vector<Stage>& stages) {
  Json list = Json::array();
  for (const Stage& stage : stages) {
    list.push_back(Json::array({stage.begin, stage.end, stage.replicas}));
  }
  return list;
}

void add_profile(Json& line, const Network& network) {
  line["nodes"] = network.whole.layers.size();
  line["states"] = network.states.size();
  line["seconds"] = network.states.back().seconds;
}

}  // namespace

void answer_profile(const CaseFile& file, const CaseOutput& print) {
  if (!fits(file.name(), "*.jsonl")) {
    const Network network = read_network(file.path());
    Json line = {{"model", network.whole.model}};
    add_profile(line, network);
    print(line);
    return;
  }
  Networks networks(file);
  each_case(file, [&](const JsonValue& one) {
    Json line = identity(one, {"model"});
    add_profile(line, networks.of(one));
    print(line);
  });
}

void answer_flat_partition(const CaseFile& file, const CaseOutput& print) {
  Networks networks(file);
  each_case(file, [&](const JsonValue& one) {
    const std::vector<CutState>& states = networks.of(one).states;
    PartitionRequest request = read_options(one);
    request.levels = {{member(one, "workers").integer(1, kMostWorkers),
                       read_bandwidth(member(one, "bandwidth_bytes_per_s"))}};
    const Partition found = partition(states, request, file.path());
    Json line = identity(one, {"model", "workers", "bandwidth_bytes_per_s",
                               "activation_compression", "straight", "memory_bytes", "use_fewer"});
    line["feasible"] = found.seconds != kInfeasible;
    line["seconds_per_minibatch"] = found.seconds == kInfeasible ? Json() : Json(found.seconds);
    line["single_worker_s"] = states.back().seconds;
    line["data_parallel_s"] = data_parallel_seconds(states, request.levels);
    const double again = pipeline_seconds(states, request, found.stages);
    if (std::abs(again - found.seconds) <= kRounding * again) {
      line["one_optimal_partition"] = json_of(found.stages);
    }
    print(line);
  });
}

void answer_two_level_partition(const CaseFile& file, const CaseOutput& print) {
  Networks networks(file);
  each_case(file, [&](const JsonValue& one) {
    const std::vector<CutState>& states = networks.of(one).states;
    PartitionRequest request = read_options(one);
    request.levels = read_levels(one);
    const Partition found = partition(states, request, file.path());
    Json line = identity(one, {"model", "workers_per_level", "bandwidths_bytes_per_s",
                               "activation_compression", "straight", "memory_bytes", "use_fewer"});
    line["seconds_per_minibatch"] = found.seconds == kInfeasible ? Json() : Json(found.seconds);
    line["data_parallel_s"] = data_parallel_seconds(states, request.levels);
    line["single_worker_s"] = states.back().seconds;
    print(line);
  });
}

void answer_recorded_configuration(const CaseFile& file, const CaseOutput& print) {
  each_case(file, [&](const JsonValue& one) {
    Json line = identity(one, {"model", "directory", "kind", "module_to_stage",
                               "replicas_per_stage", "warmup_depth"});
    std::uint64_t workers = 0;
    const std::vector<std::uint64_t> replicas =
        member(one, "replicas_per_stage").integers("workers of each stage");
    for (const std::uint64_t count : replicas) workers += count;
    line["stages"] = replicas.size();
    line["workers"] = workers;
    print(line);
  });
}

}  // namespace td::job
