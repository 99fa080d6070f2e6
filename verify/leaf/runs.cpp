// SPDX-License-Identifier: Apache-2.0
// The cells judged on stimulus and on all operands.
#include "verify/leaf/runs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "base/support/progress.hpp"
#include "verify/leaf/all_pairs.hpp"
#include "verify/leaf/cells.hpp"
#include "verify/leaf/judge.hpp"
#include "verify/leaf/oracle.hpp"

namespace td::leaf {

namespace {

/// Vectors between looks at the clock.
constexpr std::uint64_t kProgressInterval = 1U << 16;

Progress make_progress(const char* what, const char* cell, std::uint64_t total) {
  return {fmt::format("{} of the {}", what, cell), static_cast<std::int64_t>(total),
          isatty(STDERR_FILENO) != 0};
}

/// Directed pairs, then random ones, `vectors` in all.
template <class Cell>
std::uint64_t judge_stimulus(const Options& options) {
  Judge<Cell> judge(options.seed);
  const Oracle<Cell> oracle(options.oracle);
  Stimulus stimulus(Cell::layout, options.seed);
  Progress progress = make_progress("vectors", Cell::name, options.vectors);
  for (std::uint64_t done = 0; done < options.vectors; ++done) {
    const Operands pair = stimulus.next();
    judge.check(pair, oracle(pair));
    if (done % kProgressInterval == 0) progress.show(static_cast<std::int64_t>(done));
  }
  judge.flush();
  return judge.checked();
}

/// Every pair of signs and fractions at one pair of exponents.
template <class Cell>
void sweep_fractions(Judge<Cell>& judge, const Oracle<Cell>& oracle, std::uint32_t a_exponent,
                     std::uint32_t b_exponent) {
  constexpr std::uint32_t values = 2U << TD_FRAC;
  const auto place = [](std::uint32_t exponent, std::uint32_t value) {
    const std::uint32_t sign = (value >> TD_FRAC) << (TD_EXP + TD_FRAC);
    return sign | (exponent << TD_FRAC) | (value & ((1U << TD_FRAC) - 1));
  };
  for (std::uint32_t a = 0; a < values; ++a) {
    for (std::uint32_t b = 0; b < values; ++b) {
      const Operands pair{place(a_exponent, a), place(b_exponent, b)};
      judge.check(pair, oracle(pair));
    }
  }
}

/// bf16: exponents that meet every path of the multiplier, all sign and fraction pairs at each.
std::uint64_t sweep_multiplier(const Options& options) {
  Judge<Multiplier> judge(options.seed);
  const Oracle<Multiplier> oracle(options.oracle);
  const auto at = [&](std::uint32_t a, std::uint32_t b) { sweep_fractions(judge, oracle, a, b); };
  // Zeros, subnormals, normal numbers, infinities and NaNs, each with each.
  constexpr std::array<std::uint32_t, 9> kinds = {0, 1, 2, 126, 127, 128, 253, 254, 255};
  for (const std::uint32_t a : kinds) {
    for (const std::uint32_t b : kinds) at(a, b);
  }
  // Every shift of a subnormal result, of a subnormal operand, and the border of overflow.
  for (std::uint32_t total = 98; total <= 130; ++total) at(60, total - 60);
  for (std::uint32_t exponent = 100; exponent <= 140; ++exponent) at(0, exponent);
  for (std::uint32_t total = 378; total <= 384; ++total) at(190, total - 190);
  judge.flush();
  return judge.checked();
}

std::uint64_t judge_all_pairs(const Options& options) {
  constexpr std::uint64_t values = AllPairs<Multiplier>::values;
  constexpr std::uint64_t pairs = values * values;
  Progress progress = make_progress("pairs", Multiplier::name, pairs);
  AllPairs<Multiplier> all(Oracle<Multiplier>(options.oracle), options.seed);
  const std::uint64_t checked = all.run(options.jobs, progress);
  if (checked != pairs) {
    throw Mismatch(fmt::format("{}: {} pairs checked of {}", Multiplier::name, checked, pairs));
  }
  return checked;
}

void report(const char* cell, std::uint64_t checked, const char* what) {
  if (checked == 0) throw Mismatch(fmt::format("{}: nothing was checked", cell));
  fmt::print("{}: {} {} checked, all equal\n", cell, checked, what);
  std::fflush(stdout);
}

}  // namespace

void judge_cells(const Options& options) {
  const auto chosen = [&](const char* name) {
    return options.cell == "all" || options.cell == name;
  };
  if (chosen(Multiplier::name)) {
    report(Multiplier::name, judge_stimulus<Multiplier>(options), "vectors");
    if (options.sweep) report(Multiplier::name, sweep_multiplier(options), "swept pairs");
    if (options.exhaustive) {
      const std::string what = fmt::format("pairs of {} bits", Multiplier::layout.width());
      report(Multiplier::name, judge_all_pairs(options), what.c_str());
    }
  }
  if (chosen(Adder::name)) report(Adder::name, judge_stimulus<Adder>(options), "vectors");
  if (chosen(ToBf16::name)) report(ToBf16::name, judge_stimulus<ToBf16>(options), "vectors");
}

}  // namespace td::leaf
