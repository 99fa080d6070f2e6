// SPDX-License-Identifier: Apache-2.0
#include "sim/tile.hpp"

#include <algorithm>
#include <numeric>

#include "sim/arith.hpp"

namespace td::sim {
namespace {

int lowest_lane(LaneMask mask) { return __builtin_ctzll(mask); }

void widen_all(Format format, const std::vector<std::uint32_t>& bits, std::vector<float>& values) {
  values.resize(bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i) values[i] = widen(format, bits[i]);
}

LaneMask nonzero_lanes(const float* values, int lanes) {
  LaneMask mask = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    mask |= LaneMask{values[lane] != 0.0F} << lane;  // NaN is not zero
  }
  return mask;
}

bool any_nonfinite(Format format, const std::vector<std::uint32_t>& bits, int lines, int line,
                   int lanes) {
  for (std::size_t row = static_cast<std::size_t>(line * lanes); row < bits.size();
       row += static_cast<std::size_t>(lines * lanes)) {
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes); ++lane) {
      if (is_nonfinite(format, bits[row + lane])) return true;
    }
  }
  return false;
}

}  // namespace

std::int64_t PassData::rows() const {
  return std::accumulate(segment_rows.begin(), segment_rows.end(), std::int64_t{0});
}

float tree_sum(float* values, int count) {
  while (count > 1) {
    for (int i = 0; i < count / 2; ++i) values[i] = values[2 * i] + values[2 * i + 1];
    if (count % 2 == 1) values[count / 2] = values[count - 1];
    count = (count + 1) / 2;
  }
  return values[0];
}

TileModel::TileModel(const Config& config) : config_(config), scheduler_(config) {
  row_advance_.resize(static_cast<std::size_t>(config.rows));
}

void TileModel::load(const PassData& pass) {
  widen_all(config_.format, pass.a, a_);
  widen_all(config_.format, pass.b, b_);
  accumulators_.assign(
      static_cast<std::size_t>(config_.rows * config_.columns * config_.accumulators), 0.0F);
  cycle_ = 0;
  if (config_.is_dense()) return;
  const std::int64_t rows = pass.rows();
  pending_.resize(static_cast<std::size_t>(rows * config_.rows));
  for (int r = 0; r < config_.rows; ++r) {
    for (std::int64_t t = 0; t < rows; ++t) {
      LaneMask mask = nonzero_lanes(&b_[static_cast<std::size_t>((t * config_.rows + r) *
                                                                 config_.lanes)],
                                    config_.lanes);
      if (config_.scheduling == Scheduling::two_sided) {
        mask &= nonzero_lanes(&a_[static_cast<std::size_t>(t * config_.lanes)], config_.lanes);
      }
      pending_[static_cast<std::size_t>(r * rows + t)] = mask;
    }
  }
}

void TileModel::accumulate(int row, int column, float sum) {
  const std::size_t pe = static_cast<std::size_t>(row * config_.columns + column);
  const std::size_t turn = static_cast<std::size_t>(cycle_ % config_.accumulators);
  accumulators_[pe * static_cast<std::size_t>(config_.accumulators) + turn] += sum;
}

void TileModel::multiply_row(int row) {
  float products[64];
  for (int column = 0; column < config_.columns; ++column) {
    std::fill_n(products, config_.lanes, 0.0F);  // idle lanes give +0
    const float* a = a_.data() + column * config_.lanes;
    for (const Pair& pair : pairs_) products[pair.lane] = a[pair.a] * pair.b;
    accumulate(row, column, tree_sum(products, config_.lanes));
  }
}

