// SPDX-License-Identifier: Apache-2.0
// The wave of a replay; a tile that was verilated without waves refuses it.
#pragma once

#include <Vtile.h>

#include "base/support/error.hpp"
#include "verify/replay/bench.hpp"
#if TD_WAVES
#include <verilated_fst_sc.h>

#include "verify/replay/wave_view.hpp"
#include "verify/tile/wave_file.hpp"
#endif

namespace td::verify {

#if TD_WAVES

class Wave {
 public:
  /// Runs the simulation to the first clock in the file: signals can be declared once elaboration
  /// is done, and the file opened any time after that.
  Wave(Vtile& tile, const BenchOptions& options, const sc_core::sc_time& period)
      : path_(options.wave), file_(options.wave) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    tile.trace(&writer_, 99);
    if (options.wave_from > 0) {
      sc_core::sc_start(static_cast<double>(options.wave_from) * period);
    }
    writer_.open(file_.temporary().c_str());
    if (!writer_.isOpen()) file_.refuse();
  }

  void close() {
    writer_.close();
    file_.keep();
    write_view(bench_design().config, TD_VIEW, path_);
  }

 private:
  std::string path_;
  WaveFile file_;
  VerilatedFstSc writer_;
};

#else

class Wave {
 public:
  Wave(Vtile&, const BenchOptions& options, const sc_core::sc_time&) {
    throw UserError("command line", "--wave", options.wave,
                    "a program with waves, which scripts/replay builds");
  }
  void close() {}
};

#endif

}  // namespace td::verify
