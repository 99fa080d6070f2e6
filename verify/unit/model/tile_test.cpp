// SPDX-License-Identifier: Apache-2.0
// The reference model of a tile on cases worked by hand: values, cycles, order of sums, flags.
#include "sim/model/tile.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/model/pass_data.hpp"

namespace {

using td::Config;
using td::sim::PassData;
using td::sim::PassResult;
using td::unit::config_of;
using td::unit::pass_of;
using td::unit::Rows;
using td::unit::run;
using td::unit::value_of;

constexpr float kInf = std::numeric_limits<float>::infinity();

/// 4 lanes, depth 2, one PE. A lane reaches its own pair and, a row ahead, its own and that to the
/// right: lanes i and i+1 meet in (1,i+1), so the levels are {0,2} {1,3}. Products are exact.
const std::string kSmall =
    "[tile.numerics]\nformat = \"fp32\"\n[tile]\nlanes = 4\nrows = 1\ncolumns = 1\n";
const std::string kNear = "[tile.interconnect]\ndepth = 2\npattern = [[0, 0], [1, 0], [1, 1]]\n";
/// As above, but only straight ahead: one level.
const std::string kAhead = "[tile.interconnect]\ndepth = 2\npattern = [[0, 0], [1, 0]]\n";
/// Without looking ahead: every row takes a cycle, so sums come in the order of rows.
const std::string kPlain = "[tile.interconnect]\ndepth = 1\n";

const Rows kA = {{2, 3, 5, 7}, {11, 13, 17, 19}, {23, 29, 31, 37}};
const Rows kB = {{1, 0, 0, 2}, {3, 4, 0, 0}, {0, 0, 5, 0}};
// 2*1 + 7*2 + 11*3 + 13*4 + 31*5
constexpr float kSum = 256;

/// Advances, as they happen.
struct Advances : td::sim::StepObserver {
  std::vector<int> tile;
  std::vector<std::vector<int>> rows;
  void on_choice(int, const td::sim::Choice&) override {}
  void on_advance(int advance, const std::vector<int>& row_advance) override {
    tile.push_back(advance);
    rows.push_back(row_advance);
  }
};

/// A tile of `lanes` whose row c gives the sum `sums[c]`, each in a cycle of its own.
float sum_of(const std::vector<float>& sums, const std::string& numerics) {
  Config config = config_of("[tile]\nlanes = 2\nrows = 1\ncolumns = 1\n" + kPlain +
                            "[tile.numerics]\nformat = \"fp32\"\n" + numerics);
  Rows a;
  Rows b;
  for (float sum : sums) {
    a.push_back({sum, 0});
    b.push_back({1, 1});
  }
  const PassResult result = run(config, pass_of(config, a, b));
  CHECK(result.cycles == static_cast<std::int64_t>(sums.size()));
  return value_of(result);
}

/// One row of products, summed by the tree.
float tree_of(const std::vector<float>& products) {
  const Config config = config_of("[tile]\nlanes = " + std::to_string(products.size()) +
                                  "\nrows = 1\ncolumns = 1\n[tile.numerics]\nformat = \"fp32\"\n");
  const std::vector<float> ones(products.size(), 1);
  return value_of(run(config, pass_of(config, {products}, {ones})));
}

}  // namespace

TEST_CASE("tile: elements taken early are not taken again") {
  // Cycle 1, rows 0 and 1: lanes 0 and 3 take their own (2*1, 7*2); lane 2 has nothing in reach;
  //   lane 1 takes (1,1) early (13*4). Row 0 is empty, (1,0) is left: advance 1.
  // Cycle 2, rows 1 and 2: lane 0 takes (1,0) (11*3), lane 2 takes (2,2) early (31*5): advance 2.
  const Config config = config_of(kSmall + kNear);
  Advances advances;
  const PassResult result = run(config, pass_of(config, kA, kB), &advances);
  CHECK(value_of(result) == kSum);
  CHECK(result.cycles == 2);
  CHECK(advances.tile == std::vector<int>{1, 2});
  CHECK(result.skipped == 3 * 4 - 5);
  CHECK(result.nonfinite == std::vector<bool>{false});
}

TEST_CASE("tile: a stream ends before the next begins, both in one accumulator") {
  // Streams of rows {0,1} and {2}. Cycle 1 as above. Cycle 2 sees row 1 only, though row 2 is
  // there: advance 1. Cycle 3, row 2.
  const Config config = config_of(kSmall + kNear);
  Advances advances;
  const PassResult result = run(config, pass_of(config, kA, kB, {2, 1}), &advances);
  CHECK(value_of(result) == kSum);
  CHECK(result.cycles == 3);
  CHECK(advances.tile == std::vector<int>{1, 1, 1});
  CHECK(result.skipped == 3 * 4 - 5);

  // Streams {0} and {1,2}: cycle 1, row 0 only. Cycle 2, rows 1 and 2, all of it: advance 2.
  Advances other;
  const PassResult second = run(config, pass_of(config, kA, kB, {1, 2}), &other);
  CHECK(value_of(second) == kSum);
  CHECK(other.tile == std::vector<int>{1, 2});
}

