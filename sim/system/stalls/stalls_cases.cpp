// SPDX-License-Identifier: Apache-2.0
#include "sim/system/stalls/stalls_cases.hpp"

#include <fmt/format.h>

#include "sim/system/profile/profile_table.hpp"
#include "sim/system/scenario/units.hpp"
#include "sim/system/stalls/stalls.hpp"
#include "sim/system/training/kinds.hpp"

namespace td::job {

namespace {

constexpr double kLeast = 1e-9;
constexpr double kMost = 1e15;

/// `number(key)` reads a field of either kind of file; the accelerator's rate comes besides.
template <class Number>
DataPath read_path(const Number& number, double accelerator_samples_per_s) {
  DataPath path;
  path.dataset_bytes = number("dataset_gib") * kGibibyte;
  path.samples = number("samples");
  path.memory_bytes_per_s = number("memory_gib_per_s") * kGibibyte;
  path.disk_bytes_per_s = number("disk_mib_per_s") * kMebibyte;
  path.accelerator_samples_per_s = accelerator_samples_per_s;
  path.preprocess_samples_per_s = number("preprocess_samples_per_s");
  return path;
}

template <class Object>
void write_analysis(const StallAnalysis& analysis, Object& line) {
  line["fetch_samples_per_s"] = analysis.fetch_samples_per_s;
  line["training_samples_per_s"] = analysis.training_samples_per_s;
  line["stall_percent"] = analysis.stall_percent;
}

/// What the scenario's disk makes of accelerators of this rate.
Plan stalls_at(const TomlTable& table, double accelerator_samples_per_s) {
  const DataPath path = read_data_path(table, accelerator_samples_per_s);
  const StallAnalysis analysis = analyse_stalls(path, table.number("cache_percent", 0, 100) / 100);
  Plan lines = Plan::object();
  write_analysis(analysis, lines);
  lines["bottleneck"] = to_string(analysis.bottleneck);
  const double needed = cache_for_no_fetch_stall(path);
  lines["cache_percent_without_fetch_stall"] = needed > 1 ? Plan(nullptr) : Plan(100 * needed);
  return lines;
}

}  // namespace

DataPath read_data_path(const TomlTable& table, double accelerator_samples_per_s) {
  return read_path([&table](const char* key) { return table.number(key, kLeast, kMost); },
                   accelerator_samples_per_s);
}

void answer_data_stalls(const CaseFile& file, const CaseOutput& print) {
  each_case(file, [&](const JsonValue& one) {
    const auto number = [&one](const char* key) {
      return one.member(key, key).number(kLeast, kMost);
    };
    const DataPath path = read_path(number, number("accelerator_samples_per_s"));
    Json line = identity(one, {"dataset_gib", "samples", "memory_gib_per_s", "disk_mib_per_s",
                               "accelerator_samples_per_s", "preprocess_samples_per_s"});
    line["points"] = Json::array();
    const JsonValue points = one.member("points", "points");
    const std::size_t size = points.size("an array of cached shares");
    for (std::size_t i = 0; i < size; ++i) {
      const JsonValue point = points.element(i, fmt::format("points[{}]", i));
      const double percent = point.member("cache_percent", "cache_percent").number(0, 100);
      Json answer = identity(point, {"cache_percent"});
      write_analysis(analyse_stalls(path, percent / 100), answer);
      line["points"].push_back(std::move(answer));
    }
    print(line);
  });
}

Plan plan_data_stalls(const TomlTable& table, const Cluster& cluster) {
  if (!table.has("profile")) {
    table.allow_only({"kind", "dataset_gib", "samples", "memory_gib_per_s", "disk_mib_per_s",
                      "accelerator_samples_per_s", "preprocess_samples_per_s", "cache_percent"});
    return stalls_at(table, table.number("accelerator_samples_per_s", kLeast, kMost));
  }
  table.allow_only({"kind", "dataset_gib", "samples", "memory_gib_per_s", "disk_mib_per_s",
                    "preprocess_samples_per_s", "cache_percent", "profile", "hardware", "snapshot",
                    "batch", "profile_batch", "without_weights", "bucket_mib"});
  return plan_by_hardware(table, [&](const std::string& hardware) {
    const double step_s = step_seconds_of(table, cluster, read_profile_of(table, hardware));
    const double rate = batch_of(table) * static_cast<double>(cluster.accelerators) / step_s;
    Plan lines = {{"accelerator_samples_per_s", rate}};
    lines.update(stalls_at(table, rate));
    return lines;
  });
}

}  // namespace td::job
