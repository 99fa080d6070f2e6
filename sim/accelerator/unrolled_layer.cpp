// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/unrolled_layer.hpp"

#include <algorithm>
#include <vector>

#include "sim/mapping/mapping.hpp"

namespace td::sim {

bool is_unrolled(const LayerInfo& layer, std::int64_t lanes) {
  if (layer.type != LayerType::conv2d || layer.conv.groups != 1 || layer.is_transposed)
    return false;
  const std::vector<Op> ops = operations(layer);
  if (std::find(ops.begin(), ops.end(), Op::dgrad) != ops.end()) return false;
  const std::int64_t channels = layer.w[1], columns = layer.w[3];
  const std::int64_t rows = ceil_div(channels, lanes);  // of a position
  const std::int64_t unrolled_rows = ceil_div(channels * columns, lanes);
  return unrolled_rows < rows * columns && unrolled_rows <= rows * layer.a[3] / layer.go[3];
}

LayerInfo unrolled(const LayerInfo& layer) {
  LayerInfo result = layer;
  result.conv.stride[1] = 1;
  result.conv.padding[1] = 0;
  result.conv.dilation[1] = 1;
  result.a = {layer.a[0], layer.a[1] * layer.w[3], layer.a[2], layer.go[3]};
  result.w = {layer.w[0], layer.w[1] * layer.w[3], layer.w[2], 1};
  return result;
}

}  // namespace td::sim
