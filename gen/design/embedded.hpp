// SPDX-License-Identifier: Apache-2.0
// What every design takes over as it is.
#pragma once

#include <vector>

#include "base/support/embedded.hpp"

namespace td {

/// The Verilog of hw/, e.g. `td1_skid`.
const std::vector<EmbeddedFile>& hardware();

/// The assertions of hw/ with what binds them, e.g. `td1_row_assert`; of modules that have any.
const std::vector<EmbeddedFile>& assertions();

/// Timing constraints of constraints/, e.g. `tile`.
const std::vector<EmbeddedFile>& constraints();

}  // namespace td
