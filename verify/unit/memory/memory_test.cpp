// SPDX-License-Identifier: Apache-2.0
// Memory traffic: cases worked out by hand.
#include "sim/memory/memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "gen/configuration/preset.hpp"
#include "sim/trace/shared_rows.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_data.hpp"

namespace {

using td::Config;
using td::sim::LayerInfo;
using td::sim::MemoryTraffic;
using td::sim::Op;
using td::sim::OpCycles;
using td::sim::TensorContents;
using td::sim::Which;
using td::unit::contents_of;
using td::unit::conv_layer;
using td::unit::cycles_of;
using td::unit::linear_layer;
using td::unit::on_tiles;
using Counts = std::vector<std::int64_t>;

/// Two by two PEs of four lanes, bf16 in and fp32 out: rows of 8 bytes, of results 16.
Config small_config() {
  Config config = td::find_config("tiny");
  config.accelerator.tiles = 1;
  return config;
}

constexpr std::int64_t kTestClock_MHz = 500;

/// A [1,4,3,3] by W [3,4,2,2]: GO [1,3,2,2].
LayerInfo layer_2x2() { return conv_layer({1, 4, 3, 3}, {3, 4, 2, 2}, {}); }

/// 10 of A's 36 elements and all of W's are non-zero.
TensorContents small_contents() { return {10, 48}; }

}  // namespace

TEST_CASE("memory: a small fwd, worked out by hand") {
  // 4 windows (side A, columns) by 3 filters (side B, rows), streams of 2 * 2 * 1 = 4 rows: F = 2
  // groups of 2 windows by S = 2 groups of 2 and 1 filters, 4 passes of 4 rows, 16 cycles.
  const Config config = small_config();
  const OpCycles cycles = cycles_of(Which::second, 16, 10);
  const MemoryTraffic traffic =
      memory_traffic(layer_2x2(), Op::fwd, config, kTestClock_MHz, cycles, small_contents());
  CHECK(traffic.row_bytes == 8);
  CHECK(traffic.output_row_bytes == 16);
  // Rows 0 to 3 of a stream lie in banks 0, 1, 2, 0. Four windows are read in 2 passes each, three
  // filters in 2.
  CHECK(traffic.first.scratchpad_read_rows == Counts{16, 8, 8});
  CHECK(traffic.second.scratchpad_read_rows == Counts{12, 6, 6});
  CHECK(traffic.first.total_scratchpad_read_rows() == 32);
  // Half a scratchpad is 3 * 64 rows. One tile: windows stay for their 2 passes, filters alternate.
  CHECK(traffic.first.filled_rows == 4 * 4);
  CHECK(traffic.second.filled_rows == 3 * 4 * 2);
  // A: 9 positions of 4 channels; W: 12 positions of 4 channels; GO: 4 positions of 3 channels.
  CHECK(traffic.output_rows == 4);
  CHECK(traffic.raw.sram_written_rows == 9 + 12);
  CHECK(traffic.raw.transposed_blocks == 0);
  CHECK(traffic.raw.transposer_cycles == 0);
  // Raw: 36 and 48 elements of 2 bytes, 12 of 4. Compressed: A 5 mask bytes and 10 values; W
  // would be 6 + 96 and goes raw; so does GO, which would be 2 + 48.
  CHECK(traffic.raw.read_bytes == 72 + 96);
  CHECK(traffic.raw.written_bytes == 48);
  CHECK(traffic.compressed.read_bytes == 25 + 96);
  CHECK(traffic.compressed.written_bytes == 48);
  // 25.6 GB/s at 500 MHz are 51.2 bytes a cycle: 216 / 51.2 = 4.2, 169 / 51.2 = 3.3.
  CHECK(traffic.raw.dram_cycles == 5);
  CHECK(traffic.compressed.dram_cycles == 4);
  CHECK(traffic.dense_raw_cycles == 16);
  CHECK(traffic.dense_cycles == 16);
  CHECK(traffic.cycles == 10);
}

TEST_CASE("memory: two tiles hold copies of the windows, each its own filters") {
  const OpCycles cycles = cycles_of(Which::second, 8, 8);
  const MemoryTraffic traffic = memory_traffic(layer_2x2(), Op::fwd, on_tiles(small_config(), 2),
                                               kTestClock_MHz, cycles, small_contents());
  // Passes 0 and 2 (filters 0 and 1) run on tile 0, passes 1 and 3 (filter 2) on tile 1.
  CHECK(traffic.first.filled_rows == 4 * 4 * 2);
  CHECK(traffic.second.filled_rows == 3 * 4);
  CHECK(traffic.first.total_scratchpad_read_rows() == 32);
}

