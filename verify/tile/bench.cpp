// SPDX-License-Identifier: Apache-2.0
// SystemC testbench of one verilated tile: driver, monitor, clock and reset around it.
#include "verify/replay/bench.hpp"

#include <Vtile.h>
#include <Vtile___024root.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <initializer_list>
#include <optional>

#include "base/configuration/parameters.hpp"
#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/progress.hpp"
#include "sim/replay/predictor.hpp"
#include "sim/replay/stimulus.hpp"
#include "tile_config.hpp"
#include "verify/replay/lane_check.hpp"
#include "verify/replay/pass_clocks.hpp"
#include "verify/tile/code_coverage.hpp"
#include "verify/tile/pin_recorder.hpp"
#include "verify/tile/pins.hpp"
#include "verify/tile/see_tile.hpp"
#include "verify/tile/signals.hpp"
#include "verify/tile/wave.hpp"

namespace td::verify {
namespace {

/// SystemC's main() would print a banner before ours can run, on a stream meant for errors.
const int kNoBanner = ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);

const sc_core::sc_time kFallingEdge(5, sc_core::SC_NS);
const sc_core::sc_time kResetEdge(1.25, sc_core::SC_NS);

/// Clocks without a step or output after which the tile counts as hanging.
constexpr std::int64_t kHangClocks = 5000;

/// Rising edges without reset until the first at which rows are accepted: two that release it
/// inside, and one more.
constexpr std::int64_t kReleaseClocks = 4;

/// Mismatches after which nothing new is learnt: a tile that answers in every clock never hangs.
constexpr std::int64_t kMostMismatches = 100;

/// Puts rows, flags and the readiness for outputs on the ports, in mid-clock: in the same instant
/// as the falling edge, so that the tile is evaluated once for both.
SC_MODULE(Driver) {
  SC_HAS_PROCESS(Driver);
  Driver(sc_core::sc_module_name name, Signals & signals, replay::Stimulus & stimulus)
      : sc_module(name), signals_(signals), stimulus_(stimulus) {
    SC_METHOD(on_clock);
  }

  void on_clock() {
    next_trigger(started_ ? kPeriod : kFallingEdge);
    started_ = true;
    if (!signals_.reset_n.read()) {
      signals_.a_valid.write(0);
      signals_.b_valid.write(0);
      return;
    }
    // What moved at the last rising edge is what was offered and ready before it.
    const replay::Offer& offer = stimulus_.clock(a_ready_, b_ready_);
    a_ready_ = static_cast<int>(signals_.a_ready.read());
    b_ready_ = static_cast<int>(signals_.b_ready.read());
    signals_.a_valid.write(static_cast<Pin<TD_COUNT_BITS>>(offer.a_rows));
    signals_.b_valid.write(static_cast<Pin<TD_COUNT_BITS>>(offer.b_rows));
    from_words<TD_A_BITS>(offer.a_words, a_rows_);
    from_words<TD_B_BITS>(offer.b_words, b_rows_);
    signals_.a_rows.write(a_rows_);
    signals_.b_rows.write(b_rows_);
#ifdef TD_FP8
    signals_.a_e5m2.write(static_cast<Pin<TD_DEPTH>>(offer.a_e5m2));
    signals_.b_e5m2.write(static_cast<Pin<TD_DEPTH>>(offer.b_e5m2));
#endif
    signals_.b_last.write(static_cast<Pin<TD_DEPTH>>(offer.last));
    signals_.b_last_of_output.write(static_cast<Pin<TD_DEPTH>>(offer.last_of_output));
    signals_.dense.write(offer.dense);
    signals_.mode_matters = offer.mode_matters;
    signals_.out_ready.write(stimulus_.accept_output());
  }

  /// Whatever was offered or accepted is gone.
  void reset() {
    stimulus_.reset();
    a_ready_ = b_ready_ = 0;
  }

  Signals& signals_;
  replay::Stimulus& stimulus_;
  Pin<TD_A_BITS> a_rows_{};
  Pin<TD_B_BITS> b_rows_{};
  int a_ready_ = 0;
  int b_ready_ = 0;
  bool started_ = false;
};

/// Watches the tile in the instant of each rising edge, before the tile does: what it sees is what
/// the edge acts on.
SC_MODULE(Monitor) {
  SC_HAS_PROCESS(Monitor);
  Monitor(sc_core::sc_module_name name, const Config& config, Signals& signals, Vtile& tile,
          replay::Stimulus& stimulus, replay::Scoreboard& scoreboard, Coverage* coverage,
          PassClocks* pass_clocks, PinRecorder* recorder, const BenchOptions& options,
          std::int64_t total_passes)
      : sc_module(name),
        config_(config),
        signals_(signals),
        tile_(tile),
        stimulus_(stimulus),
        scoreboard_(scoreboard),
        coverage_(coverage),
        pass_clocks_(pass_clocks),
        recorder_(recorder),
        options_(options),
        lane_check_(config),
        progress_(options.progress, total_passes, !options.progress.empty()),
        bits_(TD_OUTPUTS),
        nonfinite_(TD_OUTPUTS) {
    SC_METHOD(on_clock);
  }

  void on_clock() {
    next_trigger(kPeriod);
    ++clocks;
    if (recorder_ != nullptr) recorder_->clock();
    if (!signals_.reset_n.read()) return;
    // Registers were random until the first reset.
    Verilated::assertOn(options_.assertions);
    if (coverage_ != nullptr)
      coverage_->on_clock(see_tile(config_, signals_, *tile_.rootp, stimulus_));
    watch_release();
    watch_steps();
    watch_outputs();
    watch_assertions();
    watch_end();
  }

  /// The tile accepts rows from one certain clock after a reset on, all that it has room for.
  void watch_release() {
    if (released_clocks_ == kReleaseClocks) return;
    ++released_clocks_;
    const std::uint64_t rows = config_.is_dense() ? 1 : TD_DEPTH;
    const std::uint64_t expected = released_clocks_ < kReleaseClocks ? 0 : rows;
    scoreboard_.on_counter("rows of side A accepted after a reset",
                           std::uint64_t{signals_.a_ready.read()}, expected, clocks);
    scoreboard_.on_counter("rows of side B accepted after a reset",
                           std::uint64_t{signals_.b_ready.read()}, expected, clocks);
  }

  void watch_steps() {
    const auto& root = *tile_.rootp;
    watch_rows(root.TD_STEP != 0);
    if (root.TD_STEP && pass_clocks_ != nullptr)
      pass_clocks_->on_step(root.TD_FINAL_STEP != 0, clocks);
    if (options_.lanes && !config_.is_dense()) watch_lanes(root.TD_STEP != 0);
    if (!root.TD_STEP) return;
    if (first_step_ < 0) first_step_ = clocks;
    last_event_ = clocks;
    ++steps;
    ++pass_cycles_;
    if (!root.TD_FINAL_STEP) return;
    scoreboard_.on_cycles(pass_cycles_, clocks);
    pass_cycles_ = 0;
  }

  /// Counts stalls from outside: what was accepted and has not left is waiting.
  void watch_rows(bool step) {
    if (step) {
      const int advance = scoreboard_.advance(pass_cycles_);
      a_held_ -= advance;
      b_held_ -= advance;
    } else if (a_held_ > 0 || b_held_ > 0) {
      ++stalls_;
    }
    const int a_moved = std::min<int>(static_cast<int>(signals_.a_valid.read()),
                                      static_cast<int>(signals_.a_ready.read()));
    const int b_moved = std::min<int>(static_cast<int>(signals_.b_valid.read()),
                                      static_cast<int>(signals_.b_ready.read()));
    a_held_ += a_moved;
    b_held_ += b_moved;
    if (pass_clocks_ == nullptr) return;
    pass_clocks_->on_rows(replay::Side::a, a_moved, clocks);
    pass_clocks_->on_rows(replay::Side::b, b_moved, clocks);
  }

  /// Behind a register of its own, what a step chooses is in front of the multipliers a clock
  /// later.
  void watch_lanes(bool step) {
    const bool late = config_.scheduler_registers > 0;
    if (late && chosen_in_ >= 0) compare_lanes(chosen_in_);
    chosen_in_ = -1;
    if (!step) return;
    const replay::Pass* pass = scoreboard_.in_use();
    if (pass == nullptr) return;  // the scoreboard complains when the output comes
    if (pass_cycles_ == 0) lane_check_.begin(pass->data);
    if (late) {
      chosen_in_ = pass_cycles_;
    } else {
      compare_lanes(pass_cycles_);
    }
  }

  void compare_lanes(std::int64_t cycle) {
    [[maybe_unused]] const auto& root = *tile_.rootp;  // not used by a dense tile
    LaneOperands operands;
#define TD_APPEND_A(signal) operands.a.push_back(root.signal);
#define TD_APPEND_B(signal) operands.b.push_back(root.signal);
    TD_A_OPERANDS(TD_APPEND_A)
    TD_B_OPERANDS(TD_APPEND_B)
#undef TD_APPEND_A
#undef TD_APPEND_B
    const std::string difference = lane_check_.compare(cycle, operands);
    if (!difference.empty()) scoreboard_.on_lane(difference, clocks);
  }

  void watch_outputs() {
    const bool valid = signals_.out_valid.read();
    const bool ready = signals_.out_ready.read();
    if (!valid || !ready) return;
    const int bits = output_width(config_);
    const Pin<TD_OUTPUT_BITS>& data = signals_.out_data.read();
    const Pin<TD_OUTPUTS>& flags = signals_.out_nonfinite.read();
#ifdef TD_FP8_RESULTS
    const Pin<TD_OUTPUTS>& overflow = signals_.out_overflow.read();
    const Pin<TD_OUTPUTS>& underflow = signals_.out_underflow.read();
#endif
    for (int pe = 0; pe < TD_OUTPUTS; ++pe) {
      bits_[static_cast<std::size_t>(pe)] = field<TD_OUTPUT_BITS>(data, pe * bits, bits);
#ifdef TD_FP8_RESULTS
      bits_[static_cast<std::size_t>(pe)] |=
          field<TD_OUTPUTS>(overflow, pe, 1) << 8 | field<TD_OUTPUTS>(underflow, pe, 1) << 9;
#endif
      nonfinite_[static_cast<std::size_t>(pe)] = field<TD_OUTPUTS>(flags, pe, 1) != 0;
      if (coverage_ != nullptr) coverage_->on_nonfinite(nonfinite_[static_cast<std::size_t>(pe)]);
    }
    scoreboard_.on_output(bits_, nonfinite_, clocks);
    if (pass_clocks_ != nullptr) pass_clocks_->on_output(clocks);
    last_event_ = last_output_ = clocks;
    progress_.show(scoreboard_.passes_done());
  }

  void watch_assertions() {
    if (Verilated::gotError()) scoreboard_.on_assertion(clocks);
  }

  void watch_end() {
    const bool at_first = options_.lanes || !options_.wave.empty() || Verilated::gotError();
    const std::int64_t most = at_first ? 1 : kMostMismatches;
    const bool failed = scoreboard_.mismatches() >= most;
    if (failed || clocks - last_event_ > kHangClocks) {
      if (!failed) scoreboard_.on_hang(clocks);
      sc_core::sc_stop();
    } else if (stimulus_.exhausted() && scoreboard_.idle() &&
               clocks - last_event_ > output_latency(config_) + 4) {
      // Whatever the tile should not have sent would have come by now.
      check_counters();
      sc_core::sc_stop();
    }
  }

  std::uint64_t counted(std::int64_t events) const {
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - config_.counter_width);
    const auto count = static_cast<std::uint64_t>(events);
    return config_.counter_wrap != 0 ? count & most : std::min(count, most);
  }

