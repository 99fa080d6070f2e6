// SPDX-License-Identifier: Apache-2.0
// Verilated modules as they are switched on.
#pragma once

#include <verilated.h>

namespace td::verify {

/// Before a model is made: its registers begin with anything.
inline void begin_with_anything() { Verilated::randReset(2); }

/// A reset of some clocks, before which assertions mean nothing: a register that drives the resets
/// of others may have begun with low, and edges are all that a verilated one hears of.
template <class Model>
void power_on(Model& model) {
  Verilated::assertOn(false);
  model.rst_ni = 0;
  for (int edge = 0; edge < 8; ++edge) {
    model.clk_i = edge % 2 != 0;
    model.eval();
  }
  Verilated::assertOn(true);
}

}  // namespace td::verify
