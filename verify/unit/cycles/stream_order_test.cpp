// SPDX-License-Identifier: Apache-2.0
// Dealing by density or time loses no stream and no work, and puts together what is alike.
#include "sim/cycles/dealing/stream_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "sim/cycles/op_simulator.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Config;
using td::sim::Block;
using td::sim::Dealing;
using td::sim::LayerInfo;
using td::sim::Mapping;
using td::sim::Op;
using td::sim::OpSimulator;
using td::sim::StreamOrder;
using td::sim::StreamPart;
using td::sim::StreamSet;
using td::sim::StreamSets;
using td::sim::Which;
using td::unit::MemoryOperands;

using Stream = std::array<std::int64_t, 4>;  ///< group, class, image, number

/// Every stream of a pool takes one place of the same pool: of a class that meets the same others,
/// and in wgrad of the same image.
void check_permutations(const MemoryOperands& source, const LayerInfo& layer, Op op, Which which,
                        const Config& config, Dealing dealing) {
  const Mapping mapping(layer, op, config.lanes);
  const StreamSets sets = td::sim::stream_sets(mapping, which, config);
  const StreamOrder order(config, source, layer, mapping, sets, which, dealing);
  const std::int64_t images = layer.a[0];
  for (const StreamSet& set : sets.sets) {
    std::vector<Stream> natural;
    std::vector<Stream> dealt;
    for (const StreamPart& part : td::sim::stream_parts(sets, set, mapping, 0, images)) {
      const std::int64_t group = mapping.blocks()[set.block_of(part.stream_class)].group;
      for (std::int64_t place = 0; place < set.streams; ++place) {
        const td::sim::DealtStream one = order.at(sets, set, part, place);
        const Block block = mapping.blocks()[set.block_of(one.part.stream_class)];
        REQUIRE(block.group == group);
        if (sets.per_image) {
          REQUIRE(block.image == one.part.image);
          REQUIRE(one.part.image / order.pool_images() == part.image / order.pool_images());
        } else {
          REQUIRE(one.part.image == part.image);
        }
        natural.push_back({group, part.stream_class, part.image, place});
        dealt.push_back({group, one.part.stream_class, one.part.image, one.stream});
      }
    }
    std::sort(natural.begin(), natural.end());
    std::sort(dealt.begin(), dealt.end());
    REQUIRE(dealt == natural);
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
        for (const Dealing dealing : {Dealing::density, Dealing::time}) {
          config.rows = 4;
          check_permutations(source, layer, op, which, config, dealing);
          for (const int rows : {4, 1}) {
            config.rows = rows;
            const OpSimulator simulator(config);
            const auto natural = simulator.run(source, layer, op, which);
            const auto dealt = simulator.run(source, layer, op, which, false, dealing);
            REQUIRE(dealt.multipliers.effectual == natural.multipliers.effectual);
            REQUIRE(dealt.dense_cycles == natural.dense_cycles);
            if (rows == 1) REQUIRE(dealt.cycles == natural.cycles);
          }
        }
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

TEST_CASE("stream order: streams change tiles where both then take less time, by hand") {
  // Four samples of 144 channels, 2 to a row: 72 rows, in eight parts of nine. A tile has two
  // samples. The densest, sample 0, has no zero; sample 1 the first four parts; sample 2 three of
  // these; sample 3 the last three. By density 1 joins 0, and no row of 2 and 3 is empty but part
  // 3 and 4: 72 cycles and 59. With 1 and 2 in one tile, the last four parts are stepped over
  // there, three rows at once: 72 and 48.
  MemoryOperands source(td::sim::Dtype::f32);
  std::mt19937 random(84);
  source.add(td::unit::linear_layer(4, 144, 1), random, 0, 0, 0);
  const LayerInfo& layer = source.layers().front();
  std::vector<std::uint32_t> samples(4 * 144, 0x3f800000U);
  const auto clear = [&](std::size_t sample, std::size_t first, std::size_t parts) {
    std::fill_n(samples.begin() + static_cast<std::ptrdiff_t>(sample * 144 + first * 18),
                parts * 18, 0U);
  };
  clear(1, 4, 4);
  clear(2, 3, 5);
  clear(3, 0, 5);
  source.set(layer, td::sim::Operand::A, samples);
  const Config config =
      td::unit::config_of("[tile]\nlanes = 2\nrows = 2\ncolumns = 1\n[accelerator]\ntiles = 1\n");
  const OpSimulator simulator(config);
  CHECK(simulator.run(source, layer, Op::fwd, Which::first, false, Dealing::density).cycles ==
        72 + 36 + 36 / 3);
}

TEST_CASE("stream order: as many effectual elements that take longer, by hand") {
  // Four samples of 32 channels, 2 to a row: 16 rows with one effectual element each, of which a
  // lane takes its own of this row or the next. Where all are in one lane every row takes a clock:
  // samples 0 and 2. Where they alternate two rows do: samples 1 and 3. Density cannot tell.
  MemoryOperands source(td::sim::Dtype::f32);
  std::mt19937 random(85);
  source.add(td::unit::linear_layer(4, 32, 1), random, 0, 0, 0);
  const LayerInfo& layer = source.layers().front();
  std::vector<std::uint32_t> samples(4 * 32);
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t sample = 0; sample < 4; ++sample) {
      samples[sample * 32 + row * 2 + (sample % 2) * (row % 2)] = 0x3f800000U;
    }
  }
  source.set(layer, td::sim::Operand::A, samples);
  const Config config = td::unit::config_of(
      "[tile]\nlanes = 2\nrows = 2\ncolumns = 1\n[tile.interconnect]\ndepth = 2\n"
      "pattern = [[0, 0], [1, 0]]\n[accelerator]\ntiles = 1\n");
  const OpSimulator simulator(config);
  CHECK(simulator.run(source, layer, Op::fwd, Which::first, false, Dealing::density).cycles == 32);
  CHECK(simulator.run(source, layer, Op::fwd, Which::first, false, Dealing::time).cycles == 24);
}

