// SPDX-License-Identifier: Apache-2.0
// The cells judged on TestFloat's vectors, and vectors written for others.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

#include "base/support/error.hpp"
#include "verify/leaf/cells.hpp"
#include "verify/leaf/judge.hpp"
#include "verify/leaf/runs.hpp"
#include "verify/leaf/testfloat.hpp"

namespace td::leaf {

namespace {

/// Failures that are shown; the rest is counted.
constexpr std::uint64_t kShown = 10;

/// Any NaN stands for ours.
std::uint32_t canonical(std::uint32_t bits) {
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}

/// Judges one cell; throws Mismatch at the end if anything failed.
template <class Cell>
void judge_vectors(const Options& options, std::istream& stream, const std::string& name) {
  std::uint64_t failures = 0;
  Judge<Cell> judge(options.seed, [&](const Difference& difference) {
    if (++failures > kShown) return;
    fmt::print(stderr, "tdleaf: {}: line {}: {}\n", name, difference.index + 1, difference.text());
  });
  TestVectorReader reader(stream, name);
  while (const auto vector = reader.next()) {
    judge.check(vector->operands, vector->expected ? canonical(vector->expected->bits)
                                                   : Cell::by_mpfr(vector->operands));
  }
  judge.flush();
  const std::string& function = options.testfloat[0];
  fmt::print("{}: {} vectors{}, {} failures\n", function, judge.checked(),
             reader.has_results() ? "" : " with results of MPFR", failures);
  if (judge.checked() == 0) throw Mismatch(fmt::format("{}: nothing was checked", name));
  if (failures != 0) {
    throw Mismatch(fmt::format("{}: {} of {} vectors failed", name, failures, judge.checked()));
  }
}

}  // namespace

void judge_testfloat(const Options& options) {
  const std::string& file = options.testfloat[1];
  std::ifstream opened;
  if (file != "-") {
    opened.open(file);
    if (!opened) throw UserError(file, "file", std::strerror(errno), "a readable file");
  }
  std::ios::sync_with_stdio(false);
  std::istream& stream = file == "-" ? std::cin : opened;
  const std::string name = file == "-" ? "standard input" : file;
  if (options.testfloat[0] == "f32_mul") {
    judge_vectors<Multiplier>(options, stream, name);
  } else {
    judge_vectors<Adder>(options, stream, name);
  }
}

void write_testfloat(const Options& options) {
  Stimulus stimulus(binary32, options.seed);
  const bool multiply = options.write == "f32_mul";
  for (std::uint64_t i = 0; i < options.vectors; ++i) {
    const Operands pair = stimulus.next();
    const std::string line = test_vector_line(
        pair, multiply ? exact::product(binary32, pair.a, pair.b) : exact::sum(pair.a, pair.b));
    if (std::fputs(line.c_str(), stdout) < 0) break;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw UserError("standard output", "write", std::strerror(errno),
                    "a reader, or a disk with room");
  }
}

}  // namespace td::leaf