  void check_counters() {
    scoreboard_.on_counter("cycles", std::uint64_t{signals_.cycles.read()},
                           counted(scoreboard_.total_cycles()), clocks);
    scoreboard_.on_counter("skipped", std::uint64_t{signals_.skipped.read()},
                           counted(scoreboard_.total_skipped()), clocks);
    scoreboard_.on_counter("stalls", std::uint64_t{signals_.stalls.read()}, counted(stalls_),
                           clocks);
    if (options_.waits()) return;
    // Served without a break, the tile loses no clock from the first step to the last output.
    scoreboard_.on_counter("stalls", std::uint64_t{signals_.stalls.read()}, 0, clocks);
    scoreboard_.on_counter(
        "clocks from first step to last output",
        static_cast<std::uint64_t>(last_output_ - first_step_ + 1),
        static_cast<std::uint64_t>(scoreboard_.total_cycles() + output_latency(config_)), clocks);
  }

  void reset() {
    scoreboard_.flush();
    if (pass_clocks_ != nullptr) pass_clocks_->on_reset();
    released_clocks_ = 0;
    pass_cycles_ = 0;
    chosen_in_ = -1;
    stalls_ = 0;
    a_held_ = b_held_ = 0;
    last_event_ = clocks;
  }

  /// Reset is about to be asserted in mid-stream.
  void cover_reset() {
    if (coverage_ != nullptr)
      coverage_->on_reset(see_tile(config_, signals_, *tile_.rootp, stimulus_));
  }

