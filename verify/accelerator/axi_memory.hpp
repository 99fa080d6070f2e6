// SPDX-License-Identifier: Apache-2.0
// A memory behind an AXI4 port: latency, bytes per clock, bursts on the way, stalls, responses out
// of order and errors; and a watch, which notes every byte that is touched but should not be.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/accelerator/timing/bus/memory_timing.hpp"
#include "verify/accelerator/axi.hpp"

namespace td::verify {

struct AxiMemorySettings {
  unsigned beat_bytes = 8;
  std::uint64_t begin = 0;      ///< address of the first byte
  std::uint64_t bytes = 65536;  ///< all others answer with DECERR
  unsigned latency = 4;         ///< clocks from the address to the first beat or the response
  unsigned latency_spread = 0;  ///< up to so many more, drawn for each burst
  unsigned bandwidth = 0;       ///< bytes in 1000 clocks, read and written together; 0: no limit
  unsigned reads = 64;          ///< bursts on the way, at most
  unsigned writes = 64;         ///< the same
  double stall = 0;             ///< share of clocks in which each channel waits
  bool reorder = false;         ///< between IDs, beat by beat
  double errors = 0;            ///< share of bursts answered with SLVERR
  std::uint64_t seed = 1;

  void set(const sim::MemoryTiming& timing) {
    latency = static_cast<unsigned>(timing.latency);
    bandwidth = static_cast<unsigned>(timing.bandwidth);
    reads = writes = static_cast<unsigned>(timing.bursts);
  }
  sim::MemoryTiming timing() const { return {latency, reads, bandwidth}; }
};

/// In each clock: drive(bus); evaluate the model with the slave's signals; edge(bus).
class AxiMemory {
 public:
  explicit AxiMemory(const AxiMemorySettings& settings);

  /// The slave's signals until the next edge.
  void drive(AxiBus& bus);
  /// The clock edge.
  void edge(const AxiBus& bus);
  /// Forgets all bursts, as a reset of both sides does. Bytes stay.
  void reset();

  /// From now on it takes and answers nothing, or does again.
  void die(bool dead) { dead_ = dead; }
  bool dead() const { return dead_; }

  /// The byte at an address.
  std::uint8_t& at(std::uint64_t address) { return bytes_[address - settings_.begin]; }
  /// Bursts that touch this address are answered with SLVERR.
  void set_errors(double share) { settings_.errors = share; }
  void fail_at(std::uint64_t address) { failing_.insert(address); }
  void watch_read(std::uint64_t begin, std::uint64_t end) { readable_.push_back({begin, end}); }
  void watch_written(std::uint64_t begin, std::uint64_t end) { writable_.push_back({begin, end}); }
  void clear_watch();

  bool idle() const;
  const std::vector<std::string>& faults() const { return faults_; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  std::uint64_t bytes_written() const { return bytes_written_; }
  std::uint64_t errors_sent() const { return errors_sent_; }

 private:
  using Bytes = std::vector<std::uint8_t>;
  struct Burst {
    unsigned id = 0;
    std::uint64_t address = 0;
    unsigned beats = 0;
    unsigned bytes = 0;     ///< of a beat
    unsigned done = 0;      ///< beats
    std::uint64_t due = 0;  ///< clock
    unsigned resp = 0;
    Bytes early;  ///< what a read returns, if it looked when it came
  };
  struct Beat {
    Bytes data;
    std::uint64_t strobe = 0;
  };
  using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

  bool inside(std::uint64_t address) const;
  std::uint8_t read(std::uint64_t address) const;
  Burst accept(unsigned id, std::uint64_t address, unsigned len, unsigned beat_bytes);
  void move(unsigned bytes);  ///< of those that may
  void offer_read();
  void offer_response();
  void write(const Burst& burst);
  void check(const Ranges& ranges, std::uint64_t address, const char* what);

  AxiMemorySettings settings_;
  Draw draw_;
  Bytes bytes_;
  std::set<std::uint64_t> failing_;
  Ranges readable_, writable_;
  std::vector<std::string> faults_;
  std::uint64_t clock_ = 0;
  std::int64_t budget_ = 0;  ///< thousandths of bytes that may move
  std::deque<Burst> reads_, writes_;
  std::deque<Beat> beats_;  ///< written, not yet answered
  bool r_valid_ = false, b_valid_ = false;
  unsigned r_id_ = 0, r_resp_ = 0, b_id_ = 0, b_resp_ = 0;
  bool r_last_ = false;
  bool dead_ = false;
  Bytes r_data_;
  std::uint64_t bytes_read_ = 0, bytes_written_ = 0, errors_sent_ = 0;
};

}  // namespace td::verify
