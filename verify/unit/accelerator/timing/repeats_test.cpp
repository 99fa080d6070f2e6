// SPDX-License-Identifier: Apache-2.0
// Jobs that leap over what comes again take the clocks of those that are looked at clock by clock.
#include "sim/accelerator/timing/repeats.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "sim/accelerator/model/compute_counts.hpp"
#include "sim/accelerator/timing/timeline.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace {

using td::sim::ComputeDescriptor;
using td::sim::Descriptor;
using td::sim::LoadDescriptor;
using td::sim::MemoryTiming;
using td::sim::StoreDescriptor;
using td::sim::Timeline;
using td::unit::pick;

/// A descriptor, and the steps of a compute.
struct Timed {
  Descriptor descriptor;
  td::sim::PassSteps steps;
};

Timed random_compute(std::mt19937& random, const td::Geometry& geometry) {
  ComputeDescriptor compute;
  while (1 << compute.across < geometry.tiles && pick(random, 0, 1) == 0) ++compute.across;
  const int across = 1 << compute.across;
  compute.a_lines = static_cast<std::uint16_t>(pick(random, 1, across));
  compute.b_lines =
      static_cast<std::uint16_t>(pick(random, 1, static_cast<int>(geometry.tiles) / across));
  compute.chunk_rows = static_cast<std::uint16_t>(pick(random, 1, 12));
  compute.a.blocks = static_cast<std::uint16_t>(pick(random, 1, 3));
  compute.a_groups = static_cast<std::uint16_t>(pick(random, 1, 3));
  compute.b_groups = static_cast<std::uint16_t>(pick(random, 1, 2));
  compute.accumulate = pick(random, 0, 1) == 0;
  td::sim::PassSteps steps;
  for (int line = 0; line < compute.b_lines; ++line) {
    for (int group = 0; group < compute.b_groups; ++group) {
      steps.groups.push_back(pick(random, 1, compute.chunk_rows));
    }
    steps.behind.push_back(pick(random, 1, static_cast<int>(steps.groups.back())));
  }
  return {compute, steps};
}

Timed random_timed(std::mt19937& random, const td::Geometry& geometry) {
  switch (pick(random, 0, 4)) {
    case 0: {
      StoreDescriptor store;
      store.tile = static_cast<std::uint8_t>(pick(random, 0, static_cast<int>(geometry.tiles) - 1));
      store.memory.rows = static_cast<std::uint16_t>(pick(random, 1, 40));
      return {store, {}};
    }
    case 1:
    case 2: {
      LoadDescriptor load;
      load.memory.rows = static_cast<std::uint16_t>(pick(random, 1, 80));
      load.memory.segments = static_cast<std::uint16_t>(pick(random, 1, 3));
      load.memory.segment_pitch = 4096;
      if (geometry.unpack_rows > 0 && pick(random, 0, 1) == 0) {
        const std::int64_t words = pick(random, 1, 4);
        load.packed =
            static_cast<std::uint8_t>(geometry.mask_rows() + words * geometry.write_rows());
      }
      return {load, {}};
    }
    default:
      return random_compute(random, geometry);
  }
}

/// Waits for some of those before it.
td::sim::Waits random_waits(std::mt19937& random, const int (&before)[3]) {
  const auto wait = [&](int kind) {
    const int waits = pick(random, 0, 2) == 0 ? 0 : std::max(0, before[kind] - pick(random, 0, 3));
    return static_cast<std::uint16_t>(waits);
  };
  return {wait(0), wait(1), wait(2)};
}

/// A loop in a loop, whose descriptors wait for what is as far before them each time, and something
/// behind it. Now and then a descriptor is another one, or all wait for others.
std::vector<Timed> random_loops(std::mt19937& random, const td::Geometry& geometry) {
  std::vector<Timed> inner, outer, job;
  for (int i = pick(random, 1, 8); i > 0; --i) inner.push_back(random_timed(random, geometry));
  for (int i = pick(random, 0, 3); i > 0; --i) outer.push_back(random_timed(random, geometry));
  const auto usual = random();
  const int times = pick(random, 1, 12), turns = pick(random, 1, 40);
  int before[3] = {0, 0, 0};
  const auto add = [&](std::vector<Timed> body, std::mt19937 waits) {
    for (Timed& timed : body) {
      std::visit([&](auto& one) { one.waits = random_waits(waits, before); }, timed.descriptor);
      ++before[timed.descriptor.index()];
      job.push_back(timed);
    }
  };
  for (int turn = 0; turn < turns; ++turn) {
    add(outer, std::mt19937(usual));
    for (int time = 0; time < times; ++time) {
      std::vector<Timed> body = inner;
      const bool changes = pick(random, 0, 40) == 0;
      if (changes) {
        body[static_cast<std::size_t>(pick(random, 0, static_cast<int>(body.size()) - 1))] =
            random_timed(random, geometry);
      }
      add(body, std::mt19937(pick(random, 0, 60) == 0 ? random() : usual));
    }
  }
  return job;
}

