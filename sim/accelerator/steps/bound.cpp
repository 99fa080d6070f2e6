// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/steps/bound.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>

#include "sim/accelerator/layout.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {
namespace {

/// Places of one dimension that meet another within the tensor.
struct Met {
  std::set<std::int64_t> in, kernel, out;

  std::int64_t count(Operand operand) const {
    const auto& met = operand == Operand::A ? in : operand == Operand::W ? kernel : out;
    return static_cast<std::int64_t>(met.size());
  }
};

Met met(const LayerInfo& layer, std::size_t dimension) {
  const Conv& conv = layer.conv;
  const std::size_t at = dimension + 2;  // of NCHW
  Met found;
  for (std::int64_t out = 0; out < layer.go[at]; ++out) {
    for (std::int64_t kernel = 0; kernel < layer.w[at]; ++kernel) {
      const std::int64_t in = out * conv.stride[dimension] + kernel * conv.dilation[dimension] -
                              conv.padding[dimension];
      if (in < 0 || in >= layer.a[at]) continue;
      found.in.insert(in);
      found.kernel.insert(kernel);
      found.out.insert(out);
    }
  }
  return found;
}

/// Of so many rows, packed ones.
struct PackedShare {
  std::int64_t rows;
  std::int64_t of;
};

/// Of all blocks together, or where not all of them are used, of the shortest.
PackedShare packed_share(const PackedBlocks& packed, bool all) {
  if (packed.usual == 0) return {1, 1};
  if (packed.rows == nullptr) return {packed.usual, kBlockRows};
  const BlockRows& blocks = *packed.rows;
  if (!all) return {*std::min_element(blocks.begin(), blocks.end()), kBlockRows};
  return {std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0}),
          static_cast<std::int64_t>(blocks.size()) * kBlockRows};
}

}  // namespace

std::int64_t used_elements(const LayerInfo& layer, Operand operand) {
  const Shape& shape = layer.shape(operand);
  if (layer.type == LayerType::linear) return count(shape);
  return shape[0] * shape[1] * met(layer, 0).count(operand) * met(layer, 1).count(operand);
}

MovedBytes least_beats(const Geometry& geometry, const LayerInfo& layer, Op op, bool wide,
                       const std::array<PackedBlocks, 3>& packed) {
  const std::int64_t element = geometry.element_bytes();
  std::int64_t bytes = 0;
  for (const Which which : {Which::first, Which::second}) {
    const Operand one = operand(op, which);
    const std::int64_t used = used_elements(layer, one);
    const PackedShare share =
        packed_share(packed[static_cast<std::size_t>(one)], used == count(layer.shape(one)));
    bytes += ceil_div(used * element * share.rows, share.of);
  }
  const std::int64_t results = count(layer.shape(result_like(op)));
  return {ceil_div(bytes, geometry.beat_bytes()),
          ceil_div(results * (wide || geometry.wide_only() ? geometry.wide_bytes() : element),
                   geometry.beat_bytes())};
}

}  // namespace td::sim