/// Chooses for one tile row and returns how many leading rows are empty then (at least 1).
int TileModel::schedule_row(int row, std::int64_t first, std::int64_t end,
                            StepObserver* observer) {
  const std::int64_t rows = static_cast<std::int64_t>(pending_.size()) / config_.rows;
  LaneMask* pending = &pending_[static_cast<std::size_t>(row * rows + first)];
  const int visible = static_cast<int>(std::min<std::int64_t>(config_.depth, end - first));
  LaneMask window[kMaximumDepth] = {};
  std::copy_n(pending, visible, window);
  Choice choice;
  scheduler_.choose(window, choice);
  std::copy_n(window, visible, pending);
  if (observer != nullptr) observer->on_choice(row, choice);

  pairs_.clear();
  for (std::size_t p = 0; p < config_.places.size(); ++p) {
    for (LaneMask left = choice.lanes[p]; left != 0; left &= left - 1) {
      const int lane = lowest_lane(left);
      const std::int64_t t = first + config_.places[p].step;
      const int source = source_lane(lane, config_.places[p], config_.lanes);
      const std::int64_t b = (t * config_.rows + row) * config_.lanes + source;
      pairs_.push_back({lane, t * config_.columns * config_.lanes + source,
                        b_[static_cast<std::size_t>(b)]});
    }
  }
  int empty = 0;
  while (empty < visible && window[empty] == 0) ++empty;
  return empty;
}

void TileModel::run_stream(std::int64_t begin, std::int64_t end, StepObserver* observer,
                           PassResult& result) {
  for (std::int64_t first = begin; first < end;) {
    int advance = config_.depth;
    std::int64_t taken = 0;
    for (int row = 0; row < config_.rows; ++row) {
      const int empty = schedule_row(row, first, end, observer);
      row_advance_[static_cast<std::size_t>(row)] = empty;
      advance = std::min(advance, empty);
      taken += static_cast<std::int64_t>(pairs_.size());
      multiply_row(row);
    }
    if (observer != nullptr) observer->on_advance(advance, row_advance_);
    result.skipped += std::int64_t{advance} * config_.lanes * config_.rows - taken;
    first += advance;
    ++cycle_;
  }
}

void TileModel::run_dense_stream(std::int64_t begin, std::int64_t end) {
  float products[64];
  for (std::int64_t t = begin; t < end; ++t, ++cycle_) {
    for (int row = 0; row < config_.rows; ++row) {
      const float* b = &b_[static_cast<std::size_t>((t * config_.rows + row) * config_.lanes)];
      for (int column = 0; column < config_.columns; ++column) {
        const float* a =
            &a_[static_cast<std::size_t>((t * config_.columns + column) * config_.lanes)];
        for (int lane = 0; lane < config_.lanes; ++lane) products[lane] = a[lane] * b[lane];
        accumulate(row, column, tree_sum(products, config_.lanes));
      }
    }
  }
}

void TileModel::finish(PassResult& result) {
  const std::size_t count = static_cast<std::size_t>(config_.accumulators);
  for (std::size_t pe = 0; pe < result.outputs.size(); ++pe) {
    const float sum = tree_sum(&accumulators_[pe * count], config_.accumulators);
    result.outputs[pe] =
        config_.output == OutputFormat::bf16 ? to_bf16(sum) : canonical_bits(sum);
  }
  result.cycles = cycle_;
}

void TileModel::run(const PassData& pass, PassResult& result, StepObserver* observer) {
  const std::size_t outputs = static_cast<std::size_t>(config_.rows * config_.columns);
  load(pass);
  result.skipped = 0;
  result.outputs.assign(outputs, 0);
  std::int64_t begin = 0;
  for (std::size_t s = 0; s < pass.segment_rows.size(); ++s) {
    const std::int64_t end = begin + pass.segment_rows[s];
    if (config_.is_dense() || pass.dense[s]) {
      run_dense_stream(begin, end);
    } else {
      run_stream(begin, end, observer, result);
    }
    begin = end;
  }
  finish(result);

  std::vector<bool> column_flags;
  for (int column = 0; column < config_.columns; ++column) {
    column_flags.push_back(
        any_nonfinite(config_.format, pass.a, config_.columns, column, config_.lanes));
  }
  result.nonfinite.clear();
  for (int row = 0; row < config_.rows; ++row) {
    const bool flag = any_nonfinite(config_.format, pass.b, config_.rows, row, config_.lanes);
    for (int column = 0; column < config_.columns; ++column) {
      result.nonfinite.push_back(flag || column_flags[static_cast<std::size_t>(column)]);
    }
  }
}

}  // namespace td::sim