  /// Reset in mid-stream is over; it was asserted when so many clocks had been.
  void cover_reset_over(std::int64_t clocks_before) {
    if (coverage_ != nullptr) coverage_->on_reset_over(clocks - clocks_before);
  }

  const Config& config_;
  Signals& signals_;
  Vtile& tile_;
  replay::Stimulus& stimulus_;
  replay::Scoreboard& scoreboard_;
  Coverage* coverage_;
  PassClocks* pass_clocks_;
  PinRecorder* recorder_;
  const BenchOptions& options_;
  LaneCheck lane_check_;
  Progress progress_;
  std::vector<std::uint32_t> bits_;
  std::vector<bool> nonfinite_;
  std::int64_t clocks = 0;
  std::int64_t steps = 0;
  std::int64_t stalls_ = 0;
  std::int64_t a_held_ = 0;  ///< rows of side A in the tile
  std::int64_t b_held_ = 0;
  std::int64_t pass_cycles_ = 0;
  std::int64_t chosen_in_ = -1;  ///< step of the pass, one clock ago, whose operands are to be seen
  std::int64_t released_clocks_ = 0;  ///< since the last reset, up to kReleaseClocks
  std::int64_t first_step_ = -1;
  std::int64_t last_event_ = 0;
  std::int64_t last_output_ = 0;
};

