// SPDX-License-Identifier: Apache-2.0
// The fast cycle simulation against the plain one, on random layers and configurations.
#include "sim/cycles/op_simulator.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "sim/cycles/group_scheduler.hpp"
#include "sim/mapping/mapping.hpp"
#include "sim/model/tile.hpp"
#include "verify/plain/plain_cycles.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Config;
using td::sim::Block;
using td::sim::LayerInfo;
using td::sim::Mapping;
using td::sim::MultiplierCycles;
using td::sim::Op;
using td::sim::OpCycles;
using td::sim::OpSimulator;
using td::sim::Which;
using td::unit::MemoryOperands;
using td::unit::on_tiles;
using td::unit::pick;
using td::verify::PlainCycles;
using Numbers = std::vector<std::int64_t>;

Numbers numbers(const OpCycles& cycles) {
  const MultiplierCycles& parts = cycles.multipliers;
  return {cycles.passes,         cycles.rows,          cycles.dense_cycles, cycles.cycles,
          cycles.tile_cycles,    parts.effectual,      parts.ineffectual,   parts.array_edge,
          parts.channel_padding, parts.lane_conflicts, parts.stream_tail,   parts.row_imbalance,
          parts.depth_limit,     parts.tile_imbalance};
}

/// Every third pass has the cycles that it has among all of them.
void check_some_passes(const OpSimulator& simulator, const MemoryOperands& source,
                       const LayerInfo& layer, Op op, Which which, const Numbers& cycles) {
  Numbers passes;
  Numbers expected;
  for (std::size_t pass = cycles.size() % 3; pass < cycles.size(); pass += 3) {
    passes.push_back(static_cast<std::int64_t>(pass));
    expected.push_back(cycles[pass]);
  }
  REQUIRE(simulator.pass_cycles(source, layer, op, which, passes) == expected);
}

void check_layer(const Config& config, int tiles, const MemoryOperands& source,
                 const LayerInfo& layer, bool dense) {
  const OpSimulator simulator(on_tiles(config, tiles));
  for (Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
    for (Which which : {Which::first, Which::second}) {
      CAPTURE(td::canonical_toml(config));
      CAPTURE(td::sim::to_string(layer.a) + td::sim::to_string(layer.w));
      CAPTURE(std::string(td::sim::to_string(op)) + (which == Which::first ? " first" : " second"));
      const PlainCycles plain =
          td::verify::plain_cycles(config, tiles, source, layer, op, which, dense);
      const OpCycles fast = simulator.run(source, layer, op, which, dense);
      REQUIRE(numbers(fast) == numbers(plain.cycles));
      REQUIRE(fast.multipliers.total() ==
              fast.cycles * tiles * config.rows * config.columns * config.lanes);
      if (dense) {
        REQUIRE(fast.cycles == fast.dense_cycles);
      } else {
        REQUIRE(simulator.pass_cycles(source, layer, op, which) == plain.pass_cycles);
        check_some_passes(simulator, source, layer, op, which, plain.pass_cycles);
      }
    }
  }
}

/// The operands of one pass, as the tile model takes them.
td::sim::PassData pass_data(const Config& config, const MemoryOperands& source,
                            const LayerInfo& layer, const Mapping& mapping, const Block& block,
                            Which scheduled, std::int64_t number) {
  const td::sim::Pass pass = td::sim::pass(block, config.rows, config.columns, scheduled, number);
  const auto lanes = static_cast<std::size_t>(config.lanes);
  const auto rows = static_cast<std::size_t>(block.rows());
  const auto fill = [&](Which which, int lines) {
    const bool is_first = which == Which::first;
    const std::int64_t begin = is_first ? pass.first_begin : pass.second_begin;
    const std::int64_t count = is_first ? pass.first_count : pass.second_count;
    const std::vector<std::uint32_t> tensor = source.bits(layer, operand(mapping.op(), which));
    std::vector<std::uint32_t> bits(rows * static_cast<std::size_t>(lines) * lanes);
    Numbers indices(rows * lanes);
    for (std::int64_t line = 0; line < count; ++line) {
      mapping.gather_indices(block, which, begin + line, indices.data());
      for (std::size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] < 0) continue;
        const std::size_t at =
            i / lanes * static_cast<std::size_t>(lines) + static_cast<std::size_t>(line);
        bits[at * lanes + i % lanes] = tensor[static_cast<std::size_t>(indices[i])];
      }
    }
    return bits;
  };
  const Which other = scheduled == Which::first ? Which::second : Which::first;
  td::sim::PassData data;
  data.segment_rows.assign(static_cast<std::size_t>(block.segments), block.segment_rows);
  data.dense.assign(static_cast<std::size_t>(block.segments), false);
  data.b = fill(scheduled, config.rows);
  data.a = fill(other, config.columns);
  return data;
}

