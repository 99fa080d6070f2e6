// SPDX-License-Identifier: Apache-2.0
// Places in a plane.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace td::gate {

/// µm: x along a row, y across the rows.
using Point = std::array<double, 2>;
constexpr std::size_t kX = 0, kY = 1;

/// Along the axes, as wires go.
inline double distance(const Point& a, const Point& b) {
  return std::abs(a[kX] - b[kX]) + std::abs(a[kY] - b[kY]);
}

}  // namespace td::gate
