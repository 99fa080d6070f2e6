// SPDX-License-Identifier: Apache-2.0
// The ports of td1_control in one clock, and the module behind them, whatever its sizes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "verify/accelerator/axi_lite.hpp"

namespace td::verify {

struct EngineSignals {
  // In
  bool ready = false, done = false, quiet = true;
  unsigned error = 0;
  // Out
  bool valid = false;
  std::array<std::uint32_t, 64> desc{};  // of a load or store the first 16
};

struct ControlSignals {
  AxiLiteBus registers;
  // In
  bool fetch_ar_ready = false, fetch_r_valid = false;
  unsigned fetch_r_resp = 0;
  std::vector<std::uint32_t> fetch_r_data;  // a beat
  bool read_beat = false, stepped = false, waiting = false, filling = false;
  unsigned written = 0, results = 0, zeros = 0, nonfinite = 0;
  // Out
  bool fetch_ar_valid = false, fetch_r_ready = false;
  std::uint64_t fetch_ar_addr = 0;
  unsigned fetch_ar_len = 0;
  bool irq = false, halt = false, engines_reset = false;
  std::array<EngineSignals, 3> engines;  // load, compute, store
};

class ControlModel {
 public:
  virtual ~ControlModel() = default;
  // Of a beat that is read.
  virtual unsigned beat_bytes() const = 0;
  virtual unsigned beat_rows() const = 0;
  // The clock is low: inputs go in, outputs come out.
  virtual void settle(ControlSignals& signals, bool reset) = 0;
  // The clock rises.
  virtual void edge() = 0;
};

}  // namespace td::verify
