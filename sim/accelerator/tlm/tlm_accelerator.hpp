// SPDX-License-Identifier: Apache-2.0
// The accelerator in a virtual platform: TLM-2.0 of IEEE 1666, loosely timed. A job's bytes are the
// functional model's, and are there when it begins; its interrupt comes when the timeline says that
// the hardware's would.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <tlm>

#include "base/configuration/config.hpp"
#include "sim/accelerator/model/functional_model.hpp"
#include "sim/accelerator/model/register_file.hpp"
#include "sim/accelerator/timing/timeline.hpp"
#include "sim/accelerator/tlm/bus_memory.hpp"

namespace td::sim {

class TlmAccelerator : public sc_core::sc_module {
 public:
  /// `period`: of the clock. `timing`: of the memory behind the bus, in such periods.
  TlmAccelerator(const sc_core::sc_module_name& name, const Config& config,
                 const sc_core::sc_time& period, const MemoryTiming& timing);

  /// Words of 4 bytes. Answers that the hardware's bus has no words for: TLM_ADDRESS_ERROR where no
  /// register is; TLM_GENERIC_ERROR where a write is refused.
  tlm_utils::simple_target_socket<TlmAccelerator> registers;
  sc_core::sc_out<bool> interrupt;
  BusMemory bus;  ///< its socket is the master port

 private:
  SC_HAS_PROCESS(TlmAccelerator);

  void access(tlm::tlm_generic_payload& what, sc_core::sc_time& delay);
  unsigned look(tlm::tlm_generic_payload& what);
  void run_jobs();
  std::int64_t run(const RegisterFile::Job& job, JobEnd& end);
  void show_interrupt() { interrupt.write(file_.interrupt()); }

  sc_core::sc_time period_;
  FunctionalModel model_;
  Timeline timeline_;
  RegisterFile file_;
  sc_core::sc_event written_, changed_;
};

}  // namespace td::sim
