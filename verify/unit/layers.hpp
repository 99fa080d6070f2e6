// SPDX-License-Identifier: Apache-2.0
// Layers for tests, with the shape of GO worked out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/layer.hpp"

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

}  // namespace td::unit
