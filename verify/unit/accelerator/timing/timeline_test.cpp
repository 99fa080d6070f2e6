// SPDX-License-Identifier: Apache-2.0
// The timeline of jobs: bounds that hold for any job, and jobs whose clocks can be counted by hand.
#include "sim/accelerator/timing/timeline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>

#include "sim/accelerator/energy/level_bytes.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace {

using td::sim::Engine;
using td::sim::EngineSpan;
using td::sim::MemoryTiming;
using td::sim::Timeline;
using td::unit::OperationRun;

std::int64_t sum(const td::sim::ClockUse& use) {
  std::int64_t clocks = 0;
  for (const td::sim::ClockPart& part : td::sim::kClockParts) clocks += use.*part.clocks;
  return clocks;
}

/// A load of so many rows that lie behind each other.
td::sim::LoadDescriptor load_of(int rows) {
  td::sim::LoadDescriptor load;
  load.memory.rows = static_cast<std::uint16_t>(rows);
  return load;
}

std::int64_t clocks_of(const td::Config& config, const std::vector<td::sim::LoadDescriptor>& loads,
                       std::int64_t latency) {
  Timeline timeline(config, {latency, 64});
  for (const auto& load : loads) timeline.add(load, {});
  return timeline.end_job();
}

/// A job of these descriptors; computes take a step count for each of their lines of side B.
td::sim::ClockUse use_of(const td::Config& config,
                         const std::vector<td::sim::Descriptor>& descriptors,
                         const std::vector<std::int64_t>& steps) {
  Timeline timeline(config, {20, 8});
  for (const auto& descriptor : descriptors) {
    const std::vector<std::int64_t> behind(steps.size(), 1);
    timeline.add(descriptor, {steps, behind});
  }
  const std::int64_t clocks = timeline.end_job();
  CHECK(sum(timeline.use()) == clocks);
  return timeline.use();
}

/// What spans say of the same.
td::sim::ClockUse use_of_spans(const Timeline& timeline, std::int64_t& tile_clocks) {
  std::vector<bool> at_work[5];  // by engine and clock
  for (auto& clocks : at_work) clocks.resize(static_cast<std::size_t>(timeline.clocks()));
  for (const EngineSpan& span : timeline.spans()) {
    auto& clocks = at_work[static_cast<std::size_t>(span.engine)];
    std::fill(clocks.begin() + span.begin, clocks.begin() + span.end, true);
  }
  const auto is = [&](Engine engine, std::size_t clock) {
    return at_work[static_cast<std::size_t>(engine)][clock];
  };
  td::sim::ClockUse use;
  for (std::size_t clock = 0; clock < at_work[0].size(); ++clock) {
    if (is(Engine::tile, clock)) ++tile_clocks;
    if (is(Engine::compute, clock)) {
      ++(is(Engine::fill, clock) ? use.fill : use.collect);
    } else {
      ++(is(Engine::store, clock) ? use.store : is(Engine::load, clock) ? use.load : use.control);
    }
  }
  return use;
}

constexpr std::int64_t kControl = 1;  // clocks until it sees that the last descriptor is done

/// Spans of each engine and tile, which must not overlap.
std::map<std::pair<Engine, std::size_t>, std::vector<EngineSpan>> tracks_of(
    const Timeline& timeline) {
  std::map<std::pair<Engine, std::size_t>, std::vector<EngineSpan>> tracks;
  for (const EngineSpan& span : timeline.spans()) {
    std::vector<EngineSpan>& track = tracks[{span.engine, span.tile}];
    CHECK(span.begin >= (track.empty() ? 0 : track.back().end));
    CHECK(span.end > span.begin);
    track.push_back(span);
  }
  return tracks;
}

}  // namespace

