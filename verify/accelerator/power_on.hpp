// SPDX-License-Identifier: Apache-2.0
// Verilated modules as they are switched on.
#pragma once

#include <verilated.h>

namespace td::verify {

/// Before a model is made: its registers begin with anything.
inline void begin_with_anything() { Verilated::randReset(2); }

/// The reset falls, and all registers that have one take it.
template <class Verilated>
void power_on(Verilated& model) {
  model.clk_i = 0;
  model.rst_ni = 1;
  model.eval();
  model.rst_ni = 0;
  model.eval();
}

}  // namespace td::verify
