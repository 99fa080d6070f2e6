// SPDX-License-Identifier: Apache-2.0
// The networks and sparsities that are built in.
#pragma once

#include <vector>

#include "base/support/embedded.hpp"

namespace td::sim {

/// The layer shapes of sim/networks/, e.g. `resnet50`.
const std::vector<EmbeddedFile>& networks();

/// The zero shares of sim/networks/sparsity/, e.g. `half`.
const std::vector<EmbeddedFile>& sparsities();

}  // namespace td::sim
