// SPDX-License-Identifier: Apache-2.0
// Layout of tensors in memory: places by hand, and there and back.
#include "sim/accelerator/layout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "sim/accelerator/unrolled_layer.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace {

using td::sim::Operand;
using td::sim::TensorLayout;
using td::unit::Bits;

td::Geometry geometry(td::Format format) {
  td::Geometry result;
  result.lanes = 4;
  result.format = format;
  return result;
}

Bits numbered(std::int64_t count) {
  Bits bits(static_cast<std::size_t>(count));
  std::iota(bits.begin(), bits.end(), 1U);
  return bits;
}

Bits words(const std::vector<std::uint8_t>& memory) {
  Bits result(memory.size() / 4);
  std::memcpy(result.data(), memory.data(), memory.size());
  return result;
}

}  // namespace

TEST_CASE("layout: images, x, y, channels in whole blocks of a group") {
  td::sim::Conv conv;
  conv.groups = 2;
  // Two groups of one channel, of 2 x 3 positions, numbered 1..6 and 7..12.
  const auto layer = td::unit::conv_layer({1, 2, 2, 3}, {6, 1, 1, 1}, conv);
  const TensorLayout a(layer, Operand::A, geometry(td::Format::fp32));
  CHECK(a.bytes() == 6 * 2 * 16);
  CHECK(words(a.pack(numbered(12))) == Bits{1, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 10, 0, 0, 0,
                                            2, 0, 0, 0, 8, 0, 0, 0, 5, 0, 0, 0, 11, 0, 0, 0,
                                            3, 0, 0, 0, 9, 0, 0, 0, 6, 0, 0, 0, 12, 0, 0, 0});
  // Three filters of a group, and one that fills up the block.
  const TensorLayout w(layer, Operand::W, geometry(td::Format::fp32));
  CHECK(words(w.pack(numbered(6))) == Bits{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,
                                           4, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("layout: the batch of a linear layer is a height") {
  const auto layer = td::unit::linear_layer(2, 5, 1);
  const TensorLayout a(layer, Operand::A, geometry(td::Format::bf16));
  CHECK(a.height() == 2);
  CHECK(a.outer() == 1);
  CHECK(a.row_bytes() == 8);
  CHECK(words(a.pack(numbered(10))) == Bits{0x20001, 0x40003, 5, 0, 0x70006, 0x90008, 10, 0});
  const TensorLayout wide(layer, Operand::A, geometry(td::Format::bf16), true);
  CHECK(wide.row_bytes() == 16);
}

TEST_CASE("layout: a first layer's kernel columns are channels") {
  td::sim::Conv conv;
  conv.stride[1] = 2;
  conv.padding[1] = 1;
  // Two channels of 1 x 5 positions, numbered 1..5 and 6..10; three windows of three.
  auto layer = td::unit::conv_layer({1, 2, 1, 5}, {1, 2, 1, 3}, conv);
  td::Geometry eight = geometry(td::Format::fp32);
  eight.lanes = 8;
  CHECK_FALSE(td::sim::is_unrolled(layer, 8));  // its input needs a gradient
  layer.needs_input_grad = false;
  CHECK(td::sim::is_unrolled(layer, 8));
  CHECK_FALSE(td::sim::is_unrolled(layer, 4));  // images would take more rows
  CHECK_FALSE(td::sim::is_unrolled(layer, 2));  // windows would not have fewer
  const TensorLayout a(layer, Operand::A, eight);
  CHECK(words(a.pack(numbered(10))) == Bits{0, 0, 1, 6,  2, 7, 0, 0,    // from -1 on,
                                            2, 7, 3, 8,  4, 9, 0, 0,    // from 1 on
                                            4, 9, 5, 10, 0, 0, 0, 0});  // and from 3 on
  const TensorLayout w(layer, Operand::W, eight);
  const std::vector<std::uint8_t> filter = w.pack(numbered(6));
  CHECK(w.rows() == 8);  // one is there, seven fill up the block
  Bits begin = words(filter);
  begin.resize(8);
  CHECK(begin == Bits{1, 4, 2, 5, 3, 6, 0, 0});
  CHECK(w.unpack(filter.data()) == numbered(6));
  CHECK(td::sim::unrolled(layer).w == td::sim::Shape{1, 6, 1, 1});
}

TEST_CASE("layout: random tensors come back, whatever is filled in") {
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    const auto layer = td::unit::random_conv(random);
    const auto operand = static_cast<Operand>(td::unit::pick(random, 0, 2));
    const TensorLayout layout(layer, operand, geometry(td::Format::fp32));
    const Bits bits = numbered(td::sim::count(layer.shape(operand)));
    std::vector<std::uint8_t> memory = layout.pack(bits);
    const Bits filled = words(memory);
    CHECK(static_cast<std::size_t>(std::count(filled.begin(), filled.end(), 0U)) ==
          filled.size() - bits.size());
    CHECK(layout.unpack(memory.data()) == bits);
  }
}
