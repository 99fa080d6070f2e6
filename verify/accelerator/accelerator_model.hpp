// SPDX-License-Identifier: Apache-2.0
// A verilated accelerator, of whatever configuration, as its testbench sees it.
#pragma once

#include "verify/accelerator/axi.hpp"
#include "verify/accelerator/axi_lite.hpp"

namespace td::verify {

struct AcceleratorSignals {
  AxiBus bus;
  AxiLiteBus lite;
  bool interrupt = false;
};

/// In each clock: settle(), which fills the accelerator's signals, then rise().
class AcceleratorModel {
 public:
  virtual ~AcceleratorModel() = default;
  virtual void settle(AcceleratorSignals& signals, bool reset) = 0;
  virtual void rise() = 0;
};

}  // namespace td::verify
