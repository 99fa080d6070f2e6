// SPDX-License-Identifier: Apache-2.0
// The fast cycle simulation against the plain one, on random layers and configurations.
#include "sim/op_simulator.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "verify/plain/plain_cycles.hpp"
#include "verify/unit/layers.hpp"
#include "verify/unit/memory_operands.hpp"
#include "verify/unit/random_config.hpp"

namespace {

using td::Config;
using td::sim::LayerInfo;
using td::sim::MultiplierCycles;
using td::sim::Op;
using td::sim::OpCycles;
using td::sim::OpSimulator;
using td::sim::Which;
using td::unit::MemoryOperands;
using td::unit::pick;
using td::verify::PlainCycles;
using Numbers = std::vector<std::int64_t>;

Numbers numbers(const OpCycles& cycles) {
  const MultiplierCycles& parts = cycles.multipliers;
  return {cycles.passes,        cycles.rows,           cycles.dense_cycles, cycles.cycles,
          cycles.tile_cycles,   parts.effectual,       parts.ineffectual,   parts.array_edge,
          parts.channel_padding, parts.lane_conflicts, parts.stream_tail,   parts.row_imbalance,
          parts.depth_limit,    parts.tile_imbalance};
}

void check_layer(const Config& config, int tiles, const MemoryOperands& source,
                 const LayerInfo& layer, bool dense) {
  const OpSimulator simulator(config, tiles);
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
      }
    }
  }
}

}  // namespace

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
