// SPDX-License-Identifier: Apache-2.0
// Layers for tests, with the shape of GO worked out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

#include "sim/mapping/layer.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace td::unit {

inline sim::LayerInfo conv_layer(const sim::Shape& a, const sim::Shape& w, const sim::Conv& conv) {
  sim::LayerInfo layer;
  layer.snapshot = "s";
  layer.name = "l";
  layer.conv = conv;
  layer.a = a;
  layer.w = w;
  layer.go = {a[0], w[0], 0, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t reach = conv.dilation[i] * (w[2 + i] - 1) + 1;
    layer.go[2 + i] = (a[2 + i] + 2 * conv.padding[i] - reach) / conv.stride[i] + 1;
  }
  return layer;
}

inline sim::LayerInfo linear_layer(std::int64_t batch, std::int64_t channels,
                                   std::int64_t filters) {
  sim::LayerInfo layer;
  layer.snapshot = "s";
  layer.name = "l";
  layer.type = sim::LayerType::linear;
  layer.a = {batch, channels};
  layer.w = {filters, channels};
  layer.go = {batch, filters};
  return layer;
}

/// A convolution whose kernel fits: groups, strides, padding and dilation included.
inline sim::LayerInfo random_conv(std::mt19937& random) {
  sim::Conv conv;
  conv.groups = pick(random, 1, 3);
  sim::Shape a = {pick(random, 1, 3), conv.groups * pick(random, 1, 7), 0, 0};
  sim::Shape w = {conv.groups * pick(random, 1, 6), a[1] / conv.groups, 0, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    conv.stride[i] = pick(random, 1, 3);
    conv.padding[i] = pick(random, 0, 3);
    conv.dilation[i] = pick(random, 1, 2);
    w[2 + i] = pick(random, 1, 4);
    const auto reach = static_cast<int>(conv.dilation[i] * (w[2 + i] - 1) + 1);
    a[2 + i] = pick(random, std::max(1, reach - 2 * static_cast<int>(conv.padding[i])), 8);
  }
  return conv_layer(a, w, conv);
}

/// A convolution beyond what random_conv draws: one image tall and narrow, with strides and padding
/// larger than the kernel or even the image, or depthwise, or of many images.
inline sim::LayerInfo odd_conv(std::mt19937& random) {
  sim::Conv conv;
  const int kind = pick(random, 0, 2);
  if (kind == 1) conv.groups = pick(random, 4, 40);
  sim::Shape a = {kind == 2 ? pick(random, 20, 60) : 1, conv.groups * pick(random, 1, 2), 0, 0};
  sim::Shape w = {conv.groups * pick(random, 1, 2), a[1] / conv.groups, 0, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    const bool tall = kind == 0 && i == 0;
    conv.stride[i] = pick(random, 1, tall ? 90 : 3);
    conv.padding[i] = pick(random, 0, tall ? 70 : 2);
    w[2 + i] = pick(random, 1, 3);
    a[2 + i] = pick(random, 3, tall ? 200 : 6);
  }
  return conv_layer(a, w, conv);
}

/// A first layer: few channels, large kernels, no gradient of its input.
inline sim::LayerInfo first_conv(std::mt19937& random) {
  sim::Conv conv;
  sim::Shape a = {pick(random, 1, 3), pick(random, 1, 4), 0, 0};
  sim::Shape w = {pick(random, 1, 20), a[1], 0, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    conv.stride[i] = pick(random, 1, 4);
    conv.padding[i] = pick(random, 0, 3);
    conv.dilation[i] = pick(random, 1, 2);
    w[2 + i] = pick(random, 1, 5);
    a[2 + i] = conv.dilation[i] * (w[2 + i] - 1) + pick(random, 1, 12);
  }
  sim::LayerInfo layer = conv_layer(a, w, conv);
  layer.needs_input_grad = false;
  return layer;
}

}  // namespace td::unit
