// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/control/job.hpp"

#include "sim/accelerator/descriptor_fields.hpp"
#include "sim/accelerator/registers.hpp"

namespace td::verify {
namespace {

void set(std::vector<std::uint32_t>& words, const sim::Field& field, std::uint32_t value) {
  const std::uint32_t mask = ((1u << field.bits) - 1) << field.bit;
  words[field.word] = (words[field.word] & ~mask) | ((value << field.bit) & mask);
}

void set_waits(Descriptor& descriptor) {
  set(descriptor.words, sim::descriptor::wait_loads, descriptor.waits[0]);
  set(descriptor.words, sim::descriptor::wait_computes, descriptor.waits[1]);
  set(descriptor.words, sim::descriptor::wait_stores, descriptor.waits[2]);
}

// One that waits for some of those before it: none, all, or any number, of each kind.
Descriptor random_descriptor(Random& random, const std::array<unsigned, 3>& before) {
  Descriptor descriptor{pick(random, 0, 2), {}, {}};
  descriptor.words.resize(descriptor.kind == 1 ? sim::compute::bytes / 4 : sim::load::bytes / 4);
  for (auto& word : descriptor.words) word = static_cast<std::uint32_t>(random());
  for (std::size_t k = 0; k < 3; ++k) {
    const int most = static_cast<int>(before[k]);
    const int choice = pick(random, 0, 3);
    descriptor.waits[k] = static_cast<unsigned>(choice == 0   ? most
                                                : choice == 1 ? pick(random, 0, most)
                                                              : 0);
  }
  set(descriptor.words, sim::descriptor::kind, static_cast<std::uint32_t>(descriptor.kind + 1));
  set_waits(descriptor);
  // The first compute cannot keep what one before has.
  if (descriptor.kind == 1 && before[1] == 0) set(descriptor.words, sim::compute::keep, 0);
  return descriptor;
}

// Breaks a descriptor.
void break_kind(Random& random, Descriptor& descriptor) {
  const int kind = pick(random, 3, 255);
  set(descriptor.words, sim::descriptor::kind, static_cast<std::uint32_t>(kind == 3 ? 0 : kind));
}

void break_wait(Random& random, Descriptor& descriptor, const std::array<unsigned, 3>& before) {
  if (descriptor.kind == 1 && before[1] == 0 && pick(random, 0, 1) == 0) {
    set(descriptor.words, sim::compute::keep, static_cast<std::uint32_t>(pick(random, 1, 3)));
    return;
  }
  const auto k = static_cast<std::size_t>(pick(random, 0, 2));
  const bool far = pick(random, 0, 1) == 1;
  descriptor.waits[k] = far ? 65535 : before[k] + 1;
  set_waits(descriptor);
}

void break_engine(Random& random, Job& job) {
  static constexpr std::array<std::array<unsigned, 4>, 3> codes{
      {{2, 3, 4, 6}, {2, 2, 2, 2}, {2, 3, 4, 7}}};
  const auto kind = static_cast<std::size_t>(job.descriptors[job.index].kind);
  job.code = codes[kind][static_cast<std::size_t>(pick(random, 0, 3))];
}

}  // namespace

int pick(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

unsigned Job::units_before(std::size_t descriptor) const {
  std::size_t words = 0;
  for (std::size_t i = 0; i < descriptor; ++i) words += descriptors[i].words.size();
  return static_cast<unsigned>(words / 16);
}

std::vector<std::uint32_t> Job::words() const {
  std::vector<std::uint32_t> all;
  for (const auto& descriptor : descriptors)
    all.insert(all.end(), descriptor.words.begin(), descriptor.words.end());
  return all;
}

Job random_job(Random& random, int most, Fault fault) {
  Job job;
  job.fault = fault;
  job.address = static_cast<std::uint64_t>(pick(random, 0, 200)) * 64;
  const int count = fault == Fault::empty ? 0 : pick(random, 1, most);
  if (count > 0) job.index = static_cast<unsigned>(pick(random, 0, count - 1));
  std::array<unsigned, 3> before{};
  for (int i = 0; i < count; ++i) {
    job.descriptors.push_back(random_descriptor(random, before));
    auto& last = job.descriptors.back();
    if (i == static_cast<int>(job.index)) {
      if (fault == Fault::kind) break_kind(random, last);
      if (fault == Fault::wait) break_wait(random, last, before);
    }
    ++before[static_cast<std::size_t>(last.kind)];
  }
  if (fault == Fault::bus || fault == Fault::window) {
    const auto begin = job.units_before(job.index), end = job.units_before(job.index + 1);
    job.unit =
        static_cast<unsigned>(pick(random, static_cast<int>(begin), static_cast<int>(end) - 1));
  }
  using namespace sim::registers;
  if (fault == Fault::kind) job.code = error_kind;
  if (fault == Fault::wait) job.code = error_wait;
  if (fault == Fault::bus) job.code = error_read;
  if (fault == Fault::window) job.code = error_window;
  if (fault == Fault::empty) job.code = error_range;
  if (fault == Fault::alignment) {
    job.code = error_alignment;
    job.index = 0;
    job.address += static_cast<std::uint64_t>(pick(random, 1, 63));
  }
  if (fault == Fault::engine) break_engine(random, job);
  return job;
}

}  // namespace td::verify
