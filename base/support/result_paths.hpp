// SPDX-License-Identifier: Apache-2.0
// Where a command writes its results.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace td {

/// Instead of a file: standard output, in place of what is printed otherwise.
inline constexpr const char* kStandardOutput = "-";

/// Refuses before a long run what could only fail after it: results that cannot be written, two of
/// them in one place, or one in a file that is read. Empty names are no files. `options` names
/// those of the results, as "--json, --csv". Throws UserError.
void check_result_paths(const std::string& options, const std::vector<std::string>& written,
                        const std::vector<std::string>& read);

/// A form of a result, and where it is wanted; an empty path: nowhere.
struct WantedResult {
  std::string path;
  std::function<std::string()> text;
};

/// Writes all files, and prints what is wanted on standard output, or else what is printed
/// otherwise. Throws UserError as write_files().
void write_results(const std::vector<WantedResult>& results,
                   const std::function<std::string()>& otherwise);

}  // namespace td