/// Resets at the start and, if asked, in mid-stream.
SC_MODULE(Reset) {
  SC_HAS_PROCESS(Reset);
  Reset(sc_core::sc_module_name name, Signals & signals, Driver & driver, Monitor & monitor,
        PinRecorder * recorder, const BenchOptions& options)
      : sc_module(name),
        signals_(signals),
        driver_(driver),
        monitor_(monitor),
        recorder_(recorder),
        wanted_(options.resets),
        random_(options.seed + 1) {
    SC_THREAD(run);
  }

  void run() {
    for (;;) {
      // Asserts between a rising edge and the driver's instant; releases anywhere but at an edge,
      // perhaps before the clock has seen anything of it.
      wait(kResetEdge);
      signals_.reset_n.write(false);
      if (done > 0) monitor_.cover_reset();
      if (recorder_ != nullptr) recorder_->reset_falls();
      driver_.reset();
      monitor_.reset();
      const auto length = static_cast<double>(done == 0 ? 30 : 1 + random_() % 34);
      const std::int64_t clocks_before = monitor_.clocks;
      wait(length, sc_core::SC_NS);
      signals_.reset_n.write(true);
      if (done > 0) {
        monitor_.cover_reset_over(clocks_before);
      } else {
        start_code_coverage();
      }
      if (recorder_ != nullptr) recorder_->reset_rises();
      if (done++ == wanted_) return;
      // Often soon again: before the tile is open, or while its window and pipeline fill.
      const std::uint64_t most = random_() % 2 == 0 ? 12 : 200;
      const sc_core::sc_time clocks = static_cast<double>(1 + random_() % most) * kPeriod;
      wait(clocks + (kPeriod - sc_core::sc_time_stamp() % kPeriod));
    }
  }

  Signals& signals_;
  Driver& driver_;
  Monitor& monitor_;
  PinRecorder* recorder_;
  std::int64_t wanted_;
  std::int64_t done = 0;  ///< that at the start included
  std::mt19937_64 random_;
};

