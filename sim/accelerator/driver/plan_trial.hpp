// SPDX-License-Identifier: Apache-2.0
// How an operation is cut: of the best by their estimates the best by the timeline.
#pragma once

#include <optional>
#include <string>

#include "base/configuration/config.hpp"
#include "sim/accelerator/plan/cut.hpp"
#include "sim/accelerator/plan/operation.hpp"
#include "sim/accelerator/plan/placement.hpp"
#include "sim/accelerator/timing/bus/memory_clock.hpp"

namespace td::sim {

/// How an operation is cut.
struct Plans {
  Cut dense;          ///< the best that drops nothing
  Cut dropping;       ///< ... that drops pairs; where that is not asked for, the dense one
  bool pays = false;  ///< dropping them
  const Cut& best() const { return pays ? dropping : dense; }
};

/// ... on a machine behind such a memory. The best cuts by their estimates are tried on the
/// timeline, with as many steps as are expected, a long operation's begin alone; and then smaller
/// and larger ones than the best, while these are better. Throws CannotPlan, which names `field`,
/// when none fits.
Plans best_plans(const Operation& operation, const Config& config, const PlanOptions& options,
                 const std::string& field, const Placement& placement, const Aim& aim,
                 const MemoryTiming& memory);

/// The same for plans of which what decides the cuts is known. Nothing when these do not fit.
std::optional<Plans> plans_again(const Operation& operation, const Config& config,
                                 const PlanOptions& options, const MemoryTiming& memory,
                                 const Plans& known);

}  // namespace td::sim
