// SPDX-License-Identifier: Apache-2.0
// The model's fused sums, judged by exact integers, and by the bound that a tree of adders has.
#include "verify/leaf/fused/fused.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/arithmetic/fused_sum.hpp"
#include "sim/trace/trace.hpp"
#include "sim/trace/trace_tensor.hpp"

namespace {

using td::leaf::Layout;
using td::leaf::Operands;
using td::leaf::Random;
using Pairs = std::vector<Operands>;
namespace exact = td::leaf::exact;

constexpr Layout kLayouts[] = {{8, 23}, {8, 7}, {5, 10}, {3, 1}, {2, 2}};

std::uint32_t model(Layout layout, int lanes, const Pairs& pairs, std::uint32_t accumulator) {
  td::sim::FusedRow row({layout.exponent, layout.fraction, lanes});
  for (const Operands pair : pairs) row.see(pair.a, pair.b);
  for (const Operands pair : pairs) row.add(pair.a, pair.b);
  return row.accumulate(accumulator);
}

bool finite(Layout layout, std::uint32_t bits) {
  return ((bits >> layout.fraction) & layout.exponent_mask()) != layout.exponent_mask();
}

/// Wrong results, and how many results the bound was asked about.
struct Tally {
  int wrong = 0, outside = 0, bounded = 0;

  std::uint32_t judge(Layout layout, int lanes, const Pairs& pairs, std::uint32_t accumulator) {
    const std::uint32_t result = model(layout, lanes, pairs, accumulator);
    wrong += result != exact::fused(layout, lanes, pairs, accumulator);
    const bool all_finite = std::all_of(pairs.begin(), pairs.end(), [&](Operands pair) {
      return finite(layout, pair.a) && finite(layout, pair.b);
    });
    if (all_finite && finite(td::leaf::binary32, accumulator) &&
        finite(td::leaf::binary32, result)) {
      ++bounded;
      outside += !exact::within_tree_bound(layout, lanes, pairs, accumulator, result);
    }
    return result;
  }
};

/// Any bits; or near exponents, where all places of the products meet; or subnormals.
std::uint32_t operand(Random& random, Layout layout, int kind) {
  const std::uint32_t any = random.bits() & layout.mask();
  const std::uint32_t exponents = layout.exponent_mask() << layout.fraction;
  if (kind == 0) return any;
  if (random.below(8) == 0) return any & ~exponents;
  const std::uint32_t middle = layout.exponent_mask() / 2;
  const std::uint32_t spread = std::min(kind == 1 ? 2U : 40U, middle - 1);
  const std::uint32_t exponent = middle - spread + random.below(2 * spread + 1);
  return (any & ~exponents) | (exponent << layout.fraction);
}

/// Pairs of a row; in half of the rows each second product cancels another, but for a last place.
Pairs row(Random& random, Layout layout, int lanes) {
  const int kind = static_cast<int>(random.below(3));
  const bool cancels = random.below(2) == 0;
  Pairs pairs;
  for (std::uint32_t busy = random.below(static_cast<std::uint32_t>(lanes) + 1); busy > 0; --busy) {
    Operands pair{operand(random, layout, kind), operand(random, layout, kind)};
    if (cancels && pairs.size() % 2 == 1) {
      pair = pairs.back();
      pair.a ^= 1U << (layout.width() - 1);
      pair.b ^= random.below(2);
    }
    pairs.push_back(pair);
  }
  return pairs;
}

/// -result, or a few places off: what is left shows every place that was kept.
std::uint32_t opposite(Random& random, std::uint32_t result) {
  return (result ^ 0x80000000) + random.below(5) - 2;
}

}  // namespace

