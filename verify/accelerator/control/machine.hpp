// SPDX-License-Identifier: Apache-2.0
// td1_control between a host, a memory and three engines, and what must hold in every clock.
#pragma once

#include <deque>

#include "verify/accelerator/control/engines.hpp"
#include "verify/accelerator/control/memory.hpp"

namespace td::verify {

class Machine {
 public:
  Machine(ControlModel& model, std::uint64_t seed);

  // One clock.
  void tick();
  void reset();
  // A job that the host is about to queue; one that was refused.
  void expect(const Job& job);
  void refused();
  // How the rest behaves: stalls in percent, and the engines' slowness.
  void choose_speed();
  unsigned beat_rows() const { return model_.beat_rows(); }
  // Counters, as the registers have them.
  struct Counted {
    std::array<std::uint64_t, 3> cycles{};
    std::uint64_t stepped = 0, waiting = 0, read = 0, written = 0, results = 0, zeros = 0,
                  nonfinite = 0, filling = 0, spanned = 0;
  };

  ControlSignals signals;
  Checks check;
  Random random;
  Memory memory;
  std::array<Engine, 3> engines;
  Counted counted;
  bool counting = false;   // results and beats come in
  unsigned jobs_done = 0;  // since the reset
  std::deque<Job> jobs;    // that are queued, the first of them may run
  std::uint64_t descriptors = 0;
  std::uint64_t timeout = 0;  // of a stop; 0: none
  std::uint64_t halted = 0;   // clocks that the last stop has lasted, until the engines' reset

 private:
  void drive();
  void count();
  void took(std::size_t kind);
  void finish();
  void engines_were_reset();

  ControlModel& model_;
  unsigned asked_ = 0;                              // units of the first job
  bool first_step_ = true;                          // the job has not stepped yet
  std::uint64_t since_step_ = 0;                    // clocks
  std::array<unsigned, 3> started_{}, finished_{};  // its descriptors
  int stalls_ = 0, slowness_ = 0;
  int interrupt_in_ = -1;  // clocks until it must be there
  bool reset_ = false, starting_ = false, stopping_ = false;
};

}  // namespace td::verify
