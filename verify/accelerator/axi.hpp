// SPDX-License-Identifier: Apache-2.0
// The signals of an AXI4 port as they are just before a clock edge, and how a testbench draws.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace td::verify {

/// One AXI4 port. The master's fields are filled from the model's outputs; the slave's by
/// AxiMemory::drive.
struct AxiBus {
  // Master
  bool ar_valid = false;
  unsigned ar_id = 0;
  std::uint64_t ar_addr = 0;
  unsigned ar_len = 0;
  bool r_ready = false;
  bool aw_valid = false;
  unsigned aw_id = 0;
  std::uint64_t aw_addr = 0;
  unsigned aw_len = 0;
  unsigned aw_bytes = 0;  ///< of a beat: the whole bus, or fewer (AWSIZE), where its address says
  bool w_valid = false;
  std::vector<std::uint8_t> w_data;  ///< bytes of a beat
  std::uint64_t w_strb = 0;
  bool w_last = false;
  bool b_ready = false;
  // Slave
  bool ar_ready = false;
  bool r_valid = false;
  unsigned r_id = 0;
  std::vector<std::uint8_t> r_data;  ///< bytes of a beat
  unsigned r_resp = 0;
  bool r_last = false;
  bool aw_ready = false;
  bool w_ready = false;
  bool b_valid = false;
  unsigned b_id = 0;
  unsigned b_resp = 0;
};

/// Draws that are the same for the same seed.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }  ///< 0..bound-1
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(double share) { return static_cast<double>(engine_() >> 11) * 0x1p-53 < share; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace td::verify
