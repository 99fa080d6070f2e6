// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/model/timeline.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t kUnitBytes = 64;
constexpr std::size_t kUnits = 8;           // that are fetched ahead
constexpr std::int64_t kBurstBeats = 64;    // at most
constexpr std::int64_t kBurstBytes = 4096;  // a burst does not cross multiples of this
constexpr std::int64_t kBurstClocks = 2;    // from one burst's address to the next one's
constexpr std::int64_t kReturnClocks = 7;  // from a burst's end to the address that takes its place
constexpr std::int64_t kDescriptorClocks = 4;  // from a descriptor to its first address
constexpr std::int64_t kDoneClocks = 3;        // from the last beat to what waits for it
constexpr std::int64_t kFillClocks = 7;     // from a descriptor to its first row, and to the tiles
constexpr std::int64_t kFeedClocks = 1;     // from a full half to the first step
constexpr std::int64_t kCollectClocks = 3;  // from the last word to the next job
constexpr std::size_t kHeldOutputs = 2;     // of a tile, before it has to wait
constexpr std::size_t kAtWork[] = {2, 3, 2};  // descriptors of an engine that are not finished

constexpr std::int64_t kSlice = 16;  // clocks of a calendar's entry

}  // namespace

std::int64_t Calendar::take(std::int64_t begin, std::int64_t clocks) {
  auto slice = static_cast<std::size_t>(begin / kSlice);
  std::int64_t end = begin;
  while (clocks > 0) {
    if (slice >= taken_.size()) taken_.resize(2 * slice + 1);
    const std::int64_t first = static_cast<std::int64_t>(slice) * kSlice;
    const std::int64_t room =
        std::min(kSlice - taken_[slice], first + kSlice - std::max(begin, first));
    const std::int64_t some = std::min(room, clocks);
    if (some > 0) {
      taken_[slice] = static_cast<std::uint8_t>(taken_[slice] + some);
      clocks -= some;
      end = std::max(end, std::max(begin, first) + some);
    }
    ++slice;
  }
  return end;
}

Timeline::Timeline(const Config& config, const MemoryTiming& memory)
    : geometry_(geometry_of(config)),
      memory_(memory),
      output_latency_(output_latency(config)),
      adder_latency_(config.adder_registers + 1),
      tiles_(static_cast<std::size_t>(geometry_.tiles)) {
  begin_job();
}

void Timeline::begin_job() {
  unit_taken_.clear();
  fetched_ = dispatched_ = filled_ = 0;
  fed_[0] = fed_[1] = 0;
  for (Engine& engine : engines_) engine = {};
  for (int way = 0; way < 2; ++way) {
    bursts_[way].clear();
    bus_[way].clear();
    moved_[way] = issued_[way] = 0;
  }
  std::fill(tiles_.begin(), tiles_.end(), Tile{});
}

std::int64_t Timeline::end_job() {
  std::int64_t end = 0;
  for (const Engine& engine : engines_) {
    for (const std::int64_t finished : engine.finished) end = std::max(end, finished);
  }
  clocks_ += end;
  return end;
}

/// When a descriptor of so many units has arrived in the slot of its kind.
std::int64_t Timeline::fetch(std::size_t kind, std::int64_t units) {
  const std::int64_t beats = kUnitBytes / geometry_.row_bytes();
  for (std::int64_t unit = 0; unit < units; ++unit) {
    const std::size_t index = unit_taken_.size();
    std::int64_t asked = index < kUnits ? 0 : unit_taken_[index - kUnits];
    // Memory answers in order: no more than what loads have asked for before stands in the way.
    const std::int64_t begin = std::max(asked + memory_.latency + kDescriptorClocks, fetched_);
    const std::int64_t queue = memory_.outstanding * kBurstBeats;
    fetched_ = std::min(bus_[0].take(begin, beats), begin + queue + beats);
    // The slot is free when what it held has started.
    dispatched_ = std::max({fetched_, dispatched_ + 1, engines_[kind].started + 1});
    unit_taken_.push_back(dispatched_);
  }
  return dispatched_;
}

/// When its waits are over and its engine can take it.
std::int64_t Timeline::start(std::size_t kind, const Waits& waits, std::int64_t arrived) {
  std::int64_t begin = arrived + 1;
  const std::uint16_t counts[3] = {waits.loads, waits.computes, waits.stores};
  for (std::size_t other = 0; other < 3; ++other) {
    if (counts[other] > 0) begin = std::max(begin, engines_[other].finished[counts[other] - 1U]);
  }
  const std::vector<std::int64_t>& finished = engines_[kind].finished;
  const std::size_t most = kAtWork[kind];
  if (finished.size() >= most) begin = std::max(begin, finished[finished.size() - most]);
  return begin;
}

