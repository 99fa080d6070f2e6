// SPDX-License-Identifier: Apache-2.0
// Lines, branches and toggles of the Verilog, in a build that counts them (TD_COVERAGE).
#pragma once

#include <fmt/format.h>
#include <unistd.h>
#include <verilated_cov.h>

#include <cstdio>
#include <string>

#include "base/support/error.hpp"

namespace td::verify {

/// Constants that settle before the first reset is over are no toggles.
inline void start_code_coverage() {
#if TD_COVERAGE
  VerilatedCov::zero();
#endif
}

/// Writes the counts, unless the path is empty: a temporary name, renamed.
inline void write_code_coverage(const std::string& path) {
  if (path.empty()) return;
#if TD_COVERAGE
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  VerilatedCov::write(temporary.c_str());
  if (std::rename(temporary.c_str(), path.c_str()) == 0) return;
#endif
  throw UserError("command line", "--code-coverage-file", path,
                  "a writable file, and a program that scripts/coverage has built");
}

}  // namespace td::verify
