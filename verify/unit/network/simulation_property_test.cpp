// SPDX-License-Identifier: Apache-2.0
// What must hold of the cycle simulation whatever the layer and the configuration.
#include <doctest/doctest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "sim/cycles/op_simulator.hpp"
#include "sim/mapping/mapping.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Config;
using td::sim::LayerInfo;
using td::sim::Mapping;
using td::sim::MultiplierCycles;
using td::sim::Op;
using td::sim::OpCycles;
using td::sim::Operand;
using td::sim::OpSimulator;
using td::sim::Which;
using td::unit::MemoryOperands;
using td::unit::on_tiles;
using td::unit::pick;
using Numbers = std::vector<std::int64_t>;

constexpr Op kOps[] = {Op::fwd, Op::dgrad, Op::wgrad};
constexpr Which kSides[] = {Which::first, Which::second};

/// A configuration that may drop pairs.
Config random_sparse(std::mt19937& random) {
  td::unit::RandomLimits limits;
  limits.dense = false;
  return td::unit::random_config(random, limits);
}

LayerInfo random_layer(std::mt19937& random) {
  if (pick(random, 0, 4) > 0) return td::unit::random_conv(random);
  return td::unit::linear_layer(pick(random, 1, 40), pick(random, 1, 70), pick(random, 1, 40));
}

/// T of every pass, in order.
Numbers pass_rows(const Config& config, const LayerInfo& layer, Op op, Which scheduled) {
  const Mapping mapping(layer, op, config.lanes);
  Numbers rows;
  for (const td::sim::Block& block : mapping.blocks()) {
    if (block.rows() == 0) continue;
    const std::int64_t passes = td::sim::passes(block, config.rows, config.columns, scheduled);
    rows.insert(rows.end(), static_cast<std::size_t>(passes), block.rows());
  }
  return rows;
}

/// As the tensor, with its images in another order.
std::vector<std::uint32_t> reorder(const std::vector<std::uint32_t>& bits,
                                   const std::vector<std::size_t>& order) {
  const std::size_t image = bits.size() / order.size();
  std::vector<std::uint32_t> result;
  for (std::size_t n : order) {
    for (std::size_t i = 0; i < image; ++i) {
      result.push_back(bits[n * image + i] == 0 ? 0 : 0x3f800000);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("simulation: no pass is slower than dense or faster than the depth") {
  std::mt19937 random(40);
  for (int i = 0; i < 150; ++i) {
    const Config config = random_sparse(random);
    const LayerInfo layer = random_layer(random);
    MemoryOperands source;
    source.add(layer, random, pick(random, 0, 20) / 20.0, pick(random, 0, 20) / 20.0,
               pick(random, 0, 20) / 20.0);
    for (Op op : kOps) {
      for (Which side : kSides) {
        const Numbers rows = pass_rows(config, layer, op, side);
        const Numbers cycles = OpSimulator(config).pass_cycles(source, layer, op, side);
        REQUIRE(cycles.size() == rows.size());
        for (std::size_t p = 0; p < rows.size(); ++p) {
          REQUIRE(cycles[p] <= rows[p]);
          REQUIRE(cycles[p] * config.depth >= rows[p]);
        }
      }
    }
  }
}

TEST_CASE("simulation: depth 1 takes the dense cycles, whatever the zeros") {
  std::mt19937 random(41);
  for (int i = 0; i < 100; ++i) {
    td::unit::RandomLimits limits;
    limits.dense = false;
    limits.depth = 1;
    const Config config = td::unit::random_config(random, limits);
    const LayerInfo layer = random_layer(random);
    MemoryOperands source;
    source.add(layer, random, 0.6, 0.9, 0.8);
    for (Op op : kOps) {
      for (Which side : kSides) {
        REQUIRE(OpSimulator(config).pass_cycles(source, layer, op, side) ==
                pass_rows(config, layer, op, side));
      }
    }
  }
}

TEST_CASE("simulation: data without zeros take exactly the dense cycles") {
  std::mt19937 random(42);
  for (int i = 0; i < 100; ++i) {
    const Config config = random_sparse(random);
    // Neither padding nor filled-up rows: dgrad pads unless the kernel is 1x1.
    const int kernel = pick(random, 1, 2);
    const int lanes = config.lanes;
    const LayerInfo layer =
        td::unit::conv_layer({pick(random, 1, 2), lanes, kernel, lanes + kernel - 1},
                             {lanes, lanes, kernel, kernel}, {});
    MemoryOperands source;
    source.add(layer, random, 0, 0, 0);
    for (Op op : kOps) {
      if (op == Op::dgrad && kernel > 1) continue;
      for (Which side : kSides) {
        const OpCycles cycles = OpSimulator(on_tiles(config, 2)).run(source, layer, op, side);
        REQUIRE(cycles.cycles == cycles.dense_cycles);
        REQUIRE(cycles.multipliers.effectual + cycles.multipliers.array_edge +
                    cycles.multipliers.tile_imbalance ==
                cycles.multipliers.total());
      }
    }
  }
}

TEST_CASE("simulation: the order of passes does not change their cycles") {
  std::mt19937 random(43);
  for (int i = 0; i < 60; ++i) {
    const Config config = random_sparse(random);
    LayerInfo layer = td::unit::random_conv(random);
    layer.a[0] = layer.go[0] = 4;
    MemoryOperands source(td::sim::Dtype::f32);
    source.add(layer, random, 0.5, 0.5, 0.5);
    std::vector<std::size_t> order(4);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    MemoryOperands shuffled = source;
    for (Operand operand : {Operand::A, Operand::GO}) {
      shuffled.set(layer, operand, reorder(source.bits(layer, operand), order));
    }
    for (Op op : kOps) {
      for (Which side : kSides) {
        const OpSimulator simulator(on_tiles(config, 1));
        Numbers before = simulator.pass_cycles(source, layer, op, side);
        Numbers after = simulator.pass_cycles(shuffled, layer, op, side);
        REQUIRE(simulator.run(source, layer, op, side).cycles ==
                simulator.run(shuffled, layer, op, side).cycles);
        // wgrad adds its images up in every pass; the others have passes of their own for each.
        if (op != Op::wgrad) {
          std::sort(before.begin(), before.end());
          std::sort(after.begin(), after.end());
        }
        REQUIRE(before == after);
      }
    }
  }
}

TEST_CASE("simulation: one thread and several give the same numbers") {
  std::mt19937 random(44);
  for (int i = 0; i < 10; ++i) {
    const Config config = random_sparse(random);
    td::sim::Conv conv;
    conv.padding[0] = conv.padding[1] = 1;
    const LayerInfo layer = td::unit::conv_layer({8, 40, 24, 24}, {24, 40, 3, 3}, conv);
    MemoryOperands source;
    source.add(layer, random, 0.5, 0.7, 0.6);
    for (Op op : kOps) {
      for (Which side : kSides) {
        std::vector<OpCycles> results;
        for (int threads : {1, 4}) {
          const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                          static_cast<std::size_t>(threads));
          tbb::task_arena(threads).execute([&] {
            results.push_back(OpSimulator(on_tiles(config, 3)).run(source, layer, op, side));
          });
        }
        REQUIRE(results[0].cycles == results[1].cycles);
        REQUIRE(results[0].tile_cycles == results[1].tile_cycles);
        for (std::int64_t MultiplierCycles::*part :
             {&MultiplierCycles::effectual, &MultiplierCycles::lane_conflicts,
              &MultiplierCycles::row_imbalance, &MultiplierCycles::depth_limit}) {
          REQUIRE(results[0].multipliers.*part == results[1].multipliers.*part);
        }
      }
    }
  }
}
