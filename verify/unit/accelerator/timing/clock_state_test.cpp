// SPDX-License-Identifier: Apache-2.0
// Parts of the timeline with the same state go on alike, however they came there.
#include "sim/accelerator/timing/clock_state.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "sim/accelerator/timing/bus/memory_clock.hpp"
#include "sim/accelerator/timing/bus/transfer_clock.hpp"
#include "sim/accelerator/timing/bus/unpack_clock.hpp"
#include "sim/accelerator/timing/control_clock.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace {

using td::sim::ClockState;
using td::unit::pick;

/// What is seen of a clock while it goes on.
using Seen = std::vector<std::int64_t>;

/// `Driven` has state(), and go(random), which says what is seen in a clock whose inputs are drawn.
/// Goes on from a start at random, again and again; two that meet in a state do the same for the
/// same inputs.
template <class Driven>
void check_states(const Driven& start, int walks) {
  std::mt19937 random(61);
  td::sim::StateMap<Driven> first;
  int met = 0;
  for (int walk = 0; walk < walks; ++walk) {
    Driven driven = start;
    for (int clock = pick(random, 1, 60); clock > 0; --clock) driven.go(random);
    const auto [found, is_new] = first.try_emplace(driven.state(), driven);
    if (is_new) continue;
    ++met;
    Driven one = found->second, other = driven;
    std::mt19937 inputs(random());
    for (int clock = 0; clock < 60; ++clock) {
      std::mt19937 same = inputs;
      REQUIRE(one.go(inputs) == other.go(same));
    }
    CHECK(one.state() == other.state());
  }
  CHECK(met > walks / 20);
}

td::Geometry small_geometry() {
  return td::geometry_of(
      td::unit::config_of("[tile]\nlanes = 4\nrows = 4\ncolumns = 4\n"
                          "[accelerator]\ntiles = 2\nfill_rows = 4\nunpack_rows = 2\n"
                          "[accelerator.sram]\nbanks = 1\nbank_bytes = 32768\n"));
}

struct DrivenMemory {
  td::sim::MemoryClock memory;
  std::int64_t now = 0;
  std::int64_t owed = 0;  ///< beats of bursts that are to be written

  ClockState state() const {
    ClockState state;
    memory.add_state(state, now + 1);
    return state;
  }
  Seen go(std::mt19937& random) {
    using Reader = td::sim::MemoryClock::Reader;
    memory.begin(++now, pick(random, 0, 3) > 0);
    const Seen seen = {memory.beat_for(Reader::load), memory.beat_for(Reader::fetch),
                       memory.last_beat(), memory.answer(), memory.takes_beat()};
    const bool reads = pick(random, 0, 7) == 0, writes = pick(random, 0, 7) == 0;
    if (reads && memory.takes_read()) {
      memory.accept_read(pick(random, 0, 1) == 0 ? Reader::load : Reader::fetch,
                         pick(random, 1, 2));
    }
    if (writes && memory.takes_write()) {
      const int beats = pick(random, 1, 2);
      memory.accept_write(beats);
      owed += beats;
    }
    if (owed > 0 && memory.takes_beat() && pick(random, 0, 1) == 0) {
      memory.accept_beat();
      --owed;
    }
    return seen;
  }
};

struct DrivenTransfer {
  td::sim::TransferClock transfer;
  std::vector<std::vector<td::sim::TransferBurst>> descriptors;
  std::size_t descriptor = 0;  ///< that comes, or is offered
  bool offered = false;
  int flying = 0;

  ClockState state() const {
    ClockState state;
    transfer.add_state(state);
    state.add(offered);
    if (offered) state.add(descriptor);
    return state;
  }
  Seen go(std::mt19937& random) {
    const bool ready = pick(random, 0, 1) == 0, answers = pick(random, 0, 2) == 0;
    const bool room = pick(random, 0, 2) > 0, comes = pick(random, 0, 2) == 0;
    const int next = pick(random, 0, 1);
    const auto& bursts = descriptors[descriptor];
    const auto* offer = offered ? &bursts : nullptr;
    const bool takes = transfer.takes(ready);
    const bool finishes = offered && transfer.finishes(bursts, ready);
    const bool rests = transfer.rests(offer, ready);
    const Seen seen = {transfer.address(),
                       transfer.address() ? transfer.address_burst().beats : 0,
                       transfer.done(),
                       transfer.works(offer),
                       rests,
                       takes,
                       finishes};
    const bool answered = answers && flying > 0;
    const ClockState before = state();
    transfer.update(offer, ready, answered);
    if (rests && !answered) CHECK(state() == before);
    transfer.set_room(room);
    flying += (takes ? 1 : 0) - (answered ? 1 : 0);
    if (!offered) descriptor = static_cast<std::size_t>(next);
    offered = offered ? !finishes : comes;
    return seen;
  }
};

