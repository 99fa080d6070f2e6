// SPDX-License-Identifier: Apache-2.0
#include "sim/replay/row_feed.hpp"

#include <algorithm>

namespace td::replay {
namespace {

constexpr std::size_t kWordBits = 32;

/// Rows taken before the memory behind them is used again.
constexpr std::size_t kKeptRows = 4096;

/// Writes the low `count` bits of `from` to `to` at bit `at`. `to` must be zero there.
void put_bits(const std::uint32_t* from, std::size_t count, std::uint32_t* to, std::size_t at) {
  for (std::size_t i = 0; i * kWordBits < count; ++i, at += kWordBits) {
    const std::size_t left = count - i * kWordBits;
    const std::uint32_t word = left >= kWordBits ? from[i] : from[i] & ((1u << left) - 1);
    const std::size_t shift = at % kWordBits;
    to[at / kWordBits] |= word << shift;
    if (shift != 0 && shift + std::min(left, kWordBits) > kWordBits) {
      to[at / kWordBits + 1] |= word >> (kWordBits - shift);
    }
  }
}

}  // namespace

RowFeed::RowFeed(const Config& config) : format_(config.format), depth_(config.depth) {
  const auto shape = [&](Queue& queue, int lines) {
    queue.elements = lines * config.lanes;
    queue.bits = queue.elements * stored_width(format_);
    queue.stride = (static_cast<std::size_t>(queue.bits) + kWordBits - 1) / kWordBits;
  };
  shape(a_, config.columns);
  shape(b_, config.rows);
}

void RowFeed::append(const sim::PassData& pass) {
  drop_taken();
  pack(pass.a, pass.a_kind, a_);
  pack(pass.b, pass.b_kind, b_);
  for (std::size_t s = 0; s < pass.segment_rows.size(); ++s) {
    for (std::int64_t t = 0; t < pass.segment_rows[s]; ++t) {
      const bool last = t + 1 == pass.segment_rows[s];
      flags_.push_back({t == 0, last, last && s + 1 == pass.segment_rows.size(), pass.dense[s]});
    }
  }
}

void RowFeed::pack(const std::vector<std::uint32_t>& elements, sim::Fp8 kind, Queue& queue) const {
  const std::size_t per_row = static_cast<std::size_t>(queue.elements);
  const std::size_t rows = elements.size() / per_row;
  const std::size_t begin = queue.words.size();
  queue.words.resize(begin + rows * queue.stride);
  queue.kinds.resize(queue.kinds.size() + rows, kind);
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint32_t* out = &queue.words[begin + row * queue.stride];
    const std::uint32_t* in = &elements[row * per_row];
    if (format_ == Format::fp32) {
      std::copy_n(in, per_row, out);
    } else if (format_ == Format::fp8) {
      for (std::size_t i = 0; i < per_row; ++i) out[i / 4] |= to_code(kind, in[i]) << i % 4 * 8;
    } else {
      for (std::size_t i = 0; i < per_row / 2; ++i) out[i] = in[2 * i] | in[2 * i + 1] << 16;
      if (per_row % 2 == 1) out[per_row / 2] = in[per_row - 1];
    }
  }
}

std::int64_t RowFeed::available(Side side) const {
  const Queue& rows = queue(side);
  return static_cast<std::int64_t>(rows.words.size() / rows.stride - rows.taken);
}

void RowFeed::copy(Side side, int rows, std::vector<std::uint32_t>& words) const {
  const Queue& from = queue(side);
  const std::size_t bits = static_cast<std::size_t>(from.bits);
  const std::uint32_t* next = from.words.data() + from.taken * from.stride;
  if (bits % kWordBits == 0) {
    std::uint32_t* end =
        std::copy_n(next, static_cast<std::size_t>(rows) * from.stride, words.data());
    std::fill(end, words.data() + words.size(), ~0u);
    return;
  }
  std::fill(words.begin(), words.end(), 0u);
  const std::vector<std::uint32_t> ones(from.stride, ~0u);
  for (int row = 0; row < depth_; ++row) {
    const std::uint32_t* source =
        row < rows ? next + static_cast<std::size_t>(row) * from.stride : ones.data();
    put_bits(source, bits, words.data(), static_cast<std::size_t>(row) * bits);
  }
}

void RowFeed::take(Side side, int rows) { queue(side).taken += static_cast<std::size_t>(rows); }

void RowFeed::drop_taken() {
  for (Queue* rows : {&a_, &b_}) {
    if (rows->taken < kKeptRows) continue;
    const auto count = static_cast<std::ptrdiff_t>(rows->taken);
    rows->words.erase(rows->words.begin(),
                      rows->words.begin() + count * static_cast<std::ptrdiff_t>(rows->stride));
    rows->kinds.erase(rows->kinds.begin(), rows->kinds.begin() + count);
    if (rows == &b_) flags_.erase(flags_.begin(), flags_.begin() + count);
    rows->taken = 0;
  }
}

void RowFeed::clear() {
  for (Queue* rows : {&a_, &b_}) {
    rows->words.clear();
    rows->kinds.clear();
    rows->taken = 0;
  }
  flags_.clear();
}

}  // namespace td::replay
