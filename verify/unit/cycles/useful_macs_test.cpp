// SPDX-License-Identifier: Apache-2.0
// Pairs without a zero: counted by hand, and by walking every stream of the mapping.
#include "sim/masks/useful_macs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "sim/mapping/mapping.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Format;
using td::sim::Block;
using td::sim::Dtype;
using td::sim::LayerInfo;
using td::sim::Op;
using td::sim::useful_macs;
using td::sim::Which;
using td::unit::MemoryOperands;

/// Which elements a stream meets lane by lane; 0 where one is zero or filled in.
std::vector<std::uint32_t> stream(const td::sim::Mapping& mapping, const Block& block, Which which,
                                  std::int64_t number, const std::vector<std::uint32_t>& bits) {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(block.rows() * mapping.lanes()));
  mapping.gather_indices(block, which, number, indices.data());
  std::vector<std::uint32_t> values;
  for (const std::int64_t index : indices) {
    values.push_back(index < 0 ? 0 : bits[static_cast<std::size_t>(index)]);
  }
  return values;
}

std::int64_t walked(const MemoryOperands& source, const LayerInfo& layer, Op op) {
  const td::sim::Mapping mapping(layer, op, 4);
  const std::vector<std::uint32_t> first = source.bits(layer, mapping.first());
  const std::vector<std::uint32_t> second = source.bits(layer, mapping.second());
  std::int64_t pairs = 0;
  for (const Block& block : mapping.blocks()) {
    for (std::int64_t i = 0; i < block.first_streams; ++i) {
      const auto one = stream(mapping, block, Which::first, i, first);
      for (std::int64_t j = 0; j < block.second_streams; ++j) {
        const auto other = stream(mapping, block, Which::second, j, second);
        for (std::size_t k = 0; k < one.size(); ++k) pairs += one[k] & other[k];
      }
    }
  }
  return pairs;
}

void check(const LayerInfo& layer, std::mt19937& random) {
  MemoryOperands source(Dtype::f32);
  source.add(layer, random, 0.4, 0.3, 0.6);
  for (const Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
    CAPTURE(geometry_text(layer));
    CAPTURE(to_string(op));
    CHECK(useful_macs(source, layer, op, Format::bf16) == walked(source, layer, op));
  }
}

}  // namespace

TEST_CASE("useful MACs: a convolution worked out by hand") {
  td::sim::Conv conv;
  conv.padding[1] = 1;
  const LayerInfo layer = td::unit::conv_layer({1, 1, 1, 3}, {1, 1, 1, 3}, conv);
  std::mt19937 random;
  MemoryOperands source;
  source.add(layer, random, 0, 0, 0);
  source.set(layer, td::sim::Operand::A, {0x3f800000, 0x80000000, 0x00010000});
  source.set(layer, td::sim::Operand::W, {0, 0x3f800000, 0x3f800000});
  // Windows (padding, A0, A1), (A0, A1, A2), (A1, A2, padding): -0 is zero, subnormals are not.
  CHECK(useful_macs(source, layer, Op::fwd, Format::bf16) == 1 + 1 + 1);
  CHECK(useful_macs(source, layer, Op::dgrad, Format::bf16) == 3 + 2);
  CHECK(useful_macs(source, layer, Op::wgrad, Format::bf16) == 1 + 2 + 1);
}

TEST_CASE("useful MACs: those of all streams, whatever the layer") {
  std::mt19937 random(57);
  for (int i = 0; i < 40; ++i) check(td::unit::random_conv(random), random);
  for (int i = 0; i < 6; ++i) check(td::unit::odd_conv(random), random);
  for (int i = 0; i < 10; ++i) {
    check(td::unit::linear_layer(td::unit::pick(random, 1, 9), td::unit::pick(random, 1, 30),
                                 td::unit::pick(random, 1, 20)),
          random);
  }
}

TEST_CASE("useful MACs: kernels of one weight, which meet all of a channel's elements or not") {
  std::mt19937 random(61);
  for (const std::int64_t stride : {1, 2}) {
    for (const std::int64_t padding : {0, 1}) {
      td::sim::Conv conv;
      conv.groups = 2;
      for (std::size_t axis = 0; axis < 2; ++axis) {
        conv.stride[axis] = stride;
        conv.padding[axis] = padding;
      }
      check(td::unit::conv_layer({2, 6, 4, 5}, {4, 3, 1, 1}, conv), random);
    }
  }
}
