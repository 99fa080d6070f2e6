// SPDX-License-Identifier: Apache-2.0
// The functional model behind the accelerator's registers.
#pragma once

#include <cstdint>

#include "sim/accelerator/driver/port.hpp"
#include "sim/accelerator/model/functional_model.hpp"
#include "sim/accelerator/model/register_file.hpp"

namespace td::sim {

/// Runs a job in the registers' window, and adds what it counts to their counters.
JobEnd run_job(const RegisterFile::Job& job, FunctionalModel& model, RegisterFile& registers,
               RunOrder order = {});

/// Jobs run while somebody waits for an interrupt. There is no time: counters of clocks are zero.
class ModelPort : public Port {
 public:
  /// The memory must outlive this.
  ModelPort(const Config& config, Memory& memory, RunOrder order = {});

  void read_memory(std::uint64_t address, std::uint8_t* to, std::size_t bytes) override;
  void write_memory(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) override;
  std::uint32_t read_register(std::uint32_t offset) override { return registers_.read(offset); }
  bool write_register(std::uint32_t offset, std::uint32_t value) override {
    return registers_.write(offset, value);
  }
  void wait_for_interrupt() override;

  FunctionalModel& model() { return model_; }

 private:
  FunctionalModel model_;
  RegisterFile registers_;
  Memory& memory_;
  RunOrder order_;
};

}  // namespace td::sim
