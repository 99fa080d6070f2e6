// SPDX-License-Identifier: Apache-2.0
// Text files that a user names.
#pragma once

#include <cstddef>
#include <string>

namespace td {

/// The contents of a file, which may be a pipe: not empty, and at most `most` bytes, so that an
/// endless one does not fill the memory. Throws UserError; `legal` says what the file should be.
std::string read_text(const std::string& path, const std::string& legal,
                      std::size_t most = std::size_t{1} << 20);

}  // namespace td
