// SPDX-License-Identifier: Apache-2.0
// What stands on the pins in every clock, for another simulator to play.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/replay/recorder.hpp"
#include "verify/tile/signals.hpp"

namespace td::verify {

/// Records the pins, in the instant of each rising edge and before the tile sees it.
class PinRecorder {
 public:
  PinRecorder(const Signals& signals, const std::string& path)
      : signals_(signals), recorder_(path) {}

  void clock() {
    recorder_.field(signals_.reset_n.read(), 1);
    recorder_.field(signals_.mode_matters, 1);
    recorder_.field(signals_.dense.read(), 1);
    put<TD_COUNT_BITS>(signals_.a_valid);
    put<TD_A_BITS>(signals_.a_rows);
    put<TD_COUNT_BITS>(signals_.b_valid);
    put<TD_B_BITS>(signals_.b_rows);
#ifdef TD_FP8
    put<TD_DEPTH>(signals_.a_e5m2);
    put<TD_DEPTH>(signals_.b_e5m2);
#endif
    put<TD_DEPTH>(signals_.b_last);
    put<TD_DEPTH>(signals_.b_last_of_output);
    recorder_.field(signals_.out_ready.read(), 1);
#ifdef TD_FP8_RESULTS
    recorder_.field(signals_.out_e5m2.read(), 1);
    recorder_.field(signals_.out_saturate.read(), 1);
    put<9>(signals_.out_scale);
#endif
    put<TD_COUNT_BITS>(signals_.a_ready);
    put<TD_COUNT_BITS>(signals_.b_ready);
    recorder_.field(signals_.out_valid.read(), 1);
    put<TD_OUTPUT_BITS>(signals_.out_data);
    put<TD_OUTPUTS>(signals_.out_nonfinite);
#ifdef TD_FP8_RESULTS
    put<TD_OUTPUTS>(signals_.out_overflow);
    put<TD_OUTPUTS>(signals_.out_underflow);
#endif
    put<TD_COUNTER_BITS>(signals_.cycles);
    put<TD_COUNTER_BITS>(signals_.stalls);
    put<TD_COUNTER_BITS>(signals_.skipped);
    recorder_.clock();
  }

  void reset_falls() { recorder_.reset_falls(part()); }
  void reset_rises() { recorder_.reset_rises(part()); }
  void keep() { recorder_.keep(); }

 private:
  template <int Bits>
  void put(const sc_core::sc_signal<Pin<Bits>>& signal) {
    std::vector<std::uint32_t> words;
    for (int i = 0; 32 * i < Bits; ++i) words.push_back(word<Bits>(signal.read(), i));
    recorder_.field(words, Bits);
  }

  /// Of this clock, what is over.
  static int part() {
    const sc_core::sc_time since = sc_core::sc_time_stamp() % kPeriod;
    return static_cast<int>(since.value() * Recorder::kPartsPerClock / kPeriod.value());
  }

  const Signals& signals_;
  Recorder recorder_;
};

}  // namespace td::verify
