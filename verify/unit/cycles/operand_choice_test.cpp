// SPDX-License-Identifier: Apache-2.0
// The choice of the scheduled operand: zeros counted by hand, with padding, corners and ties.
#include "sim/cycles/operand_choice.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Format;
using td::sim::LayerInfo;
using td::sim::Op;
using td::sim::Shape;
using td::sim::Which;
using td::unit::conv_layer;
using td::unit::linear_layer;
using Indices = std::vector<std::int64_t>;

/// Counts with these bf16 bits as the operands of one operation.
td::sim::ZeroShares shares_of(const LayerInfo& layer, Op op, std::vector<std::uint32_t> first,
                              std::vector<std::uint32_t> second) {
  std::mt19937 random;
  td::unit::MemoryOperands source;
  source.add(layer, random, 0, 0, 0);
  for (std::uint32_t& bits : first) bits <<= 16;
  for (std::uint32_t& bits : second) bits <<= 16;
  source.set(layer, operand(op, Which::first), first);
  source.set(layer, operand(op, Which::second), second);
  return zero_shares(layer, op, count_zeros(source, layer, Format::bf16));
}

}  // namespace

TEST_CASE("operand choice: zeros are counted with the padding, the first must win") {
  const auto counts = [](const LayerInfo& layer, Op op, const std::vector<std::uint32_t>& first,
                         const std::vector<std::uint32_t>& second) {
    const td::sim::ZeroShares shares = shares_of(layer, op, first, second);
    return Indices{shares.first.zeros, shares.first.elements, shares.second.zeros,
                   shares.second.elements};
  };
  const std::vector<std::uint32_t> a = {0x3f80, 0, 0x8000, 1};  // -0 is zero, subnormals are not
  const std::vector<std::uint32_t> w(9, 0x3f80);
  td::sim::Conv conv;
  conv.padding[0] = conv.padding[1] = 1;
  LayerInfo layer = conv_layer({1, 1, 2, 2}, {1, 1, 3, 3}, conv);
  const std::vector<std::uint32_t> go = {0, 0, 0x3f80, 0x3f80};
  CHECK(counts(layer, Op::fwd, a, w) == Indices{14, 16, 0, 9});
  CHECK(counts(layer, Op::dgrad, go, w) == Indices{14, 16, 0, 9});
  // The corner of padded A holds three zeros of the padding and A(0,0).
  CHECK(counts(layer, Op::wgrad, a, go) == Indices{3, 4, 2, 4});
  // Where the stride leaves a remainder, there is one line less, in that dimension alone.
  layer.conv.stride[0] = 2;
  layer = conv_layer(layer.a, layer.w, layer.conv);
  REQUIRE(layer.go == Shape{1, 1, 1, 2});
  CHECK(counts(layer, Op::fwd, a, w) == Indices{10, 12, 0, 9});
  CHECK(counts(layer, Op::dgrad, {0x3f80, 0}, w) == Indices{7, 8, 0, 9});
  CHECK(counts(layer, Op::wgrad, a, {0x3f80, 0}) == Indices{2, 2, 1, 2});
  // No padding, no line less; batch and channels count together.
  conv = {};
  conv.stride[0] = conv.stride[1] = 2;
  layer = conv_layer({1, 1, 2, 2}, {1, 1, 1, 1}, conv);
  CHECK(counts(layer, Op::fwd, a, {0}) == Indices{2, 4, 1, 1});
  CHECK(counts(layer, Op::wgrad, a, {0}) == Indices{0, 1, 1, 1});
  layer = linear_layer(2, 2, 1);
  CHECK(counts(layer, Op::fwd, a, {0, 1}) == Indices{2, 4, 1, 2});
  CHECK(counts(layer, Op::wgrad, a, {0, 1}) == Indices{2, 4, 1, 2});
  // A tie goes to the second, and exactly equal shares are a tie.
  CHECK(shares_of(layer, Op::fwd, a, {0, 1}).scheduled() == Which::second);
  CHECK(shares_of(layer, Op::fwd, a, {1, 1}).scheduled() == Which::first);
  CHECK(shares_of(layer, Op::fwd, a, {0, 0}).scheduled() == Which::second);
}

TEST_CASE("operand choice: the corner skips what stride and dilation leave out") {
  td::sim::Conv conv;
  conv.dilation[0] = conv.dilation[1] = 2;
  conv.padding[0] = 1;
  const LayerInfo layer = conv_layer({2, 2, 5, 6}, {2, 2, 2, 3}, conv);
  REQUIRE(layer.go == Shape{2, 2, 5, 2});
  std::vector<std::uint32_t> a(120, 0x3f80);
  const std::vector<std::uint32_t> go(40, 0x3f80);
  // 4 planes of 5 x 2, of which the first line is padding.
  CHECK(shares_of(layer, Op::wgrad, a, go).first.zeros == 8);
  a[2] = 0;        // outside the corner
  a[24] = 0;       // its line 4 is line 5 of the padded image: outside
  a[30 + 19] = 0;  // line 3, column 1 of plane 1
  const td::sim::ZeroShares shares = shares_of(layer, Op::wgrad, a, go);
  CHECK(shares.first.zeros == 9);
  CHECK(shares.first.elements == 40);
}
