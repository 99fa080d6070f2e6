// SPDX-License-Identifier: Apache-2.0
// A host in a virtual platform: the driver's port, by transactions.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <tlm>

#include "sim/accelerator/driver/port.hpp"
#include "sim/accelerator/tlm/bus_memory.hpp"

namespace td::sim {

/// In a thread of SystemC only. Throws std::runtime_error where an access is not answered well.
class TlmPort : public sc_core::sc_module, public Port {
 public:
  explicit TlmPort(const sc_core::sc_module_name& name);

  tlm_utils::simple_initiator_socket<TlmPort> registers;
  BusMemory bus;  ///< its socket is for the memory
  sc_core::sc_in<bool> interrupt;

  void read_memory(std::uint64_t address, std::uint8_t* to, std::size_t bytes) override;
  void write_memory(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) override;
  std::uint32_t read_register(std::uint32_t offset) override;
  bool write_register(std::uint32_t offset, std::uint32_t value) override;
  /// Waits for ever where it never comes: SystemC then has nothing left to do.
  void wait_for_interrupt() override;

 private:
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint32_t offset,
                                  std::uint32_t& value);
};

}  // namespace td::sim
