// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/bus/transfer_clock.hpp"

#include <algorithm>

#include "sim/accelerator/timing/forever.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

std::vector<TransferBurst> load_bursts(const Geometry& geometry, const LoadDescriptor& load) {
  std::vector<TransferBurst> bursts;
  const std::int64_t row_bytes = geometry.row_bytes();
  each_burst(geometry, load.memory, load.memory.rows, [&](std::uint64_t at, std::int64_t rows) {
    if (load.packed == 0) {
      bursts.push_back({beats_of(geometry, at, rows)});
    } else {
      const std::int64_t first = static_cast<std::int64_t>(at) / row_bytes % kBlockRows;
      bursts.push_back(
          {load.packed / geometry.beat_rows, ceil_div(first + rows, geometry.unpack_rows)});
    }
  });
  return bursts;
}

std::vector<TransferBurst> store_bursts(const Geometry& geometry, const StoreDescriptor& store) {
  std::vector<TransferBurst> bursts;
  const std::int64_t rows = store.memory.rows * row_parts(geometry, store);
  each_burst(geometry, store.memory, rows, [&](std::uint64_t at, std::int64_t some) {
    bursts.push_back({beats_of(geometry, at, some)});
  });
  return bursts;
}

bool TransferClock::takes(bool bus_ready) const {
  return offer_ && room_ && flying_.size() < outstanding_ && (!address_ || bus_ready);
}

bool TransferClock::finishes(const std::vector<TransferBurst>& bursts, bool bus_ready) const {
  return takes(bus_ready) && next_ + 1 == bursts.size();
}

void TransferClock::update(const std::vector<TransferBurst>* offered, bool bus_ready,
                           bool answered) {
  const bool taken = takes(bus_ready);
  const bool starts = offered != nullptr && !walks_ && !offer_;
  const bool cuts = walks_ && (!offer_ || taken);
  const std::size_t cut = next_ + std::size_t{offer_};
  done_ = answered && flying_.front() != 0;
  if (answered) flying_.pop_front();
  address_ = taken || (address_ && !bus_ready);
  if (taken) {
    const bool last = next_ + 1 == offered->size();
    burst_ = (*offered)[next_];
    flying_.push_back(last ? 1 : 0);
    next_ = last ? 0 : next_ + 1;
  }
  walks_ = starts || (walks_ && !(cuts && cut + 1 == offered->size()));
  offer_ = cuts || (offer_ && !taken);
}

void TransferClock::add_state(ClockState& state) const {
  state.add(room_, walks_, offer_, next_, address_, done_);
  if (address_) state.add(burst_.beats, burst_.groups);
  state.add(flying_.size());
  for (const char last : flying_) state.add(last);
}

bool StoreRowsClock::update(bool ready) {
  const bool written = standing_ > 0 && ready;
  const bool leaves = waiting_ > 0 && standing_ < kStanding;
  const bool reads = !bursts_.empty() && asked_ < kAsked;
  tile_ = reads ? bursts_.front().tile : kNoTile;
  standing_ += int{leaves} - int{written};
  waiting_ += int{rows_[kArrives - 1]} - int{leaves};
  asked_ += int{reads} - int{leaves};
  std::copy_backward(rows_, rows_ + kArrives - 1, rows_ + kArrives);
  rows_[0] = reads;
  if (reads) {
    Burst& burst = bursts_.front();
    --burst.left;
    ++burst.read;
    if (burst.left == 0) bursts_.pop_front();
  }
  return written;
}

std::int64_t StoreRowsClock::quiet() const {
  if (bursts_.empty()) return idle() ? kForever : 0;
  // All rows on their way are the burst's: in each clock the same moves, a place further.
  const bool steady = bursts_.front().read > kArrives + 1 && waiting_ == 1 && standing_ == 1;
  return steady ? bursts_.front().left - 1 : 0;
}

std::int64_t StoreRowsClock::count(std::int64_t clocks) {
  if (bursts_.empty()) return 0;
  bursts_.front().left -= clocks;
  bursts_.front().read += clocks;
  return clocks;
}

void StoreRowsClock::add_state(ClockState& state) const {
  state.add(tile_, asked_, waiting_, standing_, bursts_.size());
  for (const bool row : rows_) state.add(row);
  for (const Burst& burst : bursts_) {
    state.add(burst.tile, burst.left, std::min<std::int64_t>(burst.read, kArrives + 2));
  }
}

}  // namespace td::sim
