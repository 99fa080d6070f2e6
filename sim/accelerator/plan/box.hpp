// SPDX-License-Identifier: Apache-2.0
// Boxes of three dimensions, the first innermost: windows, filters, what is summed over.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/mapping/mapping.hpp"

namespace td::sim {

using Extents = std::array<std::int64_t, 3>;

inline std::int64_t volume(const Extents& extents) { return extents[0] * extents[1] * extents[2]; }

/// The largest power of two that divides a count.
inline std::int64_t power_in(std::int64_t count) { return count & -count; }

/// begin…end-1.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return std::max<std::int64_t>(0, end - begin); }
  bool operator==(const Range& other) const { return begin == other.begin && end == other.end; }
};

inline Range overlap(const Range& a, const Range& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// The smallest range that has both; empty ones have nothing.
inline Range hull(const Range& a, const Range& b) {
  if (a.size() == 0) return b;
  if (b.size() == 0) return a;
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

struct Box {
  std::array<Range, 3> sides;

  Extents extents() const { return {sides[0].size(), sides[1].size(), sides[2].size()}; }
  std::int64_t size() const { return volume(extents()); }
};

inline Box whole(const Extents& extents) {
  return {{Range{0, extents[0]}, Range{0, extents[1]}, Range{0, extents[2]}}};
}

inline Box overlap(const Box& a, const Box& b) {
  Box box;
  for (std::size_t i = 0; i < 3; ++i) box.sides[i] = overlap(a.sides[i], b.sides[i]);
  return box;
}

/// How many pieces of a size cover so much.
inline std::int64_t pieces(const Extents& extents, const Extents& size) {
  std::int64_t count = 1;
  for (std::size_t i = 0; i < 3; ++i) count *= ceil_div(extents[i], size[i]);
  return count;
}

/// A box in pieces of a size, the first dimension innermost. Nothing when the box is empty.
inline std::vector<Box> cut_box(const Box& box, const Extents& size) {
  std::vector<Box> result;
  if (box.size() == 0) return result;
  const auto piece = [&](std::size_t i, std::int64_t begin) {
    return Range{begin, std::min(begin + size[i], box.sides[i].end)};
  };
  for (std::int64_t z = box.sides[2].begin; z < box.sides[2].end; z += size[2]) {
    for (std::int64_t y = box.sides[1].begin; y < box.sides[1].end; y += size[1]) {
      for (std::int64_t x = box.sides[0].begin; x < box.sides[0].end; x += size[0]) {
        result.push_back({{piece(0, x), piece(1, y), piece(2, z)}});
      }
    }
  }
  return result;
}

/// A range in pieces of a size.
inline std::vector<Range> cut_range(const Range& range, std::int64_t size) {
  std::vector<Range> result;
  for (std::int64_t at = range.begin; at < range.end; at += size) {
    result.push_back({at, std::min(at + size, range.end)});
  }
  return result;
}

}  // namespace td::sim
