// SPDX-License-Identifier: Apache-2.0
// Judges the verilated leaf cells against the processor's own floating point.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include "sim/progress.hpp"
#include "verify/leaf/cells.hpp"
#include "verify/leaf/judge.hpp"

namespace td::leaf {
namespace {

struct Options {
  std::uint64_t vectors = 1'000'000;
  std::uint64_t seed = 1;
  std::string cell = "all";
  bool sweep = false;
};

/// Vectors between looks at the clock.
constexpr std::uint64_t kProgressInterval = 1U << 20;

sim::Progress make_progress(const char* cell, std::uint64_t total) {
  return {fmt::format("vectors of the {}", cell), static_cast<std::int64_t>(total),
          isatty(STDERR_FILENO) != 0};
}

/// Directed pairs, then random ones, `vectors` in all.
template <class Cell>
std::uint64_t judge_stimulus(const Options& options) {
  Judge<Cell> judge(options.seed);
  Stimulus stimulus(Cell::layout, options.seed);
  sim::Progress progress = make_progress(Cell::name, options.vectors);
  for (std::uint64_t done = 0; done < options.vectors; ++done) {
    judge.check(stimulus.next());
    if (done % kProgressInterval == 0) progress.show(static_cast<std::int64_t>(done));
  }
  judge.flush();
  return judge.checked();
}

/// Every pair of signs and fractions at one pair of exponents.
template <class Cell>
void sweep_fractions(Judge<Cell>& judge, std::uint32_t a_exponent, std::uint32_t b_exponent) {
  constexpr std::uint32_t values = 2U << TD_FRAC;
  const auto place = [](std::uint32_t exponent, std::uint32_t value) {
    const std::uint32_t sign = (value >> TD_FRAC) << (TD_EXP + TD_FRAC);
    return sign | (exponent << TD_FRAC) | (value & ((1U << TD_FRAC) - 1));
  };
  for (std::uint32_t a = 0; a < values; ++a) {
    for (std::uint32_t b = 0; b < values; ++b) {
      judge.check({place(a_exponent, a), place(b_exponent, b)});
    }
  }
}

/// bf16: exponents that meet every path of the multiplier, all sign and fraction pairs at each.
std::uint64_t sweep_multiplier(const Options& options) {
  Judge<Multiplier> judge(options.seed);
  const auto at = [&](std::uint32_t a, std::uint32_t b) { sweep_fractions(judge, a, b); };
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

void report(const char* cell, std::uint64_t checked, const char* what) {
  if (checked == 0) throw Mismatch(fmt::format("{}: nothing was checked", cell));
  fmt::print("{}: {} {} checked, all equal\n", cell, checked, what);
}

void run(const Options& options) {
  const auto chosen = [&](const char* name) {
    return options.cell == "all" || options.cell == name;
  };
  if (chosen(Multiplier::name)) {
    report(Multiplier::name, judge_stimulus<Multiplier>(options), "vectors");
    if (options.sweep) report(Multiplier::name, sweep_multiplier(options), "swept pairs");
  }
  if (chosen(Adder::name)) report(Adder::name, judge_stimulus<Adder>(options), "vectors");
  if (chosen(ToBf16::name)) report(ToBf16::name, judge_stimulus<ToBf16>(options), "vectors");
}

void describe(CLI::App& app, Options& options) {
  const CLI::Validator whole(
      [](const std::string& text) {
        const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
        return digits && text.size() <= 18 ? "" : text + " is outside 0..999999999999999999";
      },
      "", "whole");
  app.add_option("--vectors", options.vectors, "Vectors per cell, the directed ones first")
      ->capture_default_str()
      ->check(whole);
  app.add_option("--seed", options.seed, "Seed of the random vectors and stalls")
      ->capture_default_str()
      ->check(whole);
  app.add_option("--cell", options.cell, "Cell to judge")
      ->capture_default_str()
      ->check(CLI::IsMember({"multiplier", "adder", "to_bf16", "all"}));
  app.add_flag("--sweep", options.sweep,
               "bf16 only: also every sign and fraction pair at chosen exponents");
}

/// Options that only make sense together.
void require(const Options& options) {
  if (!options.sweep) return;
  if (TD_EXP != 8 || TD_FRAC != 7) throw CLI::ValidationError("--sweep", "needs bf16 operands");
  if (options.cell == "adder" || options.cell == "to_bf16") {
    throw CLI::ValidationError("--sweep", "sweeps the multiplier, not the " + options.cell);
  }
}

}  // namespace
}  // namespace td::leaf

int main(int argc, char** argv) {
  CLI::App app("Judges the verilated leaf cells against the processor's own floating point.",
               "tdleaf");
  td::leaf::Options options;
  td::leaf::describe(app, options);
  try {
    app.parse(argc, argv);
    td::leaf::require(options);
    td::leaf::run(options);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "tdleaf: {}\n", error.what());
    return 2;
  } catch (const td::leaf::Mismatch& mismatch) {
    fmt::print(stderr, "tdleaf: {}\n", mismatch.what());
    return 1;
  }
  return 0;
}
