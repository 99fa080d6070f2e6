// SPDX-License-Identifier: Apache-2.0
// Streams of the scheduled side as the steps that their tile rows take.
#pragma once

#include <cstdint>
#include <vector>
#include <xsimd/xsimd.hpp>

#include "base/configuration/config.hpp"
#include "sim/operator/side_tables.hpp"
#include "sim/operator/step_kernel.hpp"

namespace td::sim {

template <class T>
using AlignedVector = std::vector<T, xsimd::aligned_allocator<T, 64>>;

/// A configuration's plan for the kernel, with what the plan points to.
class StepTables {
 public:
  /// Throws UserError for a configuration whose schedule depends on both sides.
  explicit StepTables(const Config& config);
  StepTables(const StepTables&) = delete;  // the plan points into it
  StepTables& operator=(const StepTables&) = delete;

  const StepPlan& plan() const { return plan_; }
  /// Streams of a full batch: whole tile-row groups.
  std::int64_t batch_streams() const { return kBatchStreams / plan_.tile_rows * plan_.tile_rows; }

 private:
  StepPlan plan_;
  std::vector<std::int32_t> steps_, shifts_;
  std::vector<std::uint64_t> level_lanes_;
  AlignedVector<std::int32_t> sources_;
};

/// A side's different rows, of one image or of all filters, as the kernel takes them.
struct LaneRows {
  AlignedVector<float> values;       ///< [row][2 * pitch]
  std::vector<std::uint64_t> masks;  ///< [row]

  void load(const StepTables& tables, const StepKernel& kernel, const IndexRows& rows,
            const float* tensor);
};

/// Some streams of a table, scheduled. Kept by a thread to be used again.
class BatchSchedule {
 public:
  /// Schedules streams begin…begin+count-1 (at most batch_streams()) of the table, whose rows are
  /// these.
  void load(const Config& config, const StepTables& tables, const StepKernel& kernel,
            const StreamTable& table, const LaneRows& rows, std::int64_t begin, std::int64_t count);

  std::int64_t streams() const { return streams_; }
  /// Steps of a stream (0…streams-1): those of its group.
  std::int64_t steps(std::int64_t stream) const {
    return steps_[static_cast<std::size_t>(stream / tile_rows_)];
  }
  /// A stream's part of what StepKernel::sum() takes; turn, columns and accumulators are to be
  /// added.
  StepSums sums(std::int64_t stream) const;

 private:
  template <class Mask, class Schedule>
  void schedule(const Config& config, const StepTables& tables, Schedule run, StepBatch<Mask> batch,
                AlignedVector<Mask>& pending);

  std::int64_t streams_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t pitch_ = 0;
  std::int64_t tile_rows_ = 1;
  AlignedVector<std::uint16_t> pending16_;
  AlignedVector<std::uint64_t> pending64_;
  AlignedVector<std::int32_t> elements_;  ///< [stream][step][pitch]
  AlignedVector<float> factors_, factor_exponents_;
  AlignedVector<std::uint64_t> used_;  ///< [stream][step]
  std::vector<std::int64_t> steps_;    ///< [group]
};

}  // namespace td::sim