TEST_CASE("memory: streams that do not fit half a scratchpad are filled for every pass") {
  Config config = small_config();
  const OpCycles cycles = cycles_of(Which::second, 16, 16);
  // Banks of 4 rows, half of them 2: 3 * 2 rows hold the 4. Banks of 3 rows, half 1: they do not.
  config.accelerator.scratchpad_bank_bytes = 4 * 8;
  CHECK(memory_traffic(layer_2x2(), Op::fwd, config, kTestClock_MHz, cycles, small_contents())
            .first.filled_rows == 16);
  config.accelerator.scratchpad_bank_bytes = 3 * 8;
  const MemoryTraffic traffic =
      memory_traffic(layer_2x2(), Op::fwd, config, kTestClock_MHz, cycles, small_contents());
  CHECK(traffic.first.filled_rows == 32);
  CHECK(traffic.second.filled_rows == 24);
}

TEST_CASE("memory: operands that fit neither half of the SRAM come again, in the cheaper order") {
  Config config = small_config();
  config.accelerator.sram_banks = 1;
  config.accelerator.sram_bank_bytes =
      8 * 8;  // 8 rows, half of them 4: A's 9 and W's 12 take 3 parts each
  const OpCycles cycles = cycles_of(Which::second, 16, 16);
  MemoryTraffic traffic =
      memory_traffic(layer_2x2(), Op::fwd, config, kTestClock_MHz, cycles, small_contents());
  // Raw: A once and W 3 times 72 + 288 = 360, or W once and A 3 times 96 + 216 = 312.
  CHECK(traffic.raw.first_fetches == 3);
  CHECK(traffic.raw.second_fetches == 1);
  CHECK(traffic.raw.read_bytes == 312);
  CHECK(traffic.raw.sram_written_rows == 3 * 9 + 12);
  // Compressed: 25 + 3 * 96 = 313, or 96 + 3 * 25 = 171.
  CHECK(traffic.compressed.first_fetches == 3);
  CHECK(traffic.compressed.read_bytes == 171);
  // With a W of zeros only, 6 bytes of mask: 25 + 3 * 6 = 43, or 6 + 3 * 25 = 81.
  traffic = memory_traffic(layer_2x2(), Op::fwd, config, kTestClock_MHz, cycles, {10, 0});
  CHECK(traffic.raw.read_bytes == 312);
  CHECK(traffic.compressed.first_fetches == 1);
  CHECK(traffic.compressed.second_fetches == 3);
  CHECK(traffic.compressed.read_bytes == 43);
  CHECK(traffic.compressed.sram_written_rows == 9 + 3 * 12);
  // Half of 16 rows hold neither, half of 24 hold W: both come once.
  config.accelerator.sram_bank_bytes = 24 * 8;
  traffic = memory_traffic(layer_2x2(), Op::fwd, config, kTestClock_MHz, cycles, small_contents());
  CHECK(traffic.raw.read_bytes == 72 + 96);
  // So do both when three tiles have 8 rows each.
  config.accelerator.sram_bank_bytes = 8 * 8;
  traffic = memory_traffic(layer_2x2(), Op::fwd, on_tiles(config, 3), kTestClock_MHz, cycles,
                           small_contents());
  CHECK(traffic.raw.read_bytes == 72 + 96);
}

TEST_CASE("memory: operands of groups only have to fit group by group") {
  // A [1,8,1,8] and W [8,4,1,1] in 2 groups: 16 rows of A, 8 of W, half of them in each group.
  td::sim::Conv conv;
  conv.groups = 2;
  const LayerInfo layer = conv_layer({1, 8, 1, 8}, {8, 4, 1, 1}, conv);
  Config config = small_config();
  config.accelerator.sram_banks = 1;
  const auto raw = [&](std::int64_t bank_rows) {
    config.accelerator.sram_bank_bytes = bank_rows * 8;
    return memory_traffic(layer, Op::fwd, config, kTestClock_MHz, cycles_of(Which::second, 1, 1),
                          contents_of(layer, Op::fwd, 10, 10))
        .raw;
  };
  // Half of 8 rows holds the 4 of W's group, half of 6 neither: 3 parts of A, 2 of W.
  CHECK(raw(8).read_bytes == 128 + 64);
  CHECK(raw(6).read_bytes == 128 + 3 * 64);
  CHECK(raw(6).second_fetches == 3);
}

