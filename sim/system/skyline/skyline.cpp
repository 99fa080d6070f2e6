// SPDX-License-Identifier: Apache-2.0
#include "sim/system/skyline/skyline.hpp"

#include <numeric>

namespace td::job {

namespace {

constexpr double kMilliseconds = 1000;  // of a second
constexpr double kNoiseMs = 0.001;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Line fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean(x);
  const double mean_y = mean(y);
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    products += (x[i] - mean_x) * (y[i] - mean_y);
    squares += (x[i] - mean_x) * (x[i] - mean_x);
  }
  const double slope = products / squares;
  return {slope, mean_y - slope * mean_x};
}

BatchModel fit_batch_model(const BatchSamples& samples) {
  BatchModel model;
  model.run_time_ms = fit_line(samples.sizes, samples.run_time_ms);
  model.peak_bytes = fit_line(samples.sizes, samples.peak_bytes);
  const double measured = samples.sizes.front() / samples.run_time_ms.front() * kMilliseconds;
  model.valid = model.run_time_ms.slope >= kNoiseMs && model.run_time_ms.bias >= kNoiseMs &&
                measured <= most_samples_per_s(model);
  return model;
}

double iteration_ms(const BatchModel& model, double batch) {
  return model.run_time_ms.slope * batch + model.run_time_ms.bias;
}

double peak_bytes(const BatchModel& model, double batch) {
  return model.peak_bytes.slope * batch + model.peak_bytes.bias;
}

double most_samples_per_s(const BatchModel& model) {
  return kMilliseconds / model.run_time_ms.slope;
}

double samples_per_s(const BatchModel& model, double batch) {
  return batch * kMilliseconds / iteration_ms(model, batch);
}

double batch_for_rate(const BatchModel& model, double rate) {
  const double per_ms = rate / kMilliseconds;
  return per_ms * model.run_time_ms.bias / (1 - per_ms * model.run_time_ms.slope);
}

double batch_for_memory(const BatchModel& model, double bytes) {
  return (bytes - model.peak_bytes.bias) / model.peak_bytes.slope;
}

}  // namespace td::job
