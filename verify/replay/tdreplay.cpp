// SPDX-License-Identifier: Apache-2.0
// tdreplay: sends real or random operands through a verilated tile and judges every bit and cycle.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/support/command_line.hpp"
#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/program.hpp"
#include "sim/replay/random_source.hpp"
#include "sim/replay/trace_source.hpp"
#include "verify/replay/bench.hpp"
#include "verify/replay/report.hpp"
#include "verify/replay/wave_view.hpp"

namespace td::verify {
namespace {

struct Options {
  std::string trace;
  replay::TraceSelection selection;
  std::int64_t passes = 32;
  bool full = false;
  std::int64_t random_passes = 0;
  replay::RandomSelection random;
  std::uint64_t seed = 1;
  BenchOptions bench;
  bool coverage = false;
  std::string coverage_file;
  bool repeat = false;  ///< of a run that failed
};

void declare_options(CLI::App& app, Options& options) {
  auto* trace = app.add_option("--trace", options.trace, "trace to replay (safetensors)");
  app.add_option("--snapshot", options.selection.snapshot, "this snapshot only");
  app.add_option("--layer", options.selection.layer,
                 "these layers only: a name, or a pattern of *, ? and [...]");
  app.add_option("--op", options.selection.op, "this operation only")
      ->check(CLI::IsMember({"fwd", "dgrad", "wgrad"}));
  auto* passes = app.add_option("--passes", options.passes,
                                "passes drawn from each layer and operation (default 32)")
                     ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  app.add_flag("--full", options.full, "every pass")->excludes(passes);
  auto* random = app.add_option("--random", options.random_passes,
                                "so many passes of random operands instead of a trace")
                     ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
                     ->excludes(trace);
  const auto share = CLI::Range(0.0, 1.0);
  app.add_option("--zeros", options.random.zeros, "share of zeros; default: varies by pass")
      ->check(share)
      ->needs(random);
  app.add_option("--rows", options.random.rows, "longest random stream, in rows")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100000}))
      ->needs(random);
  app.add_option("--streams", options.random.streams, "most random streams to an output")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100}))
      ->needs(random);
  app.add_option("--specials", options.random.specials,
                 "share of Inf, NaN, huge and subnormal operands")
      ->check(share)
      ->needs(random);
  app.add_option("--single-bits", options.random.single_bits,
                 "share of passes with one side of zeros and values of a single magnitude bit")
      ->check(share)
      ->needs(random);
  app.add_option("--dense", options.random.dense, "share of streams in dense mode")
      ->check(share)
      ->needs(random);
  app.add_option("--resets", options.bench.resets, "resets in mid-stream")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{100000}))
      ->needs(random);
  app.add_option("--seed", options.seed, "of everything drawn (default 1)");
  app.add_option("--stall", options.bench.stall, "probability that a port waits, 0..0.99")
      ->check(CLI::Range(0.0, 0.99));
  app.add_option("--pause", options.bench.pause,
                 "probability that a long wait of some ports begins in a clock, 0..0.5")
      ->check(CLI::Range(0.0, 0.5));
  app.add_flag("--lanes", options.bench.lanes,
               "compare the operands of every lane too (slower); stops at the first mismatch");
  app.add_flag("!--no-assertions", options.bench.assertions,
               "do not check the assertions of the Verilog");
  app.add_option("--record", options.bench.record,
                 "write what stands on the pins in every clock, for scripts/equivalence");
  app.add_option("--wave", options.bench.wave,
                 "write an FST wave, and beside it what GTKWave shows of it (.gtkw) and --clocks; "
                 "stops at the first mismatch");
  app.add_option("--wave-from", options.bench.wave_from, "first clock in the wave")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
  app.add_option("--clocks", options.bench.clocks,
                 "write in which clocks each pass goes through the tile (CSV), for --wave-from");
  app.add_flag("--repeat", options.repeat)->group("");  // repeat_with_lanes() alone uses it
  app.add_flag("--coverage", options.coverage, "report functional coverage and its holes");
  app.add_option("--coverage-file", options.coverage_file,
                 "write the counts of functional coverage as JSON; scripts/coverage merges them");
  app.add_option("--code-coverage-file", options.bench.code_coverage)->group("");
}

/// What a run's progress counts: several may run at once.
std::string counted(const Options& options) {
  return options.trace.empty()
             ? "random passes"
             : "passes of " + std::filesystem::path(options.trace).filename().string();
}

