// SPDX-License-Identifier: Apache-2.0
// Sizes of pieces that are tried when something is cut.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/accelerator/plan/box.hpp"

namespace td::sim {

/// Sizes that cut a dimension into about equal pieces, and small ones; the largest first.
std::vector<std::int64_t> sizes(std::int64_t extent);

/// Boxes that fill inner dimensions before outer ones; the largest first.
std::vector<Extents> sizes(const Extents& extents);

/// Boxes of any of these sizes in each dimension.
std::vector<Extents> box_sizes(const Extents& extents);

/// The size, twice, four times that … and the whole extent; the largest first.
std::vector<std::int64_t> multiples(std::int64_t size, std::int64_t extent);
/// Boxes of any of these in each dimension.
std::vector<Extents> multiples(const Extents& box, const Extents& extents);

/// The box, and others that hold it twice, four times … along the first dimension until it is
/// whole, then along the second; the largest first.
std::vector<Extents> grown(Extents box, const Extents& extents);

}  // namespace td::sim
