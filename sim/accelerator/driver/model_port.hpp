// SPDX-License-Identifier: Apache-2.0
// The functional model behind the accelerator's registers.
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "sim/accelerator/driver/port.hpp"
#include "sim/accelerator/model/functional_model.hpp"

namespace td::sim {

/// Jobs run while somebody waits for an interrupt. There is no time: counters of clocks are zero.
class ModelPort : public Port {
 public:
  /// The memory must outlive this.
  ModelPort(const Config& config, MemoryImage& memory, RunOrder order = {});

  void read_memory(std::uint64_t address, std::uint8_t* to, std::size_t bytes) override;
  void write_memory(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) override;
  std::uint32_t read_register(std::uint32_t offset) override;
  bool write_register(std::uint32_t offset, std::uint32_t value) override;
  void wait_for_interrupt() override;

  FunctionalModel& model() { return model_; }

 private:
  struct Queued {
    std::uint64_t address;
    std::uint32_t descriptors;
    std::uint32_t number;  ///< since the reset
  };

  std::uint8_t* at(std::uint64_t address, std::size_t bytes);
  std::uint64_t wide(std::uint32_t low) const;
  void run_next();
  bool queue(std::uint32_t descriptors);
  void update_counters();
  void control(std::uint32_t value);

  FunctionalModel model_;
  MemoryImage& memory_;
  RunOrder order_;
  std::map<std::uint32_t, std::uint32_t> registers_;  ///< by offset
  std::deque<Queued> jobs_;
  std::uint32_t taken_ = 0;
};

}  // namespace td::sim
