// SPDX-License-Identifier: Apache-2.0
// What tdleaf does: the cells judged on stimulus, on all operands, and on TestFloat's vectors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace td::leaf {

/// The command line.
struct Options {
  std::uint64_t vectors = 1'000'000;
  std::uint64_t seed = 1;
  std::uint64_t jobs = 1;
  std::string cell = "all";
  std::string oracle = "both";
  bool sweep = false;
  bool exhaustive = false;
  std::vector<std::string> testfloat;  // function and file, or nothing
  std::string write;                   // function, or nothing
};

/// Judges the chosen cells; throws Mismatch.
void judge_cells(const Options& options);

/// Judges a cell on the vectors of a file, "-" for standard input; throws Mismatch, UserError.
void judge_testfloat(const Options& options);

/// Prints vectors of our stimulus with MPFR's results and flags; throws UserError.
void write_testfloat(const Options& options);

}  // namespace td::leaf
