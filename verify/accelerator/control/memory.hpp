// SPDX-License-Identifier: Apache-2.0
// The memory behind the port that reads descriptors: bursts of one unit, late at random, with
// errors.
#pragma once

#include <deque>
#include <set>
#include <unordered_map>

#include "verify/accelerator/control/checks.hpp"
#include "verify/accelerator/control/job.hpp"
#include "verify/accelerator/control/signals.hpp"

namespace td::verify {

class Memory {
 public:
  explicit Memory(unsigned beat_bytes) : beat_bytes_(beat_bytes) {}

  // Words from an address on, with or without a unit that answers with an error.
  void put(std::uint64_t address, const std::vector<std::uint32_t>& words);
  void break_unit(std::uint64_t address) { broken_.insert(address); }
  void mend() { broken_.clear(); }
  // From now on it takes no address (deaf), or answers none (mute).
  enum class Life { well, deaf, mute };
  void live(Life life) { life_ = life; }
  bool well() const { return life_ == Life::well; }

  void drive(ControlSignals& signals, Random& random, int stalls);
  // Takes what the clock brings; the address asked for, or 0.
  std::uint64_t sample(const ControlSignals& signals, Checks& check);
  void reset();
  bool quiet() const { return bursts_.empty(); }

 private:
  unsigned beat_bytes_;
  std::unordered_map<std::uint64_t, std::uint32_t> words_;
  std::set<std::uint64_t> broken_;
  std::deque<std::uint64_t> bursts_;
  Life life_ = Life::well;
  unsigned beat_ = 0;       // of the first of them
  std::uint64_t held_ = 0;  // an address that was offered and not taken
};

}  // namespace td::verify
