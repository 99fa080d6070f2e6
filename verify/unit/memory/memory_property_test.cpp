// SPDX-License-Identifier: Apache-2.0
// Memory traffic: the closed forms against a walk over all passes and elements, and what must hold
// for any layer on any hardware.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/mapping/mapping.hpp"
#include "sim/memory/memory.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_data.hpp"

namespace {

using td::Config;
using td::sim::Block;
using td::sim::LayerInfo;
using td::sim::LayerType;
using td::sim::Mapping;
using td::sim::MemoryTraffic;
using td::sim::OffChip;
using td::sim::Op;
using td::sim::OpCycles;
using td::sim::Operand;
using td::sim::Pass;
using td::sim::Shape;
using td::sim::TensorContents;
using td::sim::Which;
using td::unit::contents_of;
using td::unit::conv_layer;
using td::unit::cycles_of;
using td::unit::linear_layer;
using Counts = std::vector<std::int64_t>;

int pick(std::mt19937& random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

/// A layer whose kernel fits.
LayerInfo random_layer(std::mt19937& random) {
  if (pick(random, 0, 3) == 0)
    return linear_layer(pick(random, 1, 20), pick(random, 1, 40), pick(random, 1, 40));
  td::sim::Conv conv;
  conv.groups = pick(random, 1, 3);
  Shape a = {pick(random, 1, 3), conv.groups * pick(random, 1, 7), 0, 0};
  Shape w = {conv.groups * pick(random, 1, 6), a[1] / conv.groups, 0, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    conv.stride[i] = pick(random, 1, 3);
    conv.padding[i] = pick(random, 0, 3);
    conv.dilation[i] = pick(random, 1, 2);
    w[2 + i] = pick(random, 1, 4);
    const auto reach = static_cast<int>(conv.dilation[i] * (w[2 + i] - 1) + 1);
    a[2 + i] = pick(random, std::max(1, reach - 2 * static_cast<int>(conv.padding[i])), 8);
  }
  return conv_layer(a, w, conv);
}

Op random_op(std::mt19937& random) {
  const Op ops[] = {Op::fwd, Op::dgrad, Op::wgrad};
  return ops[pick(random, 0, 2)];
}

/// A tile, with scratchpads and an SRAM that some streams and operands fit and others do not.
struct Hardware {
  Config config;
};

constexpr std::int64_t kClock_MHz = 500;

Hardware random_hardware(std::mt19937& random) {
  Hardware hardware;
  Config& config = hardware.config;
  config.lanes = pick(random, 2, 16);
  config.rows = pick(random, 1, 4);
  config.columns = pick(random, 1, 4);
  config.depth = pick(random, 1, 5);
  config.format = pick(random, 0, 1) == 0 ? td::Format::fp32 : td::Format::bf16;
  config.output = pick(random, 0, 1) == 0 ? td::Format::fp32 : td::Format::bf16;
  hardware.config.accelerator.scratchpad_bank_bytes = pick(random, 1, 40) * 64;
  hardware.config.accelerator.sram_banks = pick(random, 1, 4);
  hardware.config.accelerator.sram_bank_bytes = pick(random, 2, 20) * 64;
  hardware.config.accelerator.tiles = pick(random, 1, 9);
  return hardware;
}

Which random_side(std::mt19937& random) {
  return pick(random, 0, 1) == 0 ? Which::first : Which::second;
}

/// The rows of both sides, one pass after the other, one row after the other.
struct Walk {
  Walk(const Mapping& mapping, const Hardware& hardware, Which scheduled)
      : first(static_cast<std::size_t>(hardware.config.depth)),
        second(static_cast<std::size_t>(hardware.config.depth)) {
    const Config& config = hardware.config;
    const std::int64_t row_bytes = config.lanes * td::width(config.format) / 8;
    // Row r of the stream in use lies in one half of bank r mod D.
    const std::int64_t bank_rows =
        hardware.config.accelerator.scratchpad_bank_bytes / row_bytes / 2;
    std::map<std::int64_t, std::pair<std::int64_t, Pass>> last;  // of each tile
    std::int64_t block_number = 0;
    std::int64_t number = 0;
    for (const Block& block : mapping.blocks()) {
      ++block_number;  // 0: none yet
      const bool fits = (block.rows() + config.depth - 1) / config.depth <= bank_rows;
      const std::int64_t count = td::sim::passes(block, config.rows, config.columns, scheduled);
      for (std::int64_t index = 0; index < count; ++index, ++number) {
        const Pass pass = td::sim::pass(block, config.rows, config.columns, scheduled, index);
        auto& before = last[number % hardware.config.accelerator.tiles];
        const bool same_block = fits && before.first == block_number;
        const bool first_there = same_block && before.second.first_begin == pass.first_begin;
        const bool second_there = same_block && before.second.second_begin == pass.second_begin;
        walk(first, block.rows(), pass.first_count, first_there, filled_first);
        walk(second, block.rows(), pass.second_count, second_there, filled_second);
        before = {block_number, pass};
      }
    }
  }

  static void walk(Counts& banks, std::int64_t rows, std::int64_t streams, bool there,
                   std::int64_t& filled) {
    for (std::int64_t stream = 0; stream < streams; ++stream) {
      for (std::int64_t row = 0; row < rows; ++row) {
        ++banks[static_cast<std::size_t>(row) % banks.size()];
        if (!there) ++filled;
      }
    }
  }

  Counts first;
  Counts second;
  std::int64_t filled_first = 0;
  std::int64_t filled_second = 0;
};

/// Rows in the SRAM, and blocks to turn, by looking at every element of a tensor.
struct Layout {
  Layout(const LayerInfo& layer, Operand operand, int lanes) {
    const Shape& shape = layer.shape(operand);
    const bool conv = layer.type == LayerType::conv2d;
    const std::int64_t positions = conv ? shape[2] * shape[3] : 1;
    const std::int64_t group_size = shape[0] / layer.conv.groups;
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> found_rows;
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>> found_blocks;
    for (std::int64_t i = 0; i < shape[0]; ++i) {
      for (std::int64_t c = 0; c < shape[1]; ++c) {
        for (std::int64_t p = 0; p < positions; ++p) {
          found_rows.insert({i, p, c / lanes});
          if (operand == Operand::W) {
            found_blocks.insert({i / group_size, i % group_size / lanes, p, c / lanes});
          } else if (conv) {
            found_blocks.insert({i, p / lanes, 0, c / lanes});
          } else {
            found_blocks.insert({i / lanes, 0, 0, c / lanes});
          }
        }
      }
    }
    rows = static_cast<std::int64_t>(found_rows.size());
    blocks = static_cast<std::int64_t>(found_blocks.size());
  }

  std::int64_t rows = 0;
  std::int64_t blocks = 0;
};

bool turned(Op op, Operand operand) {
  return op == Op::wgrad || (op == Op::dgrad && operand == Operand::W);
}

}  // namespace

TEST_CASE("memory: closed forms equal a walk over all passes and all elements") {
  std::mt19937 random(31);
  int stays = 0;
  int leaves = 0;
  int fetched_again = 0;
  for (int i = 0; i < 3000; ++i) {
    const LayerInfo layer = random_layer(random);
    const Op op = random_op(random);
    const Hardware hardware = random_hardware(random);
    const Which scheduled = random_side(random);
    const int lanes = hardware.config.lanes;
    CAPTURE(i);
    const Mapping mapping(layer, op, lanes);
    const MemoryTraffic traffic =
        memory_traffic(layer, op, hardware.config, kClock_MHz, cycles_of(scheduled, 1, 1),
                       contents_of(layer, op, 10, 10));
    const Walk walk(mapping, hardware, scheduled);
    CHECK(traffic.first.scratchpad_read_rows == walk.first);
    CHECK(traffic.second.scratchpad_read_rows == walk.second);
    CHECK(traffic.first.filled_rows == walk.filled_first);
    CHECK(traffic.second.filled_rows == walk.filled_second);
    const bool reused = traffic.first.filled_rows < traffic.first.total_scratchpad_read_rows();
    ++(reused ? stays : leaves);
    const Layout first(layer, mapping.first(), lanes);
    const Layout second(layer, mapping.second(), lanes);
    const std::int64_t first_rows = turned(op, mapping.first()) ? first.blocks * lanes : first.rows;
    const std::int64_t second_rows =
        turned(op, mapping.second()) ? second.blocks * lanes : second.rows;
    const OffChip& raw = traffic.raw;
    if (raw.first_fetches + raw.second_fetches > 2) ++fetched_again;
    CHECK(std::min(raw.first_fetches, raw.second_fetches) == 1);
    CHECK(raw.sram_written_rows ==
          raw.first_fetches * first_rows + raw.second_fetches * second_rows);
    CHECK(raw.transposed_blocks ==
          (turned(op, mapping.first()) ? raw.first_fetches * first.blocks : 0) +
              (turned(op, mapping.second()) ? raw.second_fetches * second.blocks : 0));
    const Operand output = op == Op::fwd ? Operand::GO : op == Op::dgrad ? Operand::A : Operand::W;
    CHECK(traffic.output_rows == Layout(layer, output, lanes).rows);
  }
  // The walk has been through both sides of each rule.
  CHECK(stays > 100);
  CHECK(leaves > 100);
  CHECK(fetched_again > 100);
}

/// The fewest raw bytes of wgrad with the sums of parts of channels and filters kept, by trying all
/// sizes of both; the operands' own order too.
std::int64_t least_raw_bytes(const LayerInfo& layer, const Config& config, const OffChip& other,
                             std::int64_t first_bytes, std::int64_t second_bytes) {
  const td::sim::Shape& weights = layer.shape(Operand::W);
  const std::int64_t positions = weights.size() == 4 ? weights[2] * weights[3] : 1;
  const std::int64_t filters = weights[0] / layer.conv.groups;
  const auto& machine = config.accelerator;
  const std::int64_t sums = machine.tiles * machine.sram_banks *
                            (machine.sram_bank_bytes / (4 * config.lanes)) / 2 * config.lanes;
  std::int64_t least = other.read_bytes;
  for (std::int64_t c = 1; c <= weights[1]; ++c) {
    for (std::int64_t k = 1; k <= filters; ++k) {
      if (c * k * positions > sums) continue;
      const std::int64_t first_times = (filters + k - 1) / k;
      const std::int64_t second_times = (weights[1] + c - 1) / c;
      least = std::min(least, first_times * first_bytes + second_times * second_bytes);
    }
  }
  return least;
}

TEST_CASE("memory: where results may stay, wgrad takes the fewest bytes") {
  std::mt19937 random(33);
  int fewer = 0;
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    const LayerInfo layer = random_layer(random);
    const Op op = random_op(random);
    const Hardware hardware = random_hardware(random);
    const auto run = [&](td::sim::ChipOrder order) {
      return memory_traffic(layer, op, hardware.config, kClock_MHz, cycles_of(Which::first, 1, 1),
                            contents_of(layer, op, 10, 10), {order});
    };
    const OffChip operands = run(td::sim::ChipOrder::operands).raw;
    const MemoryTraffic results = run(td::sim::ChipOrder::results);
    const std::int64_t bytes = width(hardware.config.format) / 8;
    const std::int64_t first =
        bytes * td::sim::count(layer.shape(td::sim::operand(op, Which::first)));
    const std::int64_t second =
        bytes * td::sim::count(layer.shape(td::sim::operand(op, Which::second)));
    const std::int64_t least =
        op == Op::wgrad ? least_raw_bytes(layer, hardware.config, operands, first, second)
                        : operands.read_bytes;
    CHECK(results.raw.read_bytes == least);
    CHECK(results.raw.read_bytes >= first + second);
    CHECK(results.raw.read_bytes ==
          results.raw.first_fetches * first + results.raw.second_fetches * second);
    fewer += results.raw.read_bytes < operands.read_bytes ? 1 : 0;
  }
  CHECK(fewer > 50);
}

