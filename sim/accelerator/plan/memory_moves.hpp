// SPDX-License-Identifier: Apache-2.0
// Loads of a part of a tensor, and stores of what a compute descriptor has left in all tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/plan/cut.hpp"
#include "sim/accelerator/plan/operation.hpp"

namespace td::sim {

/// A box, into an operand memory. The tensor lies at `address`.
std::vector<LoadDescriptor> loads_of(const TensorLayout& tensor, std::uint64_t address,
                                     const HeldBox& held, bool side_b);

/// Results of a sub, where they are in the result memories.
struct SubResults {
  Place place;
  Box rows;
  Range lanes;
  int across = 0;
  bool rows_on_b = false;
  bool pairs = false, adds = false;  ///< see Cut
  std::int64_t word = 0;             ///< first one in every tile
};

/// Their way into the result tensor, which lies at `address`.
std::vector<StoreDescriptor> stores_of(const Operation& operation, const Geometry& geometry,
                                       std::uint64_t address, const SubResults& results);

}  // namespace td::sim