TEST_CASE("timeline: loads take a clock for each row, and the latency once") {
  td::Config config = td::unit::config_of(
      "[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = 1\n"
      "[accelerator.sram]\nbanks = 1\nbank_bytes = 32768\n");
  const std::int64_t one = clocks_of(config, {load_of(1)}, 20);
  const std::int64_t unit_beats = 64 / td::geometry_of(config).row_bytes();
  // Fetch asks in clock 1, its address is on the bus in clock 2; from a unit to the address of its
  // load it takes 9 clocks, and 3 from the answer to the end. The memory counts from the clock
  // behind an address.
  CHECK(one == 2 + (1 + 20) + unit_beats - 1 + 9 + (1 + 20) + 3);
  CHECK(clocks_of(config, {load_of(2001)}, 20) == one + 2000);
  // The second load's address is on the bus before the first one's last beat.
  CHECK(clocks_of(config, {load_of(1000), load_of(1001)}, 20) == one + 2000);
  // Beats of two rows: those from an odd row on hold the row before it, too.
  config.accelerator.fill_rows = 4;
  config.lanes = config.rows = config.columns = 4;
  config.accelerator.beat_rows = 2;
  const std::int64_t short_unit = unit_beats - 64 / td::geometry_of(config).beat_bytes();
  CHECK(clocks_of(config, {load_of(1)}, 20) == one - short_unit);
  CHECK(clocks_of(config, {load_of(2002)}, 20) == one - short_unit + 1000);
  td::sim::LoadDescriptor odd = load_of(2);
  CHECK(clocks_of(config, {odd}, 20) == one - short_unit);
  odd.memory.address = 8;
  CHECK(clocks_of(config, {odd}, 20) == one - short_unit + 1);
  config.accelerator.beat_rows = 1;
  // Beats of 8 bytes from a memory that moves 5 a clock: beat k, from 0 on, is there when 5 (t + 1)
  // are 8 k or more, so the unit's last in clock 11 and not 7, and the load's in 1599.
  {
    Timeline timeline(config, {20, 64, 5000});
    timeline.add(load_of(1001), {});
    CHECK(timeline.end_job() == one + 4 + 1599);
  }
  CHECK(clocks_of(config, {load_of(1)}, 120) == one + 200);
  td::sim::LoadDescriptor scattered = load_of(1);
  scattered.memory.segments = 400;
  scattered.memory.segment_pitch = 16;
  // A burst in each clock, while they may be on the way.
  CHECK(clocks_of(config, {scattered}, 20) == one + 399);
  config.accelerator.outstanding = 4;
  CHECK(clocks_of(config, {scattered}, 20) > one + 400 * 20 / 4);
  td::sim::LoadDescriptor waiting = load_of(1);
  waiting.waits.loads = 1;
  CHECK(clocks_of(config, {load_of(100), waiting}, 20) >
        clocks_of(config, {load_of(100), load_of(1)}, 20));
}

TEST_CASE("timeline: what clocks go to, by hand") {
  const td::Config config = td::unit::config_of(
      "[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = 2\n"
      "[accelerator.sram]\nbanks = 1\nbank_bytes = 32768\n");
  // It is offered, cut and taken before its address is on the bus; then the memory takes 21 clocks
  // to the last beat; the engine is done in the next one.
  constexpr std::int64_t kTransfer = 3 + (1 + 20) + 1 + 1;
  const std::int64_t unit_beats = 64 / td::geometry_of(config).row_bytes();
  const td::sim::ClockUse load = use_of(config, {load_of(1)}, {});
  CHECK(load.load == kTransfer);
  CHECK(load.control == 2 + (1 + 20) + unit_beats - 1 + 6 + 1);
  CHECK(load.steps + load.fill + load.collect + load.store == 0);
  CHECK(use_of(config, {load_of(2001)}, {}).load == kTransfer + 2000);

  td::sim::ComputeDescriptor compute;
  compute.chunk_rows = 7;
  compute.a.blocks = 3;
  compute.b_lines = 2;
  const td::sim::ClockUse both = use_of(config, {compute}, {10, 50});
  CHECK(both.fill == 3 * 7 + 3);
  CHECK(both.steps == 50);  // of the slower tile: the other one's are among them
  // It is accepted, a half changes hands, and the first step comes 3 clocks later; behind the last
  // one an output comes, is moved word by word, and written; 2 clocks later the engine is done.
  CHECK(both.collect == 1 + 1 + 3 + td::output_latency(config) - 1 + config.rows + 1 + 2);
  CHECK(both.load + both.store == 0);

  // What waits for each other shares no clock.
  td::sim::ComputeDescriptor waiting = compute;
  waiting.waits.loads = 1;
  td::sim::StoreDescriptor store;
  store.waits.computes = 1;
  const td::sim::ClockUse chain = use_of(config, {load_of(1), waiting, store}, {10, 50});
  CHECK(chain.load > kTransfer);  // its beat comes behind those of descriptors
  CHECK(use_of(config, {load_of(1001), waiting, store}, {10, 50}).load == chain.load + 1000);
  CHECK(chain.fill == both.fill);
  CHECK(chain.steps == both.steps);
  CHECK(chain.collect == both.collect);
  CHECK(chain.store == kTransfer);
  // A load beside a compute that has come before has none of its own.
  CHECK(use_of(config, {compute, load_of(1)}, {10, 50}).load == 0);
}

