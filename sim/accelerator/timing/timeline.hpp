// SPDX-License-Identifier: Apache-2.0
// How long jobs take: every register of control and engines that decides when something happens,
// clock by clock, without the data.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/configuration/geometry.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/timing/bus/memory_clock.hpp"
#include "sim/accelerator/timing/bus/transfer_clock.hpp"
#include "sim/accelerator/timing/clock_use.hpp"
#include "sim/accelerator/timing/compute_clock.hpp"
#include "sim/accelerator/timing/control_clock.hpp"
#include "sim/accelerator/timing/engine_spans.hpp"
#include "sim/accelerator/timing/pass_steps.hpp"

namespace td::sim {

/// A transfer of load or store engine.
struct TransferWork {
  std::vector<TransferBurst> bursts;
  std::size_t tile = 0;  ///< of a store
};

/// A job, as the timeline knows it: descriptors, and what each one is to its engine.
struct TimedJob {
  std::vector<ControlWork> control;
  std::vector<TransferWork> transfers;  ///< by place in the job; empty for computes
  std::vector<ComputeWork> computes;    ///< by place in the job; empty for others
};

/// Clocks of one job after the other.
class Timeline {
 public:
  /// `keep_spans`: whether spans() are asked for.
  Timeline(const Config& config, const MemoryTiming& memory, bool keep_spans = true);

  void begin_job() { job_ = {}; }
  /// The next descriptor of the job. `steps` are those of a compute.
  void add(const Descriptor& descriptor, const PassSteps& steps);
  /// Returns the job's clocks: those that CYCLES_BUSY counts.
  std::int64_t end_job();

  std::int64_t clocks() const { return clocks_; }  ///< of all jobs
  const ClockUse& use() const { return use_; }     ///< of these clocks

  /// Of all jobs, one behind the other: clocks count from the first one's begin.
  const std::vector<EngineSpan>& spans() const { return spans_; }

 private:
  std::int64_t behind(const ComputeDescriptor& descriptor, const TileWork& work,
                      std::int64_t last) const;
  ComputeWork compute(const ComputeDescriptor& descriptor, const PassSteps& steps) const;

  Config config_;
  Geometry geometry_;
  MemoryTiming memory_;
  bool keep_spans_;
  TimedJob job_;
  std::int64_t clocks_ = 0;
  ClockUse use_;
  std::vector<EngineSpan> spans_;
};

}  // namespace td::sim
