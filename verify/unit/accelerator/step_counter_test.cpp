// SPDX-License-Identifier: Apache-2.0
// What jobs count without numbers, beside the functional model that multiplies.
#include "sim/accelerator/steps/step_counter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <variant>
#include <vector>

#include "sim/accelerator/energy/level_bytes.hpp"
#include "sim/accelerator/timing/timeline.hpp"
#include "verify/unit/accelerator/operation_case.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::sim::Operand;
using td::unit::MemoryOperands;
using td::unit::OperationCase;
using td::unit::OperationRun;

/// The operands of a case, as a source of its one layer.
MemoryOperands source_of(const OperationCase& what, std::mt19937& random) {
  MemoryOperands source(td::sim::Dtype::f32);
  source.add(what.layer, random, 0, 0, 0);
  for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
    td::unit::Bits bits = what.operands[static_cast<std::size_t>(operand)];
    for (std::uint32_t& one : bits) {
      one = td::sim::canonical_bits(td::sim::widen(what.config.format, one));
    }
    source.set(what.layer, operand, bits);
  }
  return source;
}

/// No zeros: where channels fill all lanes, rows of a tensor are alike.
void fill_with_ones(OperationCase& what) {
  const std::uint32_t one = td::sim::narrow(what.config.format, 1.0F);
  for (td::unit::Bits& bits : what.operands) std::fill(bits.begin(), bits.end(), one);
}

/// A beat for each that a segment's rows are in.
std::int64_t raw_beats(const td::Geometry& geometry, const td::sim::MemoryWalk& memory,
                       std::int64_t parts) {
  std::int64_t beats = 0;
  const auto row = static_cast<std::uint64_t>(geometry.row_bytes());
  each_segment(memory, [&](std::uint64_t begin) {
    std::set<std::uint64_t> touched;
    for (std::int64_t i = 0; i < memory.rows * parts; ++i) {
      touched.insert((begin / row + static_cast<std::uint64_t>(i)) /
                     static_cast<std::uint64_t>(geometry.beat_rows));
    }
    beats += static_cast<std::int64_t>(touched.size());
  });
  return beats;
}

/// A block for each that a segment's rows are in.
std::int64_t packed_beats(const td::Geometry& geometry, const td::sim::LoadDescriptor& load) {
  const std::int64_t block = 64 * geometry.row_bytes();
  std::int64_t beats = 0;
  each_segment(load.memory, [&](std::uint64_t begin) {
    const std::uint64_t end = begin + load.memory.rows * static_cast<std::uint64_t>(block) / 64 - 1;
    beats += static_cast<std::int64_t>(end / static_cast<std::uint64_t>(block) -
                                       begin / static_cast<std::uint64_t>(block) + 1) *
             load.packed / geometry.beat_rows;
  });
  return beats;
}

/// Beats of jobs on the bus.
td::sim::BusBeats beats_of(const td::Geometry& geometry, const std::vector<td::sim::Job>& jobs) {
  td::sim::BusBeats beats;
  for (const td::sim::Job& job : jobs) {
    for (const td::sim::Descriptor& descriptor : job) {
      beats.read += static_cast<std::int64_t>(descriptor_bytes(descriptor)) / geometry.beat_bytes();
      if (const auto* load = std::get_if<td::sim::LoadDescriptor>(&descriptor)) {
        beats.read +=
            load->packed > 0 ? packed_beats(geometry, *load) : raw_beats(geometry, load->memory, 1);
      } else if (const auto* store = std::get_if<td::sim::StoreDescriptor>(&descriptor)) {
        const bool twice = store->wide && geometry.format != td::Format::fp32;
        beats.written += raw_beats(geometry, store->memory, twice ? 2 : 1);
      }
    }
  }
  return beats;
}

}  // namespace

