// SPDX-License-Identifier: Apache-2.0
// Software: accesses of registers, with random delays on every channel, jobs and interrupts.
#pragma once

#include "verify/accelerator/axi_lite.hpp"
#include "verify/accelerator/control/machine.hpp"

namespace td::verify {

class Host {
 public:
  explicit Host(Machine& machine);

  struct Answer {
    bool okay;
    std::uint32_t data;
  };
  bool write(unsigned offset, std::uint32_t data, unsigned strobes = 15);
  Answer read(unsigned offset);
  // Both at the same time.
  Answer both(unsigned written, std::uint32_t data, unsigned offset);
  std::uint32_t value(unsigned offset);  // of a read that must succeed
  std::uint64_t counter(unsigned offset);

  void window(std::uint64_t begin, std::uint64_t end);
  // Writes the registers of a job, whose address is moved by next_address(); whether it was taken.
  bool submit(Job job);
  std::uint64_t next_address() const;
  void wait_for_interrupt();
  // Handles interrupts until all jobs are done.
  void wait_for_jobs();
  void soft_reset();
  void reset();  // of everything
  void idle(int clocks);

  Machine& m;
  std::uint64_t interrupts = 0;
  unsigned taken = 0;  // jobs since the reset

 private:
  void step();  // a clock of both
  void finish();

  AxiLiteMaster master_;
  unsigned jobs_ = 0;
};

}  // namespace td::verify
