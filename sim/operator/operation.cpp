// SPDX-License-Identifier: Apache-2.0
#include "sim/operator/operation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/support/parallel.hpp"
#include "sim/arithmetic/arith.hpp"
#include "sim/arithmetic/fused_sum.hpp"
#include "sim/operator/operands.hpp"
#include "sim/trace/quantised_operands.hpp"

namespace td::sim {

/// What one run works on.
struct Operation::Job {
  Which scheduled;
  std::vector<float> operands[2];  ///< of Which::first and Which::second, rounded
  std::int64_t image[2];           ///< elements of an image, 0 of what belongs to none
  std::int64_t image_result;       ///< the same of the result
  std::int64_t images;
  int scale = 0;  ///< the sums are 2^scale as large as the result
  bool exact;     ///< sums that the kernel does not form: see sum_exactly()
  float* result;

  Which other() const { return scheduled == Which::first ? Which::second : Which::first; }
  const float* tensor(Which which, std::int64_t number) const {
    const std::size_t side = SideTables::index(which);
    return operands[side].data() + number * image[side];
  }
};

namespace {

/// Elements of a tensor of a convolution that belong to one image.
std::int64_t image_elements(const LayerInfo& layer, Operand operand) {
  if (layer.type == LayerType::linear || operand == Operand::W) return 0;
  const Shape& shape = layer.shape(operand);
  return count(shape) / shape[0];
}

}  // namespace

Operation::Operation(const Config& config, const LayerInfo& layer, Op op, const StepKernel& kernel)
    : config_(config), op_(op), sides_(layer, op, config.lanes), tables_(config), kernel_(kernel) {}

void Operation::run(const LayerInfo& layer, const float* first, const float* second,
                    float* result) const {
  Job job;
  const float* tensors[2] = {first, second};
  for (const Which which : {Which::first, Which::second}) {
    const std::size_t side = SideTables::index(which);
    const Operand operand = sim::operand(op_, which);
    const std::int64_t elements = count(layer.shape(operand));
    if (config_.format == Format::fp8) {
      Scaled scaled = quantised(tensors[side], elements, fp8_kind(operand));
      job.operands[side] = std::move(scaled.values);
      job.scale += scaled.scale;
    } else {
      job.operands[side] = rounded(tensors[side], elements, config_.format);
    }
    job.image[side] = image_elements(layer, operand);
  }
  job.image_result = image_elements(layer, result_like(op_));
  job.images = layer.type == LayerType::conv2d ? layer.a[0] : 1;
  job.scheduled =
      scheduled_operand(layer, op_, config_.format, job.operands[0].data(), job.operands[1].data());
  job.exact = config_.sum == Sum::fused &&
              (config_.format == Format::fp32 || has_nonfinite(job.operands[0]) ||
               has_nonfinite(job.operands[1]));
  job.result = result;
  std::fill_n(result, count(layer.shape(result_like(op_))), 0.0F);  // of blocks without rows
  if (op_ == Op::wgrad) return run_positions(job);
  if (job.scheduled == Which::first) return run_windows_first(job);
  run_windows_second(job);
}

const StreamTable& Operation::table(const BatchOf& batch, Which which) const {
  return sides_.tables(which)[sides_.blocks()[batch.block].tables[SideTables::index(which)]];
}

/// The columns that a batch meets.
const IndexRows& Operation::column_set(const Job& job, const BatchOf& batch) const {
  return sides_.column_sets(job.other())[table(batch, job.other()).column_set];
}

void Operation::pack(const IndexRows& set, const float* tensor, Columns& columns) const {
  const std::int64_t stride = set.stride();
  columns.values.resize(static_cast<std::size_t>(set.count() * stride));
  if (config_.sum == Sum::fused) columns.exponents.resize(columns.values.size());
  parallel_pieces(set.count(), [&](std::int64_t begin, std::int64_t end) {
    float* values = columns.values.data() + begin * stride;
    for (std::int64_t row = begin; row < end; ++row) {
      float* to = values + (row - begin) * stride;
      kernel_.gather(set.indices.data() + row * set.width, set.width, tensor, to);
      std::fill(to + set.width, to + stride, 0.0F);
    }
    if (config_.sum != Sum::fused) return;
    kernel_.exponents(values, (end - begin) * stride, tables_.plan().smallest,
                      columns.exponents.data() + begin * stride);
  });
}

/// The columns of all sets.
void Operation::pack_all(const Job& job, std::int64_t image, std::vector<Columns>& columns) const {
  const std::vector<IndexRows>& sets = sides_.column_sets(job.other());
  columns.resize(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    pack(sets[i], job.tensor(job.other(), image), columns[i]);
  }
}

void Operation::load_rows(const Job& job, std::int64_t image, LaneRows& rows) const {
  rows.load(tables_, kernel_, sides_.lane_rows(job.scheduled), job.tensor(job.scheduled, image));
}

void Operation::load(const Job& job, const BatchOf& batch, const LaneRows& rows,
                     BatchSchedule& schedule) const {
  schedule.load(config_, tables_, kernel_, table(batch, job.scheduled), rows, batch.begin,
                batch.count);
}

/// FusedRow itself: for operands of 32 bits, infinities and NaNs.
void Operation::sum_exactly(const StepSums& sums) const {
  const FusedShape shape{exponent_bits(config_.format), fraction_bits(config_.format),
                         config_.lanes};
  const std::int64_t pitch = tables_.plan().pitch;
  for (std::int64_t step = 0; step < sums.steps; ++step) {
    float* accumulator =
        sums.accumulators + (sums.turn + step) % config_.accumulators * sums.stride;
    for (std::int64_t c = 0; c < sums.stride; ++c) {
      FusedRow row(shape);
      const auto each = [&](auto what) {
        for (std::uint64_t left = sums.used[step]; left != 0; left &= left - 1) {
          const std::int64_t lane = step * pitch + __builtin_ctzll(left);
          const float a = sums.columns[sums.offsets[sums.elements[lane]] + c];
          (row.*what)(narrow(config_.format, a), narrow(config_.format, sums.factors[lane]));
        }
      };
      each(&FusedRow::see);
      each(&FusedRow::add);
      accumulator[c] = detail::float_of(row.accumulate(detail::bits_of(accumulator[c])));
    }
  }
}

/// `sums`: of a stream, with its turn and accumulators.
void Operation::sum(const Job& job, const BatchOf& batch, StepSums sums,
                    const std::vector<Columns>& columns) const {
  const StreamTable& other = table(batch, job.other());
  sums.columns = columns[other.column_set].values.data();
  sums.column_exponents = columns[other.column_set].exponents.data();
  sums.offsets = other.column_offsets.data();
  sums.stride = column_set(job, batch).stride();
  if (job.exact) return sum_exactly(sums);
  kernel_.sum(tables_.plan(), sums);
}

/// Adds up a stream's accumulators as TileModel::finish() does, and puts its outputs in their
/// places.
void Operation::finish(const Job& job, const BatchOf& batch, std::int64_t stream,
                       std::int64_t stride, float* accumulators, float* result) const {
  for (int left = config_.accumulators; left > 1; left = (left + 1) / 2) {
    for (int i = 0; i < left / 2; ++i) {
      const float* pair = accumulators + 2 * i * stride;
      float* to = accumulators + i * stride;
      for (std::int64_t c = 0; c < stride; ++c) to[c] = pair[c] + pair[stride + c];
    }
    if (left % 2 == 1) {
      std::copy_n(accumulators + (left - 1) * stride, stride, accumulators + left / 2 * stride);
    }
  }
  const TableBlock& block = sides_.blocks()[batch.block];
  const std::size_t side = SideTables::index(job.scheduled);
  float* to = result + block.outputs[side][static_cast<std::size_t>(batch.begin + stream)];
  const std::vector<std::int64_t>& columns = block.outputs[1 - side];
  if (job.scale != 0) {
    // Exact in binary64, and then rounded once.
    const double factor = std::ldexp(1.0, -job.scale);
    for (std::int64_t c = 0; c < stride; ++c) {
      accumulators[c] = static_cast<float>(accumulators[c] * factor);
    }
  }
  round_to(config_.output, accumulators, stride, accumulators);
  for (std::size_t c = 0; c < columns.size(); ++c) to[columns[c]] = accumulators[c];
}

std::vector<Operation::BatchOf> Operation::batches(const Job& job) const {
  std::vector<BatchOf> all;
  const std::size_t side = SideTables::index(job.scheduled);
  for (std::size_t b = 0; b < sides_.blocks().size(); ++b) {
    const TableBlock& block = sides_.blocks()[b];
    if (block.rows == 0) continue;
    const auto streams = static_cast<std::int64_t>(block.outputs[side].size());
    for (std::int64_t begin = 0; begin < streams; begin += tables_.batch_streams()) {
      all.push_back({b, begin, std::min(tables_.batch_streams(), streams - begin)});
    }
  }
  return all;
}

/// All sums of a batch of one image of a forward or input gradient.
void Operation::sum_window(const Job& job, const BatchOf& batch, const BatchSchedule& schedule,
                           const std::vector<Columns>& columns, std::int64_t image) const {
  thread_local AlignedVector<float> accumulators;
  const std::int64_t stride = column_set(job, batch).stride();
  for (std::int64_t s = 0; s < batch.count; ++s) {
    accumulators.assign(static_cast<std::size_t>(config_.accumulators * stride), 0.0F);
    StepSums sums = schedule.sums(s);
    sums.accumulators = accumulators.data();
    sum(job, batch, sums, columns);
    finish(job, batch, s, stride, accumulators.data(), job.result + image * job.image_result);
  }
}

/// Windows are scheduled; filters are the columns, for all images.
void Operation::run_windows_first(const Job& job) const {
  std::vector<Columns> columns;
  pack_all(job, 0, columns);
  const std::vector<BatchOf> list = batches(job);
  parallel_for(job.images, [&](std::int64_t image) {
    LaneRows rows;
    load_rows(job, image, rows);
    parallel_for(static_cast<std::int64_t>(list.size()), [&](std::int64_t i) {
      thread_local BatchSchedule schedule;
      const BatchOf& batch = list[static_cast<std::size_t>(i)];
      load(job, batch, rows, schedule);
      sum_window(job, batch, schedule, columns, image);
    });
  });
}

/// Filters are scheduled, once for all images; windows are the columns.
void Operation::run_windows_second(const Job& job) const {
  const std::vector<BatchOf> list = batches(job);
  std::vector<BatchSchedule> schedules(list.size());
  LaneRows rows;
  load_rows(job, 0, rows);
  parallel_for(static_cast<std::int64_t>(list.size()), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    load(job, list[at], rows, schedules[at]);
  });
  parallel_pieces(job.images, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Columns> columns;
    for (std::int64_t image = begin; image < end; ++image) {
      pack_all(job, image, columns);
      for (std::size_t i = 0; i < list.size(); ++i) {
        sum_window(job, list[i], schedules[i], columns, image);
      }
    }
  });
}

