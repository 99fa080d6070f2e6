// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/control/machine.hpp"

#include <algorithm>

namespace td::verify {

Machine::Machine(ControlModel& model, std::uint64_t seed)
    : random(seed), memory(model.beat_bytes()), model_(model) {
  engines[1].may_have(3);
  reset();
}

void Machine::reset() {
  reset_ = starting_ = true;
  for (int i = 0; i < 3; ++i) {
    memory.reset();
    tick();
  }
  reset_ = false;
  tick();  // the engines' reset ends
  starting_ = false;
  interrupt_in_ = -1;
  counted = {};
  jobs_done = 0;
}

void Machine::choose_speed() {
  stalls_ = std::array{0, 0, 30, 80}[static_cast<std::size_t>(pick(random, 0, 3))];
  slowness_ = std::array{0, 1, 4, 12}[static_cast<std::size_t>(pick(random, 0, 3))];
}

void Machine::expect(const Job& job) {
  memory.put(job.address, job.words());
  if (job.fault == Fault::bus) memory.break_unit(job.address + std::uint64_t{job.unit} * 64);
  jobs.push_back(job);
}

void Machine::refused() {
  if (!jobs.empty()) jobs.pop_back();
}

void Machine::drive() {
  memory.drive(signals, random, stalls_);
  for (auto& engine : engines)
    engine.drive(signals.engines[static_cast<std::size_t>(&engine - engines.data())], signals,
                 random, slowness_);
  signals.read_beat = counting && pick(random, 0, 1) == 0;
  signals.written = counting ? static_cast<unsigned>(pick(random, 0, 64)) : 0;
  // Steps belong to a job: some unit of it was asked for.
  signals.stepped = counting && asked_ > 0 && pick(random, 0, 9) == 0;
  signals.waiting = counting && pick(random, 0, 1) == 0;
  signals.filling = counting && pick(random, 0, 1) == 0;
  signals.results = counting ? static_cast<unsigned>(pick(random, 0, 255)) : 0;
  signals.zeros = counting ? static_cast<unsigned>(pick(random, 0, 255)) : 0;
  signals.nonfinite = counting ? static_cast<unsigned>(pick(random, 0, 127)) : 0;
}

void Machine::count() {
  for (std::size_t k = 0; k < 3; ++k)
    counted.cycles[k] += engines[k].busy() || signals.engines[k].valid;
  const std::uint64_t beat = model_.beat_bytes();
  counted.read += beat * signals.read_beat;
  counted.written += signals.written;
  counted.stepped += signals.stepped;
  counted.waiting += signals.waiting;
  counted.filling += signals.filling;
  if (signals.stepped) {
    counted.spanned += first_step_ ? 1 : since_step_ + 1;
    first_step_ = false;
    since_step_ = 0;
  } else {
    ++since_step_;
  }
  counted.results += signals.results;
  counted.zeros += signals.zeros;
  counted.nonfinite += signals.nonfinite;
}

// An engine takes a descriptor: the next one of its kind, once its waits are over.
void Machine::took(std::size_t kind) {
  check(!jobs.empty(), "a descriptor without a job");
  unsigned number = started_[kind]++;
  for (const auto& descriptor : jobs.front().descriptors) {
    if (descriptor.kind != static_cast<int>(kind) || number-- > 0) continue;
    for (std::size_t k = 0; k < 3; ++k)
      check(finished_[k] >= descriptor.waits[k], "a descriptor started too early");
    check(std::equal(descriptor.words.begin(), descriptor.words.end(),
                     signals.engines[kind].desc.begin()),
          "an engine got another descriptor");
    ++descriptors;
    return;
  }
  check(false, "more descriptors than there are");
}

// The first job is done once all of it is.
void Machine::finish() {
  if (jobs.empty() || jobs.front().fault != Fault::none) return;
  const auto& job = jobs.front();
  if (finished_[0] + finished_[1] + finished_[2] < job.descriptors.size()) return;
  check(asked_ == job.units_before(job.descriptors.size()), "not all of the job was read");
  started_ = finished_ = {};
  asked_ = 0;
  jobs.pop_front();
  ++jobs_done;
  interrupt_in_ = 3;
}

void Machine::engines_were_reset() {
  const bool waits_no_longer = starting_ || (timeout != 0 && halted >= timeout);
  check(waits_no_longer || memory.quiet(), "a reset while the bus owes descriptors");
  if (!memory.well()) memory.reset();
  for (std::size_t k = 0; k < 3; ++k) {
    // The compute engine is not on the bus.
    check(waits_no_longer || k == 1 || !engines[k].owes(), "a reset while the bus owes an engine");
    engines[k].reset();
  }
  jobs.clear();
  started_ = finished_ = {};
  asked_ = 0;
}

void Machine::tick() {
  drive();
  model_.settle(signals, reset_);
  ++check.clock;
  if (signals.halt && !stopping_) halted = 0;
  stopping_ = signals.halt;
  if (signals.halt && !signals.engines_reset) ++halted;
  if (signals.engines_reset) {
    engines_were_reset();
    for (const auto& engine : signals.engines) check(!engine.valid, "an offer while in reset");
  }
  count();
  // Four clocks after a job's last descriptor the interrupt is there, whatever is cleared before.
  if (signals.halt) interrupt_in_ = -1;
  if (interrupt_in_ >= 0 && interrupt_in_-- == 0) check(signals.irq, "an interrupt is lost");
  if (const auto address = memory.sample(signals, check)) {
    check(!jobs.empty(), "a burst without a job");
    const auto& job = jobs.front();
    check(address == job.address + std::uint64_t{64} * asked_, "another unit than the next");
    if (asked_++ == 0) first_step_ = true;
    check(job.fault != Fault::window || asked_ <= job.unit, "a burst outside of the window");
    check(job.fault != Fault::none || asked_ <= job.units_before(job.descriptors.size()),
          "a burst beyond the end of the job");
  }
  std::array<Engine::Events, 3> events{};
  for (std::size_t k = 0; k < 3; ++k) {
    events[k] = engines[k].sample(signals.engines[k], signals, random, slowness_, check);
    if (events[k].took) took(k);
  }
  for (std::size_t k = 0; k < 3; ++k) finished_[k] += events[k].finished;
  finish();
  model_.edge();
}

}  // namespace td::verify
