// SPDX-License-Identifier: Apache-2.0
// What a training step took on an accelerator that was driven through it, from memory to memory,
// dense and with dropped pairs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/accelerator/driver/clock_counters.hpp"
#include "sim/accelerator/driver/step_model.hpp"
#include "sim/mapping/selection.hpp"

namespace td::sim {

struct StepRun {
  LayerSelection selection;
  bool wide = false;    ///< results as binary32; of fp8 always bfloat16
  bool packed = false;  ///< operands, where plans cost less with it
  MemoryTiming memory;
  double stall = 0;
  Aim aim;  ///< of the plans
};

/// What an operation took.
struct StepCounts {
  ClockCounters clocks;
  std::uint64_t read = 0;  ///< bytes on the bus
  std::uint64_t written = 0;
  double cpu_seconds = 0;  ///< of the Verilog with its testbench
  OperationCounts model;   ///< without the hardware, which moves as many bytes on the bus

  /// Share of the tiles' clocks from first to last step in which they stepped; 0 without any.
  double used() const;

  void add(const StepCounts& other);
  /// Of the hardware's counts that go on the part behind `before`.
  void subtract(const StepCounts& before);
};

struct StepLine {
  std::string snapshot, layer, op;
  std::array<StepCounts, 2> modes;              ///< dense, TensorDash
  std::int64_t useful_macs = 0;                 ///< pairs without a zero
  std::array<std::uint64_t, 2> plans = {0, 0};  ///< their hashes
  bool drops = false;                           ///< TensorDash's drops pairs

  std::string operation() const { return snapshot + '/' + layer + '/' + op; }
};

/// What the modes are called.
inline constexpr const char* kModeNames[] = {"dense", "TensorDash"};

/// Where operands come from, as results of tdsim name it.
struct StepSource {
  std::string path, identity, model, dataset, conversion;
};

struct StepRunResult {
  std::vector<StepLine> lines;
  std::uint64_t bytes = 0;  ///< compared with the functional model's
  std::uint64_t tiles = 0;

  /// Of all operations in a mode.
  StepCounts total(std::size_t mode) const;
};

}  // namespace td::sim
