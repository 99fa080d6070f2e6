// SPDX-License-Identifier: Apache-2.0
// Rows of stored operands: against the plain model, and which streams read runs.
#include "sim/storage/stored_size.hpp"

#include <doctest/doctest.h>

#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/configuration/preset.hpp"
#include "sim/trace/zero_free_operands.hpp"
#include "verify/plain/plain_storage.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Config;
using td::sim::LayerInfo;
using td::sim::Op;
using td::sim::Operand;
using td::sim::RunRows;
using td::sim::Storage;
using td::sim::StoredSize;
using td::unit::pick;
using Numbers = std::vector<std::int64_t>;

/// Operations whose streams read an operand as it lies.
constexpr std::pair<Op, Operand> kReads[] = {
    {Op::fwd, Operand::A}, {Op::fwd, Operand::W}, {Op::dgrad, Operand::GO}};
constexpr std::pair<Op, Operand> kTurned[] = {
    {Op::dgrad, Operand::W}, {Op::wgrad, Operand::A}, {Op::wgrad, Operand::GO}};

Numbers numbers(const RunRows& rows) { return {rows.plain, rows.scheduled, rows.zero_compressed}; }

/// What is read with this storage for each bit that is read with plain storage.
double share(const StoredSize& size, Storage storage) {
  return static_cast<double>(size.streamed_bits(storage)) /
         static_cast<double>(size.streamed_bits(Storage::plain));
}

/// A small tile, with few rows for few options.
Config small_tile(std::mt19937& random) {
  Config config = td::unit::config_of("");
  config.lanes = pick(random, 2, 5);
  config.rows = pick(random, 1, 4);
  config.columns = pick(random, 1, 4);
  config.depth = pick(random, 2, 4);
  config.options = td::unit::random_options(random, config.lanes, config.depth, 4);
  config.levels = td::unit::random_levels(random, config.options, config.lanes);
  config.format = pick(random, 0, 1) == 0 ? td::Format::fp32 : td::Format::bf16;
  return config;
}

LayerInfo any_layer(std::mt19937& random) {
  const int kind = pick(random, 0, 15);
  if (kind < 4) return td::unit::odd_conv(random);
  if (kind > 6) return td::unit::random_conv(random);
  return td::unit::linear_layer(pick(random, 1, 20), pick(random, 1, 60), pick(random, 1, 20));
}

}  // namespace

TEST_CASE("storage: sizes equal those of every run and stream by itself") {
  std::mt19937 random(71);
  int longer = 0;
  int saved = 0;
  for (int i = 0; i < 200; ++i) {
    const Config config = small_tile(random);
    const LayerInfo layer = any_layer(random);
    td::unit::MemoryOperands source(td::sim::Dtype::f32);
    const double zeros = pick(random, 0, 10) / 10.0;
    source.add(layer, random, zeros, zeros, zeros);
    CAPTURE(i);
    const auto [op, operand] = kReads[pick(random, 0, 2)];
    const StoredSize size = stored_size(config, source, layer, op, operand);
    const td::verify::PlainStorage plain =
        td::verify::plain_storage(config, source, layer, op, operand);
    CHECK(size.runs == plain.runs);
    CHECK(numbers(size.stored) == numbers(plain.stored));
    REQUIRE(size.streamed.size() == plain.streamed.size());
    for (std::size_t block = 0; block < size.streamed.size(); ++block) {
      CHECK(numbers(size.streamed[block]) == numbers(plain.streamed[block]));
    }
    longer += size.stored.plain > size.runs ? 1 : 0;
    saved += size.best() == Storage::scheduled ? 1 : 0;
  }
  CHECK(longer > 50);  // runs of more than one row
  CHECK(saved > 30);
  CHECK(saved < 170);
}

