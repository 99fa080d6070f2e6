// SPDX-License-Identifier: Apache-2.0
#include "base/support/result_paths.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/support/error.hpp"
#include "base/support/output.hpp"

namespace td {

namespace {

bool same_file(const std::string& a, const std::string& b) {
  std::error_code unusable;
  if (std::filesystem::equivalent(a, b, unusable)) return true;
  return std::filesystem::absolute(a, unusable).lexically_normal() ==
         std::filesystem::absolute(b, unusable).lexically_normal();
}

}  // namespace

void check_result_paths(const std::string& options, const std::vector<std::string>& written,
                        const std::vector<std::string>& read) {
  if (std::count(written.begin(), written.end(), kStandardOutput) > 1) {
    throw UserError("command line", options, "- and -", "one of them");
  }
  std::vector<std::string> taken;
  std::copy_if(read.begin(), read.end(), std::back_inserter(taken),
               [](const std::string& name) { return !name.empty(); });
  for (const std::string& path : written) {
    if (path.empty() || path == kStandardOutput) continue;
    for (const std::string& other : taken) {
      if (same_file(path, other)) {
        throw UserError("command line", options, path,
                        "a file of its own, not one that is read or written as well");
      }
    }
    check_writable(path);
    taken.push_back(path);
  }
}

void write_results(const std::vector<WantedResult>& results,
                   const std::function<std::string()>& otherwise) {
  std::vector<OutputFile> files;
  const std::function<std::string()>* shown = &otherwise;
  for (const WantedResult& result : results) {
    if (result.path == kStandardOutput) {
      shown = &result.text;
    } else if (!result.path.empty()) {
      files.push_back({result.path, result.text()});
    }
  }
  write_files(files);
  std::fputs((*shown)().c_str(), stdout);
}

}  // namespace td
