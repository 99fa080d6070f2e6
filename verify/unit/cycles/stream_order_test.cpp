// SPDX-License-Identifier: Apache-2.0
// Dealing by density loses no stream and no work, and puts together what is alike.
#include "sim/cycles/stream_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sim/cycles/op_simulator.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Config;
using td::sim::Dealing;
using td::sim::LayerInfo;
using td::sim::Mapping;
using td::sim::Op;
using td::sim::OpSimulator;
using td::sim::StreamOrder;
using td::sim::StreamSet;
using td::sim::StreamSets;
using td::sim::Which;
using td::unit::MemoryOperands;

void check_permutations(const MemoryOperands& source, const LayerInfo& layer, Op op, Which which,
                        const Config& config) {
  const Mapping mapping(layer, op, config.lanes);
  const StreamSets sets = td::sim::stream_sets(mapping, which, config);
  const StreamOrder order(source, layer, mapping, sets, which, config.format, config.rows);
  for (const StreamSet& set : sets.sets) {
    for (std::int64_t c = 0; c < set.classes; ++c) {
      const std::uint32_t* first = order.of(sets, set, c);
      std::vector<std::uint32_t> streams(first, first + set.streams);
      std::sort(streams.begin(), streams.end());
      for (std::size_t i = 0; i < streams.size(); ++i) REQUIRE(streams[i] == i);
    }
  }
}

}  // namespace

TEST_CASE("stream order: every stream once; alone in a tile, it takes what it took") {
  std::mt19937 random(80);
  for (int i = 0; i < 20; ++i) {
    MemoryOperands source;
    source.add(td::unit::random_conv(random), random, 0.5, 0.7, 0.3);
    const LayerInfo& layer = source.layers().front();
    Config config = td::unit::config_of("[tile]\nlanes = 4\n[accelerator]\ntiles = 1\n");
    for (const Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
      for (const Which which : {Which::first, Which::second}) {
        config.rows = 4;
        check_permutations(source, layer, op, which, config);
        config.rows = 1;
        const OpSimulator alone(config);
        const auto natural = alone.run(source, layer, op, which);
        const auto density = alone.run(source, layer, op, which, false, Dealing::density);
        REQUIRE(density.cycles == natural.cycles);
        REQUIRE(density.multipliers.effectual == natural.multipliers.effectual);
        REQUIRE(density.dense_cycles == natural.dense_cycles);
      }
    }
  }
}

TEST_CASE("stream order: two dense streams and two empty ones, by hand") {
  // Four samples of 18 channels, 2 to a row: 9 rows. Samples 0 and 2 have no zero, 1 and 3 nothing
  // else. Naturally, a dense one and an empty one share the two rows of a tile: 9 cycles, twice.
  // By density the empty ones are together: 9 cycles, and 9 / 3 rows of a window at once.
  MemoryOperands source(td::sim::Dtype::f32);
  std::mt19937 random(81);
  source.add(td::unit::linear_layer(4, 18, 1), random, 0, 0, 0);
  const LayerInfo& layer = source.layers().front();
  std::vector<std::uint32_t> samples(4 * 18, 0x3f800000U);
  for (std::size_t i = 18; i < 36; ++i) samples[i] = samples[i + 36] = 0;
  source.set(layer, td::sim::Operand::A, samples);
  const Config config =
      td::unit::config_of("[tile]\nlanes = 2\nrows = 2\ncolumns = 1\n[accelerator]\ntiles = 1\n");
  const OpSimulator simulator(config);
  CHECK(simulator.run(source, layer, Op::fwd, Which::first).cycles == 18);
  CHECK(simulator.run(source, layer, Op::fwd, Which::first, false, Dealing::density).cycles == 12);
}
