// SPDX-License-Identifier: Apache-2.0
// The signals between the testbench and the tile's ports.
#pragma once

#include <Vtile.h>

#include "tile_config.hpp"
#include "verify/tile/pins.hpp"

namespace td::verify {

inline const sc_core::sc_time kPeriod(10, sc_core::SC_NS);

/// The tile's ports as signals.
struct Signals {
  sc_core::sc_clock clock{"clock", kPeriod, 0.5, sc_core::SC_ZERO_TIME, true};
  sc_core::sc_signal<bool> reset_n{"reset_n"};
  sc_core::sc_signal<bool> dense{"dense"};
  sc_core::sc_signal<Pin<TD_COUNT_BITS>> a_valid{"a_valid"}, a_ready{"a_ready"};
  sc_core::sc_signal<Pin<TD_COUNT_BITS>> b_valid{"b_valid"}, b_ready{"b_ready"};
  sc_core::sc_signal<Pin<TD_A_BITS>> a_rows{"a_rows"};
  sc_core::sc_signal<Pin<TD_B_BITS>> b_rows{"b_rows"};
  sc_core::sc_signal<Pin<TD_DEPTH>> b_last{"b_last"}, b_last_of_output{"b_last_of_output"};
#ifdef TD_FP8
  sc_core::sc_signal<Pin<TD_DEPTH>> a_e5m2{"a_e5m2"}, b_e5m2{"b_e5m2"};
#endif
#ifdef TD_FP8_RESULTS
  sc_core::sc_signal<bool> out_e5m2{"out_e5m2"}, out_saturate{"out_saturate"};
  sc_core::sc_signal<Pin<9>> out_scale{"out_scale"};
  sc_core::sc_signal<Pin<TD_OUTPUTS>> out_overflow{"out_overflow"}, out_underflow{"out_underflow"};
#endif
  sc_core::sc_signal<bool> out_valid{"out_valid"}, out_ready{"out_ready"};
  sc_core::sc_signal<Pin<TD_OUTPUT_BITS>> out_data{"out_data"};
  sc_core::sc_signal<Pin<TD_OUTPUTS>> out_nonfinite{"out_nonfinite"};
  sc_core::sc_signal<Pin<TD_COUNTER_BITS>> cycles{"cycles"}, stalls{"stalls"}, skipped{"skipped"};
  bool mode_matters = false;  ///< the tile looks at `dense` in this clock

  void bind(Vtile& tile) {
    tile.clk_i(clock);
    tile.rst_ni(reset_n);
    tile.dense_i(dense);
    tile.a_valid_i(a_valid);
    tile.a_ready_o(a_ready);
    tile.a_rows_i(a_rows);
    tile.b_valid_i(b_valid);
    tile.b_ready_o(b_ready);
    tile.b_rows_i(b_rows);
#ifdef TD_FP8
    tile.a_e5m2_i(a_e5m2);
    tile.b_e5m2_i(b_e5m2);
#endif
    tile.b_last_i(b_last);
    tile.b_last_of_output_i(b_last_of_output);
#ifdef TD_FP8_RESULTS
    tile.out_e5m2_i(out_e5m2);
    tile.out_saturate_i(out_saturate);
    tile.out_scale_i(out_scale);
    tile.out_overflow_o(out_overflow);
    tile.out_underflow_o(out_underflow);
#endif
    tile.out_valid_o(out_valid);
    tile.out_ready_i(out_ready);
    tile.out_data_o(out_data);
    tile.out_nonfinite_o(out_nonfinite);
    tile.cycles_o(cycles);
    tile.stalls_o(stalls);
    tile.skipped_o(skipped);
  }
};

}  // namespace td::verify
