// SPDX-License-Identifier: Apache-2.0
#include "sim/replay/trace_source.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "sim/cycles/op_simulator.hpp"
#include "sim/trace/quantised_operands.hpp"
#include "sim/trace/zero_free_operands.hpp"

namespace td::replay {
namespace {

using sim::Block;
using sim::Op;
using sim::Which;

/// `count` different numbers of 0…total-1, ascending (Floyd's method: no list of all of them).
std::vector<std::int64_t> sample(std::int64_t total, std::int64_t count, std::mt19937_64& random) {
  std::set<std::int64_t> chosen;
  for (std::int64_t top = total - count; top < total; ++top) {
    const std::int64_t pick =
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(top + 1));
    if (!chosen.insert(pick).second) chosen.insert(top);
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace

std::vector<Op> selected_ops(const sim::Trace& trace, const TraceSelection& selection) {
  std::set<Op> ops;
  for (const sim::SelectedLayer& one :
       sim::select_layers(trace.layers(), selection, trace.path())) {
    ops.insert(one.ops.begin(), one.ops.end());
  }
  return {ops.begin(), ops.end()};
}

std::vector<std::int64_t> proportional_shares(const std::vector<std::int64_t>& totals,
                                              std::int64_t passes) {
  const std::int64_t all = std::accumulate(totals.begin(), totals.end(), std::int64_t{0});
  if (passes >= all) return totals;
  std::vector<std::int64_t> shares;
  std::vector<std::pair<double, std::size_t>> remainders;  // negative: the largest come first
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const double share =
        static_cast<double>(totals[i]) * static_cast<double>(passes) / static_cast<double>(all);
    shares.push_back(static_cast<std::int64_t>(share));
    remainders.emplace_back(static_cast<double>(shares.back()) - share, i);
  }
  std::sort(remainders.begin(), remainders.end());
  std::int64_t left = passes - std::accumulate(shares.begin(), shares.end(), std::int64_t{0});
  for (std::size_t k = 0; left > 0; ++k) {
    std::int64_t& share = shares[remainders[k].second];
    if (share == totals[remainders[k].second]) continue;
    ++share;
    --left;
  }
  return shares;
}

TraceSource::TraceSource(const sim::Trace& trace, const Config& config,
                         const TraceSelection& selection)
    : operands_(sim::operands_of(trace, config.format)), config_(config), random_(selection.seed) {
  for (const sim::SelectedLayer& one :
       sim::select_layers(trace.layers(), selection, trace.path())) {
    if (one.lacks_dgrad) without_dgrad_.push_back(sim::path(*one.layer));
    for (const Op op : one.ops) add_job(*one.layer, op);
  }
  choose_passes(selection);
  open_job();
}

void TraceSource::add_job(const sim::LayerInfo& layer, Op op) {
  sim::Mapping mapping(layer, op, config_.lanes);
  const sim::LayerZeros& zeros = layer_zeros(layer);
  const Which scheduled = zero_shares(layer, op, zeros).scheduled();
  const double share = zeros.of(sim::operand(op, scheduled)).share();
  const std::int64_t total = job_passes(mapping, scheduled);
  jobs_.push_back({&layer, std::move(mapping), scheduled, share, total, {}, {}, {}});
}

void TraceSource::choose_passes(const TraceSelection& selection) {
  std::vector<std::int64_t> counts;
  for (const Job& job : jobs_) counts.push_back(job.total);
  if (selection.passes_together) {
    counts = proportional_shares(counts, *selection.passes_together);
  } else if (selection.passes) {
    for (std::int64_t& count : counts) count = std::min(count, *selection.passes);
  }
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    choose_passes(jobs_[i], counts[i]);
    add_tally(jobs_[i]);
  }
}

void TraceSource::choose_passes(Job& job, std::int64_t count) {
  if (count == 0) return;
  if (count < job.total) {
    job.chosen = sample(job.total, count, random_);
  } else {
    job.chosen.resize(static_cast<std::size_t>(job.total));
    std::iota(job.chosen.begin(), job.chosen.end(), std::int64_t{0});
  }
  const sim::OpSimulator simulator(config_);
  const auto cycles = [&](const sim::OperandSource& operands) {
    return simulator.pass_cycles(operands, *job.layer, job.mapping.op(), job.scheduled, job.chosen);
  };
  job.cycles = cycles(*operands_);
  job.zero_free_cycles = cycles(sim::ZeroFreeOperands(*operands_));
}

void TraceSource::add_tally(const Job& job) {
  Tally tally;
  tally.snapshot = job.layer->snapshot;
  tally.layer = job.layer->name;
  tally.op = to_string(job.mapping.op());
  tally.side_b = tensor_name(sim::operand(job.mapping.op(), job.scheduled));
  tally.zero_share = job.zero_share;
  tally.all_passes = job.total;
  tally.passes = static_cast<std::int64_t>(job.chosen.size());
  tallies_.push_back(tally);
}

void TraceSource::load_operands(const sim::LayerInfo& layer, Op op) {
  first_bits_ = load_bits(*operands_, layer, sim::operand(op, Which::first), config_.format);
  second_bits_ = load_bits(*operands_, layer, sim::operand(op, Which::second), config_.format);
}

/// Operations of a layer follow each other, so that the last count serves them all.
const sim::LayerZeros& TraceSource::layer_zeros(const sim::LayerInfo& layer) {
  if (counted_ != &layer) zeros_ = count_zeros(*operands_, layer, config_.format);
  counted_ = &layer;
  return zeros_;
}

/// Passes of all blocks; a block without rows has none: its outputs are zero without a cycle.
std::int64_t TraceSource::job_passes(const sim::Mapping& mapping, Which scheduled) const {
  std::int64_t total = 0;
  for (const Block& block : mapping.blocks()) {
    if (block.rows() > 0) total += passes(block, config_.rows, config_.columns, scheduled);
  }
  return total;
}

void TraceSource::open_job() {
  const Job& job = jobs_[job_];
  load_operands(*job.layer, job.mapping.op());
  position_ = 0;
  block_ = 0;
  block_begin_ = 0;
  first_.begin = -1;
  second_.begin = -1;
}

bool TraceSource::next(Pass& pass) {
  while (position_ == jobs_[job_].chosen.size()) {
    if (job_ + 1 == jobs_.size()) return false;
    ++job_;
    open_job();
  }
  fill_pass(jobs_[job_].chosen[position_], pass);
  pass.simulated_cycles = jobs_[job_].cycles[position_];
  pass.zero_free_cycles = jobs_[job_].zero_free_cycles[position_++];
  pass.tally = job_;
  return true;
}

void TraceSource::fill_pass(std::int64_t number, Pass& pass) {
  const sim::Mapping& mapping = jobs_[job_].mapping;
  const Which scheduled = jobs_[job_].scheduled;
  for (;; ++block_) {
    const Block& block = mapping.blocks()[block_];
    const std::int64_t count =
        block.rows() > 0 ? sim::passes(block, config_.rows, config_.columns, scheduled) : 0;
    if (number < block_begin_ + count) break;
    block_begin_ += count;
  }
  const Block& block = mapping.blocks()[block_];
  const sim::Pass streams =
      sim::pass(block, config_.rows, config_.columns, scheduled, number - block_begin_);
  fill_group(Which::first, streams.first_begin, streams.first_count, first_);
  fill_group(Which::second, streams.second_begin, streams.second_count, second_);

  const bool first_is_b = scheduled == Which::first;
  pass.number = number;
  pass.data.b = first_is_b ? first_.bits : second_.bits;
  pass.data.a = first_is_b ? second_.bits : first_.bits;
  const auto kind = [&](Which which) { return sim::fp8_kind(sim::operand(mapping.op(), which)); };
  pass.data.a_kind = kind(first_is_b ? Which::second : Which::first);
  pass.data.b_kind = kind(scheduled);
  pass.present_rows = static_cast<int>(first_is_b ? streams.first_count : streams.second_count);
  pass.present_columns = static_cast<int>(first_is_b ? streams.second_count : streams.first_count);
  pass.data.segment_rows.assign(static_cast<std::size_t>(block.segments), block.segment_rows);
  pass.data.dense.assign(static_cast<std::size_t>(block.segments), false);
}

void TraceSource::fill_group(Which which, std::int64_t begin, std::int64_t count, Group& group) {
  if (group.block == block_ && group.begin == begin) return;
  group.block = block_;
  group.begin = begin;
  const sim::Mapping& mapping = jobs_[job_].mapping;
  const Block& block = mapping.blocks()[block_];
  const std::vector<std::uint32_t>& tensor = which == Which::first ? first_bits_ : second_bits_;
  const std::size_t lanes = static_cast<std::size_t>(config_.lanes);
  const std::size_t rows = static_cast<std::size_t>(block.rows());
  const std::size_t lines =
      static_cast<std::size_t>(which == jobs_[job_].scheduled ? config_.rows : config_.columns);
  group.bits.assign(rows * lines * lanes, 0);
  indices_.resize(rows * lanes);
  for (std::int64_t stream = 0; stream < count; ++stream) {
    mapping.gather_indices(block, which, begin + stream, indices_.data());
    for (std::size_t row = 0; row < rows; ++row) {
      std::uint32_t* out = &group.bits[(row * lines + static_cast<std::size_t>(stream)) * lanes];
      const std::int64_t* from = &indices_[row * lanes];
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        out[lane] = from[lane] < 0 ? 0 : tensor[static_cast<std::size_t>(from[lane])];
      }
    }
  }
}

}  // namespace td::replay
