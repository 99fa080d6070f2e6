// SPDX-License-Identifier: Apache-2.0
// The memory behind the bus, clock by clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace td::sim {

/// A memory that moves a beat in each clock, each way, and answers in order.
struct MemoryTiming {
  std::int64_t latency = 20;  ///< clocks from an address to its first beat, or to the answer
  std::size_t bursts = 64;    ///< on the way, each way
};

/// In each clock: begin(); look at what it offers; accept.
class MemoryClock {
 public:
  enum class Reader { load, fetch };

  explicit MemoryClock(const MemoryTiming& timing) : timing_(timing) {}

  /// What is offered in this clock.
  void begin(std::int64_t now);
  bool beat_for(Reader reader) const { return beat_ && reader_ == reader; }
  bool last_beat() const { return last_beat_; }  ///< of its burst
  bool answer() const { return answer_; }        ///< to a burst that was written
  bool takes_read() const { return reads_.size() < timing_.bursts; }
  bool takes_write() const { return writes_.size() < timing_.bursts; }

  /// Clocks from `now` on in which nothing is answered and nobody needs to know of a beat.
  std::int64_t quiet(std::int64_t now) const;
  /// So many of them, in which `written` beats are written.
  void count(std::int64_t now, std::int64_t clocks, std::int64_t written);

  void accept_read(Reader reader, std::int64_t beats);
  void accept_write(std::int64_t beats);
  void accept_beat() { ++written_; }

 private:
  struct Burst {
    Reader reader;
    std::int64_t beats;
    std::int64_t due;  ///< clock of the first beat, or of the answer
  };

  MemoryTiming timing_;
  std::int64_t now_ = 0;
  std::deque<Burst> reads_, writes_;
  std::int64_t written_ = 0;  ///< beats of bursts that are not answered
  bool beat_ = false, last_beat_ = false, answer_ = false;
  Reader reader_ = Reader::load;
};

}  // namespace td::sim
