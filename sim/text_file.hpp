// SPDX-License-Identifier: Apache-2.0
// Text files that a user names.
#pragma once

#include <string>

namespace td::sim {

/// The contents, which are not empty. Throws UserError; `legal` is what the file should be.
std::string read_text(const std::string& path, const std::string& legal);

}  // namespace td::sim
