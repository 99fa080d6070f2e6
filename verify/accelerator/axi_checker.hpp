// SPDX-License-Identifier: Apache-2.0
// Watches an AXI4 port for what the protocol forbids, and for what this project's masters promise
// beyond it: bursts of at most 64 beats, reads of whole ones; strobes of all bytes that a beat may
// write, or of none.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "verify/accelerator/axi.hpp"

namespace td::verify {

class AxiChecker {
 public:
  explicit AxiChecker(unsigned beat_bytes) : beat_bytes_(beat_bytes) {}

  /// The signals just before a clock edge.
  void edge(const AxiBus& bus);
  /// Forgets all bursts, as a reset of both sides does.
  void reset();

  /// No burst is on the way, and nothing is offered.
  bool idle() const;
  const std::vector<std::string>& faults() const { return faults_; }
  std::uint64_t checked() const { return checked_; }  ///< transfers on all channels

 private:
  static constexpr unsigned kIds = 16;
  static constexpr unsigned kChannels = 5;
  using Payload = std::vector<std::uint64_t>;

  void fault(const char* channel, const std::string& text);
  void stable(unsigned channel, bool valid, bool ready, const Payload& payload);
  struct Write {
    std::uint64_t address;  ///< of the next beat
    unsigned id;
    unsigned bytes;     ///< of a beat
    unsigned owed;      ///< beats that have not come
    bool first = true;  ///< none has
  };
  struct Beat {
    std::uint64_t strobes;
    bool last;
  };

  void address(const char* channel, std::uint64_t address, unsigned len, unsigned beat_bytes,
               unsigned id);
  static bool runs_on(std::uint64_t strobes, std::uint64_t all, bool first, bool last);
  void match_writes();

  unsigned beat_bytes_;
  std::uint64_t clock_ = 0;
  std::uint64_t checked_ = 0;
  std::vector<std::string> faults_;
  std::array<Payload, kChannels> held_;           ///< offered and not accepted; empty: nothing is
  std::array<std::deque<unsigned>, kIds> reads_;  ///< beats that each burst still owes, by ID
  std::deque<Write> writes_;                      ///< bursts whose data have not all come
  std::deque<Beat> beats_;                        ///< that came before their address
  std::array<unsigned, kIds> responses_{};        ///< owed, by ID
};

}  // namespace td::verify