/// Cycles of all passes by the reference model, which the RTL equals.
Numbers tile_cycles(const Config& config, const MemoryOperands& source, const LayerInfo& layer,
                    Op op, Which scheduled) {
  const Mapping mapping(layer, op, config.lanes);
  td::sim::TileModel tile(config);
  td::sim::PassResult result;
  Numbers cycles;
  for (const Block& block : mapping.blocks()) {
    if (block.rows() == 0) continue;
    const std::int64_t passes = td::sim::passes(block, config.rows, config.columns, scheduled);
    for (std::int64_t i = 0; i < passes; ++i) {
      tile.run(pass_data(config, source, layer, mapping, block, scheduled, i), result);
      cycles.push_back(result.cycles);
    }
  }
  return cycles;
}

}  // namespace

TEST_CASE("op simulator: cycles of every pass are the reference model's") {
  std::mt19937 random(32);
  for (int i = 0; i < 60; ++i) {
    const Config config = td::unit::random_config(random);
    MemoryOperands source(td::sim::Dtype::f32);
    const LayerInfo layer =
        i % 4 == 0
            ? td::unit::linear_layer(pick(random, 1, 20), pick(random, 1, 70), pick(random, 1, 20))
            : td::unit::random_conv(random);
    source.add(layer, random, 0.5, 0.5, 0.7);
    for (Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
      for (Which which : {Which::first, Which::second}) {
        CAPTURE(td::canonical_toml(config));
        REQUIRE(OpSimulator(config).pass_cycles(source, layer, op, which) ==
                tile_cycles(config, source, layer, op, which));
      }
    }
  }
}

TEST_CASE("group scheduler: what nobody asks for is not scheduled") {
  std::mt19937 random(7);
  const Config config = td::parse_config("name = \"x\"", "x.toml");
  MemoryOperands source(td::sim::Dtype::bf16);
  const LayerInfo layer = td::unit::linear_layer(40, 70, 90);
  source.add(layer, random, 0.5, 0.5, 0.7);
  const Mapping mapping(layer, Op::fwd, config.lanes);
  const td::sim::StreamSets sets = td::sim::stream_sets(mapping, Which::second, config);
  td::sim::GroupJob job{source, layer, mapping, sets, Which::second, false, {}, nullptr};
  std::int64_t all = 0;
  std::int64_t none = 0;
  schedule_groups(config, job, [&](const td::sim::ScheduledGroups&) { ++all; });
  job.wanted = [](const td::sim::StreamSet&, std::int64_t) { return false; };
  schedule_groups(config, job, [&](const td::sim::ScheduledGroups&) { ++none; });
  CHECK(all > 0);
  CHECK(none == 0);
}

TEST_CASE("op simulator: equals the plain one on random convolutions and configurations") {
  std::mt19937 random(30);
  for (int i = 0; i < 300; ++i) {
    const Config config = td::unit::random_config(random);
    MemoryOperands source(i % 2 == 0 ? td::sim::Dtype::bf16 : td::sim::Dtype::f32);
    const LayerInfo layer = td::unit::random_conv(random);
    const double zeros = pick(random, 0, 4) / 4.0;
    source.add(layer, random, zeros, pick(random, 0, 4) / 4.0, zeros);
    check_layer(config, pick(random, 1, 5), source, layer, i % 10 == 0);
  }
}

TEST_CASE("op simulator: equals the plain one on tall, depthwise and many images") {
  std::mt19937 random(33);
  for (int i = 0; i < 60; ++i) {
    td::unit::RandomLimits limits;
    limits.lines = 4;
    const Config config = td::unit::random_config(random, limits);
    MemoryOperands source;
    const LayerInfo layer = td::unit::odd_conv(random);
    source.add(layer, random, 0.5, 0.5, 0.6);
    check_layer(config, pick(random, 1, 4096), source, layer, false);
  }
}

TEST_CASE("op simulator: equals the plain one where images are loaded chunk by chunk") {
  // In wgrad the masks of an image of A take 66 KB, so that a chunk of 1 MB holds 15 of 40 images.
  std::mt19937 random(34);
  td::sim::Conv conv;
  conv.padding[0] = conv.padding[1] = 1;
  const LayerInfo layer = td::unit::conv_layer({40, 64, 30, 30}, {4, 64, 3, 3}, conv);
  MemoryOperands source;
  source.add(layer, random, 0.6, 0, 0.3);
  const Config config = td::unit::config_of("");
  CHECK(
      numbers(OpSimulator(on_tiles(config, 3)).run(source, layer, Op::wgrad, Which::first)) ==
      numbers(td::verify::plain_cycles(config, 3, source, layer, Op::wgrad, Which::first).cycles));
}

TEST_CASE("op simulator: equals the plain one on random linear layers") {
  std::mt19937 random(31);
  for (int i = 0; i < 150; ++i) {
    const Config config = td::unit::random_config(random);
    MemoryOperands source;
    const LayerInfo layer =
        td::unit::linear_layer(pick(random, 1, 70), pick(random, 1, 90), pick(random, 1, 40));
    source.add(layer, random, pick(random, 0, 4) / 4.0, pick(random, 0, 4) / 4.0, 0.5);
    check_layer(config, pick(random, 1, 5), source, layer, i % 10 == 0);
  }
}
