// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/tlm/tlm_accelerator.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "sim/accelerator/driver/model_port.hpp"
#include "sim/accelerator/registers.hpp"

namespace td::sim {

namespace {

constexpr unsigned kWord = 4;  // bytes

bool is_register(std::uint64_t offset) {
  return std::find(std::begin(registers::offsets), std::end(registers::offsets), offset) !=
         std::end(registers::offsets);
}

}  // namespace

TlmAccelerator::TlmAccelerator(const sc_core::sc_module_name& name, const Config& config,
                               const sc_core::sc_time& period, const MemoryTiming& timing)
    : sc_module(name),
      registers("registers"),
      interrupt("interrupt"),
      bus("bus"),
      period_(period),
      model_(config, bus),
      timeline_(config, timing),
      file_(model_.geometry()) {
  model_.set_timeline(&timeline_);
  registers.register_b_transport(this, &TlmAccelerator::access);
  registers.register_transport_dbg(this, &TlmAccelerator::look);
  SC_THREAD(run_jobs);
  SC_METHOD(show_interrupt);
  sensitive << changed_;
}

void TlmAccelerator::access(tlm::tlm_generic_payload& what, sc_core::sc_time& delay) {
  delay += period_;
  const auto offset = static_cast<std::uint32_t>(what.get_address());
  if (what.get_byte_enable_ptr() != nullptr) {
    what.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (what.get_data_length() != kWord || what.get_streaming_width() < kWord) {
    what.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  } else if (!is_register(what.get_address())) {
    what.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else if (what.is_read()) {
    const std::uint32_t value = file_.read(offset);
    std::memcpy(what.get_data_ptr(), &value, kWord);
    what.set_response_status(tlm::TLM_OK_RESPONSE);
  } else if (what.is_write()) {
    std::uint32_t value = 0;
    std::memcpy(&value, what.get_data_ptr(), kWord);
    what.set_response_status(file_.write(offset, value) ? tlm::TLM_OK_RESPONSE
                                                        : tlm::TLM_GENERIC_ERROR_RESPONSE);
    written_.notify(delay);
    changed_.notify(delay);
  }
}

/// For a debugger: reads, and changes nothing.
unsigned TlmAccelerator::look(tlm::tlm_generic_payload& what) {
  if (!what.is_read() || what.get_data_length() != kWord || !is_register(what.get_address())) {
    return 0;
  }
  const std::uint32_t value = file_.read(static_cast<std::uint32_t>(what.get_address()));
  std::memcpy(what.get_data_ptr(), &value, kWord);
  return kWord;
}

/// Returns the clocks that it takes; of a job that fails, those of what came before.
std::int64_t TlmAccelerator::run(const RegisterFile::Job& job, JobEnd& end) {
  const std::int64_t before = timeline_.clocks();
  end = run_job(job, model_, file_);
  if (end.error != ErrorCode::none) timeline_.end_job();
  return timeline_.clocks() - before;
}

void TlmAccelerator::run_jobs() {
  for (;;) {
    const auto job = file_.begin_job();
    if (!job) {
      wait(written_);
      continue;
    }
    JobEnd end;
    const std::int64_t clocks = run(*job, end);
    const sc_core::sc_time over = sc_core::sc_time_stamp() + period_ * static_cast<double>(clocks);
    while (file_.runs() && sc_core::sc_time_stamp() < over) {
      wait(over - sc_core::sc_time_stamp(), written_);  // a reset may drop it
    }
    if (!file_.runs()) continue;
    file_.add(registers::cycles_busy_low, clocks);
    file_.end_job(end);
    changed_.notify(sc_core::SC_ZERO_TIME);
  }
}

}  // namespace td::sim
