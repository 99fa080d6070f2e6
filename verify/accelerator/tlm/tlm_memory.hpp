// SPDX-License-Identifier: Apache-2.0
// A memory in a virtual platform.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <tlm>

#include "sim/accelerator/model/memory.hpp"

namespace td::verify {

class TlmMemory : public sc_core::sc_module {
 public:
  /// `direct`: initiators may have a pointer to it.
  TlmMemory(const sc_core::sc_module_name& name, sim::MemoryImage& image, bool direct)
      : sc_module(name), socket("socket"), image_(image), direct_(direct) {
    socket.register_b_transport(this, &TlmMemory::transport);
    socket.register_transport_dbg(this, &TlmMemory::look);
    socket.register_get_direct_mem_ptr(this, &TlmMemory::give);
  }

  tlm_utils::multi_passthrough_target_socket<TlmMemory> socket;
  std::uint64_t transactions() const { return transactions_; }

 private:
  bool move(tlm::tlm_generic_payload& what) {
    return what.is_write()
               ? image_.write(what.get_address(), what.get_data_ptr(), what.get_data_length())
               : image_.read(what.get_address(), what.get_data_ptr(), what.get_data_length());
  }
  void transport(int, tlm::tlm_generic_payload& what, sc_core::sc_time&) {
    ++transactions_;
    what.set_response_status(move(what) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    what.set_dmi_allowed(direct_);
  }
  unsigned look(int, tlm::tlm_generic_payload& what) {
    return move(what) ? what.get_data_length() : 0;
  }
  bool give(int, tlm::tlm_generic_payload&, tlm::tlm_dmi& region) {
    region.set_start_address(image_.base);
    region.set_end_address(image_.base + image_.bytes.size() - 1);
    region.set_dmi_ptr(image_.bytes.data());
    region.allow_read_write();
    return direct_;
  }

  sim::MemoryImage& image_;
  bool direct_;
  std::uint64_t transactions_ = 0;
};

}  // namespace td::verify
