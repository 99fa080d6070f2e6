// SPDX-License-Identifier: Apache-2.0
// The mapping: sums over streams equal the definition of each operation, in the documented order.
#include "sim/mapping/mapping.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/support/error.hpp"
#include "verify/unit/mapping/layers.hpp"

namespace {

using td::sim::Block;
using td::sim::LayerInfo;
using td::sim::LayerType;
using td::sim::Mapping;
using td::sim::Op;
using td::sim::Operand;
using td::sim::Shape;
using td::sim::Which;
using td::unit::conv_layer;
using td::unit::linear_layer;
using td::unit::pick;
using td::unit::random_conv;
using Indices = std::vector<std::int64_t>;
using Tensor = std::vector<double>;

Indices gather(const Mapping& mapping, const Block& block, Which which, std::int64_t stream) {
  const auto size = static_cast<std::size_t>(block.rows() * mapping.lanes());
  Indices indices(size + 1, -77);
  mapping.gather_indices(block, which, stream, indices.data());
  REQUIRE(indices.back() == -77);  // nothing beyond its rows
  indices.pop_back();
  return indices;
}

Tensor random_tensor(const Shape& shape, std::mt19937& random) {
  std::uniform_int_distribution<int> value(-4, 4);
  Tensor tensor(static_cast<std::size_t>(td::sim::count(shape)));
  for (double& element : tensor) element = value(random);
  return tensor;
}

/// The three operations from one loop over all products of the forward definition.
struct Results {
  Tensor fwd;
  Tensor dgrad;
  Tensor wgrad;
};

Results by_definition(const LayerInfo& layer, const Tensor& a, const Tensor& w, const Tensor& go) {
  Results results{Tensor(go.size()), Tensor(a.size()), Tensor(w.size())};
  const auto product = [&](std::int64_t in, std::int64_t weight, std::int64_t out) {
    const auto i = static_cast<std::size_t>(in);
    const auto j = static_cast<std::size_t>(weight);
    const auto k = static_cast<std::size_t>(out);
    results.fwd[k] += a[i] * w[j];
    results.dgrad[i] += go[k] * w[j];
    results.wgrad[j] += a[i] * go[k];
  };
  const std::int64_t filters = layer.w[0];
  const std::int64_t channels = layer.w[1];
  if (layer.type == LayerType::linear) {
    for (std::int64_t n = 0; n < layer.a[0]; ++n)
      for (std::int64_t k = 0; k < filters; ++k)
        for (std::int64_t c = 0; c < channels; ++c)
          product(n * channels + c, k * channels + c, n * filters + k);
    return results;
  }
  const td::sim::Conv& conv = layer.conv;
  for (std::int64_t n = 0; n < layer.a[0]; ++n)
    for (std::int64_t k = 0; k < filters; ++k)
      for (std::int64_t c = 0; c < channels; ++c)
        for (std::int64_t p = 0; p < layer.go[2]; ++p)
          for (std::int64_t q = 0; q < layer.go[3]; ++q)
            for (std::int64_t r = 0; r < layer.w[2]; ++r)
              for (std::int64_t s = 0; s < layer.w[3]; ++s) {
                const std::int64_t h = p * conv.stride[0] + r * conv.dilation[0] - conv.padding[0];
                const std::int64_t v = q * conv.stride[1] + s * conv.dilation[1] - conv.padding[1];
                if (h < 0 || h >= layer.a[2] || v < 0 || v >= layer.a[3]) continue;
                const std::int64_t of_a = k / (filters / conv.groups) * channels + c;
                product(((n * layer.a[1] + of_a) * layer.a[2] + h) * layer.a[3] + v,
                        ((k * channels + c) * layer.w[2] + r) * layer.w[3] + s,
                        ((n * filters + k) * layer.go[2] + p) * layer.go[3] + q);
              }
  return results;
}

double dot(const Tensor& first, const Tensor& second, const Indices& i, const Indices& j) {
  double sum = 0;
  for (std::size_t slot = 0; slot < i.size(); ++slot) {
    if (i[slot] < 0 || j[slot] < 0) continue;
    sum +=
        first.at(static_cast<std::size_t>(i[slot])) * second.at(static_cast<std::size_t>(j[slot]));
  }
  return sum;
}

/// Every output once, as the sum of its two streams.
Tensor by_streams(const Mapping& mapping, const Tensor& first, const Tensor& second) {
  Tensor result(static_cast<std::size_t>(td::sim::count(mapping.output_shape())));
  std::vector<int> made(result.size());
  for (const Block& block : mapping.blocks()) {
    std::vector<Indices> seconds;
    for (std::int64_t y = 0; y < block.second_streams; ++y) {
      seconds.push_back(gather(mapping, block, Which::second, y));
    }
    for (std::int64_t x = 0; x < block.first_streams; ++x) {
      const Indices indices = gather(mapping, block, Which::first, x);
      for (std::int64_t y = 0; y < block.second_streams; ++y) {
        const auto output = static_cast<std::size_t>(mapping.output_index(block, x, y));
        result.at(output) = dot(first, second, indices, seconds[static_cast<std::size_t>(y)]);
        ++made.at(output);
      }
    }
  }
  CHECK(made == std::vector<int>(made.size(), 1));
  return result;
}

void check_layer_sums(const LayerInfo& layer, int lanes, std::mt19937& random) {
  const Tensor a = random_tensor(layer.a, random);
  const Tensor w = random_tensor(layer.w, random);
  const Tensor go = random_tensor(layer.go, random);
  const Results expected = by_definition(layer, a, w, go);
  CAPTURE(td::sim::to_string(layer.a));
  CAPTURE(td::sim::to_string(layer.w));
  CAPTURE(td::sim::to_string(layer.go));
  CAPTURE(lanes);
  CHECK(by_streams(Mapping(layer, Op::fwd, lanes), a, w) == expected.fwd);
  CHECK(by_streams(Mapping(layer, Op::dgrad, lanes), go, w) == expected.dgrad);
  CHECK(by_streams(Mapping(layer, Op::wgrad, lanes), a, go) == expected.wgrad);
}

std::vector<std::int64_t> all_rows(const Mapping& mapping) {
  std::vector<std::int64_t> rows;
  for (const Block& block : mapping.blocks()) rows.push_back(block.segment_rows);
  return rows;
}

}  // namespace

