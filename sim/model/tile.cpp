// SPDX-License-Identifier: Apache-2.0
#include "sim/model/tile.hpp"

#include <algorithm>
#include <numeric>

#include "sim/arithmetic/arith.hpp"
#include "sim/arithmetic/fused_sum.hpp"

namespace td::sim {
namespace {

int lowest_lane(LaneMask mask) { return __builtin_ctzll(mask); }

/// Columns are worked on in vectors of this many.
constexpr std::size_t kVector = 4;

/// values[i] of `count` columns becomes the balanced tree's sum over i: neighbours first, an odd
/// one out passes on. The sum is in values[0]; the rest is destroyed.
void tree_sum(float* values, int count, std::size_t stride) {
  for (; count > 1; count = (count + 1) / 2) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count / 2); ++i) {
      float* sum = values + i * stride;
      const float* x = values + 2 * i * stride;
      const float* y = x + stride;
      for (std::size_t c = 0; c < stride; c += kVector) {
        for (std::size_t k = 0; k < kVector; ++k) sum[c + k] = x[c + k] + y[c + k];
      }
    }
    if (count % 2 == 1) {
      std::copy_n(values + static_cast<std::size_t>(count - 1) * stride, stride,
                  values + static_cast<std::size_t>(count / 2) * stride);
    }
  }
}

/// What one line (tile row or column) has in one row.
struct LineRow {
  LaneMask nonzero = 0;
  bool nonfinite = false;
};

/// Widens the operands of one line in one row to `values`, `distance` apart. Zeros are looked for
/// only where somebody asks: it takes longer than the rest.
template <Format format, bool find_zeros>
LineRow load_line_row(const std::uint32_t* bits, int lanes, float* values, std::size_t distance) {
  LineRow line;
  for (int lane = 0; lane < lanes; ++lane) {
    values[static_cast<std::size_t>(lane) * distance] = widen(format, bits[lane]);
    if constexpr (find_zeros) line.nonzero |= LaneMask{!is_zero(format, bits[lane])} << lane;
    line.nonfinite |= is_nonfinite(format, bits[lane]);
  }
  return line;
}

using LoadLineRow = LineRow (*)(const std::uint32_t*, int, float*, std::size_t);

template <bool find_zeros>
LoadLineRow line_loader(Format format) {
  return format == Format::fp32   ? load_line_row<Format::fp32, find_zeros>
         : format == Format::bf16 ? load_line_row<Format::bf16, find_zeros>
         : format == Format::fp16 ? load_line_row<Format::fp16, find_zeros>
                                  : load_line_row<Format::fp8, find_zeros>;
}

}  // namespace

std::int64_t PassData::rows() const {
  return std::accumulate(segment_rows.begin(), segment_rows.end(), std::int64_t{0});
}

TileModel::TileModel(const Config& config, const Fp8Results& results)
    : config_(config),
      results_(results),
      scheduler_(config),
      stride_((static_cast<std::size_t>(config.columns) + kVector - 1) / kVector * kVector),
      row_advance_(static_cast<std::size_t>(config.rows)),
      products_(static_cast<std::size_t>(config.lanes) * stride_) {
  for (Option option : config.options) {
    for (int lane = 0; lane < config.lanes; ++lane) {
      sources_.push_back(static_cast<std::size_t>(source_lane(lane, option, config.lanes)));
    }
  }
}

void TileModel::load_a(const PassData& pass) {
  const auto lanes = static_cast<std::size_t>(config_.lanes);
  const auto columns = static_cast<std::size_t>(config_.columns);
  const auto rows = static_cast<std::size_t>(pass.rows());
  const bool two_sided = config_.scheduling == Scheduling::two_sided;
  const LoadLineRow load =
      two_sided ? line_loader<true>(config_.format) : line_loader<false>(config_.format);
  a_.resize(rows * lanes * stride_);
  a_nonzero_.resize(rows);
  a_nonfinite_.assign(columns, false);
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t c = 0; c < columns; ++c) {
      const LineRow line = load(&pass.a[(t * columns + c) * lanes], config_.lanes,
                                &a_[t * lanes * stride_ + c], stride_);
      a_nonzero_[t] = line.nonzero;
      if (line.nonfinite) a_nonfinite_[c] = true;
    }
  }
}

