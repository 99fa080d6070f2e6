// SPDX-License-Identifier: Apache-2.0
// Random operations of random layers, from memory to memory.
#pragma once

#include <cstdint>

#include "base/configuration/config.hpp"
#include "verify/accelerator/accelerator_model.hpp"

namespace td::verify {

struct RandomLayers {
  std::uint64_t first = 0;  ///< number of the first one, which is its seed
  std::uint64_t count = 50;
  double stall = 0.25;  ///< share of clocks in which each channel of the buses waits
  double errors = 0;    ///< share of layers that are run with errors of the bus before
  double damage = 0;    ///< ... with a descriptor that cannot be carried out before, and operands
                        ///< of other bytes than were packed
  double resets = 0;    ///< ... and stopped by a soft reset before
};

struct RandomLayersResult {
  std::uint64_t run = 0;
  std::uint64_t refused = 0;  ///< that do not fit this accelerator
  std::uint64_t packed = 0;   ///< some of whose operands lie packed
  std::uint64_t errors = 0;   ///< jobs that ended with an error of the bus
  std::uint64_t damaged = 0;  ///< jobs that were refused as they should be
  std::uint64_t broken = 0;   ///< ... for packed blocks that do not add up
  std::uint64_t resets = 0;   ///< jobs that were stopped
  std::uint64_t bytes = 0;    ///< compared
  std::uint64_t clocks = 0;
  std::int64_t timed = 0;  ///< clocks with a memory that never stalls: those of the timeline
};

/// Every byte of memory is compared with the functional model's. Throws std::runtime_error, which
/// names the layer, at the first difference.
RandomLayersResult run_random_layers(const Config& config, AcceleratorModel& model,
                                     const RandomLayers& what);

}  // namespace td::verify