/// Every tile has stepped once for each compute in which it takes part, as long as that takes.
void check_tiles(const Timeline& timeline, const std::vector<Timed>& job, std::int64_t tiles) {
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> steps;  // by descriptor and tile
  for (const td::sim::EngineSpan& span : timeline.spans()) {
    if (span.engine != td::sim::Engine::tile) continue;
    CHECK(steps.try_emplace({span.descriptor, span.tile}, span.steps).second);
  }
  std::size_t parts = 0;
  for (std::size_t at = 0; at < job.size(); ++at) {
    const auto* compute = std::get_if<ComputeDescriptor>(&job[at].descriptor);
    for (std::int64_t tile = 0; compute != nullptr && tile < tiles; ++tile) {
      const td::sim::TileLines lines = td::sim::lines_of(*compute, tile);
      if (!lines.used(*compute)) continue;
      const auto first = job[at].steps.groups.begin() + lines.b * compute->b_groups;
      const auto all = std::accumulate(first, first + compute->b_groups, std::int64_t{0});
      CHECK(steps[{at, static_cast<std::size_t>(tile)}] == compute->a_groups * all);
      ++parts;
    }
  }
  CHECK(steps.size() == parts);
}

}  // namespace

TEST_CASE("repeats: jobs of loops take as long as clock by clock, and so do their begins") {
  std::mt19937 random(53);
  std::int64_t leapt = 0, all = 0;
  int begins = 0;
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const td::Config config = td::unit::random_accelerator(random);
    const MemoryTiming memory = {pick(random, 1, 60), std::size_t{1} << pick(random, 0, 6),
                                 pick(random, 0, 1) == 0 ? 0 : pick(random, 8000, 64000)};
    const auto job = random_loops(random, td::geometry_of(config));
    const auto begin = static_cast<std::size_t>(pick(random, 1, static_cast<int>(job.size())));
    Timeline leaps(config, memory, false), every(config, memory), part(config, memory, false);
    for (std::size_t at = 0; at < job.size(); ++at) {
      leaps.add(job[at].descriptor, job[at].steps);
      every.add(job[at].descriptor, job[at].steps);
      if (at < begin) part.add(job[at].descriptor, job[at].steps);
      if (at + 1 != begin) continue;
      leaps.mark_begin();
      every.mark_begin();
    }
    CHECK(leaps.end_job() == every.end_job());
    for (const td::sim::ClockPart& clocks : td::sim::kClockParts) {
      CAPTURE(clocks.name);
      CHECK(leaps.use().*clocks.clocks == every.use().*clocks.clocks);
    }
    CHECK(leaps.begin_clocks() == part.end_job());
    CHECK(every.begin_clocks() == part.clocks());
    check_tiles(every, job, config.accelerator.tiles);
    begins += begin < job.size() ? 1 : 0;
    leapt += leaps.leapt();
    all += leaps.clocks();
    CHECK(every.leapt() == 0);
  }
  CHECK(begins > 300);
  CHECK(4 * leapt > all);
}

TEST_CASE("repeats: descriptors are alike where they wait for what is as far before them") {
  td::sim::DescriptorNumbers numbers;
  const auto add = [&](std::size_t kind, td::sim::Waits waits, int what) {
    td::sim::ClockState state;
    state.add(what);
    return numbers.add({kind, waits}, state);
  };
  const std::size_t load = add(0, {}, 5);
  const std::size_t compute = add(1, {1, 0, 0}, 5);
  CHECK(load != compute);
  CHECK(add(0, {}, 6) != load);
  CHECK(add(0, {}, 5) == load);
  CHECK(add(1, {3, 0, 0}, 5) == compute);
  CHECK(add(1, {3, 0, 0}, 5) != compute);  // the one before it has waited for them
  CHECK(add(0, {0, 2, 0}, 5) != load);
  CHECK(numbers.all().size() == 7);
}