TEST_CASE("tile: rows advance together, by the smallest advance") {
  // F: a row of ones, E: a row of zeros. Straight ahead only, depth 2.
  //   tile row 0: E E E E F F F F   alone: 2 2 1 1 1 1, six cycles
  //   tile row 1: F F F F E E E E   alone: 1 1 1 2 2 1, six cycles
  // Together: row 1 allows 1, 1, 1 for rows 0, 1, 2; at row 3 both allow 2 (row 0 takes its row 4
  // early); then row 0 allows 1, 1, 1 for rows 5, 6, 7: seven cycles.
  const Config config = config_of(
      "[tile.numerics]\nformat = \"fp32\"\n[tile]\nlanes = 4\nrows = 2\ncolumns = 1\n" + kAhead);
  Rows a;
  Rows b;
  for (int row = 0; row < 8; ++row) {
    const auto option = static_cast<float>(1 << row);
    const float top = row < 4 ? 0.0F : 1.0F;
    a.push_back({option, 0, 0, 0});
    b.push_back({top, top, top, top, 1 - top, 1 - top, 1 - top, 1 - top});
  }
  Advances advances;
  const PassResult result = run(config, pass_of(config, a, b), &advances);
  CHECK(result.cycles == 7);
  CHECK(advances.tile == std::vector<int>{1, 1, 1, 2, 1, 1, 1});
  CHECK(advances.rows ==
        std::vector<std::vector<int>>{{2, 1}, {2, 1}, {2, 1}, {2, 2}, {1, 2}, {1, 2}, {1, 1}});
  CHECK(value_of(result, 0) == 16 + 32 + 64 + 128);
  CHECK(value_of(result, 1) == 1 + 2 + 4 + 8);
  CHECK(result.skipped == 2 * 8 * 4 - 2 * 16);
}

TEST_CASE("tile: every PE has its row's and its column's stream") {
  // One row of four lanes: columns 1 2 3 4 and 10 20 30 40, tile rows 1 1 0 1 and 0 2 0 0.
  const Config config =
      config_of("[tile.numerics]\nformat = \"fp32\"\n[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n");
  const PassResult result =
      run(config, pass_of(config, {{1, 2, 3, 4, 10, 20, 30, 40}}, {{1, 1, 0, 1, 0, 2, 0, 0}}));
  REQUIRE(result.outputs.size() == 4);
  CHECK(value_of(result, 0) == 7);
  CHECK(value_of(result, 1) == 70);
  CHECK(value_of(result, 2) == 4);
  CHECK(value_of(result, 3) == 40);
  CHECK(result.cycles == 1);
}

TEST_CASE("tile: a dense stream drops nothing and costs a cycle for every row") {
  const Config config = config_of(kSmall + kNear);
  PassData pass = pass_of(config, kA, kB, {2, 1});
  pass.dense = {true, false};
  Advances advances;
  const PassResult result = run(config, pass, &advances);
  CHECK(value_of(result) == kSum);
  CHECK(result.cycles == 3);
  CHECK(advances.tile == std::vector<int>{1});  // of the second stream only
  CHECK(result.skipped == 3);                   // of the second stream only
}

TEST_CASE("tile: two_sided drops a pair with a zero on either side") {
  // Row 0: A is zero in lanes 0 and 1, B in lanes 2 and 3. Row 1 is full.
  // One-sided, straight ahead: lanes 0 and 1 are busy with row 0: 2 cycles. Two-sided: 1 cycle.
  const Rows a = {{0, 0, 3, 4}, {5, 6, 7, 8}};
  const Rows b = {{1, 1, 0, 0}, {1, 1, 1, 1}};
  const Config one = config_of(kSmall + kAhead);
  const PassResult dropped_b = run(one, pass_of(one, a, b));
  CHECK(dropped_b.cycles == 2);
  CHECK(dropped_b.skipped == 2);
  CHECK(value_of(dropped_b) == 26);
  const Config two = config_of(kSmall + "scheduling = \"two_sided\"\n" + kAhead);
  const PassResult dropped = run(two, pass_of(two, a, b));
  CHECK(dropped.cycles == 1);
  CHECK(dropped.skipped == 4);
  CHECK(value_of(dropped) == 26);
}

TEST_CASE("tile: partial accumulators take turns, and neighbours are added first") {
  // 2^24 + 1 is a tie and rounds back to 2^24; 2^24 + 3 is one too and rounds to 2^24 + 4.
  const float big = 0x1p24F;
  // One accumulator: each 1 is lost. Two: {big, 1, 1} loses two, {1, 0} adds 1, lost as well.
  CHECK(sum_of({big, 1, 1, 0, 1}, "accumulators = 1") == big);
  CHECK(sum_of({big, 1, 1, 0, 1}, "accumulators = 2") == big);
  // Three: {big, 0} {1, 1} {1}: (big + 2) + 1.
  CHECK(sum_of({big, 1, 1, 0, 1}, "accumulators = 3") == big + 4);
  // Three, one sum each: (big + 1) + 1, not big + (1 + 1).
  CHECK(sum_of({big, 1, 1}, "accumulators = 3") == big);
  // Four, one sum each: (big + 1) + (1 + 1).
  CHECK(sum_of({big, 1, 1, 1}, "accumulators = 4") == big + 2);
  CHECK(sum_of({big, 1, 1, 1}, "accumulators = 1") == big);
  // Eight, of which five are never used.
  CHECK(sum_of({big, 1, 1}, "accumulators = 8") == big);
  CHECK(sum_of({1, 1, big}, "accumulators = 8") == big + 2);
}

