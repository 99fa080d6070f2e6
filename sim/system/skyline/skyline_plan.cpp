// SPDX-License-Identifier: Apache-2.0
#include "sim/system/skyline/skyline_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/system/profile/profile_table.hpp"
#include "sim/system/scenario/units.hpp"
#include "sim/system/skyline/skyline.hpp"

namespace td::job {
namespace {

constexpr std::int64_t kMostBatch = std::int64_t{1} << 30;
constexpr double kMostValue = 1e18, kMillisecondsOfSecond = 1000, kBytesOfGigabyte = 1e9;

/// One sample from a profile: what a step takes, and a memory that keeps all of it.
void add_profiled(const TomlTable& one, const std::string& hardware, double copies,
                  BatchSamples& samples) {
  one.allow_only({"batch", "profile", "snapshot", "without_weights"});
  const Profile profile = read_profile_of(one, hardware);
  double bytes = 0;
  for (const ProfileLayer& layer : profile.layers) {
    bytes += layer.activation_bytes + copies * layer.parameter_bytes;
  }
  samples.run_time_ms.push_back(kMillisecondsOfSecond * compute_seconds(profile));
  samples.peak_bytes.push_back(bytes);
}

BatchSamples read_batches(const TomlTable& table, const std::string& hardware) {
  constexpr double usual_copies = 4;
  const double copies = table.has("copies_of_parameters")
                            ? table.number("copies_of_parameters", 1, kMostValue)
                            : usual_copies;
  BatchSamples samples;
  for (const TomlTable& one : table.tables("batches")) {
    const auto size = static_cast<double>(one.integer("batch", 1, kMostBatch));
    if (!samples.sizes.empty() && size <= samples.sizes.back()) {
      one.fail("batch", "more than that of the one before");
    }
    samples.sizes.push_back(size);
    if (one.has("profile")) {
      add_profiled(one, hardware, copies, samples);
      continue;
    }
    one.allow_only({"batch", "run_time_ms", "peak_mb"});
    samples.run_time_ms.push_back(one.number("run_time_ms", 1e-12, kMostValue));
    samples.peak_bytes.push_back(one.number("peak_mb", 0, kMostValue) * kMegabyte);
  }
  return samples;
}

/// Throws UserError where the samples allow no prediction.
BatchModel model_of(const TomlTable& table, const BatchSamples& samples,
                    const std::string& hardware) {
  if (samples.sizes.size() < 2) table.fail("batches", "two samples, or more");
  const BatchModel model = fit_batch_model(samples);
  if (!model.valid) {
    table.fail("batches", fmt::format("{}{}times on a line whose slope and offset are 0.001 ms or "
                                      "more, the first not above its best rate",
                                      hardware, hardware.empty() ? "" : ": "));
  }
  if (!(model.peak_bytes.slope > 0)) table.fail("batches", "memory that grows with the batch");
  return model;
}

/// The largest batch that memory holds.
double largest_batch(const TomlTable& table, const BatchModel& model) {
  const double bytes = table.number("memory_gb", 1e-9, kMostValue) * kBytesOfGigabyte;
  const double most = std::floor(batch_for_memory(model, bytes));
  if (most < 1) {
    table.fail("memory_gb", fmt::format("{} or more, for a batch of 1",
                                        peak_bytes(model, 1) / kBytesOfGigabyte));
  }
  return std::min(most, static_cast<double>(kMostBatch));
}

Plan at_batch(const BatchModel& model, double batch, double samples) {
  const double rate = samples_per_s(model, batch);
  return {{"samples_per_s", rate},
          {"percent_of_max", 100 * (rate / most_samples_per_s(model))},
          {"iteration_ms", iteration_ms(model, batch)},
          {"hours", samples / rate / kHour},
          {"peak_bytes", peak_bytes(model, batch)}};
}

Plan lines_of(const TomlTable& table, const std::string& hardware) {
  const BatchSamples measured = read_batches(table, hardware);
  const BatchModel model = model_of(table, measured, hardware);
  const double largest = largest_batch(table, model);
  const auto chosen = static_cast<double>(table.integer("batch", 1, kMostBatch));
  if (chosen > largest) table.fail("batch", fmt::format("1..{}, which memory_gb holds", largest));
  const double fast = batch_for_rate(model, kUsualRateShare * most_samples_per_s(model));
  Plan lines = Plan::object();
  lines["run_time_slope_ms"] = model.run_time_ms.slope;
  lines["run_time_bias_ms"] = model.run_time_ms.bias;
  lines["memory_slope"] = model.peak_bytes.slope;
  lines["memory_bias"] = model.peak_bytes.bias;
  lines["max_samples_per_s"] = most_samples_per_s(model);
  lines["batch_at_80_percent_of_max"] = fast;
  lines["largest_batch"] = static_cast<std::int64_t>(largest);
  lines["measured"] = {{"batch", measured.sizes},
                       {"run_time_ms", measured.run_time_ms},
                       {"peak_bytes", measured.peak_bytes}};
  std::set<double> batches(measured.sizes.begin(), measured.sizes.end());
  batches.insert({chosen, largest});
  if (fast <= largest) batches.insert(std::ceil(fast));
  const double samples = table.number("samples", 1, kMostValue);
  for (const double batch : batches) {
    lines[fmt::format("batch {}", batch)] = at_batch(model, batch, samples);
  }
  return lines;
}

}  // namespace

Plan plan_batch_size(const TomlTable& table, const Cluster&) {
  table.allow_only(
      {"kind", "hardware", "batch", "batches", "copies_of_parameters", "memory_gb", "samples"});
  const Plan by_hardware =
      plan_by_hardware(table, [&](const std::string& one) { return lines_of(table, one); });
  // What a page of it needs to say which command writes another choice.
  Plan plan = {{"scenario", table.file()},
               {"batch", table.integer("batch", 1, kMostBatch)},
               {"samples", table.number("samples", 1, kMostValue)},
               {"memory_gb", table.number("memory_gb", 1e-9, kMostValue)}};
  plan.update(by_hardware);
  return plan;
}

}  // namespace td::job