TEST_CASE("memory: transposed operands, worked out by hand") {
  const Config config = small_config();
  const OpCycles cycles = cycles_of(Which::second, 1, 1);
  const auto blocks = [&](const LayerInfo& layer, Op op) {
    const TensorContents contents = contents_of(layer, op, 10, 10);
    return memory_traffic(layer, op, config, kTestClock_MHz, cycles, contents)
        .raw.transposed_blocks;
  };
  // W [3,4,2,2]: one block at each of 4 kernel positions.
  CHECK(blocks(layer_2x2(), Op::dgrad) == 4);
  // A: 9 positions make 3 blocks of 4, of 4 channels; GO: 4 positions of 3 channels make 1.
  CHECK(blocks(layer_2x2(), Op::wgrad) == 3 + 1);
  // W [9,6]: 3 by 2 blocks. A [5,6] and GO [5,9]: 2 by 2 and 2 by 3.
  CHECK(blocks(linear_layer(5, 6, 9), Op::dgrad) == 6);
  CHECK(blocks(linear_layer(5, 6, 9), Op::wgrad) == 4 + 6);
  CHECK(blocks(linear_layer(5, 6, 9), Op::fwd) == 0);
  // Two groups of 5 filters by 3 channels: 2 blocks each.
  td::sim::Conv conv;
  conv.groups = 2;
  CHECK(blocks(conv_layer({1, 6, 1, 1}, {10, 3, 1, 1}, conv), Op::dgrad) == 2 * 2);
}

TEST_CASE("memory: output gradients that come in once are dgrad's to read") {
  Config config = small_config();
  config.accelerator.sram_banks = 1;
  config.accelerator.sram_bank_bytes = 8 * 8;  // half of them holds neither operand
  const auto run = [&](Op op, const TensorContents& contents) {
    return memory_traffic(layer_2x2(), op, config, kTestClock_MHz, cycles_of(Which::second, 1, 1),
                          contents, {td::sim::ChipOrder::gradients});
  };
  // GO 12, W 48, A 36 elements of 2 bytes; GO with 4 values: 2 mask bytes and 8.
  const MemoryTraffic dgrad = run(Op::dgrad, {4, 48});
  CHECK(dgrad.raw.read_bytes == 24 + 96);
  CHECK(dgrad.compressed.read_bytes == 10 + 96);
  const MemoryTraffic wgrad = run(Op::wgrad, {36, 4});
  CHECK(wgrad.raw.read_bytes == 72);
  CHECK(wgrad.compressed.read_bytes == 72);
  // Rows of all three are written once, GO's as they are and turned: 3 squares of A, 1 of GO.
  CHECK(dgrad.compressed.sram_written_rows == 4 + 4 * 4);
  CHECK(wgrad.compressed.sram_written_rows == 3 * 4 + 4);
  CHECK(wgrad.compressed.transposed_blocks == 4);
}

TEST_CASE("memory: transposers and DRAM bound the cycles") {
  Config config = small_config();
  const OpCycles cycles = cycles_of(Which::second, 16, 10);
  const auto traffic = [&] {
    return memory_traffic(layer_2x2(), Op::wgrad, config, kTestClock_MHz, cycles,
                          contents_of(layer_2x2(), Op::wgrad, 0, 0));
  };
  // 4 blocks of 4 rows in 4 of the 15 transposers at once.
  CHECK(traffic().raw.transposer_cycles == 4);
  config.accelerator.transposers = 3;
  CHECK(traffic().raw.transposer_cycles == 8);
  // A block has 32 bytes: with buffers of 16, two transposers work on one.
  config.accelerator.transposer_buffer_bytes = 16;
  CHECK(traffic().raw.transposer_cycles == 12);
  CHECK(traffic().cycles == 12);
  CHECK(traffic().dense_cycles == 16);
  // A channel of 8 bits, 25 MT/s, 80 %: 0.04 bytes a cycle. Raw: A 72, GO 24, GW 192 bytes.
  config.accelerator.dram_MT_per_s = 25;
  config.accelerator.dram_channels = 1;
  config.accelerator.dram_channel_bits = 8;
  config.accelerator.dram_efficiency_percent = 80;
  CHECK(traffic().raw.read_bytes == 96);
  CHECK(traffic().raw.written_bytes == 192);
  CHECK(traffic().raw.dram_cycles == 288 * 25);
  CHECK(traffic().dense_raw_cycles == 7200);
  // Masks only of the operands, 5 and 2 bytes; results come raw.
  CHECK(traffic().compressed.written_bytes == 192);
  CHECK(traffic().compressed.dram_cycles == 199 * 25);
  CHECK(traffic().dense_cycles == 4975);
  CHECK(traffic().cycles == 4975);
}

