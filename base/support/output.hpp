// SPDX-License-Identifier: Apache-2.0
// Writes results so that nobody ever sees half of one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace td {

/// A file to be written.
struct OutputFile {
  std::string name;
  std::string text;
};

/// Writes all files, whose names are paths into folders that exist: first under temporary names,
/// then renamed. A file that already has these bytes keeps its time stamp, so that builds need not
/// run again. Throws UserError and leaves no temporary file when anything cannot be written, or is
/// there and is no file.
void write_files(const std::vector<OutputFile>& files);

/// The same with names below `folder`, created if need be.
void write_files(const std::string& folder, const std::vector<OutputFile>& files);

/// Throws UserError unless write_files() could write a file of this name now: to be asked before a
/// long run.
void check_writable(const std::string& path);

}  // namespace td
