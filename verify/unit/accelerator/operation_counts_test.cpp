// SPDX-License-Identifier: Apache-2.0
// The bound of an operation's clocks: by hand, and with operands of which not all is needed.
#include "sim/accelerator/steps/operation_counts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "base/configuration/preset.hpp"
#include "sim/accelerator/steps/bound.hpp"
#include "verify/unit/accelerator/operation_case.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Config;
using td::sim::LayerInfo;
using td::sim::Op;
using td::sim::Operand;
using td::sim::OperationCounts;
using td::sim::StepLayout;
using td::sim::Which;
using td::unit::MemoryOperands;

/// One tile of 2x2 PEs of 4 lanes: a beat is 8 bytes, 4 elements of bf16 or 2 of binary32.
Config small_config() {
  return td::unit::config_of(
      "[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = 1\n"
      "[accelerator.sram]\nbanks = 1\nbank_bytes = 4096\n");
}

OperationCounts counts_of(const Config& config, const LayerInfo& layer, Op op, double zeros,
                          bool wide, bool dense = false, bool packed = false) {
  std::mt19937 random(5);
  MemoryOperands source;
  source.add(layer, random, zeros, zeros, zeros);
  td::sim::StepOptions options;
  options.wide = wide;
  options.packed = packed;
  const StepLayout layout(config, source, {}, options);
  const auto& operations = layout.operations();
  const auto placed = std::find_if(operations.begin(), operations.end(),
                                   [&](const auto& one) { return one.op == op; });
  REQUIRE(placed != operations.end());
  td::sim::StepOperation operation{
      *placed, layout.plans(*placed, {Which::second, dense, zeros}).dropping, {}, {}, {}};
  operation.jobs = td::sim::Planner(layout.geometry())
                       .add(layout.operation(*placed), operation.cut, placed->placement);
  return count_operation(config, source, operation, wide, {});
}

/// Elements of all that meet, one by one.
std::int64_t met(const LayerInfo& layer, Operand operand) {
  const td::sim::Conv& conv = layer.conv;
  std::vector<bool> is_met(static_cast<std::size_t>(td::sim::count(layer.shape(operand))));
  const td::sim::Shape& shape = layer.shape(operand);
  for (std::int64_t y = 0; y < layer.go[2]; ++y) {
    for (std::int64_t x = 0; x < layer.go[3]; ++x) {
      for (std::int64_t v = 0; v < layer.w[2]; ++v) {
        for (std::int64_t u = 0; u < layer.w[3]; ++u) {
          const std::int64_t a_y = y * conv.stride[0] + v * conv.dilation[0] - conv.padding[0];
          const std::int64_t a_x = x * conv.stride[1] + u * conv.dilation[1] - conv.padding[1];
          if (a_y < 0 || a_y >= layer.a[2] || a_x < 0 || a_x >= layer.a[3]) continue;
          const std::int64_t row = operand == Operand::A ? a_y : operand == Operand::W ? v : y;
          const std::int64_t column = operand == Operand::A ? a_x : operand == Operand::W ? u : x;
          for (std::int64_t plane = 0; plane < shape[0] * shape[1]; ++plane) {
            is_met[static_cast<std::size_t>((plane * shape[2] + row) * shape[3] + column)] = true;
          }
        }
      }
    }
  }
  return std::count(is_met.begin(), is_met.end(), true);
}

}  // namespace

TEST_CASE("operation counts: the bound by hand") {
  const Config config = small_config();
  // 8 inputs of 16 channels, 2 filters: operands have (128 + 32) / 4 beats.
  OperationCounts counts = counts_of(config, td::unit::linear_layer(8, 16, 2), Op::fwd, 0, false);
  CHECK(counts.slowest_steps() < 40);
  CHECK(counts.bound == 40);
  // 16 x 16 results of one channel: (16 + 16) / 4 beats of operands, 64 passes of a row; results
  // have 256 / 4 beats, or 256 / 2 as binary32.
  counts = counts_of(config, td::unit::linear_layer(16, 1, 16), Op::fwd, 0, false);
  CHECK(counts.slowest_steps() == 64);
  CHECK(counts.bound == 64);
  counts = counts_of(config, td::unit::linear_layer(16, 1, 16), Op::fwd, 0, true);
  CHECK(counts.bound == 128);
  // 16 x 16 results of 64 channels: 64 passes of 16 rows.
  counts = counts_of(config, td::unit::linear_layer(16, 64, 16), Op::fwd, 0, false);
  CHECK(counts.bound == 1024);
  CHECK(counts.clocks >= 1024);
}

TEST_CASE("operation counts: what no element meets need not be read") {
  const Config config = small_config();
  td::sim::Conv conv;
  conv.stride[0] = conv.stride[1] = 2;
  // One row and column in two: 8 * 5 * 5 of 8 * 10 * 10, and 8 weights; 2 results a position.
  OperationCounts counts = counts_of(
      config, td::unit::conv_layer({1, 8, 10, 10}, {1, 8, 1, 1}, conv), Op::fwd, 0.99, false);
  CHECK(counts.bound == (8 * 25 + 8) / 4);
  // Gradients of padding: 4 x 2 of 10 x 8.
  conv = {};
  conv.padding[0] = conv.padding[1] = 3;
  counts = counts_of(config, td::unit::conv_layer({3, 4, 4, 2}, {4, 4, 1, 1}, conv), Op::dgrad,
                     0.99, false);
  CHECK(counts.bound == (3 * 4 * 8 + 16) / 4);
}

