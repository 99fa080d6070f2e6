// SPDX-License-Identifier: Apache-2.0
// All that moves while a job runs, clock by clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/configuration/geometry.hpp"
#include "sim/accelerator/timing/bus/memory_clock.hpp"
#include "sim/accelerator/timing/bus/transfer_clock.hpp"
#include "sim/accelerator/timing/bus/unpack_clock.hpp"
#include "sim/accelerator/timing/clock_use.hpp"
#include "sim/accelerator/timing/compute/compute_clock.hpp"
#include "sim/accelerator/timing/control_clock.hpp"
#include "sim/accelerator/timing/engine_spans.hpp"
#include "sim/accelerator/timing/repeats.hpp"

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
  DescriptorNumbers numbers;            ///< none where spans are asked for
  /// So many descriptors are looked at as a job of their own, too; 0: none are.
  std::size_t begin = 0;
};

/// Jobs that repeat themselves, and that nobody asks spans of, run in leaps.
class JobRun {
 public:
  /// `spans`: that are asked for, or null.
  JobRun(const TimedJob& job, const Config& config, const MemoryTiming& memory,
         const Geometry& geometry, EngineSpans* spans);
  /// Runs the job. Returns its clocks.
  std::int64_t run();

  /// What the job did.
  const ClockUse& use() const { return use_.use(); }
  std::int64_t leapt() const { return leapt_; }                ///< clocks that came again
  void add_steps(EngineSpans& spans) const;                    ///< what the tiles stepped for
  std::int64_t begin_clocks() const { return begin_clocks_; }  ///< see TimedJob::begin

 private:
  JobRun(const JobRun&) = default;
  JobRun(const JobRun& all, std::size_t begin);

  std::int64_t run_from(std::int64_t now, Repeats& repeats);
  /// Units that fetch surely knows of and a begin that is still to be looked at has not: one of
  /// each descriptor behind it.
  std::int64_t behind_begin() const {
    return begin_ == 0 ? 0 : static_cast<std::int64_t>(job_.control.size() - begin_);
  }
  std::int64_t quiet(std::int64_t now) const;
  void count(std::int64_t now, std::int64_t clocks);
  bool clock(std::int64_t now);
  std::int64_t skip(std::int64_t next, Repeats& repeats);
  const ClockState& state(std::int64_t next);
  ClockUseCounter::Part other() const;
  bool accept_reads();
  void watch(std::int64_t now, const bool (&accepted)[3], const bool (&done)[3]);
  const std::vector<TransferBurst>* bursts(std::size_t kind) const;

  const TimedJob& job_;
  std::size_t tiles_;
  std::size_t begin_;  ///< TimedJob::begin that is still to be looked at, or 0
  std::int64_t begin_clocks_ = 0;
  std::int64_t leapt_ = 0;
  MemoryClock memory_;
  FetchClock fetch_;
  DispatchClock dispatch_;
  TransferClock load_, store_;
  UnpackClock unpack_;
  StoreRowsClock rows_;
  ClockUseCounter use_;
  ComputeClock compute_;
  bool waits_ = false, fetch_waits_ = false;  ///< td1_read_mux: an address stays until accepted
  EngineSpans* spans_;
  ClockState state_;  ///< that the job has come to
};

}  // namespace td::sim
