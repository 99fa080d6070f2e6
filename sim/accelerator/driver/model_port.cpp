// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/model_port.hpp"

#include <stdexcept>

#include "sim/accelerator/registers.hpp"

namespace td::sim {

namespace {

void check(bool there) {
  if (!there) throw std::out_of_range("accelerator: no memory at an address of the host");
}

}  // namespace

JobEnd run_job(const RegisterFile::Job& job, FunctionalModel& model, RegisterFile& registers,
               RunOrder order) {
  const ModelCounts before = model.counts();
  const std::int64_t nonfinite = model.compute_counts().nonfinite;
  model.set_window(registers.window_begin(), registers.window_end());
  const JobEnd end = model.run(job.address, job.descriptors, order);
  const ModelCounts& counts = model.counts();
  registers.add(registers::bytes_read_low, counts.bytes_loaded + counts.bytes_fetched -
                                               before.bytes_loaded - before.bytes_fetched);
  registers.add(registers::bytes_written_low, counts.bytes_stored - before.bytes_stored);
  registers.add(registers::results_low, counts.results - before.results);
  registers.add(registers::zero_results_low, counts.zeros - before.zeros);
  registers.add(registers::nonfinite_results_low, model.compute_counts().nonfinite - nonfinite);
  return end;
}

ModelPort::ModelPort(const Config& config, Memory& memory, RunOrder order)
    : model_(config, memory), registers_(model_.geometry()), memory_(memory), order_(order) {}

void ModelPort::read_memory(std::uint64_t address, std::uint8_t* to, std::size_t bytes) {
  check(memory_.read(address, to, bytes));
}

void ModelPort::write_memory(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) {
  check(memory_.write(address, from, bytes));
}

void ModelPort::wait_for_interrupt() {
  while (!registers_.interrupt()) {
    const auto job = registers_.begin_job();
    if (!job) throw std::logic_error("accelerator: nothing will raise the interrupt");
    registers_.end_job(run_job(*job, model_, registers_, order_));
  }
}

}  // namespace td::sim