TEST_CASE("memory: values change compressed traffic only, and never above raw") {
  std::mt19937 random(32);
  for (int i = 0; i < 1000; ++i) {
    const LayerInfo layer = random_layer(random);
    const Op op = random_op(random);
    const Hardware hardware = random_hardware(random);
    const OpCycles cycles = cycles_of(random_side(random), 1, 1);
    const auto traffic = [&](const TensorContents& contents) {
      return memory_traffic(layer, op, hardware.config, kClock_MHz, cycles, contents);
    };
    CAPTURE(i);
    const MemoryTraffic dense = traffic(contents_of(layer, op, 10, 10));
    const MemoryTraffic some =
        traffic(contents_of(layer, op, pick(random, 0, 10), pick(random, 0, 10)));
    CHECK(dense.compressed.read_bytes == dense.raw.read_bytes);
    CHECK(dense.compressed.written_bytes == dense.raw.written_bytes);
    CHECK(dense.compressed.dram_cycles == dense.raw.dram_cycles);
    CHECK(some.compressed.read_bytes <= some.raw.read_bytes);
    CHECK(some.compressed.written_bytes == some.raw.written_bytes);
    CHECK(some.compressed.read_bytes > 0);
    CHECK(some.first.scratchpad_read_rows == dense.first.scratchpad_read_rows);
    CHECK(some.second.scratchpad_read_rows == dense.second.scratchpad_read_rows);
    CHECK(some.first.filled_rows == dense.first.filled_rows);
    CHECK(some.second.filled_rows == dense.second.filled_rows);
    CHECK(some.output_rows == dense.output_rows);
    CHECK(some.raw.read_bytes == dense.raw.read_bytes);
    CHECK(some.raw.written_bytes == dense.raw.written_bytes);
    CHECK(some.raw.sram_written_rows == dense.raw.sram_written_rows);
    CHECK(some.raw.transposed_blocks == dense.raw.transposed_blocks);
  }
}

