// SPDX-License-Identifier: Apache-2.0
#include "sim/system/fusion/fusion.hpp"

#include <algorithm>

namespace td::job {
namespace {

/// The time in which a resource serves both; `use` is a kernel's share of it.
double served(const Kernel& one, const Kernel& other, double Kernel::*use, double occupancy) {
  const auto reached = [&](const Kernel& kernel) {
    return kernel.*use * std::min(1.0, occupancy / kernel.occupancy);
  };
  const double demand = one.*use * one.seconds + other.*use * other.seconds;
  const double rate = std::max(reached(one), reached(other));
  return rate > 0 ? demand / rate : 0;
}

}  // namespace

double fused_time(const Kernel& one, const Kernel& other) {
  const double occupancy = std::min(one.occupancy, other.occupancy);
  return std::max({one.seconds * (one.occupancy / occupancy),
                   other.seconds * (other.occupancy / occupancy),
                   served(one, other, &Kernel::issue, occupancy),
                   served(one, other, &Kernel::memory, occupancy)});
}

double fusion_gain(const Kernel& one, const Kernel& other) {
  return (one.seconds + other.seconds) / fused_time(one, other) - 1;
}

}  // namespace td::job
