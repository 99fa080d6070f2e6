// SPDX-License-Identifier: Apache-2.0
// Speed-up on synthetic sparsity, against what the authors' simulator gives.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>

#include "sim/cycles/op_simulator.hpp"
#include "sim/cycles/operand_choice.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::sim::Op;
using td::unit::MemoryOperands;
using td::unit::on_tiles;

constexpr Op kAllOps[] = {Op::fwd, Op::dgrad, Op::wgrad};
constexpr int kTileRows[] = {1, 4, 16};
constexpr int kSeeds = 10;
constexpr double kTolerance = 0.01;

/// Measured with the authors' simulator.
struct PublishedSpeedUp {
  double sparsity;
  double speedup[3][3];  ///< by tile rows, by operation
};

const PublishedSpeedUp kPublished[] = {
    {0.0, {{1.041, 1.041, 1.035}, {1.017, 1.017, 1.035}, {1.010, 1.010, 1.035}}},
    {0.2, {{1.256, 1.263, 1.280}, {1.214, 1.221, 1.248}, {1.182, 1.190, 1.228}}},
    {0.5, {{1.798, 1.812, 1.837}, {1.670, 1.683, 1.719}, {1.575, 1.595, 1.641}}},
    {0.8, {{2.691, 2.687, 2.712}, {2.406, 2.402, 2.463}, {2.136, 2.146, 2.222}}},
};

/// The speed-up of one operation.
double speedup(const MemoryOperands& source, Op op, int tile_rows) {
  td::Config config = td::unit::config_of("[tile.numerics]\nformat = \"fp32\"");
  config.rows = tile_rows;
  config.columns = 4;
  const td::sim::LayerInfo& layer = source.layers().front();
  const auto zeros = td::sim::count_zeros(source, layer, config.format);
  const auto cycles = td::sim::OpSimulator(on_tiles(config, 1))
                          .run(source, layer, op, zero_shares(layer, op, zeros).scheduled());
  return static_cast<double>(cycles.dense_cycles) / static_cast<double>(cycles.cycles);
}

}  // namespace

TEST_CASE("sparsity: speed-ups are those of the authors' simulator") {
  const td::Config config = td::unit::config_of("");
  REQUIRE(config.pattern == "step_first");
  REQUIRE(config.depth == 3);
  td::sim::Conv conv;
  conv.padding[0] = conv.padding[1] = 1;
  const auto layer = td::unit::conv_layer({1, 64, 28, 28}, {64, 64, 3, 3}, conv);
  for (const PublishedSpeedUp& published : kPublished) {
    double sums[3][3] = {};  // by tile rows, by operation
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
      std::mt19937 random(seed);
      MemoryOperands source;
      source.add(layer, random, published.sparsity, 0, published.sparsity);
      for (int rows = 0; rows < 3; ++rows) {
        for (int op = 0; op < 3; ++op)
          sums[rows][op] += speedup(source, kAllOps[op], kTileRows[rows]);
      }
    }
    for (int op = 0; op < 3; ++op) {
      for (int rows = 0; rows < 3; ++rows) {
        const double ours = sums[rows][op] / kSeeds;
        const double theirs = published.speedup[rows][op];
        CAPTURE(published.sparsity);
        CAPTURE(std::string(td::sim::to_string(kAllOps[op])));
        CAPTURE(kTileRows[rows]);
        CAPTURE(theirs);
        CAPTURE(ours);
        CHECK(std::abs(ours / theirs - 1) <= kTolerance);
      }
    }
  }
}
