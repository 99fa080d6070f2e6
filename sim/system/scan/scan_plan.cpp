// SPDX-License-Identifier: Apache-2.0
#include "sim/system/scan/scan_plan.hpp"

#include <fnmatch.h>

#include <string>

#include "base/configuration/preset.hpp"
#include "sim/system/scan/on_tiles.hpp"

namespace td::job {
namespace {

/// The layers of a snapshot that the pattern fits, in forward order.
std::vector<sim::LayerInfo> chosen_layers(const TomlTable& table, const sim::Trace& trace) {
  const std::string snapshot =
      table.has("snapshot") ? table.name("snapshot") : trace.layers().back().snapshot;
  const std::string pattern = table.has("layers") ? table.name("layers") : "*";
  std::vector<sim::LayerInfo> layers;
  for (const sim::LayerInfo& layer : trace.layers()) {
    if (layer.snapshot != snapshot) continue;
    if (::fnmatch(pattern.c_str(), layer.name.c_str(), 0) == 0) layers.push_back(layer);
  }
  if (layers.size() < 2) {
    table.fail(table.has("layers") ? "layers" : "trace", "two layers of the snapshot, or more");
  }
  return layers;
}

Config read_config(const TomlTable& table) {
  constexpr std::int64_t most_tiles = 1 << 20;
  Config config = find_config(table.name("config"), "plan.config");
  if (table.has("tiles")) config.accelerator.tiles = table.integer("tiles", 1, most_tiles);
  return config;
}

double ratio(std::int64_t over, std::int64_t under) {
  return static_cast<double>(over) / static_cast<double>(under);
}

Plan line_of(const ScanStep& step) {
  return {{"products", step.products},
          {"matrix_products", step.matrix_products},
          {"side_b_zero_percent", 100 * ratio(step.zeros, step.elements)},
          {"dense_cycles", step.dense_cycles},
          {"cycles", step.cycles},
          {"speedup", ratio(step.dense_cycles, step.cycles)}};
}

void add(ScanStep& sum, const ScanStep& one) {
  sum.products += one.products;
  sum.matrix_products += one.matrix_products;
  sum.zeros += one.zeros;
  sum.elements += one.elements;
  sum.dense_cycles += one.dense_cycles;
  sum.cycles += one.cycles;
}

double jacobian_zero_percent(const LinearChain& chain) {
  double sum = 0, count = 0;
  for (std::size_t sample = 0; sample < chain.samples(); ++sample) {
    const auto elements = jacobians(chain, sample);
    for (std::size_t i = 1; i < elements.size(); ++i) {
      const auto size = static_cast<double>(elements[i]->values.size());
      sum += size * zero_share(*elements[i]);
      count += size;
    }
  }
  return 100 * sum / count;
}

}  // namespace

Plan plan_scan(const TomlTable& table, const Cluster&) {
  table.allow_only({"kind", "trace", "snapshot", "layers", "config", "tiles", "levels"});
  const Config config = read_config(table);
  std::optional<std::size_t> levels;
  if (table.has("levels")) levels = static_cast<std::size_t>(table.integer("levels", 0, 64));
  const sim::Trace trace(path_beside(table, "trace"));
  const sim::TraceOperands source(trace);
  const std::vector<sim::LayerInfo> layers = chosen_layers(table, trace);
  const LinearChain chain = read_chain(source, layers);
  const ScanOnTiles scan = scan_on_tiles(chain, levels, config);
  const ScanStep serial = back_propagation_on_tiles(source, layers, config);
  Plan lines = {{"layers", layers.size()},
                {"samples", chain.samples()},
                {"tiles", config.accelerator.tiles},
                {"jacobian_zero_percent", jacobian_zero_percent(chain)}};
  ScanStep all;
  std::vector<ScanStep> shown;  // those of the middle as one
  for (const ScanStep& step : scan.steps) {
    add(all, step);
    if (!shown.empty() && shown.back().name == step.name) {
      add(shown.back(), step);
    } else {
      shown.push_back(step);
    }
  }
  for (const ScanStep& step : shown) lines[step.name] = line_of(step);
  lines["scan"] = line_of(all);
  lines["back_propagation"] = line_of(serial);
  lines["scan_steps"] = scan.steps.size();
  lines["back_propagation_steps"] = serial.products;
  lines["dense_scan_times_back_propagation"] = ratio(all.dense_cycles, serial.dense_cycles);
  lines["tensordash_scan_times_back_propagation"] = ratio(all.cycles, serial.cycles);
  lines["largest_difference_of_gradients"] = scan.largest_difference;
  return lines;
}

}  // namespace td::job
