// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/axi_checker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace td::verify {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr unsigned kLongest = 64;
constexpr std::array<const char*, 5> kNames = {"AR", "R", "AW", "W", "B"};

}  // namespace

void AxiChecker::reset() {
  for (auto& payload : held_) payload.clear();
  for (auto& bursts : reads_) bursts.clear();
  writes_.clear();
  beats_.clear();
  responses_ = {};
}

bool AxiChecker::idle() const {
  const auto empty = [](const auto& queue) { return queue.empty(); };
  return std::all_of(held_.begin(), held_.end(), empty) &&
         std::all_of(reads_.begin(), reads_.end(), empty) && writes_.empty() && beats_.empty() &&
         std::all_of(responses_.begin(), responses_.end(), [](unsigned n) { return n == 0; });
}

void AxiChecker::fault(const char* channel, const std::string& text) {
  faults_.push_back(fmt::format("clock {}: {}: {}", clock_, channel, text));
}

void AxiChecker::stable(unsigned channel, bool valid, bool ready, const Payload& payload) {
  Payload& held = held_[channel];
  if (!held.empty() && (!valid || payload != held)) {
    fault(kNames[channel], valid ? "the offer changes while it waits" : "an offer is withdrawn");
  }
  held.clear();
  if (valid && !ready) held = payload;
  if (valid && ready) ++checked_;
}

void AxiChecker::address(const char* channel, std::uint64_t address, unsigned len,
                         unsigned beat_bytes, unsigned id) {
  const std::uint64_t bytes = std::uint64_t{len + 1} * beat_bytes;
  const bool power = beat_bytes != 0 && (beat_bytes & (beat_bytes - 1)) == 0;
  if (!power || beat_bytes > beat_bytes_) {
    fault(channel, fmt::format("beats of {} bytes on a bus of {}", beat_bytes, beat_bytes_));
    return;
  }
  if (len >= kLongest) fault(channel, fmt::format("a burst of {} beats", len + 1));
  if (address % beat_bytes != 0)
    fault(channel, fmt::format("address {:#x} within a beat", address));
  if (address / kPage != (address + bytes - 1) / kPage) {
    fault(channel, fmt::format("{} bytes from {:#x} on cross 4 KB", bytes, address));
  }
  if (id >= kIds) fault(channel, fmt::format("ID {}", id));
}

/// Whether a beat writes nothing, or neighbouring bytes, up to where the beats beside it begin.
bool AxiChecker::runs_on(std::uint64_t strobes, std::uint64_t all, bool first, bool last) {
  if (strobes == 0) return true;
  const std::uint64_t lowest = strobes & (~strobes + 1);
  const bool one_run = ((strobes + lowest) & strobes) == 0;
  const bool begins = first || (lowest & all) == (all & (~all + 1));
  const bool ends = last || (strobes & (all & ~(all >> 1))) != 0;
  return one_run && begins && ends && (strobes & ~all) == 0;
}

void AxiChecker::match_writes() {
  while (!beats_.empty() && !writes_.empty()) {
    Write& write = writes_.front();
    const Beat& beat = beats_.front();
    if (beat.last != (--write.owed == 0)) {
      fault("W", fmt::format("last is {} with {} beats to come", beat.last, write.owed));
    }
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - write.bytes)
                                                       << (write.address % beat_bytes_);
    if (!runs_on(beat.strobes, all, write.first, beat.last)) {
      fault("W", fmt::format("strobes {:#x}, not a burst's within {:#x}", beat.strobes, all));
    }
    write.address += write.bytes;
    write.first = false;
    beats_.pop_front();
    if (write.owed > 0) continue;
    ++responses_[write.id];
    writes_.pop_front();
  }
}

void AxiChecker::edge(const AxiBus& bus) {
  ++clock_;
  stable(0, bus.ar_valid, bus.ar_ready, {bus.ar_addr, bus.ar_len, bus.ar_id});
  Payload data = {bus.r_id, bus.r_resp, bus.r_last};
  data.insert(data.end(), bus.r_data.begin(), bus.r_data.end());
  stable(1, bus.r_valid, bus.r_ready, data);
  stable(2, bus.aw_valid, bus.aw_ready, {bus.aw_addr, bus.aw_len, bus.aw_bytes, bus.aw_id});
  data = {bus.w_strb, bus.w_last};
  data.insert(data.end(), bus.w_data.begin(), bus.w_data.end());
  stable(3, bus.w_valid, bus.w_ready, data);
  stable(4, bus.b_valid, bus.b_ready, {bus.b_id, bus.b_resp});

  // Responses first: one must not come in the clock in which it is asked for.
  if (bus.r_valid && bus.r_ready) {
    auto& bursts = reads_[bus.r_id % kIds];
    if (bursts.empty()) {
      fault("R", fmt::format("nothing was asked for with ID {}", bus.r_id));
    } else {
      if (bus.r_last != (--bursts.front() == 0)) {
        fault("R", fmt::format("last is {} with {} beats to come", bus.r_last, bursts.front()));
      }
      if (bursts.front() == 0) bursts.pop_front();
    }
  }
  if (bus.b_valid && bus.b_ready) {
    unsigned& owed = responses_[bus.b_id % kIds];
    if (owed == 0) {
      fault("B", fmt::format("a response that no write with ID {} waits for", bus.b_id));
    } else {
      --owed;
    }
  }
  if (bus.ar_valid && bus.ar_ready) {
    address("AR", bus.ar_addr, bus.ar_len, beat_bytes_, bus.ar_id);
    reads_[bus.ar_id % kIds].push_back(bus.ar_len + 1);
  }
  if (bus.aw_valid && bus.aw_ready) {
    address("AW", bus.aw_addr, bus.aw_len, bus.aw_bytes, bus.aw_id);
    // What is too wide, or nothing, has had its fault.
    const unsigned bytes = std::clamp(bus.aw_bytes, 1U, beat_bytes_);
    writes_.push_back({bus.aw_addr, bus.aw_id % kIds, bytes, bus.aw_len + 1});
  }
  if (bus.w_valid && bus.w_ready) beats_.push_back({bus.w_strb, bus.w_last});
  match_writes();
}

}  // namespace td::verify