/// A size of the Verilog that is not the configuration's.
struct SizeGiven {
  const char* parameter;
  const char* name;
  int value;
};

std::int64_t passes(const replay::PassSource& source) {
  std::int64_t total = 0;
  for (const replay::Tally& tally : source.tallies()) total += tally.passes;
  return total;
}

}  // namespace

BenchDesign bench_design() {
  Config config = load_config(TD_CONFIG_FILE);
  if (config_hash_text(config) != TD_CONFIG_HASH) {
    throw UserError(TD_CONFIG_FILE, "configuration hash", config_hash_text(config),
                    TD_CONFIG_HASH ", that of the Verilog this program was built from");
  }
  std::string name = fmt::format("{} ({})", config.name, TD_CONFIG_HASH);
  for (const SizeGiven& size : std::initializer_list<SizeGiven>{TD_SIZES}) {
    find_parameter(size.parameter)->set(config, size.value);
    name += fmt::format(" {}={}", size.name, size.value);
  }
  return {config, name};
}

BenchResult run_bench(replay::PassSource& source, replay::Scoreboard& scoreboard,
                      Coverage* coverage, const BenchOptions& options) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  // Random at first, but where toggles are counted: those would be none of the design's.
  Verilated::randReset(TD_COVERAGE ? 0 : 2);
  Verilated::randSeed(static_cast<int>(options.seed % 0x7fffffff) + 1);
  Verilated::assertOn(false);
  Verilated::fatalOnError(false);
  Verilated::traceEverOn(!options.wave.empty());
  const Config config = bench_design().config;
  replay::Predictor predictor(config, source, scoreboard, options.results);
  std::optional<PassClocks> pass_clocks;
  if (!options.clocks.empty()) pass_clocks.emplace(predictor, kPeriod.to_seconds() * 1e9);
  PassClocks* const in_clocks = pass_clocks ? &*pass_clocks : nullptr;
  replay::PassSource& drawn =
      pass_clocks ? static_cast<replay::PassSource&>(*pass_clocks) : predictor;
  replay::Stimulus stimulus(config, drawn, options);
  Signals signals;
#ifdef TD_FP8_RESULTS
  signals.out_e5m2.write(options.results.kind == sim::Fp8::e5m2);
  signals.out_saturate.write(options.results.overflow == sim::Overflow::saturate);
  signals.out_scale.write(static_cast<Pin<9>>(options.results.scale & 0x1ff));
#endif
  Vtile tile("tile");
  signals.bind(tile);
  Driver driver("driver", signals, stimulus);
  std::optional<PinRecorder> recorder;
  if (!options.record.empty()) recorder.emplace(signals, options.record);
  PinRecorder* const pins = recorder ? &*recorder : nullptr;
  Monitor monitor("monitor", config, signals, tile, stimulus, scoreboard, coverage, in_clocks, pins,
                  options, passes(source));
  Reset reset("reset", signals, driver, monitor, pins, options);

  const std::clock_t begin = std::clock();
  std::optional<Wave> wave;
  if (!options.wave.empty()) wave.emplace(tile, options, kPeriod);
  if (sc_core::sc_get_status() != sc_core::SC_STOPPED) sc_core::sc_start();
  if (wave) wave->close();
  tile.final();
  write_code_coverage(options.code_coverage);
  if (recorder) recorder->keep();
  if (pass_clocks) write_files({{options.clocks, pass_clocks->csv()}});
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return {monitor.clocks, monitor.steps, reset.done - 1, seconds};
}

}  // namespace td::verify

/// SystemC's entry point.
int sc_main(int argc, char** argv) { return td::verify::replay_main(argc, argv); }
