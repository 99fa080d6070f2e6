// SPDX-License-Identifier: Apache-2.0
// What a training step moved at every level of the memory, and what it took, dense beside
// TensorDash.
#pragma once

#include <string>

#include "gen/configuration/config.hpp"
#include "verify/accelerator/step_run.hpp"

namespace td::verify {

/// Bytes by level: two lines for each operation and for their sum.
std::string level_table(const StepRunResult& result);

/// Energy in nJ, likewise: of dense tiles with the clocks and bytes of the dense run, and of
/// TensorDash. Above it, where the energies come from. Throws UserError for memories that the table
/// of the technology does not have.
std::string energy_table(const Config& config, const StepRunResult& result);

}  // namespace td::verify