void TileModel::load_b(const PassData& pass) {
  const auto lanes = static_cast<std::size_t>(config_.lanes);
  const auto lines = static_cast<std::size_t>(config_.rows);
  const auto rows = static_cast<std::size_t>(pass.rows());
  const LoadLineRow load = line_loader<true>(config_.format);
  b_.resize(rows * lines * lanes);
  b_nonzero_.resize(rows * lines);
  b_nonfinite_.assign(lines, false);
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t r = 0; r < lines; ++r) {
      const std::size_t at = (t * lines + r) * lanes;
      const LineRow line = load(&pass.b[at], config_.lanes, &b_[at], 1);
      b_nonzero_[r * rows + t] = line.nonzero;
      if (line.nonfinite) b_nonfinite_[r] = true;
    }
  }
}

/// The pair of side A's and side B's element `source` of row t goes to a lane.
void TileModel::add_pair(int row, std::int64_t t, std::size_t source, int lane) {
  const auto lanes = static_cast<std::size_t>(config_.lanes);
  const std::size_t a = static_cast<std::size_t>(t) * lanes + source;
  const std::size_t b = static_cast<std::size_t>(t * config_.rows + row) * lanes + source;
  pairs_.push_back({lane, static_cast<std::uint32_t>(a), b_[b]});
}

/// Chooses for one tile row and returns how many leading rows are empty then (at least 1).
int TileModel::schedule_row(int row, std::int64_t first, std::int64_t end, StepObserver* observer) {
  const std::int64_t rows = static_cast<std::int64_t>(pending_.size()) / config_.rows;
  LaneMask* pending = &pending_[static_cast<std::size_t>(row * rows + first)];
  const int visible = static_cast<int>(std::min<std::int64_t>(config_.depth, end - first));
  LaneMask window[kMaximumDepth] = {};
  std::copy_n(pending, visible, window);
  Choice choice;
  scheduler_.choose(window, choice);
  std::copy_n(window, visible, pending);
  if (observer != nullptr) observer->on_choice(row, choice);

  for (std::size_t p = 0; p < config_.options.size(); ++p) {
    const std::size_t* sources = &sources_[p * static_cast<std::size_t>(config_.lanes)];
    for (LaneMask left = choice.lanes[p]; left != 0; left &= left - 1) {
      const int lane = lowest_lane(left);
      add_pair(row, first + config_.options[p].step, sources[lane], lane);
    }
  }
  ends_.push_back(pairs_.size());
  int empty = 0;
  while (empty < visible && window[empty] == 0) ++empty;
  return empty;
}

void TileModel::schedule_stream(std::int64_t begin, std::int64_t end, StepObserver* observer) {
  for (std::int64_t first = begin; first < end;) {
    const std::size_t pairs = pairs_.size();
    int advance = config_.depth;
    for (int row = 0; row < config_.rows; ++row) {
      const int empty = schedule_row(row, first, end, observer);
      row_advance_[static_cast<std::size_t>(row)] = empty;
      advance = std::min(advance, empty);
    }
    if (observer != nullptr) observer->on_advance(advance, row_advance_);
    skipped_ += std::int64_t{advance} * config_.lanes * config_.rows -
                static_cast<std::int64_t>(pairs_.size() - pairs);
    first += advance;
    advances_.push_back(advance);
  }
}

void TileModel::schedule_dense_stream(std::int64_t begin, std::int64_t end) {
  for (std::int64_t t = begin; t < end; ++t) {
    advances_.push_back(1);
    for (int row = 0; row < config_.rows; ++row) {
      for (int lane = 0; lane < config_.lanes; ++lane) {
        add_pair(row, t, static_cast<std::size_t>(lane), lane);
      }
      ends_.push_back(pairs_.size());
    }
  }
}

void TileModel::schedule(const PassData& pass, StepObserver* observer) {
  pending_ = b_nonzero_;
  if (config_.scheduling == Scheduling::two_sided) {
    for (std::size_t t = 0; t < pending_.size(); ++t) pending_[t] &= a_nonzero_[t];
  }
  pairs_.clear();
  ends_.clear();
  advances_.clear();
  skipped_ = 0;
  std::int64_t begin = 0;
  for (std::size_t s = 0; s < pass.segment_rows.size(); ++s) {
    const std::int64_t end = begin + pass.segment_rows[s];
    if (config_.is_dense() || pass.dense[s]) {
      schedule_dense_stream(begin, end);
    } else {
      schedule_stream(begin, end, observer);
    }
    begin = end;
  }
}

