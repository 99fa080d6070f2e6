// SPDX-License-Identifier: Apache-2.0
// Speed-up on synthetic sparsity, against what the authors' simulator gives.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sim/mapping.hpp"
#include "sim/operand_choice.hpp"
#include "sim/scheduler.hpp"
#include "sim/tile.hpp"
#include "verify/unit/layers.hpp"
#include "verify/unit/random_config.hpp"

namespace {

using td::sim::Block;
using td::sim::LaneMask;
using td::sim::Mapping;
using td::sim::Op;
using td::sim::Operand;
using td::sim::Which;
using Bits = std::vector<std::uint32_t>;

constexpr Op kOps[] = {Op::fwd, Op::dgrad, Op::wgrad};
constexpr int kTileRows[] = {1, 4, 16};
constexpr int kColumns = 4;
constexpr int kSeeds = 10;
constexpr double kTolerance = 0.01;

/// Measured with the authors' simulator.
struct Published {
  double sparsity;
  double speedup[3][3];  ///< by tile rows, by operation
};

const Published kPublished[] = {
    {0.0, {{1.041, 1.041, 1.035}, {1.017, 1.017, 1.035}, {1.010, 1.010, 1.035}}},
    {0.2, {{1.256, 1.263, 1.280}, {1.214, 1.221, 1.248}, {1.182, 1.190, 1.228}}},
    {0.5, {{1.798, 1.812, 1.837}, {1.670, 1.683, 1.719}, {1.575, 1.595, 1.641}}},
    {0.8, {{2.691, 2.687, 2.712}, {2.406, 2.402, 2.463}, {2.136, 2.146, 2.222}}},
};

/// The layer's operands as bits: one, or zero with the given probability.
struct Operands {
  Bits a, w, go;
  const Bits& of(Operand operand) const {
    return operand == Operand::A ? a : operand == Operand::W ? w : go;
  }
};

Operands draw(const td::sim::LayerInfo& layer, double sparsity, std::mt19937& random) {
  std::bernoulli_distribution is_zero(sparsity);
  const auto tensor = [&](const td::sim::Shape& shape, bool sparse) {
    Bits bits(static_cast<std::size_t>(td::sim::count(shape)), 0x3f800000);
    for (std::uint32_t& value : bits) {
      if (sparse && is_zero(random)) value = 0;
    }
    return bits;
  };
  return {tensor(layer.a, true), tensor(layer.w, false), tensor(layer.go, true)};
}

/// Effectual lanes of every row of every stream of one side: [stream][row].
std::vector<LaneMask> stream_masks(const Mapping& mapping, const Block& block, Which which,
                                   const Bits& operand) {
  const std::int64_t streams = which == Which::first ? block.first_streams : block.second_streams;
  const auto rows = static_cast<std::size_t>(block.rows());
  const auto lanes = static_cast<std::size_t>(mapping.lanes());
  std::vector<LaneMask> masks(static_cast<std::size_t>(streams) * rows);
  std::vector<std::int64_t> indices(rows * lanes);
  for (std::int64_t stream = 0; stream < streams; ++stream) {
    mapping.gather_indices(block, which, stream, indices.data());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const bool effectual = indices[i] >= 0 && operand[static_cast<std::size_t>(indices[i])] != 0;
      masks[static_cast<std::size_t>(stream) * rows + i / lanes] |= LaneMask{effectual}
                                                                    << (i % lanes);
    }
  }
  return masks;
}

/// Cycles of one pass: these streams share their columns, so they advance together.
std::int64_t group_cycles(const td::sim::Scheduler& scheduler, int depth,
                          std::vector<LaneMask> pending, std::size_t rows) {
  std::int64_t cycles = 0;
  for (std::size_t first = 0; first < rows; ++cycles) {
    const std::size_t visible = std::min(static_cast<std::size_t>(depth), rows - first);
    std::size_t advance = visible;
    for (std::size_t stream = 0; stream < pending.size(); stream += rows) {
      LaneMask window[td::sim::kMaximumDepth] = {};
      std::copy_n(&pending[stream + first], visible, window);
      td::sim::Choice choice;
      scheduler.choose(window, choice);
      std::copy_n(window, visible, &pending[stream + first]);
      advance = std::min(
          advance, static_cast<std::size_t>(std::find_if(window, window + visible,
                                                         [](LaneMask row) { return row != 0; }) -
                                            window));
    }
    first += advance;
  }
  return cycles;
}

