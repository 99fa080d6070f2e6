// SPDX-License-Identifier: Apache-2.0
// What lies behind an initiator socket, as the memory of a model.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <tlm>

#include "sim/accelerator/model/memory.hpp"

namespace td::sim {

/// Directly where the target allows it, else by transactions, whose delays are not added up:
/// whoever uses this knows how long the memory takes. In a thread of SystemC only.
class BusMemory : public sc_core::sc_module, public Memory {
 public:
  explicit BusMemory(const sc_core::sc_module_name& name);

  tlm_utils::simple_initiator_socket<BusMemory> socket;

  bool holds(std::uint64_t address, std::uint64_t count) override;
  bool read(std::uint64_t address, std::uint8_t* to, std::size_t count) override;
  bool write(std::uint64_t address, const std::uint8_t* from, std::size_t count) override;

 private:
  bool transport(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                 std::size_t count);
  std::uint8_t* direct(std::uint64_t address, std::size_t count, bool writes);
  void forget(sc_dt::uint64 begin, sc_dt::uint64 end);

  tlm::tlm_dmi region_;
  bool known_ = false;  ///< region_ may be used
};

}  // namespace td::sim