TEST_CASE("step counter: all that the functional model counts, but what depends on numbers") {
  std::mt19937 random(37);
  std::int64_t skipped = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    OperationCase what = td::unit::random_case(random, td::unit::random_accelerator(random));
    if (i % 3 == 0) fill_with_ones(what);
    OperationRun run(what);
    td::sim::Timeline expected(what.config, {20, 8});
    REQUIRE(run.run(what.config, 0, &expected).error == td::sim::ErrorCode::none);

    const MemoryOperands source = source_of(what, random);
    const Operand operand = td::sim::operand(what.op, what.options.scheduled);
    const td::sim::JobCounts counts =
        td::sim::count_jobs(what.config, {}, run.jobs,
                            {source, source.layers().front(), operand,
                             run.placement.operands[static_cast<std::size_t>(operand)]});

    CHECK(counts.moved.jobs == run.counts.jobs);
    CHECK(counts.moved.bytes_fetched == run.counts.bytes_fetched);
    CHECK(counts.moved.bytes_loaded == run.counts.bytes_loaded);
    CHECK(counts.moved.bytes_stored == run.counts.bytes_stored);
    CHECK(counts.moved.beats_stored == run.counts.beats_stored);
    CHECK(counts.moved.results == run.counts.results);
    CHECK(counts.compute.passes == run.compute_counts.passes);
    CHECK(counts.compute.tile_cycles == run.compute_counts.tile_cycles);
    CHECK(counts.compute.rows == run.compute_counts.rows);
    CHECK(counts.compute.skipped == run.compute_counts.skipped);
    CHECK(counts.compute.operand_rows_read == run.compute_counts.operand_rows_read);
    CHECK(counts.compute.scratchpad_rows_written == run.compute_counts.scratchpad_rows_written);
    CHECK(counts.compute.scratchpad_rows_read == run.compute_counts.scratchpad_rows_read);
    CHECK(counts.compute.result_words_added_to == run.compute_counts.result_words_added_to);
    CHECK(counts.compute.result_words_written == run.compute_counts.result_words_written);
    skipped += counts.compute.skipped;

    const td::Geometry geometry = td::geometry_of(what.config);
    const td::sim::BusBeats beats = bus_beats(geometry, counts.moved);
    CHECK(beats.read == beats_of(geometry, run.jobs).read);
    CHECK(beats.written == beats_of(geometry, run.jobs).written);

    // Each pass takes as long, and so does the whole, in all its parts.
    td::sim::Timeline timeline(what.config, {20, 8});
    auto steps = counts.steps.begin();
    for (const td::sim::Job& job : run.jobs) {
      timeline.begin_job();
      for (const td::sim::Descriptor& descriptor : job) {
        timeline.add(descriptor, descriptor.index() == 1 ? *steps++ : td::sim::PassSteps());
      }
      timeline.end_job();
    }
    CHECK(steps == counts.steps.end());
    CHECK(timeline.clocks() == expected.clocks());
    for (const td::sim::ClockPart& part : td::sim::kClockParts) {
      CAPTURE(part.name);
      CHECK(timeline.use().*part.clocks == expected.use().*part.clocks);
    }
  }
  CHECK(skipped > 100000);
}

TEST_CASE("step counter: zeros of dense mode, as many as would be dropped") {
  std::mt19937 random(38);
  std::int64_t zeros = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    OperationCase what = td::unit::random_case(random, td::unit::random_accelerator(random));
    what.options.dense = true;
    const OperationRun run(what);
    const MemoryOperands source = source_of(what, random);
    const Operand operand = td::sim::operand(what.op, what.options.scheduled);
    td::sim::SideB side_b = {source, source.layers().front(), operand,
                             run.placement.operands[static_cast<std::size_t>(operand)]};
    const td::sim::JobCounts plain = td::sim::count_jobs(what.config, {}, run.jobs, side_b);
    CHECK(plain.compute.skipped == 0);

    std::vector<td::sim::Job> dropping = run.jobs;
    for (td::sim::Job& job : dropping) {
      for (td::sim::Descriptor& descriptor : job) {
        auto* compute = std::get_if<td::sim::ComputeDescriptor>(&descriptor);
        if (compute != nullptr) compute->dense = false;
      }
    }
    td::Config sparse = what.config;
    sparse.scheduling = td::Scheduling::one_sided;
    sparse.options = {{0, 0}};  // which pairs wait for which does not matter
    sparse.levels = td::colour_levels(sparse.options, sparse.lanes);
    const td::sim::JobCounts expected = td::sim::count_jobs(sparse, {}, dropping, side_b);

    side_b.zeros_in_dense = true;
    const td::sim::JobCounts counts = td::sim::count_jobs(what.config, {}, run.jobs, side_b);
    CHECK(counts.compute.skipped == expected.compute.skipped);
    CHECK(counts.compute.tile_cycles == plain.compute.tile_cycles);
    CHECK(counts.compute.operand_rows_read == plain.compute.operand_rows_read);
    CHECK(counts.steps.size() == plain.steps.size());
    zeros += counts.compute.skipped;
  }
  CHECK(zeros > 100000);
}
