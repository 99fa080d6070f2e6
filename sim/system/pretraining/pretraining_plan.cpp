// SPDX-License-Identifier: Apache-2.0
#include "sim/system/pretraining/pretraining_plan.hpp"

#include <functional>
#include <string>

#include "sim/system/profile/profile.hpp"

namespace td::job {
namespace {

constexpr double kMost = 1e12, kDay = 86400;

/// What a profile says of products: three for each weight and token, of two operations each.
double profiled_flop_per_s(const TomlTable& table, double sequence, const std::string& hardware) {
  constexpr double operations = 6, bytes_of_parameter = 4;
  const Profile profile = read_profile(path_beside(table, "profile"), "", hardware);
  double weights = 0;
  for (const ProfileLayer& layer : profile.layers) {
    weights += layer.parameter_bytes / bytes_of_parameter;
  }
  const double tokens = sequence * table.number("profile_sequences", 1, kMost);
  return operations * tokens * weights / compute_seconds(profile);
}

EncoderSwitches read_switches(const TomlTable& table) {
  EncoderSwitches switches;
  switches.mixed_precision = table.boolean("mixed_precision");
  switches.fused_kernels = table.boolean("fused_kernels");
  switches.overlap = table.boolean("overlap");
  switches.accumulation = table.integer("accumulation", 1, 1 << 12);
  return switches;
}

Plan plan_of(const TomlTable& table, const Cluster& cluster, const std::string& hardware) {
  EncoderJob job;
  job.network = read_encoder_network(table);
  job.sequence = table.number("sequence", 1, job.network.positions);
  job.microbatch = table.number("microbatch", 1, kMost);
  job.machine = read_encoder_machine(table, cluster, job.sequence, hardware);
  job.switches = read_switches(table);
  const double rate = sequences_per_s(job, table.file());
  Plan lines = Plan::object();
  lines["parameters"] = parameters_of(job.network);
  lines["tflop_per_s_of_products"] = job.machine.half_flop_per_s * 1e-12;
  lines["sequences_per_s"] = rate;
  lines["days"] = table.number("sequences", 1, 1e15) / rate / kDay;
  // What each switch gains where the others are as they are.
  const auto gain = [&](const char* name, const std::function<void(EncoderSwitches&)>& turn_off) {
    EncoderJob without = job;
    turn_off(without.switches);
    lines[std::string("gain_of_") + name] = rate / sequences_per_s(without, table.file());
  };
  gain("mixed_precision", [](EncoderSwitches& one) { one.mixed_precision = false; });
  gain("fused_kernels", [](EncoderSwitches& one) { one.fused_kernels = false; });
  gain("overlap", [](EncoderSwitches& one) { one.overlap = false; });
  gain("accumulation", [](EncoderSwitches& one) { one.accumulation = 1; });
  gain("all", [](EncoderSwitches& one) { one = {}; });
  return lines;
}

}  // namespace

EncoderNetwork read_encoder_network(const TomlTable& table) {
  constexpr double most_size = 1 << 24;
  constexpr std::int64_t most_layers = 1 << 12;
  EncoderNetwork network;
  const auto number = [&table](const char* key, double& value) {
    if (table.has(key)) value = table.number(key, 1, most_size);
  };
  if (table.has("layers")) {
    network.layers = static_cast<double>(table.integer("layers", 1, most_layers));
  }
  number("hidden", network.hidden);
  number("heads", network.heads);
  number("vocabulary", network.vocabulary);
  number("positions", network.positions);
  return network;
}

EncoderMachine read_encoder_machine(const TomlTable& table, const Cluster& cluster, double sequence,
                                    const std::string& hardware) {
  constexpr double tera = 1e12, giga = 1e9, bits = 8, least = 1e-9;
  EncoderMachine machine;
  machine.half_flop_per_s = table.has("profile")
                                ? profiled_flop_per_s(table, sequence, hardware)
                                : tera * table.number("half_tflop_per_s", least, kMost);
  machine.single_flop_per_s = machine.half_flop_per_s;
  if (table.has("single_tflop_per_s")) {
    machine.single_flop_per_s = tera * table.number("single_tflop_per_s", least, kMost);
  }
  machine.memory_bytes_per_s = giga * table.number("memory_gb_per_s", least, kMost);
  machine.launch_s = table.number("launch_s", 0, kMost);
  machine.accelerators = cluster.accelerators;
  machine.link_bytes_per_s = machine.inner_bytes_per_s = cluster.link_bytes_per_s;
  if (table.has("of_node")) {
    machine.of_node = table.integer("of_node", 1, cluster.accelerators);
    machine.inner_bytes_per_s = giga / bits * table.number("inner_gbit_per_s", least, kMost);
  }
  return machine;
}

Plan plan_pretraining(const TomlTable& table, const Cluster& cluster) {
  table.allow_only({"kind",
                    "profile",
                    "hardware",
                    "profile_sequences",
                    "layers",
                    "hidden",
                    "heads",
                    "vocabulary",
                    "positions",
                    "half_tflop_per_s",
                    "single_tflop_per_s",
                    "memory_gb_per_s",
                    "launch_s",
                    "of_node",
                    "inner_gbit_per_s",
                    "sequence",
                    "microbatch",
                    "sequences",
                    "mixed_precision",
                    "fused_kernels",
                    "overlap",
                    "accumulation"});
  return plan_by_hardware(
      table, [&](const std::string& hardware) { return plan_of(table, cluster, hardware); });
}

}  // namespace td::job
