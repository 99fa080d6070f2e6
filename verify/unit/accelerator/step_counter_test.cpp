// SPDX-License-Identifier: Apache-2.0
// What jobs count without numbers, beside the functional model that multiplies.
#include "sim/accelerator/steps/step_counter.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

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
    for (std::uint32_t& one : bits) one <<= what.config.format == td::Format::fp32 ? 0 : 16;
    source.set(what.layer, operand, bits);
  }
  return source;
}

}  // namespace

TEST_CASE("step counter: all that the functional model counts, but what depends on numbers") {
  std::mt19937 random(37);
  std::int64_t skipped = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    const OperationCase what = td::unit::random_case(random, td::unit::random_accelerator(random));
    OperationRun run(what);
    td::sim::Timeline expected(what.config, {20, 8});
    REQUIRE(run.run(what.config, 0, &expected).error == td::sim::ErrorCode::none);

    const MemoryOperands source = source_of(what, random);
    const Operand operand = td::sim::operand(what.op, what.options.scheduled);
    const td::sim::JobCounts counts =
        td::sim::count_jobs(what.config, run.jobs,
                            {source, source.layers().front(), operand,
                             run.placement.operands[static_cast<std::size_t>(operand)]});

    CHECK(counts.moved.jobs == run.counts.jobs);
    CHECK(counts.moved.bytes_fetched == run.counts.bytes_fetched);
    CHECK(counts.moved.bytes_loaded == run.counts.bytes_loaded);
    CHECK(counts.moved.bytes_stored == run.counts.bytes_stored);
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

    // Each pass takes as long, and so does the whole.
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
  }
  CHECK(skipped > 100000);
}
