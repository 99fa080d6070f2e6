// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/control/engines.hpp"

namespace td::verify {

void Engine::fail_at(unsigned number, unsigned code, bool offered) {
  offered_ = offered;
  failing_ = number;
  code_ = code;
  done_ = 0;
}

void Engine::reset() {
  left_.clear();
  held_ = false;
  failed_ = false;
  owed_ = 0;
}

void Engine::drive(EngineSignals& s, const ControlSignals& all, Random& random, int slowness) {
  const bool in_turn = code_ != 0 && done_ == failing_;
  const bool refuses = offered_ && in_turn && left_.empty();
  s.ready = left_.size() <= most_ && pick(random, 0, slowness) == 0 && !refuses;
  const bool ends =
      !blocked_ && !all.halt && (refuses ? held_ : !left_.empty() && left_.front() <= 0);
  const bool fails = failed_ || (ends && in_turn);
  s.done = ends && !fails;
  // An error is there for a clock, or for some.
  s.error = fails && (!failed_ || pick(random, 0, 1) == 0) ? code_ : 0;
  failed_ = fails;
  s.quiet = all.halt ? !owes() : pick(random, 0, 1) == 0;
}

Engine::Events Engine::sample(const EngineSignals& s, const ControlSignals& all, Random& random,
                              int slowness, Checks& check) {
  if (held_) check(s.valid || all.halt, "a descriptor was withdrawn");
  held_ = s.valid && !s.ready;
  if (all.halt) {
    check(!s.valid, "a descriptor is offered to an engine that is halted");
    if (owed_ > 0) --owed_;
  } else {
    owed_ = pick(random, 0, 20);
  }
  if (!left_.empty()) --left_.front();
  const Events events{s.valid && s.ready, s.done};
  if (events.finished) {
    left_.pop_front();
    ++done_;
  }
  if (events.took) {
    left_.push_back(pick(random, 0, 8 * slowness));
    check(left_.size() <= most_, "an engine has more descriptors than it may");
  }
  return events;
}

}  // namespace td::verify
