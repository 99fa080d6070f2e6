// SPDX-License-Identifier: Apache-2.0
// One layer of a given shape with random operands on a verilated accelerator: where its clocks go.
#pragma once

#include <cstdint>
#include <string>

#include "base/configuration/config.hpp"
#include "sim/driven/driven_step.hpp"
#include "sim/mapping/layer.hpp"
#include "verify/accelerator/accelerator_model.hpp"

namespace td::verify {

/// A convolution of square images, padded so that they keep their size.
struct SyntheticLayer {
  std::int64_t batch = 1;
  std::int64_t channels = 128;
  std::int64_t filters = 128;
  std::int64_t size = 16;   ///< height and width; 1 with a kernel of 1: a linear layer
  std::int64_t kernel = 3;  ///< odd
  sim::Op op = sim::Op::fwd;
  double zeros = 0.5;   ///< share of them in every operand
  bool packed = false;  ///< operands, where that is shorter
  sim::MemoryTiming memory;
  std::uint64_t seed = 1;
  sim::Aim aim;  ///< of the plan
};

/// A step of this one operation. Throws std::runtime_error at the first byte that is not the
/// functional model's.
sim::StepRunResult run_synthetic(const Config& config, AcceleratorModel& model,
                                 const SyntheticLayer& what);

/// Where its operands come from.
sim::StepSource synthetic_source(const SyntheticLayer& what);

/// A line for each mode.
std::string synthetic_table(const sim::StepRunResult& result);

}  // namespace td::verify