std::vector<TileModel::Pair> TileModel::pairs(std::int64_t cycle, int tile_row) const {
  const auto at = static_cast<std::size_t>(cycle * config_.rows + tile_row);
  const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
  return {pairs_.begin() + static_cast<std::ptrdiff_t>(begin),
          pairs_.begin() + static_cast<std::ptrdiff_t>(ends_[at])};
}

void TileModel::multiply_row(const Pair* begin, const Pair* end, float* accumulator) {
  std::fill(products_.begin(), products_.end(), 0.0F);  // idle lanes give +0
  for (const Pair* pair = begin; pair != end; ++pair) {
    const float* a = &a_[pair->element * stride_];
    float* product = &products_[static_cast<std::size_t>(pair->lane) * stride_];
    for (std::size_t c = 0; c < stride_; c += kVector) {
      for (std::size_t k = 0; k < kVector; ++k) product[c + k] = a[c + k] * pair->b;
    }
  }
  tree_sum(products_.data(), config_.lanes, stride_);
  for (std::size_t c = 0; c < stride_; ++c) accumulator[c] += products_[c];
}

void TileModel::fuse_row(const Pair* begin, const Pair* end, float* accumulator) {
  const FusedShape shape{exponent_bits(config_.format), fraction_bits(config_.format),
                         config_.lanes};
  for (std::size_t c = 0; c < static_cast<std::size_t>(config_.columns); ++c) {
    FusedRow row(shape);
    const auto each = [&](auto what) {
      for (const Pair* pair = begin; pair != end; ++pair) {
        const float a = a_[pair->element * stride_ + c];
        (row.*what)(narrow(config_.format, a), narrow(config_.format, pair->b));
      }
    };
    each(&FusedRow::see);
    each(&FusedRow::add);
    accumulator[c] = detail::float_of(row.accumulate(detail::bits_of(accumulator[c])));
  }
}

void TileModel::multiply() {
  const auto lines = static_cast<std::size_t>(config_.rows);
  const auto partials = static_cast<std::size_t>(config_.accumulators);
  accumulators_.assign(lines * partials * stride_, 0.0F);
  const Pair* begin = pairs_.data();
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const Pair* end = pairs_.data() + ends_[i];
    const std::size_t turn = i / lines % partials;
    float* accumulator = &accumulators_[(i % lines * partials + turn) * stride_];
    if (config_.sum == Sum::fused) {
      fuse_row(begin, end, accumulator);
    } else {
      multiply_row(begin, end, accumulator);
    }
    begin = end;
  }
}

std::uint32_t TileModel::output_bits(float sum) const {
  if (config_.output == Format::fp8) return result_bits(results_, sum);
  return config_.output == Format::bf16 ? to_bf16(sum) : canonical_bits(sum);
}

void TileModel::finish(PassResult& result) {
  const std::size_t partials = static_cast<std::size_t>(config_.accumulators) * stride_;
  const auto columns = static_cast<std::size_t>(config_.columns);
  const auto lines = static_cast<std::size_t>(config_.rows);
  result.outputs.resize(lines * columns);
  result.nonfinite.resize(lines * columns);
  for (std::size_t row = 0; row < lines; ++row) {
    float* sums = &accumulators_[row * partials];
    tree_sum(sums, config_.accumulators, stride_);
    for (std::size_t c = 0; c < columns; ++c) {
      result.outputs[row * columns + c] = output_bits(sums[c]);
      result.nonfinite[row * columns + c] = b_nonfinite_[row] || a_nonfinite_[c];
    }
  }
  result.cycles = static_cast<std::int64_t>(advances_.size());
  result.advances = advances_;
  result.skipped = skipped_;
}

void TileModel::run(const PassData& pass, PassResult& result, StepObserver* observer) {
  const bool new_shape = pass.segment_rows != loaded_.segment_rows || pass.dense != loaded_.dense;
  const bool new_a = new_shape || pass.a != loaded_.a;
  const bool new_b = new_shape || pass.b != loaded_.b;
  if (new_a) load_a(pass);
  if (new_b) load_b(pass);
  const bool a_schedules = config_.scheduling == Scheduling::two_sided;
  if (new_b || (new_a && a_schedules) || observer != nullptr) schedule(pass, observer);
  if (new_a || new_b) loaded_ = pass;
  multiply();
  finish(result);
}

}  // namespace td::sim
