// SPDX-License-Identifier: Apache-2.0
// Axes by the authors' rules and by ours.
#include "verify/authors/model/axis.hpp"

#include <algorithm>

#include "verify/authors/model/choice.hpp"

namespace td::authors {
namespace {

/// Sizes along one dimension.
struct Extent {
  std::int64_t in = 0;      ///< of A
  std::int64_t kernel = 0;  ///< of W
  std::int64_t out = 0;     ///< of GO
  Padding padding;
};

Extent extent_of(const Convolution& conv, Dimension dimension) {
  if (dimension == Dimension::x) {
    return {conv.a.size_x, conv.w.size_x, conv.go.size_x, padding_along_x(conv)};
  }
  return {conv.a.size_y, conv.w.size_y, conv.go.size_y, padding_along_y(conv)};
}

/// Positions `first`, `first` + `step`, ... of a kernel, the last of them first.
std::vector<std::int64_t> rotated(std::int64_t first, std::int64_t step, std::int64_t size) {
  std::vector<std::int64_t> positions;
  for (std::int64_t r = first; r < size; r += step) positions.insert(positions.begin(), r);
  return positions;
}

/// Kernel positions that are `phase` modulo the stride.
Axis authors_phase(const Convolution& conv, const Extent& extent, std::int64_t phase) {
  const Padding& p = extent.padding;
  const bool symmetric = p.before == p.after;
  const std::int64_t offset = symmetric ? phase - p.before : -p.after;
  return {rotated(phase, conv.stride, extent.kernel), 1, offset, extent.out};
}

/// Outputs that are `phase` modulo the stride. Output h = w * stride + phase takes GO at position
/// (h + p - r) / stride through each kernel position r that makes this whole; the largest r comes
/// first.
Axis our_phase(const Convolution& conv, const Extent& extent, std::int64_t phase) {
  const std::int64_t remainder = (phase + conv.padding) % conv.stride;
  Axis axis{rotated(remainder, conv.stride, extent.kernel), 1, 0, 0};
  if (!axis.kernel.empty()) axis.offset = (phase + conv.padding - axis.kernel[0]) / conv.stride;
  for (std::int64_t h = phase; h < extent.in; h += conv.stride) ++axis.windows;
  return axis;
}

}  // namespace

Axis fwd_axis(const Convolution& conv, Dimension dimension) {
  const Extent extent = extent_of(conv, dimension);
  Axis axis{{}, conv.stride, -conv.padding, extent.out};
  for (std::int64_t r = 0; r < extent.kernel; ++r) axis.kernel.push_back(r);
  return axis;
}

std::vector<Axis> dgrad_axes(const Convolution& conv, Dimension dimension, const Rules& rules) {
  const Extent extent = extent_of(conv, dimension);
  if (conv.stride == 1) {
    if (rules.dgrad_padding == By::ours) return {our_phase(conv, extent, 0)};
    const std::int64_t windows = extent.out + 2 * conv.padding - extent.kernel + 1;
    return {{rotated(0, 1, extent.kernel), 1, -conv.padding, std::max<std::int64_t>(0, windows)}};
  }
  std::vector<Axis> axes;
  for (std::int64_t phase = 0; phase < conv.stride; ++phase) {
    axes.push_back(rules.phase_padding == By::ours ? our_phase(conv, extent, phase)
                                                   : authors_phase(conv, extent, phase));
  }
  return axes;
}

}  // namespace td::authors