TEST_CASE("operation counts: tiles that stores held up are late until they have caught up") {
  // As many clocks as the Verilog takes, alone: tdaccel_accel_quad step --layer dilated --op fwd.
  td::sim::Conv conv;
  conv.dilation[0] = conv.dilation[1] = 2;
  conv.padding[0] = conv.padding[1] = 2;
  const LayerInfo layer = td::unit::conv_layer({1, 32, 12, 12}, {32, 32, 3, 3}, conv);
  const Config config = td::find_config("accel_quad");
  CHECK(counts_of(config, layer, Op::fwd, 0, false, true).clocks == 1869);
  CHECK(counts_of(config, layer, Op::dgrad, 0, false, true).clocks == 1963);
}

TEST_CASE("operation counts: a bus that takes longer than the tiles hardly rests") {
  td::sim::Conv conv;
  conv.groups = 8;
  const LayerInfo layer = td::unit::conv_layer({1, 8 * 512, 512, 1}, {8 * 64, 512, 1, 1}, conv);
  const OperationCounts counts =
      counts_of(td::find_config("accel_quad"), layer, Op::wgrad, 0.5, false, true);
  CHECK(counts.beats.read > counts.slowest_steps());
  CHECK(counts.port == counts.beats.read);
  CHECK(counts.clocks < 1.1 * static_cast<double>(counts.beats.read));
}

TEST_CASE("operation counts: no operation takes less than its bound, whatever its layer") {
  std::mt19937 random(92);
  int by_operands = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    const Config config = td::unit::random_accelerator(random);
    const LayerInfo layer = i % 2 == 0 ? td::unit::odd_conv(random) : td::unit::random_conv(random);
    const td::Geometry geometry = td::geometry_of(config);
    const std::int64_t beat_bytes = geometry.beat_bytes();
    const std::int64_t result_bytes =
        geometry.wide_only() ? geometry.wide_bytes() : geometry.element_bytes();
    for (const Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
      const OperationCounts counts = counts_of(config, layer, op, 0.9, false);
      CHECK(counts.bound <= counts.clocks);
      CHECK(counts.port <= counts.clocks);
      const std::int64_t operands = (met(layer, td::sim::operand(op, Which::first)) +
                                     met(layer, td::sim::operand(op, Which::second))) *
                                    geometry.element_bytes();
      const std::int64_t results =
          td::sim::count(layer.shape(td::sim::result_like(op))) * result_bytes;
      const std::int64_t beats = (std::max(operands, results) + beat_bytes - 1) / beat_bytes;
      CHECK(counts.bound == std::max(beats, counts.slowest_steps()));
      by_operands += operands > results && beats > counts.slowest_steps() ? 1 : 0;
    }
  }
  CHECK(by_operands > 50);
}

TEST_CASE("operation counts: packed, no operation takes less than its bound either") {
  std::mt19937 random(93);
  const Config config = td::find_config("accel_quad");
  const auto pick = [&](int from, int to) { return td::unit::pick(random, from, to); };
  int less = 0;
  for (int i = 0; i < 20; ++i) {
    CAPTURE(i);
    // Few filters, or few images: the bus binds.
    const LayerInfo layer = td::unit::linear_layer(pick(1, 600), pick(30, 300), pick(1, 8));
    for (const Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
      const double zeros = pick(3, 9) / 10.0;
      const OperationCounts counts = counts_of(config, layer, op, zeros, false, false, true);
      CHECK(counts.bound <= counts.clocks);
      CHECK(counts.port <= counts.clocks);
      less += counts.bound < counts_of(config, layer, op, zeros, false).bound ? 1 : 0;
    }
  }
  CHECK(less > 10);
}

TEST_CASE("operation counts: the bound of packed operands by hand") {
  td::Geometry geometry = td::geometry_of(small_config());
  geometry.unpack_rows = 2;
  std::array<td::sim::PackedBlocks, 3> packed = {};
  packed[0] = td::sim::PackedBlocks(geometry, {8, 32, 16});
  // 192 images of a row, 8 filters of one, which is raw: a row is a beat.
  const auto linear =
      td::sim::least_beats(geometry, td::unit::linear_layer(192, 4, 8), Op::fwd, false, packed);
  CHECK(linear.read == 8 + 32 + 16 + 8);
  // One position in four of 192: that they are in the shortest blocks is not known not to be.
  td::sim::Conv conv;
  conv.stride[0] = conv.stride[1] = 2;
  const auto strided = td::sim::least_beats(
      geometry, td::unit::conv_layer({3, 4, 8, 8}, {4, 4, 1, 1}, conv), Op::fwd, false, packed);
  CHECK(strided.read == 48 * 8 / 64 + 4);
}
