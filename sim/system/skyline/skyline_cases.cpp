// SPDX-License-Identifier: Apache-2.0
#include "sim/system/skyline/skyline_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/system/skyline/skyline.hpp"

namespace td::job {

namespace {

constexpr double kMost = 1e18;

BatchSamples read_samples(const JsonValue& one) {
  const auto member = [&one](const char* key) { return one.member(key, key); };
  BatchSamples samples;
  samples.sizes = member("batch_sizes").numbers(1, kMost);
  const auto [least, most] = std::minmax_element(samples.sizes.begin(), samples.sizes.end());
  if (least == samples.sizes.end() || *least == *most) {
    member("batch_sizes").fail("two different sizes, or more");
  }
  const auto read = [&](const char* key, double lowest) {
    std::vector<double> values = member(key).numbers(lowest, kMost);
    if (values.size() != samples.sizes.size()) {
      member(key).fail(fmt::format("{} numbers, one for each size", samples.sizes.size()));
    }
    return values;
  };
  samples.run_time_ms = read("run_time_ms", 1e-12);
  samples.peak_bytes = read("peak_bytes", 0);
  return samples;
}

}  // namespace

void answer_skyline(const CaseFile& file, const CaseOutput& print) {
  each_case(file, [&](const JsonValue& one) {
    const BatchModel model = fit_batch_model(read_samples(one));
    const double capacity = one.member("capacity_bytes", "capacity_bytes").number(0, kMost);
    Json line = identity(one, {"batch_sizes", "run_time_ms", "peak_bytes", "capacity_bytes"});
    line["run_time_slope_ms"] = model.run_time_ms.slope;
    line["run_time_bias_ms"] = model.run_time_ms.bias;
    line["memory_slope"] = model.peak_bytes.slope;
    line["memory_bias"] = model.peak_bytes.bias;
    line["prediction_valid"] = model.valid;
    line["max_samples_per_s"] = most_samples_per_s(model);
    line["batch_at_80_percent_of_max"] =
        batch_for_rate(model, kUsualRateShare * most_samples_per_s(model));
    line["batch_at_full_memory"] = batch_for_memory(model, capacity);
    print(line);
  });
}

}  // namespace td::job
