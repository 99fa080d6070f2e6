// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/axi_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace td::verify {
namespace {

constexpr unsigned kSlaveError = 2;
constexpr unsigned kDecodeError = 3;

}  // namespace

AxiMemory::AxiMemory(const AxiMemorySettings& settings)
    : settings_(settings), draw_(settings.seed), bytes_(settings.bytes) {}

void AxiMemory::reset() {
  reads_.clear();
  writes_.clear();
  beats_.clear();
  r_valid_ = b_valid_ = false;
}

void AxiMemory::clear_watch() {
  readable_.clear();
  writable_.clear();
}

bool AxiMemory::idle() const {
  return reads_.empty() && writes_.empty() && beats_.empty() && !r_valid_ && !b_valid_;
}

bool AxiMemory::inside(std::uint64_t address) const {
  return address >= settings_.begin && address - settings_.begin < settings_.bytes;
}

std::uint8_t AxiMemory::read(std::uint64_t address) const {
  return inside(address) ? bytes_[address - settings_.begin] : std::uint8_t{0};
}

void AxiMemory::check(const Ranges& ranges, std::uint64_t address, const char* what) {
  const bool declared = std::any_of(ranges.begin(), ranges.end(), [address](const auto& range) {
    return address >= range.first && address < range.second;
  });
  if (!declared) faults_.push_back(fmt::format("byte {:#x} is {}", address, what));
}

AxiMemory::Burst AxiMemory::accept(unsigned id, std::uint64_t address, unsigned len,
                                   unsigned beat_bytes) {
  Burst burst;
  burst.id = id;
  burst.address = address;
  burst.beats = len + 1;
  burst.bytes = beat_bytes;
  burst.due = clock_ + settings_.latency + draw_.between(0, settings_.latency_spread);
  const std::uint64_t end = address + std::uint64_t{burst.beats} * beat_bytes;
  if (!inside(address) || !inside(end - 1)) {
    burst.resp = kDecodeError;
  } else if (draw_.chance(settings_.errors)) {
    burst.resp = kSlaveError;
  } else if (const auto it = failing_.lower_bound(address); it != failing_.end() && *it < end) {
    burst.resp = kSlaveError;
  }
  if (burst.resp != 0) ++errors_sent_;
  return burst;
}

void AxiMemory::move(unsigned bytes) {
  if (settings_.bandwidth > 0) budget_ -= 1000 * std::int64_t{bytes};
}

void AxiMemory::offer_read() {
  // Of each ID the oldest burst; without reordering the oldest of all.
  std::vector<std::size_t> due;
  for (std::size_t i = 0; i < reads_.size(); ++i) {
    const bool behind = std::any_of(reads_.begin(), reads_.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const Burst& b) { return b.id == reads_[i].id; });
    if (i > 0 && !settings_.reorder) break;
    if (!behind && reads_[i].due <= clock_) due.push_back(i);
  }
  if (due.empty() || budget_ < 0 || draw_.chance(settings_.stall)) return;
  const std::size_t chosen = due[draw_.below(due.size())];
  Burst& burst = reads_[chosen];
  const std::uint64_t at = burst.address + std::uint64_t{burst.done} * settings_.beat_bytes;
  r_data_.resize(settings_.beat_bytes);
  for (unsigned i = 0; i < settings_.beat_bytes; ++i) {
    r_data_[i] = burst.early.empty() ? read(at + i) : burst.early[at - burst.address + i];
  }
  move(settings_.beat_bytes);
  bytes_read_ += settings_.beat_bytes;
  r_id_ = burst.id;
  r_resp_ = burst.resp;
  r_last_ = ++burst.done == burst.beats;
  r_valid_ = true;
  if (r_last_) reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(chosen));
}

void AxiMemory::write(const Burst& burst) {
  for (unsigned beat = 0; beat < burst.beats; ++beat) {
    const std::uint64_t at = burst.address + std::uint64_t{beat} * burst.bytes;
    const auto place = static_cast<unsigned>(at % settings_.beat_bytes);  // on the bus
    for (unsigned i = 0; i < burst.bytes; ++i) {
      if (((beats_.front().strobe >> (place + i)) & 1U) == 0) continue;
      check(writable_, at + i, "written");
      if (burst.resp == 0) this->at(at + i) = beats_.front().data[place + i];
    }
    beats_.pop_front();
  }
}

void AxiMemory::offer_response() {
  if (writes_.empty() || beats_.size() < writes_.front().beats) return;
  if (writes_.front().due > clock_ || draw_.chance(settings_.stall)) return;
  // What is written is seen from the response on, not sooner: a reader that relies on less fails.
  write(writes_.front());
  b_id_ = writes_.front().id;
  b_resp_ = writes_.front().resp;
  b_valid_ = true;
  writes_.pop_front();
}

void AxiMemory::drive(AxiBus& bus) {
  budget_ = std::min<std::int64_t>(budget_ + settings_.bandwidth, settings_.bandwidth);
  if (!r_valid_) offer_read();
  if (!b_valid_) offer_response();
  bus.ar_ready = reads_.size() < settings_.reads && !draw_.chance(settings_.stall);
  bus.aw_ready = writes_.size() < settings_.writes && !draw_.chance(settings_.stall);
  bus.w_ready = budget_ >= 0 && !draw_.chance(settings_.stall);
  bus.r_valid = r_valid_;
  bus.r_id = r_id_;
  bus.r_resp = r_resp_;
  bus.r_last = r_last_;
  if (!r_valid_) {  // what is not valid must not matter
    r_data_.resize(settings_.beat_bytes);
    for (auto& byte : r_data_) byte = static_cast<std::uint8_t>(draw_.below(256));
    bus.r_id = static_cast<unsigned>(draw_.below(2));
    bus.r_resp = static_cast<unsigned>(draw_.below(4));
    bus.r_last = draw_.chance(0.5);
  }
  bus.r_data = r_data_;
  bus.b_valid = b_valid_;
  bus.b_id = b_id_;
  bus.b_resp = b_valid_ ? b_resp_ : static_cast<unsigned>(draw_.below(4));
  if (dead_) bus.ar_ready = bus.aw_ready = bus.w_ready = bus.r_valid = bus.b_valid = false;
}

void AxiMemory::edge(const AxiBus& bus) {
  ++clock_;
  if (bus.r_valid && bus.r_ready) r_valid_ = false;
  if (bus.b_valid && bus.b_ready) b_valid_ = false;
  if (bus.ar_valid && bus.ar_ready) {
    Burst burst = accept(bus.ar_id, bus.ar_addr, bus.ar_len, settings_.beat_bytes);
    const std::uint64_t bytes = std::uint64_t{burst.beats} * settings_.beat_bytes;
    const bool early = draw_.chance(0.5);
    for (std::uint64_t i = 0; i < bytes; ++i) {
      check(readable_, burst.address + i, "read");
      if (early) burst.early.push_back(read(burst.address + i));
    }
    reads_.push_back(std::move(burst));
  }
  if (bus.aw_valid && bus.aw_ready) {
    writes_.push_back(accept(bus.aw_id, bus.aw_addr, bus.aw_len, bus.aw_bytes));
  }
  if (bus.w_valid && bus.w_ready) {
    beats_.push_back({bus.w_data, bus.w_strb});
    move(settings_.beat_bytes);
    bytes_written_ += static_cast<unsigned>(__builtin_popcountll(bus.w_strb));
  }
}

}  // namespace td::verify