TEST_CASE("tile: in the tree neighbours are added first, an odd one out passes on") {
  const float big = 0x1p24F;
  CHECK(tree_of({big, 1, 1, 0}) == big);               // (big + 1) + (1 + 0)
  CHECK(tree_of({big, 0, 1, 1}) == big + 2);           // (big + 0) + (1 + 1)
  CHECK(tree_of({big, 0, 1, 0, 1}) == big);            // ((big + 0) + (1 + 0)) + 1
  CHECK(tree_of({1, 0, 1, 0, big}) == big + 2);        // ((1 + 0) + (1 + 0)) + big
  CHECK(tree_of({big, 0, 0, 0, 1, 0, 1}) == big + 2);  // ... + ((1 + 0) + 1)
  CHECK(tree_of({big, 0, 0, 0, 1, 0, 1, 0}) == big + 2);
  CHECK(tree_of({big, 1, 0}) == big);
}

TEST_CASE("tile: results leave as bfloat16, rounded to nearest even") {
  // Eight significant bits: 1 + 2^-8 and 1 + 3*2^-8 are ties.
  const Config config = config_of(
      "[tile.numerics]\nformat = \"fp32\"\noutput = \"bf16\"\n[tile]\n"
      "lanes = 2\nrows = 1\ncolumns = 3\n");
  const PassResult result =
      run(config, pass_of(config, {{1, 0x1p-8F, 1, 0x3p-8F, 1, 0x1.01p-8F}}, {{1, 1}}));
  CHECK(result.outputs == std::vector<std::uint32_t>{0x3f80, 0x3f82, 0x3f81});
}

TEST_CASE("tile: a dropped pair with Inf or NaN raises the flags, in a dense stream also shows") {
  // Column 1 has an Inf whose partner in both tile rows is zero.
  const Config config =
      config_of("[tile.numerics]\nformat = \"bf16\"\n[tile]\nlanes = 2\nrows = 2\ncolumns = 2\n");
  PassData pass = pass_of(config, {{1, 2, 3, kInf}}, {{1, 0, 2, 0}});
  const PassResult dropped = run(config, pass);
  CHECK(dropped.nonfinite == std::vector<bool>{false, true, false, true});
  CHECK(value_of(dropped, 1) == 3);
  CHECK(value_of(dropped, 3) == 6);
  pass.dense = {true};
  const PassResult dense = run(config, pass);
  CHECK(dense.nonfinite == dropped.nonfinite);
  CHECK(value_of(dense, 0) == 1);
  CHECK(dense.outputs[1] == 0x7fc00000);
  CHECK(dense.outputs[3] == 0x7fc00000);

  // A NaN in the scheduled operand of tile row 0 is no zero: it is multiplied, and flags the row.
  pass = pass_of(config, {{1, 2, 3, 4}}, {{1, std::numeric_limits<float>::quiet_NaN(), 2, 0}});
  const PassResult nan = run(config, pass);
  CHECK(nan.nonfinite == std::vector<bool>{true, true, false, false});
  CHECK(nan.outputs[0] == 0x7fc00000);
  CHECK(value_of(nan, 2) == 2);

  // Finite operands whose product overflows: Inf comes out, but no operand was Inf.
  const PassResult huge = run(config, pass_of(config, {{0x1p127F, 0, 0, 0}}, {{2, 0, 0, 0}}));
  CHECK(huge.outputs[0] == 0x7f800000);
  CHECK(huge.nonfinite[0] == false);
}

TEST_CASE("tile: minus zero is zero, a subnormal is not, and sums of nothing are +0") {
  const Config config = config_of(
      "[tile.numerics]\nformat = \"fp32\"\n[tile]\nlanes = 2\nrows = 1\n"
      "columns = 1\n[tile.interconnect]\ndepth = 3\n");
  const Rows ones = {{1, 1}, {1, 1}, {1, 1}};
  const PassResult skipped = run(config, pass_of(config, ones, {{-0.0F, 0}, {0, -0.0F}, {0, 0}}));
  CHECK(skipped.cycles == 1);
  CHECK(skipped.skipped == 6);
  CHECK(skipped.outputs[0] == 0);
  // Both products are -0; the accumulator starts at +0.
  CHECK(run(config, pass_of(config, {{-0.0F, -0.0F}}, {{1, 1}})).outputs[0] == 0);
  const float least = 0x1p-149F;
  const PassResult kept =
      run(config, pass_of(config, ones, {{least, least}, {least, least}, {least, least}}));
  CHECK(kept.cycles == 3);
  CHECK(kept.outputs[0] == 6);
}
