// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sim/results/columns.hpp"
#include "sim/results/result_text.hpp"

namespace td::sim {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Value& value) {
  return std::visit(
      [](const auto& one) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::monostate>) {
          return nullptr;
        } else {
          return one;
        }
      },
      value);
}

Json operation_json(const OpResult& operation, const RunResult& run) {
  Json object;
  for (const Column& column : columns()) {
    object[column.name] = to_json(column.value(operation, run.array));
  }
  return object;
}

/// Adds what can be summed to an object that says what the sum is of.
Json sum_json(Json object, const OpResult& sum, const RunResult& run) {
  for (const Column& column : columns()) {
    if (column.of_sums) object[column.name] = to_json(column.value(sum, run.array));
  }
  return object;
}

Json options_json(const RunResult& result) {
  Json options = Json::array();
  for (const Option& option : result.options) options.push_back({option.step, option.offset});
  return options;
}

Json totals_json(const RunResult& result) {
  Json by_op = Json::array();
  for (const OpResult& sum : totals(result.operations, TotalBy::op)) {
    by_op.push_back(sum_json({{"op", to_string(sum.op)}}, sum, result));
  }
  Json by_layer = Json::array();
  for (const OpResult& sum : totals(result.operations, TotalBy::layer)) {
    by_layer.push_back(sum_json({{"snapshot", sum.snapshot}, {"layer", sum.layer}}, sum, result));
  }
  Json by_snapshot = Json::array();
  for (const OpResult& sum : totals(result.operations, TotalBy::snapshot)) {
    by_snapshot.push_back(sum_json({{"snapshot", sum.snapshot}}, sum, result));
  }
  Json by_snapshot_op = Json::array();
  for (const OpResult& sum : totals(result.operations, TotalBy::snapshot_op)) {
    by_snapshot_op.push_back(
        sum_json({{"snapshot", sum.snapshot}, {"op", to_string(sum.op)}}, sum, result));
  }
  Json object = {{"by_op", by_op},
                 {"by_layer", by_layer},
                 {"by_snapshot", by_snapshot},
                 {"by_snapshot_op", by_snapshot_op}};
  for (const OpResult& sum : totals(result.operations, TotalBy::all)) {
    object["all"] = sum_json(Json::object(), sum, result);
  }
  return object;
}

/// What share of each step the source holds, and what it does not hold.
Json coverage_json(const RunResult& result) {
  Json array = Json::array();
  for (const Coverage& coverage : result.coverage) {
    Json missing = Json::array();
    for (const NotCaptured& one : coverage.not_captured) {
      missing.push_back({{"name", one.name},
                         {"operator", one.op},
                         {"macs", one.macs ? Json(*one.macs) : Json(nullptr)},
                         {"why", one.why}});
    }
    array.push_back({{"snapshot", coverage.snapshot},
                     {"step_macs", coverage.macs},
                     {"captured_macs", coverage.captured_macs},
                     {"captured_ratio", coverage.share()},
                     {"is_upper_bound", coverage.is_bound()},
                     {"not_captured", missing}});
  }
  return array;
}

/// The sizes around the tiles, by what is behind `accelerator.` in the configuration.
Json accelerator_json(const RunResult& result) {
  Json object = {{"hash", result.accelerator_hash}};
  for (const AcceleratorSize& size : accelerator_sizes(result.accelerator)) {
    object[size.name] = size.value;
  }
  return object;
}

}  // namespace

std::string result_json(const RunResult& result) {
  Json root;
  root["format"] = kResultFormat;
  root["program"] = result.program;
  root["configuration"] = {{"name", result.configuration},    {"hash", result.configuration_hash},
                           {"lanes", result.array.lanes},     {"rows", result.array.rows},
                           {"columns", result.array.columns}, {"scheduling", result.scheduling},
                           {"depth_rows", result.depth},      {"pattern", result.pattern},
                           {"options", options_json(result)}, {"format", result.format},
                           {"output", result.output}};
  root["accelerator"] = accelerator_json(result);
  root["split"] = result.split;
  root["schedule"] = result.schedule;
  root["gate"] = result.gate;
  root["latency_clocks"] = result.latency ? Json(*result.latency) : Json(nullptr);
  root["bandwidth_bytes_in_1000_clocks"] =
      result.bandwidth > 0 ? Json(result.bandwidth) : Json(nullptr);
  root["packed"] = result.packed;
  root["objective"] = result.objective ? Json(*result.objective) : Json(nullptr);
  root["technology"] = {{"name", result.technology},
                        {"hash", result.technology_hash},
                        {"clock_MHz", result.clock_MHz},
                        {"memories", result.memories},
                        {"compute_energy", result.compute.source},
                        {"dense_step_pJ", result.compute.parts.dense_step_pJ},
                        {"gating_zero_share", result.compute.gating_zero_share}};
  root["source"] = {{"path", result.source_path},      {"identity", result.source_identity},
                    {"model", result.model},           {"dataset", result.dataset},
                    {"conversion", result.conversion}, {"coverage", coverage_json(result)}};
  root["notes"] = result.notes;
  root["operations"] = Json::array();
  for (const OpResult& operation : result.operations) {
    root["operations"].push_back(operation_json(operation, result));
  }
  root["totals"] = totals_json(result);
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace td::sim
