// SPDX-License-Identifier: Apache-2.0
// Places in a plane.
#pragma once

#include <algorithm>
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

/// The smallest that places are in.
class Box {
 public:
  explicit Box(const Point& place) : low_(place), high_(place) {}

  void add(const Point& place) {
    for (const std::size_t axis : {kX, kY}) {
      low_[axis] = std::min(low_[axis], place[axis]);
      high_[axis] = std::max(high_[axis], place[axis]);
    }
  }
  double size(std::size_t axis) const { return high_[axis] - low_[axis]; }
  Point middle() const { return {(low_[kX] + high_[kX]) / 2, (low_[kY] + high_[kY]) / 2}; }

 private:
  Point low_, high_;
};

}  // namespace td::gate
