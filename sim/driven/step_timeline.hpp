// SPDX-License-Identifier: Apache-2.0
// A training step as a timeline, for viewers of traces.
#pragma once

#include <cstdint>
#include <string>

#include "base/configuration/config.hpp"
#include "sim/driven/driven_step.hpp"

namespace td::sim {

/// The timeline of Chrome's trace viewer and Perfetto, by the model that counts clocks: of each
/// mode the operations, and the descriptors on each engine and tile. Times in µs at a clock of so
/// many MHz.
std::string step_timeline_json(const Config& config, std::int64_t clock_MHz,
                               const StepRunResult& result);

}  // namespace td::sim
