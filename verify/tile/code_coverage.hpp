// SPDX-License-Identifier: Apache-2.0
// Lines, branches and toggles of the Verilog, in a build that counts them (TD_COVERAGE).
#pragma once

#include <unistd.h>
#include <verilated_cov.h>

#include <cstdio>
#include <string>

#include "gen/base/error.hpp"
#include "verify/replay/bench.hpp"

namespace td::verify {

/// Constants that settle before the first reset is over are no toggles.
inline void start_code_coverage() {
#if TD_COVERAGE
  VerilatedCov::zero();
#endif
}

/// Writes the counts: a temporary name, renamed.
inline void write_code_coverage(const BenchOptions& options) {
  if (options.code_coverage.empty()) return;
#if TD_COVERAGE
  const std::string temporary = fmt::format("{}.{}.tmp", options.code_coverage, ::getpid());
  VerilatedCov::write(temporary.c_str());
  if (std::rename(temporary.c_str(), options.code_coverage.c_str()) == 0) return;
#endif
  throw UserError("command line", "--code-coverage-file", options.code_coverage,
                  "a writable file, and a program that scripts/coverage has built");
}

}  // namespace td::verify
