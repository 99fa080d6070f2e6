// SPDX-License-Identifier: Apache-2.0
// One operation of training on whole tensors, with the bits that the tile gives: those of
// TileModel, pass by pass, as a replay of a trace with these tensors has them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/operator/schedules.hpp"
#include "sim/operator/side_tables.hpp"

namespace td::sim {

/// Forward, input gradient or weight gradient of layers of one geometry, for any number of images.
/// In one-sided and dense tiles, what a lane multiplies in a step is the same in all columns: a
/// group of tile rows is scheduled once, and its sums are vectors over all streams of the other
/// side.
class Operation {
 public:
  /// Throws UserError: see SideTables and StepTables.
  Operation(const Config& config, const LayerInfo& layer, Op op,
            const StepKernel& kernel = best_step_kernel());

  /// `first` and `second` are the operation's tensors (operand()) of `layer`, any binary32 numbers:
  /// they are rounded to the configuration's format, those of OFP8 scaled before, and the result
  /// scaled back. `layer` may differ from the constructor's in
  /// the number of images of a convolution. Writes the result in the output's format, widened, NaN
  /// canonical. Uses the threads of the caller's arena.
  void run(const LayerInfo& layer, const float* first, const float* second, float* result) const;

 private:
  /// The side that is not scheduled: a stream is a column.
  struct Columns {
    AlignedVector<float> values, exponents;  ///< [row of a set of columns][stride]
  };
  /// Streams of a block that are scheduled together.
  struct BatchOf {
    std::size_t block;
    std::int64_t begin, count;
  };
  struct Job;

  const StreamTable& table(const BatchOf& batch, Which which) const;
  const IndexRows& column_set(const Job& job, const BatchOf& batch) const;
  void pack(const IndexRows& set, const float* tensor, Columns& columns) const;
  void pack_all(const Job& job, std::int64_t image, std::vector<Columns>& columns) const;
  void load_rows(const Job& job, std::int64_t image, LaneRows& rows) const;
  void load(const Job& job, const BatchOf& batch, const LaneRows& rows,
            BatchSchedule& schedule) const;
  void sum(const Job& job, const BatchOf& batch, StepSums sums,
           const std::vector<Columns>& columns) const;
  void sum_exactly(const StepSums& sums) const;
  void sum_window(const Job& job, const BatchOf& batch, const BatchSchedule& schedule,
                  const std::vector<Columns>& columns, std::int64_t image) const;
  void finish(const Job& job, const BatchOf& batch, std::int64_t stream, std::int64_t stride,
              float* accumulators, float* result) const;
  std::vector<BatchOf> batches(const Job& job) const;
  void run_windows_first(const Job& job) const;
  void run_windows_second(const Job& job) const;
  void run_positions(const Job& job) const;

  Config config_;
  Op op_;
  SideTables sides_;
  StepTables tables_;
  StepKernel kernel_;
};

}  // namespace td::sim
