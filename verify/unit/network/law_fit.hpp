// SPDX-License-Identifier: Apache-2.0
// Fits the law of synthetic zeros to real tensors, as networks/README.md says.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/mapping/layer.hpp"
#include "sim/network/sparsity.hpp"

namespace td::unit {

/// Means over tensors of [N, C, H, W] or [N, C].
class LawFit {
 public:
  /// `bits` as from load_bits for fp32.
  void add(const sim::Shape& shape, const std::vector<std::uint32_t>& bits) {
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

  std::size_t tensors() const { return tensors_; }

  sim::ZeroLaw law() const {
    const auto tensors = static_cast<double>(tensors_);
    sim::ZeroLaw law{zeros_ / tensors, 1, 0};
    if (largest_ == 0) return law;
    const double channel = std::max(channel_ / tensors, 0.0);
    const double repeats = (neighbours_ / tensors - channel) / (1 - channel);
    law.run = 1 / (1 - std::max(repeats, 0.0));
    law.spread = std::min(std::sqrt(channel / (largest_ / tensors)), 1.0);
    return law;
  }

 private:
  /// Of all pairs of elements of one channel in different images.
  static double images_correlation(const sim::Shape& shape, const std::vector<double>& values) {
    const auto images = static_cast<std::size_t>(shape[0]);
    const auto channels = static_cast<std::size_t>(shape[1]);
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
  static double neighbours_correlation(const sim::Shape& shape, const std::vector<double>& values) {
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

  std::size_t tensors_ = 0;
  double zeros_ = 0;       ///< s
  double largest_ = 0;     ///< s/(1+s), the correlation at spread 1
  double channel_ = 0;     ///< κ
  double neighbours_ = 0;  ///< ν
};

}  // namespace td::unit