/// The same by the golden model of the tile, which the RTL equals.
std::int64_t model_cycles(td::Config config, const std::vector<LaneMask>& pending,
                          std::size_t rows) {
  const std::size_t streams = pending.size() / rows;
  config.rows = static_cast<int>(streams);
  config.columns = 1;
  const auto lanes = static_cast<std::size_t>(config.lanes);
  td::sim::PassData pass;
  pass.segment_rows = {static_cast<std::int64_t>(rows)};
  pass.dense = {false};
  pass.a.assign(rows * lanes, 0);
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t stream = 0; stream < streams; ++stream) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        pass.b.push_back((pending[stream * rows + t] >> lane) & 1);
      }
    }
  }
  td::sim::PassResult result;
  td::sim::TileModel(config).run(pass, result);
  return result.cycles;
}

/// Cycles of all passes; those that differ only in the dense side cost the same.
std::int64_t block_cycles(const td::Config& config, const Block& block, Which which,
                          const std::vector<LaneMask>& masks, int tile_rows) {
  const td::sim::Scheduler scheduler(config);
  const std::int64_t others = which == Which::first ? block.second_streams : block.first_streams;
  const auto rows = static_cast<std::size_t>(block.rows());
  const std::size_t group = static_cast<std::size_t>(tile_rows) * rows;
  std::int64_t cycles = 0;
  for (std::size_t begin = 0; begin < masks.size(); begin += group) {
    const std::size_t end = std::min(masks.size(), begin + group);
    const std::vector<LaneMask> pending(&masks[begin], &masks[begin] + (end - begin));
    const std::int64_t pass_cycles = group_cycles(scheduler, config.depth, pending, rows);
    // One group of each block ties this count, which has no values to carry, to the tile's.
    if (begin == 0) REQUIRE(pass_cycles == model_cycles(config, pending, rows));
    cycles += pass_cycles;
  }
  return cycles * ((others + kColumns - 1) / kColumns);
}

/// Adds the speed-up of one operation to `sums`, for each number of tile rows.
void add_speedups(const td::Config& config, const td::sim::LayerInfo& layer, Op op,
                  const Operands& operands, double (&sums)[3]) {
  const Mapping mapping(layer, op, config.lanes);
  const Bits& first = operands.of(mapping.first());
  const Bits& second = operands.of(mapping.second());
  const Which which = td::sim::zero_shares(layer, op, td::Format::fp32, first, second).scheduled();
  std::int64_t cycles[3] = {};
  for (const Block& block : mapping.blocks()) {
    const auto masks = stream_masks(mapping, block, which, which == Which::first ? first : second);
    for (int i = 0; i < 3; ++i) {
      cycles[i] += block_cycles(config, block, which, masks, kTileRows[i]);
    }
  }
  for (int i = 0; i < 3; ++i) {
    sums[i] += static_cast<double>(dense_cycles(mapping, kTileRows[i], kColumns, which)) /
               static_cast<double>(cycles[i]);
  }
}

}  // namespace

TEST_CASE("sparsity: speed-ups are those of the authors' simulator") {
  const td::Config config = td::unit::config_of("");
  REQUIRE(config.pattern == "step_first");
  REQUIRE(config.depth == 3);
  td::sim::Conv conv;
  conv.padding[0] = conv.padding[1] = 1;
  const auto layer = td::unit::conv_layer({1, 64, 28, 28}, {64, 64, 3, 3}, conv);
  for (const Published& published : kPublished) {
    double sums[3][3] = {};  // by operation, by tile rows
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
      std::mt19937 random(seed);
      const Operands operands = draw(layer, published.sparsity, random);
      for (int op = 0; op < 3; ++op) add_speedups(config, layer, kOps[op], operands, sums[op]);
    }
    for (int op = 0; op < 3; ++op) {
      for (int rows = 0; rows < 3; ++rows) {
        const double ours = sums[op][rows] / kSeeds;
        const double theirs = published.speedup[rows][op];
        CAPTURE(published.sparsity);
        CAPTURE(std::string(td::sim::to_string(kOps[op])));
        CAPTURE(kTileRows[rows]);
        CAPTURE(theirs);
        CAPTURE(ours);
        CHECK(std::abs(ours / theirs - 1) <= kTolerance);
      }
    }
  }
}