TEST_CASE("mapping: sums over streams equal the definition, random convolutions") {
  std::mt19937 random(20);
  for (int i = 0; i < 400; ++i) {
    const int lanes[] = {2, 3, 4, 16};
    check_layer_sums(random_conv(random), lanes[i % 4], random);
  }
}

TEST_CASE("mapping: sums over streams equal the definition, linear layers") {
  std::mt19937 random(21);
  for (int i = 0; i < 80; ++i) {
    const int lanes[] = {2, 3, 4, 16};
    const LayerInfo layer =
        linear_layer(pick(random, 1, 20), pick(random, 1, 40), pick(random, 1, 40));
    check_layer_sums(layer, lanes[i % 4], random);
  }
}

TEST_CASE("mapping: a stride larger than the input, and a padding larger than the kernel") {
  std::mt19937 random(22);
  td::sim::Conv conv;
  conv.stride[0] = 5;
  conv.stride[1] = 7;
  const LayerInfo layer = conv_layer({1, 2, 3, 2}, {2, 2, 3, 1}, conv);
  check_layer_sums(layer, 4, random);
  CHECK(Mapping(layer, Op::dgrad, 4).blocks().size() == 3 * 2);  // one phase an input position
  conv.padding[0] = conv.padding[1] = 9;
  check_layer_sums(conv_layer({1, 2, 3, 2}, {2, 2, 3, 1}, conv), 4, random);
}

