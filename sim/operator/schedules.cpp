// SPDX-License-Identifier: Apache-2.0
#include "sim/operator/schedules.hpp"

#include <algorithm>

#include "base/support/error.hpp"
#include "base/support/parallel.hpp"
#include "sim/arithmetic/fused_sum.hpp"

namespace td::sim {

StepTables::StepTables(const Config& config) {
  if (config.scheduling == Scheduling::two_sided) {
    throw UserError(config.name, "tile.scheduling", "two_sided", "one_sided, dense or zero_gated");
  }
  plan_.lanes = config.lanes;
  plan_.pitch = (config.lanes + kLaneVector - 1) / kLaneVector * kLaneVector;
  plan_.leaves = 2;
  while (plan_.leaves < config.lanes) plan_.leaves *= 2;
  plan_.depth = config.is_dense() ? 1 : config.depth;
  plan_.tile_rows = config.rows;
  plan_.accumulators = config.accumulators;
  plan_.smallest = 2 - (1 << (exponent_bits(config.format) - 1));
  if (config.sum == Sum::fused) {
    plan_.places =
        FusedShape{exponent_bits(config.format), fraction_bits(config.format), config.lanes}
            .places();
  }
  std::vector<Option> options = config.options;
  if (config.is_dense()) options = {Option{}};
  plan_.options = static_cast<int>(options.size());
  sources_.assign(options.size() * static_cast<std::size_t>(plan_.pitch), 0);
  for (std::size_t p = 0; p < options.size(); ++p) {
    steps_.push_back(options[p].step);
    shifts_.push_back(source_lane(0, options[p], config.lanes));
    for (int lane = 0; lane < config.lanes; ++lane) {
      sources_[p * static_cast<std::size_t>(plan_.pitch) + static_cast<std::size_t>(lane)] =
          options[p].step * config.lanes + source_lane(lane, options[p], config.lanes);
    }
  }
  for (const Level& level : config.levels) {
    std::uint64_t lanes = 0;
    for (const int lane : level) lanes |= std::uint64_t{1} << lane;
    level_lanes_.push_back(lanes);
  }
  plan_.levels = static_cast<int>(level_lanes_.size());
  plan_.steps = steps_.data();
  plan_.shifts = shifts_.data();
  plan_.level_lanes = level_lanes_.data();
  plan_.sources = sources_.data();
}

void LaneRows::load(const StepTables& tables, const StepKernel& kernel, const IndexRows& rows,
                    const float* tensor) {
  const StepPlan& plan = tables.plan();
  values.resize(static_cast<std::size_t>(rows.count() * 2 * plan.pitch));
  masks.resize(static_cast<std::size_t>(rows.count()));
  parallel_pieces(rows.count(), [&](std::int64_t begin, std::int64_t end) {
    kernel.load_rows(plan, rows.indices.data() + begin * rows.width, end - begin, tensor,
                     values.data() + begin * 2 * plan.pitch, masks.data() + begin);
  });
}

void BatchSchedule::load(const Config& config, const StepTables& tables, const StepKernel& kernel,
                         const StreamTable& table, const LaneRows& rows, std::int64_t begin,
                         std::int64_t count) {
  const StepPlan& plan = tables.plan();
  streams_ = count;
  rows_ = table.rows;
  pitch_ = plan.pitch;
  tile_rows_ = plan.tile_rows;
  const auto run = [&](auto batch, auto kernel_run, auto& pending) {
    batch.ids = table.lane_rows.data() + begin * table.rows;
    batch.values = rows.values.data();
    batch.masks = rows.masks.data();
    schedule(config, tables, kernel_run, batch, pending);
  };
  if (plan.lanes <= 16) {
    run(StepBatch<std::uint16_t>{}, kernel.schedule16, pending16_);
  } else {
    run(StepBatch<std::uint64_t>{}, kernel.schedule64, pending64_);
  }
}

template <class Mask, class Schedule>
void BatchSchedule::schedule(const Config& config, const StepTables& tables, Schedule run,
                             StepBatch<Mask> batch, AlignedVector<Mask>& pending) {
  const StepPlan& plan = tables.plan();
  const std::int64_t groups = (streams_ + tile_rows_ - 1) / tile_rows_;
  const auto all_rows = static_cast<std::size_t>(streams_ * rows_);
  const std::size_t all_lanes = all_rows * static_cast<std::size_t>(pitch_);
  pending.resize(static_cast<std::size_t>(groups * tile_rows_ * (rows_ + plan.depth)));
  elements_.resize(all_lanes);
  factors_.resize(all_lanes);
  used_.resize(all_rows);
  steps_.resize(static_cast<std::size_t>(groups));
  batch.streams = static_cast<int>(streams_);
  batch.groups = static_cast<int>(groups);
  batch.rows = rows_;
  batch.dense = config.is_dense();
  batch.pending = pending.data();
  batch.elements = elements_.data();
  batch.factors = factors_.data();
  batch.used = used_.data();
  batch.steps = steps_.data();
  if (config.sum == Sum::fused) {
    factor_exponents_.resize(all_lanes);
    batch.factor_exponents = factor_exponents_.data();
  }
  run(plan, batch);
}

StepSums BatchSchedule::sums(std::int64_t stream) const {
  const auto at = static_cast<std::size_t>(stream * rows_);
  const std::size_t lane = at * static_cast<std::size_t>(pitch_);
  StepSums sums;
  sums.steps = steps(stream);
  sums.elements = &elements_[lane];
  sums.factors = &factors_[lane];
  sums.factor_exponents = factor_exponents_.empty() ? nullptr : &factor_exponents_[lane];
  sums.used = &used_[at];
  return sums;
}

}  // namespace td::sim
