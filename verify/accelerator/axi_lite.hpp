// SPDX-License-Identifier: Apache-2.0
// The master of an AXI4-Lite port of 32 bits, with stalls and with address and data of a write in
// any order; it notes what the slave does against the protocol.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/accelerator/axi.hpp"

namespace td::verify {

/// The signals just before a clock edge. The slave's fields are filled from the model's outputs;
/// the master's by AxiLiteMaster::drive.
struct AxiLiteBus {
  // Master
  bool aw_valid = false;
  std::uint32_t aw_addr = 0;
  bool w_valid = false;
  std::uint32_t w_data = 0;
  unsigned w_strb = 0;
  bool b_ready = false;
  bool ar_valid = false;
  std::uint32_t ar_addr = 0;
  bool r_ready = false;
  // Slave
  bool aw_ready = false;
  bool w_ready = false;
  bool b_valid = false;
  unsigned b_resp = 0;
  bool ar_ready = false;
  bool r_valid = false;
  std::uint32_t r_data = 0;
  unsigned r_resp = 0;
};

/// One access at a time; or a read beside a write. In each clock: drive(bus); evaluate the model;
/// edge(bus).
class AxiLiteMaster {
 public:
  AxiLiteMaster(double stall, std::uint64_t seed) : draw_(seed), stall_(stall) {}

  void write(std::uint32_t address, std::uint32_t data, unsigned strobes = 0xf);
  void read(std::uint32_t address);
  bool writing() const { return aw_owed_ || w_owed_ || b_owed_; }
  bool reading() const { return ar_owed_ || r_owed_; }
  unsigned write_response() const { return write_response_; }  ///< of the last write: 0 is good
  unsigned read_response() const { return read_response_; }
  std::uint32_t data() const { return data_; }  ///< of the last read

  void drive(AxiLiteBus& bus);
  void edge(const AxiLiteBus& bus);
  /// Forgets the accesses, as a reset of both sides does.
  void reset();

  const std::vector<std::string>& faults() const { return faults_; }
  std::uint64_t checked() const { return checked_; }  ///< responses

 private:
  void offer(bool& valid, bool owed);
  void fault(const char* text);

  Draw draw_;
  double stall_;
  std::uint32_t write_address_ = 0, write_data_ = 0, read_address_ = 0, data_ = 0;
  unsigned strobes_ = 0, write_response_ = 0, read_response_ = 0;
  bool aw_owed_ = false, w_owed_ = false, b_owed_ = false, ar_owed_ = false, r_owed_ = false;
  bool aw_valid_ = false, w_valid_ = false, ar_valid_ = false;
  bool b_waits_ = false, r_waits_ = false;  ///< offered in the last clock, not taken
  unsigned b_was_ = 0, r_was_ = 0;
  std::uint32_t data_was_ = 0;
  std::uint64_t clock_ = 0, checked_ = 0;
  std::vector<std::string> faults_;
};

}  // namespace td::verify