/// The command that shows the first mismatch in a wave: the same run, stopped there.
std::string reproduction(int argc, char** argv, std::int64_t clock) {
  std::string command;
  for (int i = 0; i < argc; ++i) command += std::string(i == 0 ? "" : " ") + argv[i];
  constexpr std::int64_t kClocksBefore = 200;
  return fmt::format("{} --wave mismatch.fst --wave-from {}", command,
                     std::max<std::int64_t>(0, clock - kClocksBefore));
}

/// A run that compares outputs only is repeated in this process's place, lane by lane: then the
/// first mismatch is where it arises. Returns only if that cannot be.
void repeat_with_lanes(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  std::string added[] = {"--lanes", "--repeat"};
  for (std::string& argument : added) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  ::execv("/proc/self/exe", arguments.data());
}

/// Returns whether what was said to be out of reach was so.
bool report_coverage(const Coverage& coverage, const Config& config, const Options& options) {
  if (options.coverage) print_coverage(coverage);
  if (!options.coverage_file.empty()) write_coverage(coverage, config, options.coverage_file);
  for (const std::string& found : coverage.contradictions()) {
    fmt::print(stderr, "tdreplay: covered though out of reach: {}\n", found);
  }
  return coverage.contradictions().empty();
}

int replay(int argc, char** argv) {
  CLI::App app("Replays operands through a verilated TensorDash tile, beside the reference model.",
               "tdreplay");
  Options options;
  declare_options(app, options);
  if (const auto status = parse_command_line(app, argc, argv)) return *status;
  if (options.trace.empty() && options.random_passes == 0) {
    throw UserError("tdreplay: give --trace FILE or --random PASSES");
  }
  const BenchDesign design = bench_design();
  const Config& config = design.config;
  options.bench.seed = options.seed;
  options.bench.results = replay::drawn_results(options.seed);
  if (::isatty(STDERR_FILENO) != 0) options.bench.progress = counted(options);
  if (!options.bench.clocks.empty()) {
    check_writable(options.bench.clocks);
  } else if (!options.bench.wave.empty()) {
    options.bench.clocks = beside(options.bench.wave, ".clocks.csv");
  }

  std::unique_ptr<sim::Trace> trace;
  std::unique_ptr<replay::PassSource> source;
  if (options.random_passes > 0) {
    options.random.passes = options.random_passes;
    options.random.seed = options.seed;
    source = std::make_unique<replay::RandomSource>(config, options.random);
  } else {
    trace = std::make_unique<sim::Trace>(options.trace);
    options.selection.seed = options.seed;
    if (!options.full) options.selection.passes = options.passes;
    auto passes = std::make_unique<replay::TraceSource>(*trace, config, options.selection);
    if (!options.bench.lanes) print_trace(config, *trace, passes->without_dgrad());
    source = std::move(passes);
  }
  replay::Scoreboard scoreboard(config, source->tallies());
  Coverage coverage(config);
  const bool covered = options.coverage || !options.coverage_file.empty();
  if (!options.coverage_file.empty()) check_writable(options.coverage_file);
  const BenchResult result =
      run_bench(*source, scoreboard, covered ? &coverage : nullptr, options.bench);

  const bool failed = scoreboard.mismatches() > 0;
  if (!failed || !options.bench.lanes) print_report(design.name, scoreboard, result);
  if (!options.bench.wave.empty()) {
    fmt::print("to see the wave: gtkwave {}\n", beside(options.bench.wave, ".gtkw"));
  }
  if (failed && !options.bench.lanes && options.bench.wave.empty()) repeat_with_lanes(argc, argv);
  const bool contradicted = covered && !report_coverage(coverage, config, options);
  if (failed) {
    fmt::print(stderr, "first mismatch: {}\nto see it: {}\n", scoreboard.first_mismatch(),
               reproduction(argc, argv, scoreboard.first_mismatch_clock()));
    return kExitCheckFailed;
  }
  if (contradicted) return kExitCheckFailed;
  if (options.repeat) {
    fmt::print(stderr, "tdreplay: the mismatch did not come again\n");
    return kExitCheckFailed;
  }
  if (result.resets < options.bench.resets) {
    fmt::print(stderr, "tdreplay: only {} of {} resets before the last pass\n", result.resets,
               options.bench.resets);
    return kExitCheckFailed;
  }
  if (std::fflush(stdout) != 0) {
    throw UserError("standard output", "write", std::strerror(errno), "a disk with room");
  }
  if (scoreboard.passes_done() == 0) {
    fmt::print(stderr, "tdreplay: nothing was compared\n");
    return kExitCheckFailed;
  }
  return kExitPass;
}

}  // namespace

int replay_main(int argc, char** argv) {
  return run_program("tdreplay", [&] { return replay(argc, argv); });
}

}  // namespace td::verify
