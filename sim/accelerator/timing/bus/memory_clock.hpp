// SPDX-License-Identifier: Apache-2.0
// The memory behind the bus, clock by clock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/timing/bus/memory_timing.hpp"
#include "sim/accelerator/timing/clock_state.hpp"
#include "sim/accelerator/timing/ring.hpp"

namespace td::sim {

/// In each clock: begin(); look at what it offers; accept. `loads`: the load engine takes beats.
class MemoryClock {
 public:
  enum class Reader { load, fetch };

  MemoryClock(const MemoryTiming& timing, const Geometry& geometry)
      : timing_(timing), beat_(geometry.beat_bytes()) {}

  /// What is offered in this clock.
  void begin(std::int64_t now, bool loads);
  bool beat_for(Reader reader) const { return reads_now_ && reader_ == reader; }
  bool last_beat() const { return last_beat_; }  ///< of its burst
  bool answer() const { return answer_; }        ///< to a burst that was written
  bool takes_read() const { return reads_.size() < timing_.bursts; }
  bool takes_write() const { return writes_.size() < timing_.bursts; }
  bool takes_beat() const { return budget_ >= 0; }  ///< that is written
  bool limited() const { return timing_.bandwidth > 0; }

  /// Clocks from `now` on in which nothing is answered and nobody needs to know of a beat.
  std::int64_t quiet(std::int64_t now, bool loads) const;
  /// So many of them, in which `written` beats are written. Returns the beats that loads took.
  std::int64_t count(std::int64_t now, std::int64_t clocks, std::int64_t written, bool loads);

  void accept_read(Reader reader, std::int64_t beats);
  void accept_write(std::int64_t beats);
  void accept_beat();

  /// At the end of a clock; `next`: the one behind it.
  void add_state(ClockState& state, std::int64_t next) const;
  void skip(const Stride& stride);

 private:
  struct Burst {
    Reader reader;
    std::int64_t beats;
    std::int64_t due;  ///< clock of the first beat, or of the answer
  };

  /// The oldest burst is one that waits until the load engine takes its beats.
  bool waits(bool loads) const {
    return !reads_.empty() && reads_.front().reader == Reader::load && !loads;
  }
  void move(std::int64_t bytes) {
    if (limited()) budget_ -= 1000 * bytes;
  }

  MemoryTiming timing_;
  std::int64_t beat_;        ///< bytes
  std::int64_t budget_ = 0;  ///< thousandths of bytes that may move
  std::int64_t now_ = 0;
  Ring<Burst> reads_, writes_;
  std::int64_t written_ = 0;  ///< beats of bursts that are not answered
  bool stands_ = false;       ///< a beat of the oldest burst is offered: it has been moved
  bool reads_now_ = false, last_beat_ = false, answer_ = false;
  Reader reader_ = Reader::load;
};

}  // namespace td::sim
