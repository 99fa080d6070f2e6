// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/tlm/bus_memory.hpp"

#include <algorithm>

namespace td::sim {

BusMemory::BusMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
  socket.register_invalidate_direct_mem_ptr(this, &BusMemory::forget);
}

void BusMemory::forget(sc_dt::uint64, sc_dt::uint64) { known_ = false; }

/// Its first and its last byte answer.
bool BusMemory::holds(std::uint64_t address, std::uint64_t count) {
  const auto answers = [&](std::uint64_t at) {
    std::uint8_t byte = 0;
    tlm::tlm_generic_payload probe;
    probe.set_read();
    probe.set_address(at);
    probe.set_data_ptr(&byte);
    probe.set_data_length(1);
    return socket->transport_dbg(probe) == 1;
  };
  return count == 0 || (answers(address) && answers(address + count - 1));
}

std::uint8_t* BusMemory::direct(std::uint64_t address, std::size_t count, bool writes) {
  const bool allowed = writes ? region_.is_write_allowed() : region_.is_read_allowed();
  if (!known_ || !allowed || address < region_.get_start_address()) return nullptr;
  const std::uint64_t first = address - region_.get_start_address();
  const std::uint64_t last = region_.get_end_address() - region_.get_start_address();
  return count <= last && first <= last + 1 - count ? region_.get_dmi_ptr() + first : nullptr;
}

bool BusMemory::transport(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                          std::size_t count) {
  tlm::tlm_generic_payload what;
  what.set_command(command);
  what.set_address(address);
  what.set_data_ptr(data);
  what.set_data_length(static_cast<unsigned>(count));
  what.set_streaming_width(static_cast<unsigned>(count));
  sc_core::sc_time delay;
  socket->b_transport(what, delay);
  if (what.is_dmi_allowed()) {
    region_.init();
    known_ = socket->get_direct_mem_ptr(what, region_);
  }
  return what.is_response_ok();
}

bool BusMemory::read(std::uint64_t address, std::uint8_t* to, std::size_t count) {
  const std::uint8_t* there = direct(address, count, false);
  if (there == nullptr) return transport(tlm::TLM_READ_COMMAND, address, to, count);
  std::copy_n(there, count, to);
  return true;
}

bool BusMemory::write(std::uint64_t address, const std::uint8_t* from, std::size_t count) {
  std::uint8_t* there = direct(address, count, true);
  if (there != nullptr) {
    std::copy_n(from, count, there);
    return true;
  }
  // The payload has one pointer for both commands; a target only reads what is written to it.
  return transport(tlm::TLM_WRITE_COMMAND, address, const_cast<std::uint8_t*>(from), count);
}

}  // namespace td::sim
