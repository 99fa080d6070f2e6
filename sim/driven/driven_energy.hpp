// SPDX-License-Identifier: Apache-2.0
// What a training step moved at every level of the memory, and what it took, dense beside
// TensorDash.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/driven/driven_step.hpp"
#include "sim/memory/energy.hpp"
#include "sim/memory/technology.hpp"

namespace td::sim {

/// Dense, TensorDash.
using ModeEnergies = std::array<Energy, 2>;

/// Energy of a step: of dense tiles with the clocks and bytes of the dense run, and of TensorDash.
struct DrivenEnergy {
  Technology technology;
  ComputeEnergy parts;
  std::vector<ModeEnergies> lines;  ///< of each operation
  ModeEnergies total;
};

/// With what accelerator_technology() finds, before a long run.
DrivenEnergy driven_energy(const Config& config, const Technology& technology,
                           const StepRunResult& result);

/// Bytes by level: two lines for each operation and for their sum.
std::string level_table(const StepRunResult& result);

/// Energy in nJ, likewise. Above it, where the energies come from.
std::string energy_table(const StepRunResult& result, const DrivenEnergy& energy);

}  // namespace td::sim
