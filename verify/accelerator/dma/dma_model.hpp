// SPDX-License-Identifier: Apache-2.0
// The signals of the module dma_bench, whatever its sizes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "verify/accelerator/axi.hpp"

namespace td::verify {

/// An engine's descriptors and state.
struct EngineSignals {
  bool valid = false;
  std::array<std::uint32_t, 16> desc{};
  bool ready = false;
  bool done = false;
  unsigned error = 0;
  bool quiet = false;
};

struct DmaSignals {
  std::uint64_t window_begin = 0, window_end = 0;
  bool halt = false;
  EngineSignals load, store;
  bool fetch_ar_valid = false, fetch_ar_ready = false;
  std::uint64_t fetch_ar_addr = 0;
  unsigned fetch_ar_len = 0;
  bool fetch_r_valid = false, fetch_r_ready = false;
  unsigned write_en = 0, write_row = 0, write_interleave = 0;
  std::vector<std::uint8_t> write_data;
  unsigned read_en = 0, read_tile = 0;
  std::array<std::uint32_t, 4> read_row{};  ///< by set of rows
  std::vector<std::uint8_t> read_data;
  unsigned written = 0, result_count = 0, zero_count = 0;
  AxiBus bus;
};

class DmaModel {
 public:
  virtual ~DmaModel() = default;
  virtual void settle(DmaSignals& signals, bool reset) = 0;  ///< inputs in, outputs out
  virtual void edge() = 0;                                   ///< the clock rises
};

}  // namespace td::verify