TEST_CASE(
    "stream order: windows of other images, and channels at other kernel positions, by hand") {
  // Images of 2x2 windows, 18 channels, 2 to a row: in image 0 windows 0 and 1 have no zero, in
  // image 1 windows 2 and 3; the others have nothing else. A tile of four rows takes 9 cycles for
  // each image; dealt, 9 for the four dense windows and 3 for the others.
  MemoryOperands source(td::sim::Dtype::f32);
  std::mt19937 random(82);
  source.add(td::unit::conv_layer({2, 18, 2, 2}, {1, 18, 1, 1}, {}), random, 0, 0, 0);
  std::vector<std::uint32_t> elements;
  for (const std::int64_t dense : {0, 2}) {
    for (std::int64_t i = 0; i < 18 * 4; ++i) {
      const std::int64_t window = i % 4;
      elements.push_back(window == dense || window == dense + 1 ? 0x3f800000U : 0);
    }
  }
  source.set(source.layers().front(), td::sim::Operand::A, elements);
  const Config config =
      td::unit::config_of("[tile]\nlanes = 2\nrows = 4\ncolumns = 1\n[accelerator]\ntiles = 1\n");
  const OpSimulator simulator(config);
  const LayerInfo& conv = source.layers().front();
  CHECK(simulator.run(source, conv, Op::fwd, Which::first).cycles == 18);
  CHECK(simulator.run(source, conv, Op::fwd, Which::first, false, Dealing::density).cycles == 12);
}

TEST_CASE("stream order: more streams than a pool has stay within their pools") {
  // 40 images of 256 windows: 16 images a pool, 4096 streams.
  MemoryOperands source;
  std::mt19937 random(83);
  source.add(td::unit::conv_layer({40, 3, 16, 16}, {2, 3, 1, 1}, {}), random, 0.5, 0, 0);
  const Config config = td::unit::config_of("[tile]\nlanes = 4\n[accelerator]\ntiles = 1\n");
  const LayerInfo& conv = source.layers().front();
  const Mapping mapping(conv, Op::fwd, config.lanes);
  const StreamSets sets = td::sim::stream_sets(mapping, Which::first, config);
  const StreamOrder order(config, source, conv, mapping, sets, Which::first, Dealing::density);
  CHECK(order.pool_images() == 16);
  check_permutations(source, conv, Op::fwd, Which::first, config, Dealing::density);
}