TEST_CASE("timeline: clocks go to what the spans of engines say") {
  std::mt19937 random(41);
  int one_tile = 0;
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const auto what = td::unit::random_case(random, td::unit::random_accelerator(random));
    OperationRun run(what);
    Timeline timeline(what.config, {20, 8});
    REQUIRE(run.run(what.config, 0, &timeline).error == td::sim::ErrorCode::none);
    const td::sim::ClockUse& use = timeline.use();
    CHECK(sum(use) == timeline.clocks());
    std::int64_t tile_clocks = 0;
    const td::sim::ClockUse expected = use_of_spans(timeline, tile_clocks);
    CHECK(use.control == expected.control);
    CHECK(use.load == expected.load);
    CHECK(use.store == expected.store);
    CHECK(use.steps + use.fill + use.collect == expected.fill + expected.collect);
    CHECK(use.fill <= expected.fill);
    const auto& tiles = run.compute_counts.tile_cycles;
    CHECK(use.steps >= *std::max_element(tiles.begin(), tiles.end()));
    CHECK(use.steps <= tile_clocks);
    if (tiles.size() > 1) continue;
    CHECK(use.steps == tiles[0]);
    ++one_tile;
  }
  CHECK(one_tile > 20);
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
    const td::sim::BusBeats beats = bus_beats(run.geometry, run.counts);
    const auto& tiles = run.compute_counts.tile_cycles;
    const std::int64_t steps = *std::max_element(tiles.begin(), tiles.end());
    CHECK(fast >= std::max({beats.read, beats.written, steps}));
    sum += fast;
  }
  CHECK(sum > 0);
}

TEST_CASE("timeline: every descriptor has its spans, and the job ends with the last one") {
  std::mt19937 random(29);
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    const auto what = td::unit::random_case(random, td::unit::random_accelerator(random));
    OperationRun run(what);
    Timeline timeline(what.config, {20, 8});
    REQUIRE(run.run(what.config, 0, &timeline).error == td::sim::ErrorCode::none);
    auto tracks = tracks_of(timeline);

    std::size_t kinds[3] = {0, 0, 0};
    for (const td::sim::Job& job : run.jobs) {
      for (const td::sim::Descriptor& descriptor : job) ++kinds[descriptor.index()];
    }
    for (const Engine engine : {Engine::load, Engine::compute, Engine::store}) {
      CHECK(tracks[{engine, 0}].size() == kinds[static_cast<std::size_t>(engine)]);
    }
    CHECK(tracks[{Engine::fill, 0}].size() == kinds[1]);

    std::int64_t last = 0;
    std::map<std::size_t, std::int64_t> steps;
    for (const EngineSpan& span : timeline.spans()) {
      last = std::max(last, span.end);
      if (span.engine != Engine::tile) continue;
      CHECK(span.steps <= span.clocks());
      steps[span.tile] += span.steps;
    }
    CHECK(last <= timeline.clocks());
    CHECK(last + kControl >= timeline.clocks());
    for (std::size_t t = 0; t < run.compute_counts.tile_cycles.size(); ++t) {
      CHECK(steps[t] == run.compute_counts.tile_cycles[t]);
    }
  }
}

TEST_CASE("timeline: a fill and its steps are within their compute") {
  std::mt19937 random(31);
  std::size_t parts = 0;
  for (int i = 0; i < 20; ++i) {
    const auto what = td::unit::random_case(random, td::unit::random_accelerator(random));
    OperationRun run(what);
    if (run.jobs.size() > 1) continue;  // places are a job's
    Timeline timeline(what.config, {20, 8});
    REQUIRE(run.run(what.config, 0, &timeline).error == td::sim::ErrorCode::none);
    std::map<std::size_t, EngineSpan> done;  // of each compute: where it ends
    for (const EngineSpan& span : timeline.spans()) {
      if (span.engine == Engine::compute) done[span.descriptor] = span;
    }
    for (const EngineSpan& span : timeline.spans()) {
      if (span.engine != Engine::fill && span.engine != Engine::tile) continue;
      REQUIRE(done.count(span.descriptor) == 1);
      CHECK(span.end < done[span.descriptor].end);
      ++parts;
    }
  }
  CHECK(parts > 100);
}
