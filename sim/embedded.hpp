// SPDX-License-Identifier: Apache-2.0
// Files built into the programs, so that they run from anywhere: networks, sparsities,
// technologies and synthesis results.
#pragma once

#include <vector>

#include "gen/embedded.hpp"

namespace td::sim {

/// The layer shapes of sim/networks/, e.g. `resnet50`.
const std::vector<EmbeddedFile>& networks();

/// The zero shares of sim/networks/sparsity/, e.g. `half`.
const std::vector<EmbeddedFile>& sparsities();

/// The technologies of constraints/, e.g. `paper_65nm`.
const std::vector<EmbeddedFile>& technologies();

/// The synthesis results of constraints/synthesis/, e.g. `paper_bf16`.
const std::vector<EmbeddedFile>& syntheses();

}  // namespace td::sim
