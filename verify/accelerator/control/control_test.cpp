// SPDX-License-Identifier: Apache-2.0
// Judges td1_control: control_test [SEED [ROUNDS]]
#include <fmt/core.h>

#include <exception>
#include <string>

#include "Vcontrol_narrow.h"
#include "Vcontrol_wide.h"
#include "sim/accelerator/registers.hpp"
#include "verify/accelerator/control/scenarios.hpp"
#include "verify/accelerator/control/verilated_control.hpp"
#include "verify/accelerator/power_on.hpp"

namespace {

using namespace td::verify;

// Jobs without a fault, back to back, as many as there is room for. Long ones fill what is fetched
// ahead.
void good_jobs(Host& host) {
  auto& m = host.m;
  for (int i = pick(m.random, 1, 8); i > 0; --i) {
    const bool room = m.jobs.size() < 4;
    const bool taken = host.submit(random_job(m.random, pick(m.random, 1, 60), Fault::none));
    m.check(taken || !room, "a job is refused though there is room");
    if (pick(m.random, 0, 2) == 0) host.idle(pick(m.random, 0, 200));
  }
  host.wait_for_jobs();
  m.check(host.write(td::sim::registers::status, 8), "the status cannot be cleared");
}

// Everything, in random order.
void run(const char* name, ControlModel& model, std::uint64_t seed, int rounds) {
  Machine machine(model, seed);
  Host host(machine);
  ResetStates states;
  register_access(host);
  host.window(0, kMemoryEnd);
  for (int round = 0; round < rounds; ++round) {
    if (round == rounds / 2) {
      // A reset of everything, in the middle of jobs.
      host.submit(random_job(machine.random, 8, Fault::none));
      host.submit(random_job(machine.random, 8, Fault::none));
      host.idle(pick(machine.random, 20, 100));
      host.reset();
      register_access(host);
      host.window(0, kMemoryEnd);
    }
    machine.choose_speed();
    if (round % 8 == 0) refusals(host);
    good_jobs(host);
    compare_counters(host);
    faulty_job(host, static_cast<Fault>(1 + round % (kFaults - 1)));
    for (int i = 0; i < 3; ++i)
      faulty_job(host, static_cast<Fault>(pick(machine.random, 1, kFaults - 1)));
    for (int i = 0; i < 4; ++i) reset_at_any_time(host, states);
    dead_bus(host);
  }
  machine.check(states.idle > 0 && states.running > 0 && states.failed > 0 && states.resetting > 0,
                "a state without a soft reset");
  machine.check(machine.descriptors > 0 && host.interrupts > 0, "nothing happened");
  fmt::print(
      "{}: {} checks in {} clocks, {} descriptors, {} interrupts; soft resets idle {}, "
      "running {}, failed {}, resetting {}\n",
      name, machine.check.done, machine.check.clock, machine.descriptors, host.interrupts,
      states.idle, states.running, states.failed, states.resetting);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::uint64_t seed = argc > 1 ? std::stoull(argv[1]) : 1;
    const int rounds = argc > 2 ? std::stoi(argv[2]) : 60;
    begin_with_anything();
    Checks check;
    Random random(seed);
    every_register(check, random);
    fmt::print("registers: {} checks\n", check.done);
    VerilatedControl<Vcontrol_narrow> narrow(1);
    run("4-byte beats", narrow, seed, rounds);
    VerilatedControl<Vcontrol_wide> wide(2);
    run("64-byte beats of two rows", wide, seed, rounds);
  } catch (const std::exception& error) {
    fmt::print(stderr, "control_test: {}\n", error.what());
    return 1;
  }
  return 0;
}
