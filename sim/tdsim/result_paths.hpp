// SPDX-License-Identifier: Apache-2.0
// Where a command writes its results.
#pragma once

#include <string>
#include <vector>

namespace td::sim {

/// Instead of a file: standard output, in place of what is printed otherwise.
inline constexpr const char* kStandardOutput = "-";

/// Refuses before a long run what could only fail after it: results that cannot be written, two of
/// them in one place, or one in a file that is read. Empty names are no files. `options` names
/// those of the results, as "--json, --csv". Throws UserError.
void check_result_paths(const std::string& options, const std::vector<std::string>& written,
                        const std::vector<std::string>& read);

}  // namespace td::sim
