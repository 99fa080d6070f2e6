// SPDX-License-Identifier: Apache-2.0
// Cycles of dataflows: against streams that are cut by hand and scheduled by the reference model.
#include "sim/dataflow/chunk_cycles.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "verify/plain/plain_dataflow.hpp"
#include "verify/unit/dataflow/dataflow_cases.hpp"
#include "verify/unit/memory/memory_operands.hpp"

TEST_CASE("dataflow: cycles with chunks are those of pieces scheduled one by one") {
  using td::sim::Op;
  constexpr Op ops[] = {Op::fwd, Op::dgrad, Op::wgrad};
  std::mt19937 random(63);
  int compared = 0;
  int shared = 0;
  int tails = 0;
  int waits = 0;
  int parts = 0;
  for (int i = 0; i < 250; ++i) {
    const td::Config config = td::unit::dataflow_machine(random);
    const td::sim::LayerInfo layer = td::unit::dataflow_layer(random);
    const Op op = ops[i % 3];
    const td::sim::Which scheduled = td::unit::random_side(random);
    const td::sim::Dataflow dataflow = td::unit::random_dataflow(random, config);
    td::unit::MemoryOperands operands(td::sim::Dtype::f32);
    operands.add(layer, random, 0.6, 0.6, 0.6);
    const td::unit::DataflowStreams streams(operands, layer, op, config.lanes, i % 2 == 0);
    const auto blocks = super_blocks(td::sim::Mapping(streams.layer(), op, config.lanes));
    if (!obstacle(blocks, config, scheduled, dataflow).empty()) continue;
    const td::verify::PlainDataflow plain = td::verify::plain_dataflow(
        config, streams.source(), streams.layer(), op, scheduled, dataflow);
    const td::sim::ChunkCycles cycles(config, streams.source(), streams.layer(), op, scheduled,
                                      dataflow.chunk_rows);
    CAPTURE(i);
    CHECK(cycles.array_cycles(dataflow) == plain.cycles);
    CHECK(cycles.tile_cycles() == plain.tile_cycles);
    const td::sim::ChunkCycles uncut(config, streams.source(), streams.layer(), op, scheduled, 0);
    ++compared;
    shared += streams.are_shared() ? 1 : 0;
    // Nearly always; a boundary may also keep the scheduler from a choice that turns out worse.
    tails += cycles.tile_cycles() > uncut.tile_cycles() ? 1 : 0;
    waits += plain.cycles > cycles.array_cycles({}) / config.accelerator.tiles ? 1 : 0;
    parts += dataflow.images > 0 && layer.a[0] > dataflow.images ? 1 : 0;
  }
  CHECK(compared > 100);
  CHECK(shared > 10);
  CHECK(tails > 10);
  CHECK(waits > 20);
  CHECK(parts > 10);
}
