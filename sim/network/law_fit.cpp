// SPDX-License-Identifier: Apache-2.0
#include "sim/network/law_fit.hpp"

#include <algorithm>
#include <cmath>

namespace td::sim {
namespace {

/// Runs of at most a million.
constexpr double kMostRepeats = 1 - 1e-6;

/// Of all pairs of elements of one channel in different images.
double images_correlation(const Shape& shape, const std::vector<double>& values) {
  const auto images = static_cast<std::size_t>(shape[0]);
  const auto channels = static_cast<std::size_t>(shape[1]);
  if (images < 2) return 0;
  const std::size_t plane = values.size() / images / channels;
  double products = 0;
  for (std::size_t c = 0; c < channels; ++c) {
    double sum = 0;
    double own = 0;
    for (std::size_t n = 0; n < images; ++n) {
      double mean = 0;
      for (std::size_t i = 0; i < plane; ++i) mean += values[(n * channels + c) * plane + i];
      mean /= static_cast<double>(plane);
      sum += mean;
      own += mean * mean;
    }
    products += sum * sum - own;
  }
  return products / static_cast<double>(channels * images * (images - 1));
}

/// Of neighbours along W, and of those along H: the mean of both.
double neighbours_correlation(const Shape& shape, const std::vector<double>& values) {
  const auto height = static_cast<std::size_t>(shape[2]);
  const auto width = static_cast<std::size_t>(shape[3]);
  double along_w = 0;
  double along_h = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % width + 1 < width) along_w += values[i] * values[i + 1];
    if (i / width % height + 1 < height) along_h += values[i] * values[i + width];
  }
  const double lines = static_cast<double>(values.size()) / static_cast<double>(width);
  const double columns = static_cast<double>(values.size()) / static_cast<double>(height);
  return (along_w / (lines * static_cast<double>(width - 1)) +
          along_h / (columns * static_cast<double>(height - 1))) /
         2;
}

}  // namespace

void LawFit::add(const Shape& shape, const std::vector<std::uint32_t>& bits) {
  std::vector<double> values;  // 1 where zero, less the share
  double zeros = 0;
  for (const std::uint32_t number : bits) {
    values.push_back((number & 0x7fffffff) == 0 ? 1 : 0);
    zeros += values.back();
  }
  const double share = zeros / static_cast<double>(values.size());
  for (double& value : values) value -= share;
  const double variance = share * (1 - share);
  ++tensors_;
  zeros_ += share;
  if (variance == 0) return;  // nothing to correlate
  largest_ += share / (1 + share);
  const double channel = images_correlation(shape, values) / variance;
  channel_ += channel;
  neighbours_ += shape.size() == 2 || shape[2] < 2 || shape[3] < 2
                     ? channel
                     : neighbours_correlation(shape, values) / variance;
}

ZeroLaw LawFit::law() const {
  const auto tensors = static_cast<double>(tensors_);
  ZeroLaw law{zeros_ / tensors, 1, 0};
  if (largest_ == 0) return law;
  const double channel = std::max(channel_ / tensors, 0.0);
  const double repeats = channel < 1 ? (neighbours_ / tensors - channel) / (1 - channel) : 0;
  law.run = 1 / (1 - std::clamp(repeats, 0.0, kMostRepeats));
  law.spread = std::min(std::sqrt(channel / (largest_ / tensors)), 1.0);
  return law;
}

}  // namespace td::sim
