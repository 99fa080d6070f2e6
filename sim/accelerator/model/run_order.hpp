// SPDX-License-Identifier: Apache-2.0
// In which order the descriptors of a job may run: three engines that wait for each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/accelerator/descriptor.hpp"

namespace td::sim {

/// Tells, descriptor after descriptor, whether all that one waits for stands before it, and a
/// compute before one that keeps what that has.
class WaitCheck {
 public:
  bool accepts(const Descriptor& descriptor);

 private:
  std::uint32_t before_[3] = {};  ///< by kind
};

/// The order for a seed; 0: as they stand. Descriptors of a kind never overtake each other.
std::vector<std::size_t> run_order(const std::vector<Descriptor>& descriptors, std::uint32_t seed);

}  // namespace td::sim
