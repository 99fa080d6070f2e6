// SPDX-License-Identifier: Apache-2.0
// Time and memory over the batch size, from three samples: Skyline (Yu et al., UIST 2020).
#pragma once

#include <vector>

namespace td::job {

/// y = slope·x + bias.
struct Line {
  double slope = 0;
  double bias = 0;
};

/// Least squares; at least two different x.
Line fit_line(const std::vector<double>& x, const std::vector<double>& y);

/// What one iteration takes at some batch sizes.
struct BatchSamples {
  std::vector<double> sizes;
  std::vector<double> run_time_ms;
  std::vector<double> peak_bytes;
};

struct BatchModel {
  Line run_time_ms;
  Line peak_bytes;
  /// Whether rates may be predicted: slope and bias of the time are above noise, and the first
  /// sample, which is the user's own batch, is not faster than the model's most.
  bool valid = false;
};
BatchModel fit_batch_model(const BatchSamples& samples);

/// At a batch size.
double iteration_ms(const BatchModel& model, double batch);
double peak_bytes(const BatchModel& model, double batch);

double most_samples_per_s(const BatchModel& model);
double samples_per_s(const BatchModel& model, double batch);

/// The share of the most at which a batch is called large enough.
constexpr double kUsualRateShare = 0.8;

/// Not rounded. Negative where no batch is large enough.
double batch_for_rate(const BatchModel& model, double samples_per_s);
double batch_for_memory(const BatchModel& model, double bytes);

}  // namespace td::job