TEST_CASE("memory: more SRAM, banks or tiles never mean more DRAM bytes") {
  std::mt19937 random(33);
  int fewer = 0;
  for (int i = 0; i < 4000; ++i) {
    const LayerInfo layer = random_layer(random);
    const Op op = random_op(random);
    Hardware hardware = random_hardware(random);
    const OpCycles cycles = cycles_of(random_side(random), 1, 1);
    const TensorContents contents = contents_of(layer, op, pick(random, 0, 10), 5);
    const auto traffic = [&] {
      return memory_traffic(layer, op, hardware.config, kClock_MHz, cycles, contents);
    };
    const MemoryTraffic before = traffic();
    const int grown = pick(random, 0, 2);
    if (grown == 0) hardware.config.accelerator.sram_bank_bytes += 64 * pick(random, 0, 40);
    if (grown == 1) hardware.config.accelerator.sram_banks += pick(random, 0, 4);
    if (grown == 2) hardware.config.accelerator.tiles += pick(random, 0, 4);
    const MemoryTraffic after = traffic();
    CAPTURE(i);
    CHECK(after.raw.read_bytes <= before.raw.read_bytes);
    CHECK(after.compressed.read_bytes <= before.compressed.read_bytes);
    if (after.raw.read_bytes < before.raw.read_bytes) ++fewer;
  }
  CHECK(fewer > 100);
}
