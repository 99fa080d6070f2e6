// SPDX-License-Identifier: Apache-2.0
// Emits the staging buffer: the window that the scheduler sees, and the skid behind it.
#pragma once

#include <string>

#include "gen/config.hpp"

namespace td {

/// One buffer of 2·depth rows; rows leave at the front, arriving rows append. The first `depth`
/// rows are the window. Which rows are real is known to the intake alone.
std::string emit_staging(const Config& config);

}  // namespace td
