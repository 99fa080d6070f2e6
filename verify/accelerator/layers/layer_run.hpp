// SPDX-License-Identifier: Apache-2.0
// An operation of a layer on a verilated accelerator, from memory to memory, beside the functional
// model.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/accelerator/driver/clock_counters.hpp"
#include "sim/accelerator/driver/driver.hpp"
#include "sim/accelerator/timing/engine_spans.hpp"
#include "verify/accelerator/accelerator_model.hpp"
#include "verify/accelerator/rtl_port.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace td::verify {

inline constexpr std::uint64_t kList = 64;  ///< alignment of a list of descriptors

class LayerRun {
 public:
  /// `memory`: where it begins and how large it is follows from the operation.
  LayerRun(const Config& config, unit::OperationRun plan, AcceleratorModel& model,
           AxiMemorySettings memory);

  /// The whole operation. Throws std::runtime_error if a byte is not the functional model's, or a
  /// counter.
  sim::ClockCounters run();

  /// The same while the memory answers some bursts with errors: such a job ends with the bus's
  /// code. Returns whether it did.
  bool run_with_errors(double share);

  /// The same with a descriptor damaged, which must end its job with the code that belongs to it.
  void run_damaged(std::mt19937& random);

  /// The same with other bytes where operands lie: what the functional model makes of them, an
  /// error or results. Returns whether a packed block did not add up.
  bool run_broken(std::mt19937& random);

  /// A driver that begins so many clocks after the first job was queued: it resets the accelerator.
  /// Returns whether a job was under way. `dead`: the memory answers nothing from then on, until it
  /// is reset, too.
  bool run_and_reset(std::uint64_t clocks, bool dead);

  std::uint64_t bytes() const { return before_.bytes.size(); }
  std::uint64_t clocks() const { return port_->clocks(); }
  /// The timeline's, for a memory without moods.
  std::int64_t expected_clocks() const { return expected_clocks_; }
  /// Likewise; clocks count from the begin of the first job.
  const std::vector<sim::EngineSpan>& spans() const { return spans_; }
  /// The operation, with what the functional model has counted.
  const unit::OperationRun& plan() const { return plan_; }

 private:
  void put(const sim::MemoryImage& memory);
  void break_blocks(std::mt19937& random, sim::MemoryImage& memory) const;
  void check_ports() const;
  /// Bytes read, bytes written, results, zeros among them, passes with an Inf or a NaN, clocks in
  /// which a tile stepped.
  using Counters = std::array<std::uint64_t, 6>;

  Counters counters();
  void check_counters(const Counters& before);
  void check_written(std::uint64_t counted, std::uint64_t written);
  void outlive_bus();
  void compare(const sim::MemoryImage& expected);

  Config config_;
  unit::OperationRun plan_;
  sim::MemoryImage before_;
  sim::MemorySpan list_;
  std::int64_t expected_clocks_ = 0;
  std::vector<sim::EngineSpan> spans_;
  std::optional<RtlPort> port_;
  std::optional<sim::Driver> driver_;
};

}  // namespace td::verify
