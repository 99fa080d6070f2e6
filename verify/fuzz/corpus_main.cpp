// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target on every file of a folder: its corpus as a regression test, without libFuzzer.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "verify/fuzz/target.hpp"

namespace {

namespace fs = std::filesystem;

/// Whether the target is content with the file. Its name is on the terminal first: a crash says
/// no more.
bool passes(const fs::path& path) {
  fmt::print("{}\n", path.string());
  std::fflush(stdout);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  try {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  } catch (const std::exception& error) {
    fmt::print("{}: {}\n", path.string(), error.what());
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::error_code error;
  std::vector<fs::path> files;
  if (argc == 2) {
    for (const fs::directory_entry& entry : fs::directory_iterator(argv[1], error)) {
      if (entry.is_regular_file(error)) files.push_back(entry.path());
    }
  }
  if (files.empty()) {
    fmt::print(stderr, "{}: no inputs; legal: one folder with a corpus\n", argv[0]);
    return 2;
  }
  std::sort(files.begin(), files.end());
  const auto failed =
      std::count_if(files.begin(), files.end(), [](const fs::path& path) { return !passes(path); });
  fmt::print("{} inputs, {} failed\n", files.size(), failed);
  return failed == 0 ? 0 : 1;
}
