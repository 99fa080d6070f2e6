// SPDX-License-Identifier: Apache-2.0
// The technologies, tables of memories and synthesis results that are built in.
#pragma once

#include <vector>

#include "base/support/embedded.hpp"

namespace td::sim {

/// The technologies of constraints/, e.g. `paper_65nm`.
const std::vector<EmbeddedFile>& technologies();

/// The tables of constraints/memories/, e.g. `cacti_sram`.
const std::vector<EmbeddedFile>& memory_tables();

/// The synthesis results of constraints/synthesis/, e.g. `paper_bf16`.
const std::vector<EmbeddedFile>& syntheses();

/// What constraints/surroundings/ says of what stands around tiles.
const std::vector<EmbeddedFile>& surroundings();

}  // namespace td::sim