TEST_CASE("mapping: fwd walks H, then W, blocks of channels fastest") {
  const LayerInfo layer = conv_layer({1, 3, 3, 2}, {1, 3, 2, 2}, {});
  const Mapping mapping(layer, Op::fwd, 2);
  CHECK(mapping.first() == Operand::A);
  CHECK(mapping.second() == Operand::W);
  REQUIRE(mapping.blocks().size() == 1);
  const Block& block = mapping.blocks()[0];
  CHECK(block.first_streams == 2);
  CHECK(block.second_streams == 1);
  CHECK(block.segments == 1);
  CHECK(block.segment_rows == 8);
  // A is [c][h][w] with 6 elements a channel; the window at p = 1 begins at h = 1.
  CHECK(gather(mapping, block, Which::first, 1) ==
        Indices{2, 8, 14, -1, 4, 10, 16, -1, 3, 9, 15, -1, 5, 11, 17, -1});
  CHECK(gather(mapping, block, Which::second, 0) ==
        Indices{0, 4, 8, -1, 2, 6, 10, -1, 1, 5, 9, -1, 3, 7, 11, -1});
}

TEST_CASE("mapping: windows count along H first") {
  const LayerInfo layer = conv_layer({1, 1, 3, 2}, {1, 1, 1, 1}, {});
  const Mapping fwd(layer, Op::fwd, 2);
  const Mapping dgrad(layer, Op::dgrad, 2);
  const Indices expected = {0, 2, 4, 1, 3, 5};
  for (std::int64_t window = 0; window < 6; ++window) {
    const std::int64_t index = expected[static_cast<std::size_t>(window)];
    CHECK(gather(fwd, fwd.blocks()[0], Which::first, window) == Indices{index, -1});
    CHECK(gather(dgrad, dgrad.blocks()[0], Which::first, window) == Indices{index, -1});
    CHECK(fwd.output_index(fwd.blocks()[0], window, 0) == index);
    CHECK(dgrad.output_index(dgrad.blocks()[0], window, 0) == index);
  }
}

TEST_CASE("mapping: dgrad walks the rotated kernel") {
  const LayerInfo layer = conv_layer({1, 3, 3, 2}, {1, 3, 2, 2}, {});
  const Mapping mapping(layer, Op::dgrad, 2);
  CHECK(mapping.first() == Operand::GO);
  CHECK(mapping.second() == Operand::W);
  REQUIRE(mapping.blocks().size() == 1);
  const Block& block = mapping.blocks()[0];
  CHECK(block.first_streams == 6);
  CHECK(block.second_streams == 3);
  CHECK(block.segment_rows == 4);
  // Input position h = 1, w = 1: GO(0,0) by W(1,1), GO(1,0) by W(0,1), then the right padding.
  CHECK(gather(mapping, block, Which::first, 4) == Indices{0, -1, 1, -1, -1, -1, -1, -1});
  CHECK(gather(mapping, block, Which::second, 2) == Indices{11, -1, 9, -1, 10, -1, 8, -1});
  CHECK(mapping.output_index(block, 4, 2) == 2 * 6 + 1 * 2 + 1);
}

TEST_CASE("mapping: wgrad flattens positions along H, one segment an image") {
  const LayerInfo layer = conv_layer({2, 1, 3, 3}, {1, 1, 2, 2}, {});
  const Mapping mapping(layer, Op::wgrad, 3);
  CHECK(mapping.first() == Operand::A);
  CHECK(mapping.second() == Operand::GO);
  REQUIRE(mapping.blocks().size() == 4);
  const Block& block = mapping.blocks()[1];  // kernel offset r = 1, s = 0
  CHECK(block.segments == 2);
  CHECK(block.segment_rows == 2);
  CHECK(block.rows() == 4);
  CHECK(gather(mapping, block, Which::first, 0) ==
        Indices{3, 6, 4, 7, -1, -1, 12, 15, 13, 16, -1, -1});
  CHECK(gather(mapping, block, Which::second, 0) ==
        Indices{0, 2, 1, 3, -1, -1, 4, 6, 5, 7, -1, -1});
  CHECK(mapping.output_index(block, 0, 0) == 2);
}

