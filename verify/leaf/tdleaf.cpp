// SPDX-License-Identifier: Apache-2.0
// Judges the verilated leaf cells against the processor's own floating point and against MPFR.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <thread>

#include "base/support/error.hpp"
#include "verify/leaf/judge.hpp"
#include "verify/leaf/runs.hpp"

namespace td::leaf {
namespace {

CLI::Validator whole(std::uint64_t least, const std::string& most) {
  return CLI::Validator(
      [=](const std::string& text) {
        const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
        const bool fits =
            digits && !text.empty() && text.size() <= most.size() && std::stoull(text) >= least;
        return fits ? "" : fmt::format("{} is outside {}..{}", one_line(text), least, most);
      },
      "", "whole");
}

void describe(CLI::App& app, Options& options) {
  const CLI::Validator any = whole(0, "999999999999999999");
  const CLI::IsMember functions({"f32_mul", "f32_add"});
  app.add_option("--vectors", options.vectors, "Vectors per cell, the directed ones first")
      ->capture_default_str()
      ->check(any);
  app.add_option("--seed", options.seed, "Seed of the random vectors and stalls")
      ->capture_default_str()
      ->check(any);
  app.add_option("--cell", options.cell, "Cell to judge")
      ->capture_default_str()
      ->check(CLI::IsMember({"multiplier", "adder", "to_bf16", "all"}));
  app.add_option("--oracle", options.oracle, "Who knows the results")
      ->capture_default_str()
      ->check(CLI::IsMember({"cpu", "mpfr", "both"}));
  app.add_flag("--sweep", options.sweep,
               "bf16 only: also every sign and fraction pair at chosen exponents");
  app.add_flag("--exhaustive", options.exhaustive,
               "Formats of up to 16 bits: also all pairs of operands");
  app.add_option("--jobs", options.jobs, "Threads of --exhaustive")
      ->capture_default_str()
      ->check(whole(1, "999"));
  auto* testfloat =
      app.add_option("--testfloat", options.testfloat,
                     "Instead: f32_mul or f32_add, and a file of TestFloat's vectors (- for "
                     "standard input)")
          ->expected(2)
          ->type_name("FUNCTION FILE");
  app.add_option("--write", options.write, "Instead: print TestFloat vectors of f32_mul or f32_add")
      ->check(functions)
      ->excludes(testfloat);
}

/// Options that only make sense together.
void require(const Options& options) {
  if (!options.testfloat.empty()) {
    const std::string& function = options.testfloat[0];
    if (function != "f32_mul" && function != "f32_add") {
      throw UserError("command line", "--testfloat", function, "f32_mul or f32_add");
    }
    if (function == "f32_mul" && (TD_EXP != 8 || TD_FRAC != 23)) {
      throw CLI::ValidationError("--testfloat", "f32_mul needs fp32 operands");
    }
  }
  for (const auto& [chosen, name] :
       {std::pair(options.sweep, "--sweep"), std::pair(options.exhaustive, "--exhaustive")}) {
    if (!chosen) continue;
    if (options.sweep && (TD_EXP != 8 || TD_FRAC != 7)) {
      throw CLI::ValidationError(name, "needs bf16 operands");
    }
    if (TD_EXP + TD_FRAC > 15) {
      throw CLI::ValidationError(name, "needs operands of up to 16 bits");
    }
    if (options.cell == "adder" || options.cell == "to_bf16") {
      throw CLI::ValidationError(name, "is for the multiplier, not the " + options.cell);
    }
  }
}

void run(const Options& options) {
  if (!options.testfloat.empty()) {
    judge_testfloat(options);
  } else if (!options.write.empty()) {
    write_testfloat(options);
  } else {
    judge_cells(options);
  }
}

}  // namespace
}  // namespace td::leaf

int main(int argc, char** argv) {
  CLI::App app(
      "Judges the verilated leaf cells against the processor's own floating point and MPFR.",
      "tdleaf");
  td::leaf::Options options;
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  td::leaf::describe(app, options);
  try {
    app.parse(argc, argv);
    td::leaf::require(options);
    td::leaf::run(options);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "tdleaf: {}\n", error.what());
    return td::kExitUserError;
  } catch (const td::UserError& error) {
    fmt::print(stderr, "tdleaf: {}\n", error.what());
    return td::kExitUserError;
  } catch (const td::leaf::Mismatch& mismatch) {
    fmt::print(stderr, "tdleaf: {}\n", mismatch.what());
    return td::kExitCheckFailed;
  }
  return td::kExitPass;
}
