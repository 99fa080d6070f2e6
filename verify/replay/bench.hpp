// SPDX-License-Identifier: Apache-2.0
// The testbench around one verilated tile, as the replay program sees it.
#pragma once

#include <cstdint>
#include <string>

#include "base/configuration/config.hpp"
#include "sim/replay/pass_source.hpp"
#include "sim/replay/scoreboard.hpp"
#include "sim/replay/stimulus.hpp"
#include "verify/replay/coverage/coverage.hpp"

namespace td::verify {

/// The waits, and what else a run can be asked for. The seed is of resets, too.
struct BenchOptions : replay::Waits {
  std::int64_t resets = 0;     ///< resets in mid-stream
  std::string record;          ///< file for what stands on the pins; empty: none
  std::string wave;            ///< FST file; empty: none
  std::int64_t wave_from = 0;  ///< first clock in the file
  std::string clocks;          ///< CSV file, which pass is where; empty: none
  std::string code_coverage;   ///< file for lines and toggles; empty: none
  bool assertions = true;      ///< stop where one of the Verilog's fails
  bool lanes = false;          ///< compare every lane's operands; stop at the first mismatch
  sim::Fp8Results results;     ///< how sums become results of OFP8
  std::string progress;        ///< what is counted on stderr's terminal; empty: nothing is

  /// Ports may wait, so that the tile need not run at full rate.
  bool waits() const { return stall > 0.0 || pause > 0.0 || resets > 0; }
};

struct BenchResult {
  std::int64_t clocks = 0;
  std::int64_t steps = 0;    ///< clocks in which the tile stepped
  std::int64_t resets = 0;   ///< in mid-stream
  double cpu_seconds = 0.0;  ///< model and testbench included
};

/// What the tile was built from.
struct BenchDesign {
  Config config;     ///< at the sizes of this tile
  std::string name;  ///< for reports: configuration, its hash, and sizes that are not its own
};

/// The design of this program, from its emitted NAME.toml.
BenchDesign bench_design();

/// Sends every pass of the source through the tile and lets the scoreboard judge the answers. Each
/// call needs a fresh process: SystemC elaborates once. `coverage` may be null.
BenchResult run_bench(replay::PassSource& source, replay::Scoreboard& scoreboard,
                      Coverage* coverage, const BenchOptions& options);

/// The program around it: options, replay, report. Returns the exit status.
int replay_main(int argc, char** argv);

}  // namespace td::verify
