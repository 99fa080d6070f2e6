// SPDX-License-Identifier: Apache-2.0
// An engine that takes any time for a descriptor, in order, and may fail.
#pragma once

#include <deque>

#include "verify/accelerator/control/checks.hpp"
#include "verify/accelerator/control/job.hpp"
#include "verify/accelerator/control/signals.hpp"

namespace td::verify {

class Engine {
 public:
  // Makes its n-th descriptor from now on, from 0, end with an error.
  // offered: before it takes it.
  void fail_at(unsigned number, unsigned code, bool offered);
  void block(bool blocked) { blocked_ = blocked; }   // finishes nothing
  void die(bool dead) { dead_ = dead; }              // the bus answers nothing any more
  void may_have(std::size_t most) { most_ = most; }  // descriptors

  void drive(EngineSignals& signals, const ControlSignals& all, Random& random, int slowness);
  // Whether it took a descriptor in this clock, and whether it finished one.
  struct Events {
    bool took, finished;
  };
  Events sample(const EngineSignals& signals, const ControlSignals& all, Random& random,
                int slowness, Checks& check);
  bool busy() const { return !left_.empty(); }
  bool owes() const { return dead_ || owed_ > 0; }
  void reset();

 private:
  std::deque<int> left_;  // clocks that each descriptor taken takes
  std::size_t most_ = 7;
  unsigned failing_ = 0, code_ = 0, done_ = 0;
  int owed_ = 0;  // clocks until it is quiet, once halted
  bool blocked_ = false, dead_ = false, held_ = false, failed_ = false, offered_ = false;
};

}  // namespace td::verify
