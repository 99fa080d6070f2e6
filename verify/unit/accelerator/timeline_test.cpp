// SPDX-License-Identifier: Apache-2.0
// The timeline of jobs: bounds that hold for any job, and jobs whose clocks can be counted by hand.
#include "sim/accelerator/timing/timeline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "verify/unit/accelerator/operation_case.hpp"

namespace {

using td::sim::MemoryTiming;
using td::sim::Timeline;
using td::unit::OperationRun;

/// A load of so many rows that lie behind each other.
td::sim::LoadDescriptor load_of(int rows) {
  td::sim::LoadDescriptor load;
  load.memory.rows = static_cast<std::uint16_t>(rows);
  return load;
}

std::int64_t clocks_of(const td::Config& config, const std::vector<td::sim::LoadDescriptor>& loads,
                       std::int64_t latency) {
  Timeline timeline(config, {latency, 8});
  for (const auto& load : loads) timeline.add(load, {});
  return timeline.end_job();
}

}  // namespace

TEST_CASE("timeline: loads take a clock for each row, and the latency once") {
  const td::Config config = td::unit::config_of(
      "[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = 1\n"
      "[accelerator.sram]\nbanks = 1\nbank_bytes = 32768\n");
  const std::int64_t one = clocks_of(config, {load_of(1)}, 20);
  const std::int64_t unit_beats = 64 / td::geometry_of(config).row_bytes();
  // Fetch asks in clock 1, its address is on the bus in clock 2; from a unit to the address of its
  // load it takes 5 clocks, and 2 from the answer to the end. The memory counts from the clock
  // behind an address.
  CHECK(one == 2 + (1 + 20) + unit_beats - 1 + 5 + (1 + 20) + 2);
  CHECK(clocks_of(config, {load_of(2001)}, 20) == one + 2000);
  // The second load's address is on the bus before the first one's last beat.
  CHECK(clocks_of(config, {load_of(1000), load_of(1001)}, 20) == one + 2000);
  CHECK(clocks_of(config, {load_of(1)}, 120) == one + 200);
  td::sim::LoadDescriptor scattered = load_of(1);
  scattered.memory.segments = 400;
  scattered.memory.segment_pitch = 16;
  // Four bursts are on the way at once.
  CHECK(clocks_of(config, {scattered}, 20) > one + 400 * 20 / 4);
  td::sim::LoadDescriptor waiting = load_of(1);
  waiting.waits.loads = 1;
  CHECK(clocks_of(config, {load_of(100), waiting}, 20) >
        clocks_of(config, {load_of(100), load_of(1)}, 20));
}

TEST_CASE("timeline: jobs take as long as their busiest part, and less than all parts together") {
  std::mt19937 random(23);
  std::int64_t sum = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const auto what = td::unit::random_case(random, td::unit::random_accelerator(random));
    OperationRun run(what);
    const auto clocks = [&](const MemoryTiming& memory) {
      Timeline timeline(what.config, memory);
      REQUIRE(run.run(what.config, 0, &timeline).error == td::sim::ErrorCode::none);
      return timeline.clocks();
    };
    const std::int64_t fast = clocks({1, 8});
    CHECK(clocks({50, 8}) >= fast);
    CHECK(clocks({50, 2}) >= fast);
    const auto row = run.geometry.row_bytes();
    const std::int64_t reads = (run.counts.bytes_loaded + run.counts.bytes_fetched) / row;
    const std::int64_t words = run.counts.results / run.geometry.lines;
    const auto& tiles = run.compute_counts.tile_cycles;
    const std::int64_t steps = *std::max_element(tiles.begin(), tiles.end());
    CHECK(fast >= std::max({reads, words, steps}));
    sum += fast;
  }
  CHECK(sum > 0);
}