TEST_CASE("storage: a row has no more lanes than masks have bits") {
  std::mt19937 random(72);
  for (const int lanes : {16, 17, 32, 33, 64}) {
    Config config = td::unit::config_of("");
    config.lanes = lanes;
    config.levels = td::colour_levels(config.options, lanes);
    const LayerInfo layer = td::unit::conv_layer({3, 150, 4, 5}, {6, 150, 3, 2}, {});
    td::unit::MemoryOperands source;
    source.add(layer, random, 0.7, 0.7, 0.7);
    CAPTURE(lanes);
    const StoredSize size = stored_size(config, source, layer, Op::fwd, Operand::A);
    const td::verify::PlainStorage plain =
        td::verify::plain_storage(config, source, layer, Op::fwd, Operand::A);
    CHECK(numbers(size.stored) == numbers(plain.stored));
    CHECK(numbers(size.streamed[0]) == numbers(plain.streamed[0]));
  }
}

TEST_CASE("storage: streams of turned operands read no runs") {
  const Config config = td::unit::config_of("");
  const LayerInfo layer = td::unit::conv_layer({2, 20, 6, 6}, {24, 20, 3, 3}, {});
  td::unit::MemoryOperands source;
  std::mt19937 random(73);
  source.add(layer, random, 0.5, 0.5, 0.5);
  for (const auto& [op, operand] : kTurned) {
    CHECK_FALSE(td::sim::reads_runs(op, operand));
    CHECK_THROWS_AS(stored_size(config, source, layer, op, operand), std::invalid_argument);
    CHECK_THROWS_AS(td::verify::plain_storage(config, source, layer, op, operand),
                    std::logic_error);
  }
}

TEST_CASE("storage: without zeros a scheduled row is a row with selects, and does not pay") {
  const Config config = td::unit::config_of("");  // 16 lanes of bf16, 8 options, depth 3
  const LayerInfo layer = td::unit::conv_layer({4, 64, 8, 8}, {32, 64, 3, 3}, {});
  td::unit::MemoryOperands source;
  std::mt19937 random(74);
  source.add(layer, random, 0.9, 0.9, 0.9);
  const td::sim::ZeroFreeOperands full(source);
  const StoredSize size = stored_size(config, full, layer, Op::fwd, Operand::A);
  CHECK(size.plain_bits == 256);
  CHECK(size.scheduled_bits == 16 * (16 + 3) + 2);
  CHECK(size.runs == 4 * 64);
  CHECK(numbers(size.stored) == Numbers{4 * 64 * 4, 4 * 64 * 4, 4 * 64 * 5});
  CHECK(numbers(size.streamed[0]) ==
        Numbers{4 * 36 * 9 * 4, 4 * 36 * 9 * 4, 4 * 36 * 9 * 5});  // 6x6 windows
  CHECK(size.best() == Storage::plain);
  CHECK(share(size, Storage::scheduled) == doctest::Approx(306.0 / 256));
  CHECK(share(size, Storage::zero_compressed) == doctest::Approx(5.0 / 4));
  const StoredSize sparse = stored_size(config, source, layer, Op::fwd, Operand::A);
  CHECK(sparse.best() == Storage::scheduled);
}

TEST_CASE("storage: a dense tile has no scheduler, and compresses zeros as another") {
  const LayerInfo layer = td::unit::conv_layer({2, 40, 8, 8}, {32, 40, 3, 3}, {});
  td::unit::MemoryOperands source;
  std::mt19937 random(75);
  source.add(layer, random, 0.6, 0.6, 0.6);
  const StoredSize dense =
      stored_size(td::find_config("dense_bf16"), source, layer, Op::fwd, Operand::A);
  const StoredSize sparse =
      stored_size(td::find_config("paper_bf16"), source, layer, Op::fwd, Operand::A);
  CHECK(share(dense, Storage::scheduled) == 1);
  CHECK(dense.best() == Storage::plain);
  CHECK(share(dense, Storage::zero_compressed) == share(sparse, Storage::zero_compressed));
  CHECK(share(sparse, Storage::scheduled) < 1);
}
