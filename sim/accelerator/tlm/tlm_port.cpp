// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/tlm/tlm_port.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace td::sim {

namespace {

void check(bool answered, std::uint64_t address) {
  if (!answered) throw std::runtime_error(fmt::format("host: no memory at {:#x}", address));
}

}  // namespace

TlmPort::TlmPort(const sc_core::sc_module_name& name)
    : sc_module(name), registers("registers"), bus("bus"), interrupt("interrupt") {}

void TlmPort::read_memory(std::uint64_t address, std::uint8_t* to, std::size_t bytes) {
  check(bus.read(address, to, bytes), address);
}

void TlmPort::write_memory(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) {
  check(bus.write(address, from, bytes), address);
}

tlm::tlm_response_status TlmPort::access(tlm::tlm_command command, std::uint32_t offset,
                                         std::uint32_t& value) {
  tlm::tlm_generic_payload what;
  what.set_command(command);
  what.set_address(offset);
  what.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  what.set_data_length(sizeof value);
  what.set_streaming_width(sizeof value);
  sc_core::sc_time delay;
  registers->b_transport(what, delay);
  sc_core::wait(delay);
  return what.get_response_status();
}

std::uint32_t TlmPort::read_register(std::uint32_t offset) {
  std::uint32_t value = 0;
  if (access(tlm::TLM_READ_COMMAND, offset, value) != tlm::TLM_OK_RESPONSE) {
    throw std::runtime_error(fmt::format("host: register {:#x} is not answered", offset));
  }
  return value;
}

bool TlmPort::write_register(std::uint32_t offset, std::uint32_t value) {
  return access(tlm::TLM_WRITE_COMMAND, offset, value) == tlm::TLM_OK_RESPONSE;
}

void TlmPort::wait_for_interrupt() {
  if (!interrupt.read()) sc_core::wait(interrupt.posedge_event());
}

}  // namespace td::sim
