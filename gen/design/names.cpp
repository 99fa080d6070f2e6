// SPDX-License-Identifier: Apache-2.0
#include "gen/design/names.hpp"

#include <fmt/format.h>

#include "base/support/version.hpp"

namespace td {
namespace {

std::string module_name(std::string_view block) { return fmt::format("{}_{}", kGeneration, block); }

/// Collects instances; the path of each starts with that of the one around it.
class Instances {
 public:
  void add(const std::string& name, std::string_view block, const std::string& inside,
           const std::string& path) {
    list.push_back(
        {name, module_name(block), inside.empty() ? path : path_of(inside) + "." + path});
  }

  std::vector<Instance> list;

 private:
  const std::string& path_of(const std::string& name) const {
    for (const Instance& instance : list) {
      if (instance.name == name) return instance.path;
    }
    throw std::logic_error(name + ": no such instance");
  }
};

void add_sparse_front(Instances& instances) {
  instances.add("intake", "intake", "tile", "g_sparse.u_intake");
  instances.add("intake_flags", "staging", "intake", "u_flags");
  instances.add("column", "window", "tile", "g_sparse.g_column[{column}].u_window");
  instances.add("column_staging", "staging", "column", "u_staging");
  instances.add("row", "row", "tile", "g_sparse.g_row[{row}].u_row");
  instances.add("row_window", "window", "row", "u_window");
  instances.add("row_staging", "staging", "row_window", "u_staging");
  instances.add("scheduler", "scheduler", "row", "u_scheduler");
  instances.add("row_interconnect", "interconnect", "row", "u_interconnect");
  instances.add("pe_interconnect", "interconnect", "tile",
                "g_sparse.g_row[{row}].g_pe[{column}].u_interconnect");
}

void add_dense_front(Instances& instances) {
  instances.add("intake", "dense_intake", "tile", "g_dense.u_intake");
  instances.add("column_line", "dense_line", "tile", "g_dense.g_column[{column}].u_line");
  instances.add("row_line", "dense_line", "tile", "g_dense.g_row[{row}].u_line");
}

}  // namespace

std::vector<Instance> instances(const Config& config) {
  Instances instances;
  instances.add("tile", "tile", "", "u_tile");
  instances.add("reset", "reset", "tile", "u_reset");
  if (config.is_dense()) {
    add_dense_front(instances);
  } else {
    add_sparse_front(instances);
  }
  instances.add("array", "array", "tile", "u_array");
  instances.add("sequencer", "sequencer", "array", "u_sequencer");
  instances.add("live", "live", "array", "g_row[{row}].u_live");
  instances.add("pe", "pe", "array", "g_row[{row}].g_column[{column}].u_pe");
  if (config.sum == Sum::fused) {
    instances.add("fused", "fused", "pe", "g_fused.u_fused");
    instances.add("fused_sum", "fused_sum", "fused", "u_sum");
    instances.add("product", "fused_product", "fused_sum", "g_lane[{lane}].u_product");
    instances.add("terms", "fused_terms", "fused_sum", "u_terms");
    instances.add("accumulate_adder", "fused_adder", "fused", "u_accumulate");
  } else {
    instances.add("multiplier", "multiplier", "pe", "g_tree.g_lane[{lane}].u_multiplier");
    instances.add("sum_tree", "adder_tree", "pe", "g_tree.u_sum");
    instances.add("accumulate_adder", "adder", "pe", "g_tree.u_accumulate");
  }
  instances.add("merge_tree", "adder_tree", "pe", "u_merge");
  instances.add("output", "skid", "array", "u_output");
  instances.add("counters", "counters", "tile", "u_counters");
  return std::move(instances.list);
}

std::vector<Probe> probes(const Config& config) {
  std::vector<Probe> probes = {
      {"reset_n", "tile", "rst_n", "1"},
      {"enable", "tile", "enable", "1"},
      {"step", "tile", "step", "1"},
      {"final_step", "tile", "final_step", "1"},
      {"open", "intake", "open_q", "1"},
      {"output_valid", "output", "valid_q", "1"},
      {"output_ready", "output", "ready_q", "1"},
      {"accumulator", "pe", "g_accumulator[{accumulator}].value_q", "32"},
  };
  const auto add = [&](std::string name, std::string instance, std::string signal,
                       std::string width) {
    probes.push_back({std::move(name), std::move(instance), std::move(signal), std::move(width)});
  };
  if (config.is_dense()) {
    add("a_present", "intake", "a_present", "1");
    add("b_present", "intake", "b_present", "1");
    return probes;
  }
  const std::string depth = fmt::format("{}", config.depth);
  const std::string operand = fmt::format("{}", width(config.format));
  add("a_present", "intake", "g_side[0].present_q", depth);
  add("b_present", "intake", "g_side[1].present_q", depth);
  add("last", "intake", "last", depth);
  add("dense", "intake", "dense_q", "1");
  add("eligible", "tile", "g_sparse.eligible", depth);
  add("advance", "tile", "advance", depth);
  add("clear", "row", "clear_o", depth);
  add("select", "row", "selects",
      fmt::format("{}", config.options.size() * static_cast<std::size_t>(config.lanes)));
  add("a_operand", "pe_interconnect", "g_lane[{lane}].operand", operand);
  add("b_operand", "row_interconnect", "g_lane[{lane}].operand", operand);
  if (config.interconnect_registers > 0) {
    add("operand_value", "row_interconnect", "g_lane[{lane}].u_pipe.value",
        fmt::format("{}", (config.interconnect_registers + 1) * width(config.format)));
  }
  add("choice", "row", "g_select[{lane}].select", fmt::format("{}", config.options.size()));
  add("effectual", "row", "effectual", fmt::format("{}", config.depth * config.lanes));
  const std::string row = fmt::format("{}", config.lanes * width(config.format));
  add("row_slot", "row_staging", "g_slot[{slot}].row_q", row);
  add("column_slot", "column_staging", "g_slot[{slot}].row_q", row);
  add("waits", "row", "g_waits[{slot}].waits_q", fmt::format("{}", config.lanes));
  add("special", "row_window", "special", depth);
  add("nonzero", "row", "nonzero", fmt::format("{}", config.depth * config.lanes));
  if (config.scheduler_registers > 0) {
    add("late_choice", "row", "g_select[{lane}].u_choice.value",
        fmt::format("{}", 2 * (config.options.size() + 1)));
    add("late_enable", "row_window", "g_late.enable_q", "1");
    add("late_moves", "row_window", "g_late.moves_q",
        fmt::format("{}", config.depth * (config.depth + 2)));
    add("late_element", "row_window", "g_late.g_row[{slot}].g_lane[{lane}].element_q", operand);
  }
  return probes;
}

}  // namespace td