TEST_CASE("mapping: wgrad samples A at the stride, padding is filled in") {
  td::sim::Conv conv;
  conv.stride[0] = 2;
  conv.padding[0] = conv.padding[1] = 1;
  const LayerInfo layer = conv_layer({1, 1, 4, 2}, {1, 1, 3, 3}, conv);
  REQUIRE(layer.go == Shape{1, 1, 2, 2});
  const Mapping mapping(layer, Op::wgrad, 4);
  // Offset (0,0): h = 2p - 1, w = q - 1; offset (2,1): h = 2p + 1, w = q.
  CHECK(gather(mapping, mapping.blocks()[0], Which::first, 0) == Indices{-1, -1, -1, 2});
  CHECK(gather(mapping, mapping.blocks()[5], Which::first, 0) == Indices{2, 6, 3, 7});
}

TEST_CASE("mapping: linear layers run windows across the batch and pack it into lanes") {
  const LayerInfo layer = linear_layer(5, 3, 4);
  const Mapping fwd(layer, Op::fwd, 2);
  REQUIRE(fwd.blocks().size() == 1);
  CHECK(fwd.blocks()[0].first_streams == 5);
  CHECK(fwd.blocks()[0].second_streams == 4);
  CHECK(fwd.blocks()[0].segment_rows == 2);
  CHECK(gather(fwd, fwd.blocks()[0], Which::first, 4) == Indices{12, 13, 14, -1});
  CHECK(gather(fwd, fwd.blocks()[0], Which::second, 1) == Indices{3, 4, 5, -1});
  const Mapping dgrad(layer, Op::dgrad, 3);
  CHECK(dgrad.blocks()[0].first_streams == 5);
  CHECK(dgrad.blocks()[0].second_streams == 3);
  CHECK(dgrad.blocks()[0].segment_rows == 2);
  CHECK(gather(dgrad, dgrad.blocks()[0], Which::first, 1) == Indices{4, 5, 6, 7, -1, -1});
  CHECK(gather(dgrad, dgrad.blocks()[0], Which::second, 2) == Indices{2, 5, 8, 11, -1, -1});
  const Mapping wgrad(layer, Op::wgrad, 2);
  REQUIRE(wgrad.blocks().size() == 1);
  CHECK(wgrad.blocks()[0].segments == 1);
  CHECK(wgrad.blocks()[0].segment_rows == 3);
  CHECK(gather(wgrad, wgrad.blocks()[0], Which::first, 1) == Indices{1, 4, 7, 10, 13, -1});
  CHECK(gather(wgrad, wgrad.blocks()[0], Which::second, 3) == Indices{3, 7, 11, 15, 19, -1});
  CHECK(wgrad.output_index(wgrad.blocks()[0], 1, 3) == 10);
}

TEST_CASE("mapping: rows of a stream follow the formulas") {
  td::sim::Conv conv;
  conv.padding[0] = 1;
  conv.groups = 2;
  const LayerInfo layer = conv_layer({3, 40, 7, 9}, {66, 20, 3, 5}, conv);
  REQUIRE(layer.go == Shape{3, 66, 7, 5});
  const Mapping fwd(layer, Op::fwd, 16);
  CHECK(fwd.blocks().size() == 6);
  CHECK(all_rows(fwd) == Indices(6, 3 * 5 * 2));  // 20 channels: 2 blocks of 16
  CHECK(fwd.blocks()[0].first_streams == 35);
  CHECK(fwd.blocks()[0].second_streams == 33);
  const Mapping dgrad(layer, Op::dgrad, 16);
  CHECK(all_rows(dgrad) == Indices(6, 3 * 5 * 3));  // 33 filters: 3 blocks of 16
  CHECK(dgrad.blocks()[0].first_streams == 63);
  CHECK(dgrad.blocks()[0].second_streams == 20);
  const Mapping wgrad(layer, Op::wgrad, 16);
  CHECK(all_rows(wgrad) == Indices(2 * 15, 3));  // 35 positions: 3 rows of 16
  CHECK(wgrad.blocks()[0].segments == 3);
  CHECK(wgrad.blocks()[0].rows() == 9);
  CHECK(wgrad.blocks()[0].first_streams == 20);
  CHECK(wgrad.blocks()[0].second_streams == 33);
}

