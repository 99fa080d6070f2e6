// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/candidates.hpp"

#include <algorithm>
#include <set>

namespace td::sim {

std::vector<std::int64_t> sizes(std::int64_t extent) {
  std::set<std::int64_t> found;
  for (std::int64_t count = 1; count <= extent; count += std::max<std::int64_t>(1, count / 3)) {
    found.insert(ceil_div(extent, count));
  }
  return {found.rbegin(), found.rend()};
}

std::vector<Extents> sizes(const Extents& extents) {
  std::vector<Extents> found;
  for (std::size_t i = 3; i-- > 0;) {
    for (const std::int64_t size : sizes(extents[i])) {
      Extents box = {1, 1, 1};
      std::copy_n(extents.begin(), i, box.begin());
      box[i] = size;
      if (found.empty() || found.back() != box) found.push_back(box);
    }
  }
  return found;
}

std::vector<std::int64_t> multiples(std::int64_t size, std::int64_t extent) {
  std::vector<std::int64_t> found = {size};
  while (found.back() < extent) found.push_back(std::min(extent, 2 * found.back()));
  return {found.rbegin(), found.rend()};
}

std::vector<Extents> multiples(const Extents& box, const Extents& extents) {
  std::vector<Extents> found;
  for (const std::int64_t z : multiples(box[2], extents[2])) {
    for (const std::int64_t y : multiples(box[1], extents[1])) {
      for (const std::int64_t x : multiples(box[0], extents[0])) found.push_back({x, y, z});
    }
  }
  return found;
}

std::vector<Extents> grown(Extents box, const Extents& extents) {
  std::vector<Extents> found = {box};
  for (std::size_t i = 0; i < 3; ++i) {
    while (box[i] < extents[i]) {
      box[i] = std::min(extents[i], 2 * box[i]);
      found.push_back(box);
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<Extents> box_sizes(const Extents& extents) {
  std::vector<Extents> found;
  for (const std::int64_t z : sizes(extents[2])) {
    for (const std::int64_t y : sizes(extents[1])) {
      for (const std::int64_t x : sizes(extents[0])) found.push_back({x, y, z});
    }
  }
  return found;
}

}  // namespace td::sim
