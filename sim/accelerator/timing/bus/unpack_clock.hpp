// SPDX-License-Identifier: Apache-2.0
// What becomes of the beats of loads, clock by clock: td1_unpack, and what is not packed.
#pragma once

#include <cstdint>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/timing/bus/transfer_clock.hpp"
#include "sim/accelerator/timing/clock_state.hpp"
#include "sim/accelerator/timing/ring.hpp"

namespace td::sim {

/// Members that look are for any time in a clock, then comes update(), then add().
class UnpackClock {
 public:
  explicit UnpackClock(const Geometry& geometry);

  /// A burst goes to the bus.
  void add(const TransferBurst& burst) { coming_.push_back(burst); }

  /// Whether a beat would be taken.
  bool ready() const;
  /// A burst is through: the oldest packed one, or one that is not, with its last beat.
  bool ends(bool last_beat) const {
    return (!leaving_.empty() && leaving_.front().clocks == 0) ||
           (last_beat && coming_.front().groups == 0);
  }
  /// The end of the clock, in which a beat came or not.
  void update(bool beat);

  /// Coming clocks in which nothing happens but that beats come, but a burst's last one, and rows
  /// leave.
  std::int64_t quiet() const;
  /// So many of them, with so many beats.
  void count(std::int64_t clocks, std::int64_t beats);

  void add_state(ClockState& state) const;

 private:
  static constexpr std::int64_t kRingRows = 128, kBlocks = 4;
  static constexpr std::int64_t kLeaves = 4;  // clocks from a group's masks to its rows

  struct Block {
    std::int64_t groups;
    std::int64_t words;  ///< of the ring
  };
  struct Leaving {
    std::int64_t clocks;  ///< until its last rows are there
    std::int64_t words;
  };

  std::int64_t words(std::int64_t beats) const;  ///< of a block of which so many have come
  void take(std::int64_t beats);

  std::int64_t mask_beats_, word_beats_, ring_words_;
  Ring<TransferBurst> coming_;  ///< whose beats have not all come
  std::int64_t come_ = 0;       ///< beats of the first of them
  Ring<Block> here_;
  std::int64_t group_ = 0;  ///< of the first of them, that leaves next
  Ring<Leaving> leaving_;
  std::int64_t used_ = 0, blocks_ = 0;  ///< words and blocks that are kept
};

}  // namespace td::sim
