// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/axi_lite.hpp"

#include <fmt/format.h>

namespace td::verify {

void AxiLiteMaster::fault(const char* text) {
  faults_.push_back(fmt::format("clock {}: registers: {}", clock_, text));
}

void AxiLiteMaster::write(std::uint32_t address, std::uint32_t data, unsigned strobes) {
  if (writing()) fault("the testbench writes while it writes");
  write_address_ = address;
  write_data_ = data;
  strobes_ = strobes;
  aw_owed_ = w_owed_ = b_owed_ = true;
}

void AxiLiteMaster::read(std::uint32_t address) {
  if (reading()) fault("the testbench reads while it reads");
  read_address_ = address;
  ar_owed_ = r_owed_ = true;
}

void AxiLiteMaster::reset() {
  aw_owed_ = w_owed_ = b_owed_ = ar_owed_ = r_owed_ = false;
  aw_valid_ = w_valid_ = ar_valid_ = b_waits_ = r_waits_ = false;
}

/// An offer begins when it likes to, and stays until it is accepted.
void AxiLiteMaster::offer(bool& valid, bool owed) {
  if (!valid) valid = owed && !draw_.chance(stall_);
}

void AxiLiteMaster::drive(AxiLiteBus& bus) {
  offer(aw_valid_, aw_owed_);
  offer(w_valid_, w_owed_);
  offer(ar_valid_, ar_owed_);
  const auto any = [this] { return static_cast<std::uint32_t>(draw_.below(1ULL << 32)); };
  bus.aw_valid = aw_valid_;
  bus.aw_addr = aw_valid_ ? write_address_ : any();
  bus.w_valid = w_valid_;
  bus.w_data = w_valid_ ? write_data_ : any();
  bus.w_strb = w_valid_ ? strobes_ : any() & 0xf;
  bus.ar_valid = ar_valid_;
  bus.ar_addr = ar_valid_ ? read_address_ : any();
  bus.b_ready = !draw_.chance(stall_);
  bus.r_ready = !draw_.chance(stall_);
}

void AxiLiteMaster::edge(const AxiLiteBus& bus) {
  ++clock_;
  if (b_waits_ && (!bus.b_valid || bus.b_resp != b_was_)) fault("a response changes");
  if (r_waits_ && (!bus.r_valid || bus.r_resp != r_was_ || bus.r_data != data_was_)) {
    fault("read data change");
  }
  b_waits_ = bus.b_valid && !bus.b_ready;
  r_waits_ = bus.r_valid && !bus.r_ready;
  b_was_ = bus.b_resp;
  r_was_ = bus.r_resp;
  data_was_ = bus.r_data;
  // A response must come after what it answers.
  if (bus.b_valid && (aw_owed_ || w_owed_ || !b_owed_)) fault("a response that nothing waits for");
  if (bus.r_valid && (ar_owed_ || !r_owed_)) fault("data that nothing waits for");
  if (bus.b_valid && bus.b_ready) {
    b_owed_ = false;
    write_response_ = bus.b_resp;
    ++checked_;
  }
  if (bus.r_valid && bus.r_ready) {
    r_owed_ = false;
    read_response_ = bus.r_resp;
    data_ = bus.r_data;
    ++checked_;
  }
  if (bus.aw_valid && bus.aw_ready) aw_valid_ = aw_owed_ = false;
  if (bus.w_valid && bus.w_ready) w_valid_ = w_owed_ = false;
  if (bus.ar_valid && bus.ar_ready) ar_valid_ = ar_owed_ = false;
}

}  // namespace td::verify
