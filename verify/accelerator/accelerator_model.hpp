// SPDX-License-Identifier: Apache-2.0
// A verilated accelerator, of whatever configuration, as its testbench sees it.
#pragma once

#include <cstdint>

#include "verify/accelerator/axi.hpp"

namespace td::verify {

/// The register port; the host's fields first.
struct LiteBus {
  bool aw_valid = false;
  std::uint32_t aw_addr = 0;
  bool w_valid = false;
  std::uint32_t w_data = 0;
  bool b_ready = false;
  bool ar_valid = false;
  std::uint32_t ar_addr = 0;
  bool r_ready = false;
  // Accelerator
  bool aw_ready = false;
  bool w_ready = false;
  bool b_valid = false;
  unsigned b_resp = 0;
  bool ar_ready = false;
  bool r_valid = false;
  std::uint32_t r_data = 0;
  unsigned r_resp = 0;
};

struct AcceleratorSignals {
  AxiBus bus;
  LiteBus lite;
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