TEST_CASE("memory: DRAM cycles are exact beyond 2^53, at the bounds of clock and DRAM") {
  Config config = small_config();
  config.accelerator.dram_MT_per_s = 20000;
  config.accelerator.dram_channels = 1024;
  config.accelerator.dram_channel_bits = 1024;
  config.accelerator.dram_efficiency_percent = 99;
  // 2^30 + 2^30 + 2^60 elements; bf16 operands, fp32 results: 2^32 + 2^62 bytes.
  const std::int64_t size = std::int64_t{1} << 30;
  const LayerInfo layer = linear_layer(size, 1, size);
  const MemoryTraffic traffic = memory_traffic(layer, Op::fwd, on_tiles(config, 1 << 20), 5000,
                                               cycles_of(Which::second, 1, 1), {size, size});
  CHECK(traffic.raw.read_bytes == std::int64_t{1} << 32);
  CHECK(traffic.raw.written_bytes == std::int64_t{1} << 62);
  // ceil(4611686022722355200 * 800 * 5000 / (20000 * 1024 * 1024 * 99)).
  CHECK(traffic.raw.dram_cycles == 8884942454950);
}

TEST_CASE("memory: contents that the tensors cannot have are refused") {
  const Config config = small_config();
  const OpCycles cycles = cycles_of(Which::second, 1, 1);
  const auto traffic = [&](const TensorContents& contents) {
    return memory_traffic(layer_2x2(), Op::fwd, config, kTestClock_MHz, cycles, contents);
  };
  CHECK_NOTHROW(traffic({36, 48}));
  CHECK_THROWS_AS(traffic({37, 48}), std::invalid_argument);
  CHECK_THROWS_AS(traffic({36, -1}), std::invalid_argument);
}

TEST_CASE(
    "memory traffic: rows lie on the chip as streams have them, bytes come and leave as told") {
  const td::sim::LayerInfo layer = td::unit::conv_layer({2, 3, 9, 9}, {4, 3, 3, 3}, {});
  const td::sim::LayerInfo shared = td::sim::with_shared_rows(layer);
  const td::Config config = on_tiles(small_config(), 1);
  const auto run = [&](const td::sim::ChipPlan& plan) {
    return memory_traffic(layer, Op::fwd, config, kTestClock_MHz, cycles_of(Which::second, 1, 1),
                          {100, 100}, plan);
  };
  const MemoryTraffic plain = run({});
  const MemoryTraffic as_streams = run({td::sim::ChipOrder::operands, &shared});
  const std::int64_t lanes = config.lanes;
  // 81 positions of 3 channels; 49 windows of 27 elements. Filters have 9 positions, or 27
  // elements.
  const td::sim::OffChip& before = plain.compressed;
  const td::sim::OffChip& after = as_streams.compressed;
  CHECK(before.first_written_rows == before.first_fetches * 2 * 81 * ((3 + lanes - 1) / lanes));
  CHECK(after.first_written_rows == after.first_fetches * 2 * 49 * ((27 + lanes - 1) / lanes));
  CHECK(after.sram_written_rows - after.first_written_rows ==
        after.second_fetches * 4 * ((27 + lanes - 1) / lanes));
  const std::int64_t element = width(config.format) / 8;
  CHECK(after.read_bytes == after.first_fetches * std::min(486 * element, 61 + 100 * element) +
                                after.second_fetches * std::min(108 * element, 14 + 100 * element));
  CHECK(as_streams.output_rows == plain.output_rows);
  const td::sim::LeavingResult result{5, 3};
  const MemoryTraffic told = run({td::sim::ChipOrder::operands, nullptr, &result});
  CHECK(told.compressed.written_bytes == 5);
  CHECK(told.compressed.read_bytes == before.read_bytes + 3);
  CHECK(told.raw.written_bytes == plain.raw.written_bytes);
  CHECK(told.raw.read_bytes == plain.raw.read_bytes);
}
