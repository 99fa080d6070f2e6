// SPDX-License-Identifier: Apache-2.0
// How long a job takes: when its descriptors are fetched, wait for each other, and are worked on by
// engines that overlap.
#pragma once

#include <cstdint>
#include <vector>

#include "gen/configuration/config.hpp"
#include "gen/configuration/geometry.hpp"
#include "sim/accelerator/descriptor.hpp"

namespace td::sim {

/// Steps of each pass of a compute descriptor, by tile; nothing for tiles that have no part.
using PassCycles = std::vector<std::vector<std::int64_t>>;

/// The memory behind the bus: a beat in each clock, each way.
struct MemoryTiming {
  std::int64_t latency = 20;     ///< clocks from an address to its first beat, or to the answer
  std::int64_t outstanding = 4;  ///< bursts of an engine on the way
};

/// Which clocks of a channel are taken, in slices of some clocks: whoever asks first, by the order
/// of the job and not by time, gets what is left.
class Calendar {
 public:
  void clear() { taken_.clear(); }
  /// Takes so many clocks from `begin` on; returns the end of the last one.
  std::int64_t take(std::int64_t begin, std::int64_t clocks);

 private:
  std::vector<std::uint8_t> taken_;
};

/// Clocks of one job after the other.
class Timeline {
 public:
  Timeline(const Config& config, const MemoryTiming& memory);

  void begin_job();
  /// The next descriptor of the job. `passes` are those of a compute.
  void add(const Descriptor& descriptor, const PassCycles& passes);
  /// Returns the job's clocks.
  std::int64_t end_job();

  std::int64_t clocks() const { return clocks_; }  ///< of all jobs

 private:
  /// A kind's descriptors that have started and finished, and when.
  struct Engine {
    std::vector<std::int64_t> finished;
    std::int64_t started = 0;  ///< the last one
  };

  /// A tile, between jobs.
  struct Tile {
    std::int64_t fed = 0;        ///< the last pass of the descriptor before has stepped
    std::int64_t collected = 0;  ///< ... is in the result memory
    Calendar port;               ///< reads of the result memory
  };

  std::int64_t fetch(std::size_t kind, std::int64_t units);
  std::int64_t start(std::size_t kind, const Waits& waits, std::int64_t arrived);
  std::int64_t transfer(const MemoryWalk& memory, std::int64_t row_bytes, std::int64_t begin,
                        std::int64_t beat_clocks, Calendar* port);
  std::int64_t fill(const OperandWalk& walk, std::int64_t chunk_rows) const;
  std::int64_t compute(const ComputeDescriptor& descriptor, const PassCycles& passes,
                       std::int64_t begin);
  std::int64_t run_tile(Tile& tile, const std::vector<std::int64_t>& passes, std::int64_t full,
                        bool accumulate);

  Geometry geometry_;
  MemoryTiming memory_;
  std::int64_t output_latency_;
  std::int64_t adder_latency_;

  std::vector<std::int64_t> unit_taken_;  ///< when dispatch took each unit of the job
  std::int64_t fetched_ = 0;              ///< the last unit
  std::int64_t dispatched_ = 0;
  Engine engines_[3];                    ///< by kind
  std::vector<std::int64_t> bursts_[2];  ///< ends of bursts: read, written
  Calendar bus_[2];
  std::int64_t moved_[2] = {0, 0};   ///< the last beat of a load, of a store
  std::int64_t issued_[2] = {0, 0};  ///< the last burst
  std::int64_t filled_ = 0;          ///< the last fill
  std::size_t half_ = 0;             ///< of the scratchpads, the next to be filled
  std::int64_t fed_[2] = {0, 0};     ///< when all tiles were through with it
  std::vector<Tile> tiles_;
  std::int64_t clocks_ = 0;
};

}  // namespace td::sim
