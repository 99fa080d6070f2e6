// SPDX-License-Identifier: Apache-2.0
// What a training step took, for other programs.
#pragma once

#include <string>

#include "base/configuration/config.hpp"
#include "sim/driven/driven_energy.hpp"
#include "sim/driven/driven_step.hpp"

namespace td::sim {

/// The form of the result; a change that its readers must know of makes another. Its fields stand
/// in docs/accelerator.md.
inline constexpr const char* kAcceleratorFormat = "tensordash-accelerator-4";

/// Everything that the tables show, and where the clocks went.
std::string step_json(const Config& config, const StepSource& source, const StepRun& what,
                      const StepRunResult& result, const DrivenEnergy& energy);

}  // namespace td::sim
