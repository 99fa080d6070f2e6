// SPDX-License-Identifier: Apache-2.0
// The rows still to be offered to the tile, packed as its ports take them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/tile.hpp"

namespace td::replay {

enum class Side { a, b };

/// Rows of both sides in order. The two sides are taken from at their own pace.
class RowFeed {
 public:
  explicit RowFeed(const Config& config);

  /// Appends the rows of a pass.
  void append(const sim::PassData& pass);

  /// Rows not yet taken.
  std::int64_t available(Side side) const;

  /// Writes the next `rows` rows to `words` as they lie on the port, low bits first, and fills the
  /// rest up to the depth with ones: a NaN wherever the tile looks at a row that is not offered.
  void copy(Side side, int rows, std::vector<std::uint32_t>& words) const;

  /// Flags of the side B row `ahead` rows behind the next one.
  bool last(int ahead) const { return flags_[flag_index(ahead)].last; }
  bool last_of_output(int ahead) const { return flags_[flag_index(ahead)].last_of_output; }
  bool first(int ahead) const { return flags_[flag_index(ahead)].first; }
  bool dense(int ahead) const { return flags_[flag_index(ahead)].dense; }

  /// What a side's row `ahead` rows behind the next one comes in, in Format::fp8.
  sim::Fp8 kind(Side side, int ahead) const {
    const Queue& rows = queue(side);
    return rows.kinds[rows.taken + static_cast<std::size_t>(ahead)];
  }

  void take(Side side, int rows);
  void clear();

 private:
  struct Flags {
    bool first;
    bool last;
    bool last_of_output;
    bool dense;
  };
  /// Rows of one side: `stride` words each, the low `bits` bits in use.
  struct Queue {
    int bits = 0;
    int elements = 0;
    std::size_t stride = 0;
    std::vector<std::uint32_t> words;
    std::vector<sim::Fp8> kinds;
    std::size_t taken = 0;  ///< rows
  };

  void pack(const std::vector<std::uint32_t>& elements, sim::Fp8 kind, Queue& queue) const;
  Queue& queue(Side side) { return side == Side::a ? a_ : b_; }
  const Queue& queue(Side side) const { return side == Side::a ? a_ : b_; }
  std::size_t flag_index(int ahead) const { return b_.taken + static_cast<std::size_t>(ahead); }
  void drop_taken();

  Format format_;
  int depth_;
  Queue a_;
  Queue b_;
  std::vector<Flags> flags_;
};

}  // namespace td::replay
