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
#include "sim/accelerator/timing/clock_use.hpp"
#include "sim/accelerator/timing/compute/pass_steps.hpp"
#include "sim/accelerator/timing/engine_spans.hpp"
#include "sim/accelerator/timing/job_run.hpp"

namespace td::sim {

/// Clocks of one job after the other.
class Timeline {
 public:
  /// `keep_spans`: whether spans() are asked for.
  Timeline(const Config& config, const MemoryTiming& memory, bool keep_spans = true);

  void begin_job() { job_ = {}; }
  /// The next descriptor of the job. `steps` are those of a compute.
  void add(const Descriptor& descriptor, PassSteps steps);
  /// Returns the job's clocks: those that CYCLES_BUSY counts.
  std::int64_t end_job();

  /// What has been added of the job is looked at as if there were no more, too; of one job.
  void mark_begin() { job_.begin = job_.control.size(); }
  /// What clocks() would have been behind the end of that begin; known at the end of its job.
  std::int64_t begin_clocks() const { return begin_clocks_; }

  std::int64_t clocks() const { return clocks_; }  ///< of all jobs
  const ClockUse& use() const { return use_; }     ///< of these clocks
  std::int64_t leapt() const { return leapt_; }    ///< ... that were not looked at: they came again

  /// Of all jobs, one behind the other: clocks count from the first one's begin.
  const std::vector<EngineSpan>& spans() const { return spans_; }

 private:
  std::int64_t behind(const ComputeDescriptor& descriptor, const TileWork& work,
                      std::int64_t last) const;
  ComputeWork compute(const ComputeDescriptor& descriptor, PassSteps steps) const;
  void number();

  Config config_;
  Geometry geometry_;
  MemoryTiming memory_;
  bool keep_spans_;
  TimedJob job_;
  ClockState state_;  ///< of the descriptor that is numbered
  std::int64_t clocks_ = 0;
  std::int64_t begin_clocks_ = 0;
  std::int64_t leapt_ = 0;
  ClockUse use_;
  std::vector<EngineSpan> spans_;
};

}  // namespace td::sim
