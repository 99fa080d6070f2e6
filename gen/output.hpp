// SPDX-License-Identifier: Apache-2.0
// Writes results so that nobody ever sees half of one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gen/design.hpp"

namespace td {

/// Writes all files into `folder`, created if need be: first under temporary names, then renamed.
/// A file that already has these bytes keeps its time stamp, so that builds need not run again.
/// Throws UserError and leaves no temporary file when anything cannot be written.
void write_files(const std::string& folder, const std::vector<EmittedFile>& files);

}  // namespace td