TEST_CASE("fused sum: the model's are those of exact integers, within the tree's bound") {
  Random random(1);
  for (const Layout layout : kLayouts) {
    Tally tally;
    for (int i = 0; i < 20'000; ++i) {
      const int lanes = random.between(2, i % 8 == 0 ? 64 : 16);
      const Pairs pairs = row(random, layout, lanes);
      const std::uint32_t from_zero = tally.judge(layout, lanes, pairs, 0);
      tally.judge(layout, lanes, pairs, random.bits());
      tally.judge(layout, lanes, pairs, opposite(random, from_zero));
      tally.judge(layout, lanes, pairs, from_zero ^ (random.below(4) << 23));
      // A larger accumulator, of which most of the row is below the last place.
      tally.judge(layout, lanes, pairs, from_zero + (random.below(40) << 23));
    }
    CAPTURE(layout.fraction);
    CHECK(tally.wrong == 0);
    CHECK(tally.outside == 0);
    CHECK(tally.bounded > 20'000);
  }
}

TEST_CASE("fused sum: neither the order of pairs nor idle lanes change it") {
  Random random(2);
  int different = 0;
  for (int i = 0; i < 5'000; ++i) {
    const Layout layout = kLayouts[i % 3];
    Pairs pairs = row(random, layout, 16);
    const std::uint32_t held = random.bits();
    const std::uint32_t result = model(layout, 16, pairs, held);
    for (std::size_t k = pairs.size(); k > 1; --k) {
      std::swap(pairs[k - 1], pairs[random.below(static_cast<std::uint32_t>(k))]);
    }
    while (pairs.size() < 16) pairs.push_back({0, 0});
    different += model(layout, 16, pairs, held) != result;
  }
  CHECK(different == 0);
}

// Two large products cancel; of fourteen small ones each lane cuts off as much as it can.
TEST_CASE("fused sum: within the tree's bound where all lanes lose and what they lose is all") {
  for (const Layout layout : {Layout{8, 23}, Layout{8, 7}, Layout{5, 10}}) {
    const std::uint32_t bias = layout.exponent_mask() / 2;
    const auto power = [&](std::uint32_t below) { return (bias - below) << layout.fraction; };
    Tally tally;
    for (std::uint32_t below = 0; below / 2 + 1 < bias && below < 80; ++below) {
      const Operands small{power(below / 2) | layout.fraction_mask(),
                           power(below - below / 2) | layout.fraction_mask()};
      Pairs pairs(14, small);
      pairs.push_back({power(0), power(0)});
      pairs.push_back({power(0), power(0) | (1U << (layout.width() - 1))});
      const std::uint32_t left = tally.judge(layout, 16, pairs, 0);
      tally.judge(layout, 16, pairs, left ^ 0x80000000);
    }
    CHECK(tally.wrong == 0);
    CHECK(tally.outside == 0);
    CHECK(tally.bounded > 20);
  }
}

TEST_CASE("fused sum: the bound is one: two units off are outside") {
  const Pairs pairs = {{0x3f800000, 0x3f800000}};
  CHECK(exact::within_tree_bound({8, 23}, 4, pairs, 0, 0x3f800001));
  CHECK(!exact::within_tree_bound({8, 23}, 4, pairs, 0, 0x3f800002));
}

TEST_CASE("fused sum: by hand") {
  const Layout fp32{8, 23};
  const std::uint32_t one = 0x3f800000;
  const auto sum = [&](const Pairs& pairs, std::uint32_t held) {
    return model(fp32, 4, pairs, held);
  };
  CHECK(sum({}, one) == one);
  CHECK(sum({{one, one}, {one, one | 0x80000000}}, 0) == 0);                     // cancel to +0
  CHECK(sum({{0x80000000, one}}, 0x80000000) == 0);                              // -0 and -0: +0
  CHECK(sum({{0x7f7fffff, one}, {0x7f7fffff, one}}, 0xff7fffff) == 0x7f7fffff);  // above the range
  CHECK(sum({{0x7f7fffff, 0x40000000}}, 0) == 0x7f800000);    // rounds to infinity
  CHECK(sum({{0x7f800000, 0}}, 0) == 0x7fc00000);             // Inf * 0
  CHECK(sum({{0x7f800000, one}}, 0xff800000) == 0x7fc00000);  // Inf - Inf
  CHECK(sum({{0xff800000, one}, {one, one}}, one) == 0xff800000);
  CHECK(sum({{1, one}}, 0) == 1);                  // the least subnormal
  CHECK(sum({{1, 0xbf000000}}, 0) == 0x80000000);  // half of it: to even
  CHECK(sum({{0x4b800000, one}, {one, 0x3f000000}, {one, 0x3f000000}}, 0) == 0x4b800000);
  CHECK(sum({{0x4b800000, one}, {one, one}, {one, 0x33800000}}, 0) == 0x4b800001);  // once
}

TEST_CASE("fused sum: operands of the carried traces") {
  for (const char* name : {"plain", "resnet_pruned"}) {
    const td::sim::Trace trace(std::string(TD_TRACES) + "/" + name + ".safetensors");
    for (const auto& [format, layout] :
         {std::pair(td::Format::bf16, Layout{8, 7}), std::pair(td::Format::fp32, Layout{8, 23})}) {
      Tally tally;
      for (const td::sim::LayerInfo& layer : trace.layers()) {
        const auto a = td::sim::load_bits(trace.tensor(layer, td::sim::Operand::A), format);
        const auto b = td::sim::load_bits(trace.tensor(layer, td::sim::Operand::W), format);
        std::uint32_t held = 0;
        for (std::size_t at = 0; at + 16 <= std::min({a.size(), b.size(), std::size_t{4096}});
             at += 16) {
          Pairs pairs;
          for (std::size_t lane = 0; lane < 16; ++lane) {
            pairs.push_back({a[at + lane], b[at + lane]});
          }
          held = tally.judge(layout, 16, pairs, held);
        }
      }
      CAPTURE(name);
      CHECK(tally.wrong == 0);
      CHECK(tally.outside == 0);
      CHECK(tally.bounded > 500);
    }
  }
}
