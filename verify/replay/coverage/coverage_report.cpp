// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/support/output.hpp"
#include "verify/replay/coverage/coverage.hpp"

namespace td::verify {

void write_coverage(const Coverage& coverage, const Config& config, const std::string& path) {
  // Names and reasons are ours: nothing in them needs escaping.
  std::string text = fmt::format(
      "{{\n \"format\": \"tensordash-coverage-2\",\n \"configuration\": \"{}\",\n"
      " \"configuration_hash\": \"{}\",\n \"bins\": [",
      config.name, config_hash_text(config));
  const char* separator = "";
  for (const Bin& bin : coverage.bins()) {
    text += fmt::format("{}\n  {{\"name\": \"{}\", \"count\": {}", separator, bin.name, bin.count);
    if (!bin.reason.empty()) text += fmt::format(", \"unreachable\": \"{}\"", bin.reason);
    text += "}";
    separator = ",";
  }
  write_files({{path, text + "\n ]\n}\n"}});
}

void print_coverage(const Coverage& coverage) {
  std::size_t reachable = 0;
  for (const Bin& bin : coverage.bins()) reachable += bin.reason.empty();
  const std::vector<std::string> holes = coverage.holes();
  fmt::print("coverage: {} of {} points\n", reachable - holes.size(), reachable);
  for (const std::string& hole : holes) fmt::print("hole: {}\n", hole);
  for (const Bin& bin : coverage.bins()) {
    if (!bin.reason.empty()) fmt::print("out of reach: {}: {}\n", bin.name, bin.reason);
  }
}

}  // namespace td::verify