TEST_CASE("mapping: blocks come group by group, then image, then phase or offset along H") {
  td::sim::Conv conv;
  conv.groups = 2;
  conv.stride[0] = 2;
  conv.stride[1] = 2;
  const LayerInfo layer = conv_layer({2, 2, 4, 4}, {2, 1, 2, 2}, conv);
  const Mapping dgrad(layer, Op::dgrad, 2);
  REQUIRE(dgrad.blocks().size() == 16);
  for (std::int64_t i = 0; i < 16; ++i) {
    const Block& block = dgrad.blocks()[static_cast<std::size_t>(i)];
    CHECK(block.group == i / 8);
    CHECK(block.image == i / 4 % 2);
    CHECK(block.x == i / 2 % 2);
    CHECK(block.y == i % 2);
  }
  const Mapping wgrad(layer, Op::wgrad, 2);
  REQUIRE(wgrad.blocks().size() == 8);
  for (std::int64_t i = 0; i < 8; ++i) {
    const Block& block = wgrad.blocks()[static_cast<std::size_t>(i)];
    CHECK(block.group == i / 4);
    CHECK(block.x == i / 2 % 2);
    CHECK(block.y == i % 2);
  }
}

TEST_CASE("mapping: phases without kernel positions have no rows and still own their outputs") {
  td::sim::Conv conv;
  conv.stride[0] = 2;
  conv.stride[1] = 2;
  const LayerInfo layer = conv_layer({1, 1, 4, 4}, {20, 1, 1, 1}, conv);
  const Mapping mapping(layer, Op::dgrad, 16);
  CHECK(all_rows(mapping) == Indices{2, 0, 0, 0});
  const Block& odd = mapping.blocks()[3];
  CHECK(odd.first_streams == 4);
  CHECK(gather(mapping, odd, Which::first, 0).empty());
  CHECK(mapping.output_index(odd, 0, 0) == 5);
  CHECK(mapping.output_index(odd, 3, 0) == 15);
  CHECK(dense_cycles(mapping, 4, 4, Which::first) == 2);
}

TEST_CASE("mapping: passes group both operands, the second innermost") {
  const LayerInfo layer = linear_layer(5, 3, 7);
  const Mapping mapping(layer, Op::fwd, 2);
  const Block& block = mapping.blocks()[0];
  CHECK(passes(block, 2, 3, Which::first) == 3 * 3);
  CHECK(passes(block, 2, 3, Which::second) == 2 * 4);
  CHECK(dense_cycles(mapping, 2, 3, Which::first) == 9 * 2);
  CHECK(dense_cycles(mapping, 2, 3, Which::second) == 8 * 2);
  const auto check_pass = [&](Which scheduled, std::int64_t index, const Indices& expected) {
    const td::sim::Pass it = pass(block, 2, 3, scheduled, index);
    CHECK(Indices{it.first_begin, it.first_count, it.second_begin, it.second_count} == expected);
  };
  check_pass(Which::first, 0, {0, 2, 0, 3});
  check_pass(Which::first, 2, {0, 2, 6, 1});
  check_pass(Which::first, 3, {2, 2, 0, 3});
  check_pass(Which::first, 8, {4, 1, 6, 1});
  check_pass(Which::second, 3, {0, 3, 6, 1});
  check_pass(Which::second, 7, {3, 2, 6, 1});
}

TEST_CASE("mapping: lanes and layers that cannot be") {
  CHECK_THROWS_AS(Mapping(linear_layer(1, 1, 1), Op::fwd, 1), td::UserError);
  CHECK_THROWS_AS(Mapping(linear_layer(1, 1, 1), Op::fwd, 65), td::UserError);
  LayerInfo layer = linear_layer(2, 3, 4);
  layer.go = {2, 5};
  CHECK_THROWS_AS(Mapping(layer, Op::fwd, 16), td::UserError);
}