struct DrivenRows {
  td::sim::StoreRowsClock rows;

  ClockState state() const {
    ClockState state;
    rows.add_state(state);
    return state;
  }
  Seen go(std::mt19937& random) {
    const std::int64_t quiet = rows.quiet();
    const bool written = rows.update(pick(random, 0, 3) > 0);
    const bool comes = pick(random, 0, 9) == 0;
    const auto tile = static_cast<std::size_t>(pick(random, 0, 1));
    const int beats = pick(random, 1, 9);
    if (comes && rows.has_room()) rows.add(tile, beats);
    return {quiet, written, static_cast<std::int64_t>(rows.tile()), rows.idle(), rows.has_room()};
  }
};

struct DrivenUnpack {
  td::sim::UnpackClock unpack;
  std::int64_t coming = 0;  ///< beats
  std::vector<td::sim::TransferBurst> bursts;

  ClockState state() const {
    ClockState state;
    unpack.add_state(state);
    return state;
  }
  Seen go(std::mt19937& random) {
    const bool wants = pick(random, 0, 2) > 0, comes = pick(random, 0, 7) == 0;
    const auto& burst =
        bursts[static_cast<std::size_t>(pick(random, 0, static_cast<int>(bursts.size()) - 1))];
    const bool beat = wants && coming > 0 && unpack.ready();
    const Seen seen = {unpack.ready(), coming > 0 && unpack.ends(false), unpack.quiet()};
    unpack.update(beat);
    if (beat) --coming;
    if (comes && coming < 20) {
      unpack.add(burst);
      coming += burst.beats;
    }
    return seen;
  }
};

struct DrivenFetch {
  td::sim::FetchClock fetch;
  int asked = 0;

  ClockState state() const {
    ClockState state;
    fetch.add_state(state, fetch.descriptor());
    return state;
  }
  Seen go(std::mt19937& random) {
    const bool ready = pick(random, 0, 1) == 0, beats = pick(random, 0, 1) == 0;
    const bool takes = pick(random, 0, 1) == 0;
    const bool rests = fetch.rests(ready), beat = beats && asked > 0;
    const Seen seen = {fetch.address(), fetch.unit(), rests};
    const ClockState before = state();
    if (fetch.address() && ready) asked += static_cast<int>(fetch.unit_beats());
    if (beat) --asked;
    fetch.update(ready, beat, takes && fetch.unit());
    if (rests && !beat && !(takes && seen[1] != 0)) CHECK(state() == before);
    return seen;
  }
};

}  // namespace

TEST_CASE("clock states: memory") {
  const td::Geometry geometry = small_geometry();
  check_states(DrivenMemory{{{3, 2, 0}, geometry}}, 20000);
  check_states(DrivenMemory{{{2, 2, 12000}, geometry}}, 20000);
}

TEST_CASE("clock states: transfers") {
  check_states(DrivenTransfer{td::sim::TransferClock(4), {{{1, 0}, {2, 0}, {3, 0}}, {{1, 0}}}},
               20000);
}

TEST_CASE("clock states: rows of stores") { check_states(DrivenRows{}, 20000); }

TEST_CASE("clock states: rows that are unpacked") {
  const td::Geometry geometry = small_geometry();
  const std::int64_t masks = geometry.mask_rows() / geometry.beat_rows;
  check_states(
      DrivenUnpack{td::sim::UnpackClock(geometry), 0, {{masks + 4, 3}, {masks + 8, 5}, {2, 0}}},
      20000);
}

TEST_CASE("clock states: fetched descriptors") {
  const std::vector<td::sim::ControlWork> job(1000, {0, {}});
  check_states(DrivenFetch{td::sim::FetchClock(job, 2)}, 20000);
}
