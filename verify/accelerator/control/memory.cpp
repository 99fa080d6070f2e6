// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/control/memory.hpp"

namespace td::verify {

void Memory::put(std::uint64_t address, const std::vector<std::uint32_t>& words) {
  for (const auto word : words) {
    words_[address] = word;
    address += 4;
  }
}

void Memory::reset() {
  bursts_.clear();
  beat_ = 0;
  held_ = 0;
}

void Memory::drive(ControlSignals& s, Random& random, int stalls) {
  s.fetch_ar_ready = life_ != Life::deaf && pick(random, 0, 99) >= stalls;
  s.fetch_r_valid = life_ == Life::well && !bursts_.empty() && pick(random, 0, 99) >= stalls;
  s.fetch_r_data.resize(beat_bytes_ / 4);
  for (auto& word : s.fetch_r_data) word = static_cast<std::uint32_t>(random());
  s.fetch_r_resp = static_cast<unsigned>(pick(random, 0, 3));
  if (!s.fetch_r_valid) return;
  const auto address = bursts_.front();
  // An error in one beat of the unit.
  const bool broken = broken_.count(address) != 0 && beat_ == address / 64 % (64 / beat_bytes_);
  s.fetch_r_resp = broken ? 2u + (random() & 1) : 0;
  for (unsigned i = 0; i < beat_bytes_ / 4; ++i)
    s.fetch_r_data[i] = words_[address + beat_ * beat_bytes_ + 4 * i];
}

std::uint64_t Memory::sample(const ControlSignals& s, Checks& check) {
  check(s.fetch_r_ready, "the bus waits for descriptors to be taken");
  if (s.fetch_r_valid && ++beat_ == 64 / beat_bytes_) {
    beat_ = 0;
    bursts_.pop_front();
  }
  if (held_ != 0) check(s.fetch_ar_valid && s.fetch_ar_addr == held_, "an address was withdrawn");
  held_ = s.fetch_ar_valid && !s.fetch_ar_ready ? s.fetch_ar_addr : 0;
  if (!s.fetch_ar_valid || !s.fetch_ar_ready) return 0;
  check(s.fetch_ar_len + 1 == 64 / beat_bytes_, "a burst is not a unit");
  check(s.fetch_ar_addr % 64 == 0, "a burst does not begin with a unit");
  bursts_.push_back(s.fetch_ar_addr);
  return s.fetch_ar_addr;
}

}  // namespace td::verify
