// SPDX-License-Identifier: Apache-2.0
// Counts of dataflows: against the plain model, by hand, and what must hold for any.
#include "sim/dataflow/dataflow.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

#include "verify/plain/plain_dataflow.hpp"
#include "verify/unit/dataflow/dataflow_cases.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Config;
using td::sim::Dataflow;
using td::sim::DataflowCounts;
using td::sim::LayerInfo;
using td::sim::LayerType;
using td::sim::Mapping;
using td::sim::Op;
using td::sim::StreamRows;
using td::sim::SuperBlock;
using td::sim::Which;
using td::unit::pick;
using Numbers = std::vector<std::int64_t>;

constexpr Op kOps[] = {Op::fwd, Op::dgrad, Op::wgrad};

Numbers numbers(const DataflowCounts& counts) {
  return {counts.first.sram_read,  counts.first.filled,  counts.first.scratchpad_read,
          counts.second.sram_read, counts.second.filled, counts.second.scratchpad_read,
          counts.partial_rows,     counts.passes,        counts.tile_rows,
          counts.array_rows};
}

}  // namespace

TEST_CASE("dataflow: the closed forms equal a walk over all rows of all passes") {
  std::mt19937 random(61);
  int with_shared_rows = 0;
  int with_partial_sums = 0;
  int kept = 0;
  int many_blocks = 0;
  int refused = 0;
  int parts_of_windows = 0;
  int parts_of_sums = 0;
  for (int i = 0; i < 500; ++i) {
    Config config = td::unit::dataflow_machine(random);
    const bool of_parts = i % 3 == 0;
    const LayerInfo layer =
        of_parts ? td::unit::layer_of_images(random) : td::unit::dataflow_layer(random);
    const Op op = kOps[pick(random, 0, 2)];
    const Which scheduled = td::unit::random_side(random);
    Dataflow dataflow = td::unit::random_dataflow(random, config);
    if (of_parts) {
      dataflow.images = pick(random, 1, 4);
      config.accelerator.sram_bank_bytes *= 6;  // for all sums of wgrad
    }
    td::unit::MemoryOperands operands(td::sim::Dtype::f32);
    operands.add(layer, random, 0.5, 0.5, 0.5);
    const td::unit::DataflowStreams streams(operands, layer, op, config.lanes, i % 2 == 0);
    const std::vector<SuperBlock> blocks = super_blocks(Mapping(streams.layer(), op, config.lanes));
    CAPTURE(i);
    if (!obstacle(blocks, config, scheduled, dataflow).empty()) {
      CHECK_THROWS_AS(dataflow_counts(blocks, config, scheduled, dataflow), std::invalid_argument);
      ++refused;
      continue;
    }
    const DataflowCounts counts = dataflow_counts(blocks, config, scheduled, dataflow);
    const td::verify::PlainDataflow plain = td::verify::plain_dataflow(
        config, streams.source(), streams.layer(), op, scheduled, dataflow);
    CHECK(numbers(counts) == numbers(plain.counts));
    CHECK_FALSE(plain.tears_chunks);
    CHECK(plain.partial_rows_read == counts.partial_rows);
    const td::Accelerator& machine = config.accelerator;
    const bool is_wgrad = op == Op::wgrad;
    const bool in_parts =
        dataflow.images > 0 && layer.a[0] > dataflow.images && layer.type != LayerType::linear;
    CHECK(2 * (plain.most_partial_rows + dataflow.kept_rows) <=
          std::max(2 * dataflow.kept_rows, machine.tiles * machine.sram_banks *
                                               (machine.sram_bank_bytes / (4 * config.lanes))));
    parts_of_windows += in_parts && !is_wgrad ? 1 : 0;
    parts_of_sums += in_parts && is_wgrad && counts.partial_rows > 0 ? 1 : 0;
    with_shared_rows += streams.are_shared() ? 1 : 0;
    with_partial_sums += counts.partial_rows > 0 ? 1 : 0;
    const StreamRows& stays = dataflow.stationary == Which::first ? counts.first : counts.second;
    kept += stays.filled < stays.scratchpad_read ? 1 : 0;
    const auto supers = blocks.empty() ? 0 : blocks[0].repeats * std::int64_t(blocks.size());
    many_blocks += plain.moving_blocks > supers ? 1 : 0;
  }
  // The walk has been through both sides of each rule.
  CHECK(with_shared_rows > 20);
  CHECK(with_partial_sums > 25);
  CHECK(kept > 50);
  CHECK(many_blocks > 10);
  CHECK(parts_of_windows > 20);
  CHECK(parts_of_sums > 5);
  CHECK(refused < 300);  // 200 were compared
  CHECK(refused > 10);
}

