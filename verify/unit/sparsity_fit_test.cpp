// SPDX-License-Identifier: Apache-2.0
// The carried sparsities are what the carried traces hold, fitted as networks/README.md says.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sparsity.hpp"
#include "sim/trace.hpp"

namespace {

using td::sim::LayerInfo;
using td::sim::Operand;
using td::sim::ZeroLaw;

/// Means over tensors, each of one [N, C, H, W].
class Fit {
 public:
  Fit(const td::sim::Trace& trace, Operand operand, std::initializer_list<std::string_view> names) {
    for (const LayerInfo& layer : trace.layers()) {
      for (const std::string_view name : names) {
        if (layer.name == name) add(layer.shape(operand), trace.tensor(layer, operand));
      }
    }
    REQUIRE(tensors_ == 2 * names.size());  // of both snapshots
  }

  ZeroLaw law() const {
    const auto tensors = static_cast<double>(tensors_);
    const double channel = std::max(channel_ / tensors, 0.0);
    const double neighbours = neighbours_ / tensors;
    const double repeats = (neighbours - channel) / (1 - channel);
    return {zeros_ / tensors, 1 / (1 - repeats), std::sqrt(channel / (largest_ / tensors))};
  }

 private:
  void add(const td::sim::Shape& shape, const td::sim::TensorView& tensor) {
    std::vector<double> values;  // 1 where zero, less the share
    double zeros = 0;
    for (const std::uint32_t bits : td::sim::load_bits(tensor, td::Format::fp32)) {
      values.push_back((bits & 0x7fffffff) == 0 ? 1 : 0);
      zeros += values.back();
    }
    const double share = zeros / static_cast<double>(values.size());
    for (double& value : values) value -= share;
    const double variance = share * (1 - share);
    ++tensors_;
    zeros_ += share;
    largest_ += share / (1 + share);
    channel_ += images_correlation(shape, values) / variance;
    neighbours_ += neighbours_correlation(shape, values) / variance;
  }

  /// Of all pairs of elements of one channel in different images.
  static double images_correlation(const td::sim::Shape& shape, const std::vector<double>& values) {
    const auto images = static_cast<std::size_t>(shape[0]);
    const auto channels = static_cast<std::size_t>(shape[1]);
    const auto plane = static_cast<std::size_t>(shape[2] * shape[3]);
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

  static double neighbours_correlation(const td::sim::Shape& shape,
                                       const std::vector<double>& values) {
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

/// The file's numbers are rounded to the digits that they are written with.
void check_fit(const ZeroLaw& measured, const ZeroLaw& carried) {
  CAPTURE(measured.zeros);
  CAPTURE(measured.run);
  CAPTURE(measured.spread);
  CHECK(std::abs(measured.zeros - carried.zeros) <= 0.005);
  CHECK(std::abs(measured.run - carried.run) <= 0.05);
  CHECK(std::abs(measured.spread - carried.spread) <= 0.005);
}

LayerInfo layer_named(const std::string& name) {
  LayerInfo layer;
  layer.name = name;
  return layer;
}

}  // namespace

TEST_CASE("sparsity: relu is what the trace of a network with ReLU holds") {
  const td::sim::Trace trace(std::string(TD_TRACES) + "/plain.safetensors");
  const LayerInfo any = layer_named("any");
  const LayerInfo pooled = layer_named("features.14");
  const Fit a(trace, Operand::A, {"conv2", "conv4", "conv5", "conv7", "conv8"});
  const Fit go(trace, Operand::GO, {"conv1", "conv4", "conv7"});
  const Fit go_pooled(trace, Operand::GO, {"conv2", "conv5", "conv8"});
  for (const std::string name : {"relu", "relu_vgg16"}) {
    const td::sim::Sparsity carried = td::sim::load_sparsity(name);
    check_fit(a.law(), carried.law(any, Operand::A));
    check_fit(go.law(), carried.law(any, Operand::GO));
    if (name == "relu_vgg16") check_fit(go_pooled.law(), carried.law(pooled, Operand::GO));
  }
}

TEST_CASE("sparsity: pruned is what the trace of a pruned network holds") {
  const td::sim::Trace trace(std::string(TD_TRACES) + "/resnet_pruned.safetensors");
  const td::sim::Sparsity carried = td::sim::load_sparsity("pruned");
  const LayerInfo any = layer_named("any");
  const Fit a(trace, Operand::A,
              {"block1.conv1", "block1.conv2", "block1.shortcut.conv", "block2.conv1",
               "block2.conv2", "block2.shortcut.conv", "block3.conv1", "block3.conv2"});
  check_fit(a.law(), carried.law(any, Operand::A));
  for (const LayerInfo& layer : trace.layers()) {
    const bool is_first = !layer.needs_input_grad || layer.type == td::sim::LayerType::linear;
    for (const Operand operand : {Operand::W, Operand::GO}) {
      if (is_first && operand == Operand::W) continue;
      double zeros = 0;
      const auto numbers = td::sim::load_bits(trace.tensor(layer, operand), td::Format::fp32);
      for (const std::uint32_t bits : numbers) zeros += (bits & 0x7fffffff) == 0 ? 1 : 0;
      const double share = zeros / static_cast<double>(numbers.size());
      CHECK(std::abs(share - carried.law(any, operand).zeros) <= 0.005);
    }
  }
}
