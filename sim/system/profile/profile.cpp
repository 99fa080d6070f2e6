// SPDX-License-Identifier: Apache-2.0
#include "sim/system/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <map>
#include <queue>
#include <utility>

#include "base/support/error.hpp"
#include "sim/results/stored_result.hpp"
#include "sim/system/cases/case_file.hpp"
#include "sim/system/profile/network_profile.hpp"

namespace td::job {

namespace {

/// The number that a layer's id ends in.
std::int64_t number_of(const ProfiledLayer& layer, const std::string& source) {
  const std::string& id = layer.id;
  const auto digits = std::find_if(id.rbegin(), id.rend(), [](unsigned char c) {
                        return std::isdigit(c) == 0;
                      }).base();
  std::int64_t number = 0;
  const auto end = id.data() + id.size();
  const auto [stop, error] = std::from_chars(id.data() + (digits - id.begin()), end, number);
  if (error != std::errc() || stop != end) {
    throw UserError(source, "id", id, "a name that ends in a number");
  }
  return number;
}

bool is_input(const ProfiledLayer& layer) { return layer.operation.rfind("Input", 0) == 0; }

/// The layers of a network but its inputs, each behind those that it needs; of those that may come
/// next, the one with the smallest number.
std::vector<ProfiledLayer> in_order(const NetworkProfile& network, const std::string& source) {
  using Next = std::pair<std::int64_t, std::uint32_t>;  ///< number, index
  std::vector<std::vector<std::uint32_t>> after(network.layers.size());
  std::vector<std::size_t> waits(network.layers.size());
  for (const auto [from, to] : network.edges) {
    if (is_input(network.layers[from])) continue;
    after[from].push_back(to);
    ++waits[to];
  }
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  const auto offer = [&](std::uint32_t i) { next.push({number_of(network.layers[i], source), i}); };
  for (std::uint32_t i = 0; i < network.layers.size(); ++i) {
    if (waits[i] == 0 && !is_input(network.layers[i])) offer(i);
  }
  std::vector<ProfiledLayer> ordered;
  while (!next.empty()) {
    const std::uint32_t layer = next.top().second;
    next.pop();
    ordered.push_back(network.layers[layer]);
    for (const std::uint32_t to : after[layer]) {
      if (--waits[to] == 0 && !is_input(network.layers[to])) offer(to);
    }
  }
  return ordered;
}

const std::string& fact(const sim::StoredResult& result, const std::string& name) {
  for (const auto& [key, value] : result.facts) {
    if (key == name) return value;
  }
  throw UserError(result.file, name, "(absent)", "what tdsim writes");
}

/// Of an operation of `result`, from memory to memory.
const sim::StoredMachine& machine_of(const sim::StoredOperation& operation,
                                     const sim::StoredResult& result) {
  if (operation.machine) return *operation.machine;
  throw UserError(result.file, "latency_clocks", "null", "a result with the machine's clocks");
}

std::int64_t clocks_of(const sim::StoredMachine& machine, const std::string& hardware) {
  if (hardware == "dense") return machine.dense_memory_cycles;
  if (hardware == "zero_free") return machine.zero_free_memory_cycles;
  return machine.memory_cycles;
}

void check_hardware(const std::string& path, const std::string& hardware) {
  if (!hardware.empty() && hardware != "dense" && hardware != "zero_free" &&
      hardware != "tensordash") {
    throw UserError(path, "hardware", hardware, "dense, zero_free or tensordash");
  }
}

double clock_of(const sim::StoredResult& result) {
  constexpr double megahertz = 1e6;
  return std::stod(fact(result, "technology.clock_MHz")) * megahertz;
}

/// Empty: of the last snapshot.
std::vector<sim::StoredOperation> of_snapshot(const sim::StoredResult& result,
                                              const std::string& snapshot) {
  const std::string wanted = snapshot.empty() ? result.operations.back().snapshot : snapshot;
  std::vector<sim::StoredOperation> chosen;
  for (const sim::StoredOperation& one : result.operations) {
    if (one.snapshot == wanted) chosen.push_back(one);
  }
  if (chosen.empty()) throw UserError(result.file, "snapshot", wanted, "one of the result's");
  return chosen;
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
  const NetworkProfile network = read_network_profile(path);
  Profile profile{path, network.model, {}};
  for (const ProfiledLayer& layer : in_order(network, path)) {
    // "node7 Conv2d": what-ifs select operations by name.
    const std::string kind = layer.operation.substr(0, layer.operation.find('('));
    profile.layers.push_back(
        {layer.id + " " + kind, layer.forward, layer.backward, layer.activation, layer.parameters});
  }
  if (profile.layers.empty()) throw UserError(path, "nodes", "no layer", "one or more");
  return profile;
}

Profile read_result_profile(const std::string& path, const std::string& snapshot,
                            const std::string& hardware) {
  constexpr double parameter_bytes = 4;
  check_hardware(path, hardware);
  const sim::StoredResult result = sim::read_result(path);
  const double clock_hz = clock_of(result);
  const double element_bytes = operand_bytes(result);
  Profile profile{path, fact(result, "source.model"), {}};
  std::map<std::string, std::size_t> index;
  for (const sim::StoredOperation& operation : of_snapshot(result, snapshot)) {
    const auto [found, fresh] = index.emplace(operation.layer, profile.layers.size());
    if (fresh) profile.layers.push_back({operation.layer, 0, 0, 0, 0});
    ProfileLayer& layer = profile.layers[found->second];
    (operation.op == "fwd" ? layer.forward_s : layer.backward_s) +=
        static_cast<double>(clocks_of(machine_of(operation, result), hardware)) / clock_hz;
    const auto second = static_cast<double>(operation.second_tensor_elements);
    if (operation.op == "wgrad") layer.activation_bytes = second * element_bytes;
    if (operation.op == "fwd") layer.parameter_bytes = second * parameter_bytes;
  }
  return profile;
}

std::vector<OperationWork> read_operation_works(const std::string& path,
                                                const std::string& snapshot,
                                                const std::string& hardware) {
  if (hardware == "zero_free") throw UserError(path, "hardware", hardware, "dense or tensordash");
  check_hardware(path, hardware);
  const sim::StoredResult result = sim::read_result(path);
  const double clock_hz = clock_of(result);
  const auto seconds = [&](std::int64_t clocks) { return static_cast<double>(clocks) / clock_hz; };
  std::vector<OperationWork> works;
  for (const sim::StoredOperation& one : of_snapshot(result, snapshot)) {
    const sim::StoredMachine& machine = machine_of(one, result);
    const sim::StoredBusy& busy = hardware == "dense" ? machine.dense_busy : machine.busy;
    works.push_back({one.layer, one.op, seconds(busy.bus_read_cycles),
                     seconds(busy.slowest_tile_steps), seconds(busy.bus_written_cycles)});
  }
  return works;
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