/// Puts the bursts of a load or store on the bus; returns when the last one is answered.
std::int64_t Timeline::transfer(const MemoryWalk& memory, std::int64_t row_bytes,
                                std::int64_t begin, std::int64_t beat_clocks, Calendar* port) {
  const bool writes = port != nullptr;
  const int way = writes ? 1 : 0;
  const std::int64_t beat_bytes = geometry_.row_bytes();
  std::vector<std::int64_t>& ends = bursts_[way];
  issued_[way] = std::max(issued_[way], begin + kDescriptorClocks - kBurstClocks);
  for (std::int64_t i = 0; i < std::int64_t{memory.planes} * memory.segments; ++i) {
    std::int64_t address = static_cast<std::int64_t>(memory.address) +
                           i / memory.segments * memory.plane_pitch +
                           i % memory.segments * memory.segment_pitch;
    for (std::int64_t left = memory.rows * row_bytes; left > 0;) {
      const std::int64_t bytes =
          std::min({left, kBurstBeats * beat_bytes, kBurstBytes - address % kBurstBytes});
      std::int64_t& issued = issued_[way];
      issued += kBurstClocks;
      const auto held = static_cast<std::size_t>(memory_.outstanding);
      if (ends.size() >= held) issued = std::max(issued, ends[ends.size() - held] + kReturnClocks);
      const std::int64_t clocks = bytes / beat_bytes * beat_clocks;
      if (writes) {
        moved_[way] = bus_[way].take(std::max(moved_[way], issued + kDescriptorClocks), clocks);
        port->take(moved_[way] - clocks, clocks);
        ends.push_back(moved_[way] + memory_.latency);
      } else {
        moved_[way] = bus_[way].take(std::max(moved_[way], issued + memory_.latency), clocks);
        ends.push_back(moved_[way]);
      }
      address += bytes;
      left -= bytes;
    }
  }
  return ends.back() + kDoneClocks;
}

/// Clocks in which a side's rows go to the tiles.
std::int64_t Timeline::fill(const OperandWalk& walk, std::int64_t chunk_rows) const {
  const std::int64_t rows = walk.blocks * chunk_rows;
  return walk.transpose ? (rows + 1) * geometry_.lanes : rows;
}

/// Feeds a full half to a tile; returns when all outputs are in the result memory.
std::int64_t Timeline::run_tile(Tile& tile, const std::vector<std::int64_t>& passes,
                                std::int64_t full, bool accumulate) {
  std::int64_t step = std::max(full, tile.fed) + kFeedClocks;
  std::int64_t collected = std::max(full, tile.collected);
  std::vector<std::int64_t> taken;  // outputs
  for (std::size_t i = 0; i < passes.size(); ++i) {
    step += passes[i];
    if (i >= kHeldOutputs) step = std::max(step, taken[i - kHeldOutputs] - output_latency_ + 1);
    const std::int64_t offered = std::max(collected, step + output_latency_);
    // Stores read the result memory first.
    collected = accumulate ? tile.port.take(offered, geometry_.lines) : offered + geometry_.lines;
    taken.push_back(collected);
  }
  tile.fed = step;
  tile.collected = collected + adder_latency_ + kCollectClocks;
  return tile.collected;
}

std::int64_t Timeline::compute(const ComputeDescriptor& d, const PassCycles& passes,
                               std::int64_t begin) {
  // The fill before has ended, and the tiles are through with the half that this one fills.
  const std::int64_t accepted = std::max({begin, filled_ + 1, fed_[half_] + 1});
  engines_[1].started = accepted;
  filled_ = accepted + std::max(fill(d.a, d.chunk_rows), fill(d.b, d.chunk_rows)) + kFillClocks;
  const std::vector<std::int64_t>& finished = engines_[1].finished;
  if (finished.size() > 1) filled_ = std::max(filled_, finished[finished.size() - 2] + 1);
  std::int64_t done = filled_;
  fed_[half_] = filled_;
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    if (passes[t].empty()) continue;
    done = std::max(done, run_tile(tiles_[t], passes[t], filled_, d.accumulate));
    fed_[half_] = std::max(fed_[half_], tiles_[t].fed);
  }
  half_ = 1 - half_;
  return done;
}

void Timeline::add(const Descriptor& descriptor, const PassCycles& passes) {
  const std::size_t kind = descriptor.index();
  const std::int64_t begin = start(kind, waits_of(descriptor), fetch(kind, kind == 1 ? 4 : 1));
  Engine& engine = engines_[kind];
  std::int64_t finished = 0;
  if (const auto* load = std::get_if<LoadDescriptor>(&descriptor)) {
    finished = transfer(load->memory, geometry_.row_bytes(), begin, 1, nullptr);
    engine.started = std::max(begin, issued_[0]);
  } else if (const auto* store = std::get_if<StoreDescriptor>(&descriptor)) {
    const std::int64_t bytes = store->wide ? geometry_.lanes * 4 : geometry_.row_bytes();
    const std::int64_t beats = bytes / geometry_.row_bytes();
    finished = transfer(store->memory, bytes, begin, ceil_div(geometry_.block_words(), beats),
                        &tiles_[store->tile].port);
    engine.started = std::max(begin, issued_[1]);
  } else {
    finished = compute(std::get<ComputeDescriptor>(descriptor), passes, begin);
  }
  engine.finished.push_back(engine.finished.empty() ? finished
                                                    : std::max(finished, engine.finished.back()));
}

}  // namespace td::sim