TEST_CASE("dataflow: every stream is read at least once, every product made exactly once") {
  std::mt19937 random(62);
  for (int i = 0; i < 1000; ++i) {
    const Config config = td::unit::dataflow_machine(random);
    const LayerInfo layer = td::unit::dataflow_layer(random);
    const Op op = kOps[pick(random, 0, 2)];
    const Which scheduled = td::unit::random_side(random);
    const Dataflow dataflow = td::unit::random_dataflow(random, config);
    const std::vector<SuperBlock> blocks = super_blocks(Mapping(layer, op, config.lanes));
    if (!obstacle(blocks, config, scheduled, dataflow).empty()) continue;
    CAPTURE(i);
    const DataflowCounts counts = dataflow_counts(blocks, config, scheduled, dataflow);
    std::int64_t first = 0;
    std::int64_t second = 0;
    std::int64_t tile_rows = 0;
    for (const SuperBlock& block : blocks) {
      const auto one = groups(block, Which::first, config, scheduled);
      const auto two = groups(block, Which::second, config, scheduled);
      first += block.repeats * block.rows() * one.all_streams();
      second += block.repeats * block.rows() * two.all_streams();
      tile_rows += block.repeats * block.rows() * one.count() * two.count();
    }
    CHECK(counts.first.sram_read >= first);
    CHECK(counts.second.sram_read >= second);
    CHECK(counts.first.filled >= counts.first.sram_read);
    CHECK(counts.second.filled >= counts.second.sram_read);
    CHECK(counts.first.scratchpad_read >= counts.first.filled);
    CHECK(counts.tile_rows == tile_rows);
    CHECK(counts.array_rows * config.accelerator.tiles >= tile_rows);
  }
}

TEST_CASE("dataflow: a larger scratchpad never needs more reads of the SRAM") {
  std::mt19937 random(64);
  const auto fewest = [](const LayerInfo& layer, Op op, Which scheduled, const Config& config) {
    const std::vector<SuperBlock> blocks = super_blocks(Mapping(layer, op, config.lanes));
    std::int64_t least = -1;
    for (const std::int64_t chunk_rows : {std::int64_t{0}, td::sim::scratchpad_rows(config)}) {
      for (Dataflow dataflow : td::sim::candidates(config, chunk_rows)) {
        for (const std::int64_t images : {0, 1}) {
          dataflow.images = images;
          if (!obstacle(blocks, config, scheduled, dataflow).empty()) continue;
          const auto reads = dataflow_counts(blocks, config, scheduled, dataflow).sram_reads();
          if (least < 0 || reads < least) least = reads;
        }
      }
    }
    return least;
  };
  int fewer = 0;
  for (int i = 0; i < 500; ++i) {
    Config config = td::unit::dataflow_machine(random);
    const LayerInfo layer = td::unit::dataflow_layer(random);
    const Op op = kOps[pick(random, 0, 2)];
    const Which scheduled = td::unit::random_side(random);
    CAPTURE(i);
    const std::int64_t before = fewest(layer, op, scheduled, config);
    REQUIRE(before >= 0);  // uncut streams are always possible
    config.accelerator.scratchpad_bank_bytes += pick(random, 1, 12) * 4 * config.lanes;
    const std::int64_t after = fewest(layer, op, scheduled, config);
    CHECK(after <= before);
    fewer += after < before ? 1 : 0;
  }
  CHECK(fewer > 50);
}

TEST_CASE("dataflow: docs/dataflow.md works one layer by hand") {
  // A [2, 32, 6, 6], W [64, 32, 3, 3] without padding, N = 16: 16 windows of 18 rows an image.
  const LayerInfo layer = td::unit::conv_layer({2, 32, 6, 6}, {64, 32, 3, 3}, {});
  Config config = td::unit::config_of("");
  config.format = td::Format::fp32;
  config.accelerator.tiles = 4;
  config.accelerator.scratchpad_bank_bytes = 512;  // 4 rows in a half, 12 in three banks
  const std::vector<SuperBlock> blocks = super_blocks(Mapping(layer, Op::fwd, 16));
  const Dataflow dataflow{Which::second, 1, 4, td::sim::scratchpad_rows(config)};
  const DataflowCounts counts = dataflow_counts(blocks, config, Which::first, dataflow);
  CHECK(numbers(counts) == Numbers{2304, 9216, 9216, 1152, 1152, 9216, 128, 256, 2304, 576});
}