/// Weight gradients: the accumulators go on from image to image.
void Operation::run_positions(const Job& job) const {
  const std::size_t side = SideTables::index(job.scheduled);
  const std::vector<BatchOf> list = batches(job);
  const auto count = static_cast<std::int64_t>(list.size());
  std::vector<Columns> columns;
  LaneRows rows;
  std::vector<BatchSchedule> schedules(list.size());
  // Blocks that share the scheduled streams share their schedule: that of the first such batch.
  std::vector<std::size_t> shared(list.size());
  std::vector<std::int64_t> own;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto same = [&](std::size_t j) {
      return list[j].begin == list[i].begin && sides_.blocks()[list[j].block].tables[side] ==
                                                   sides_.blocks()[list[i].block].tables[side];
    };
    while (!same(shared[i])) ++shared[i];
    if (shared[i] == i) own.push_back(static_cast<std::int64_t>(i));
  }
  std::vector<AlignedVector<float>> accumulators(list.size());
  std::vector<std::vector<std::int64_t>> turns(list.size());
  for (std::int64_t image = 0; image < job.images; ++image) {
    pack_all(job, image, columns);
    load_rows(job, image, rows);
    parallel_for(static_cast<std::int64_t>(own.size()), [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(own[static_cast<std::size_t>(i)]);
      load(job, list[at], rows, schedules[at]);
    });
    parallel_for(count, [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      const BatchSchedule& schedule = schedules[shared[at]];
      const std::int64_t size = config_.accumulators * column_set(job, list[at]).stride();
      accumulators[at].resize(static_cast<std::size_t>(list[at].count * size));  // +0 at first
      turns[at].resize(static_cast<std::size_t>(list[at].count));
      for (std::int64_t s = 0; s < list[at].count; ++s) {
        StepSums sums = schedule.sums(s);
        sums.turn = turns[at][static_cast<std::size_t>(s)];
        sums.accumulators = accumulators[at].data() + s * size;
        sum(job, list[at], sums, columns);
        turns[at][static_cast<std::size_t>(s)] += sums.steps;
      }
    });
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::int64_t stride = column_set(job, list[i]).stride();
    for (std::int64_t s = 0; s < list[i].count; ++s) {
      finish(job, list[i], s, stride, accumulators[i].data() + s * config_.accumulators * stride,
             job.result);
    }
  }
}

}  // namespace td::sim
