// SPDX-License-Identifier: Apache-2.0
// Whole operations through planner and functional model: beside a double-precision sum, and bit for
// bit beside plain loops with the same cut.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <vector>

#include "base/support/error.hpp"
#include "sim/accelerator/model/walk_rows.hpp"
#include "sim/accelerator/plan/memory_moves.hpp"
#include "sim/accelerator/unrolled_layer.hpp"
#include "verify/unit/accelerator/expected_results.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace {

using td::sim::Operand;
using td::unit::Bits;
using td::unit::OperationCase;
using td::unit::OperationRun;
using td::unit::pick;

/// What must not change: all memory but the result.
std::vector<std::uint8_t> outside(OperationRun& run) {
  std::vector<std::uint8_t> bytes = run.memory.bytes;
  const auto begin = bytes.begin() + (run.result_bytes() - run.memory.bytes.data());
  std::fill(begin, begin + run.operation.result_layout().bytes(), 0);
  return bytes;
}

}  // namespace

TEST_CASE("accelerator: random operations equal plain loops, and double precision in bounds") {
  std::mt19937 random(17);
  int cut = 0, parts = 0, several_tiles = 0, nonzero = 0, is_unrolled = 0;
  for (int i = 0; i < 300; ++i) {
    const OperationCase what = td::unit::random_case(random, td::unit::random_accelerator(random));
    CAPTURE(i);
    CAPTURE(td::sim::geometry_text(what.layer));
    CAPTURE(td::canonical_toml(what.config));
    CAPTURE(td::sim::to_string(what.op));
    OperationRun run(what);
    const auto before = outside(run);
    const auto end = run.run(what.config, static_cast<std::uint32_t>(pick(random, 0, 9)));
    REQUIRE(end.error == td::sim::ErrorCode::none);
    CHECK(outside(run) == before);
    const Bits results = run.results();
    CHECK(worst_excess(exact(what), results, what.result_format()) <= 0);
    CHECK(results == plain(what, run));
    CHECK(run.counts.bytes_stored > 0);
    nonzero += std::any_of(results.begin(), results.end(), [](auto bits) { return bits != 0; });
    is_unrolled += td::sim::is_unrolled(what.layer, what.config.lanes);
    cut += run.cut.row_super != run.operation.most_rows();
    parts += run.cut.part != run.operation.most_reduction();
    several_tiles +=
        std::count_if(run.compute_counts.tile_cycles.begin(), run.compute_counts.tile_cycles.end(),
                      [](auto cycles) { return cycles > 0; }) > 1;
  }
  CHECK(nonzero > 250);
  CHECK(is_unrolled > 20);
  CHECK(cut > 20);
  CHECK(parts > 20);
  CHECK(several_tiles > 50);
}

TEST_CASE("accelerator: the begin of an operation says what all of its jobs have") {
  std::mt19937 random(71);
  int parts_of_it = 0, stores_close = 0;
  for (int i = 0; i < 80; ++i) {
    const OperationCase what = td::unit::random_case(random, td::unit::random_accelerator(random));
    CAPTURE(i);
    const OperationRun run(what);
    std::int64_t pairs = 0, loaded = 0, stored = 0;
    for (const td::sim::Job& job : run.jobs) {
      for (const td::sim::Descriptor& descriptor : job) {
        if (const auto* load = std::get_if<td::sim::LoadDescriptor>(&descriptor)) {
          loaded += beats_of(run.geometry, *load);
        } else if (const auto* store = std::get_if<td::sim::StoreDescriptor>(&descriptor)) {
          stored += beats_of(run.geometry, *store);
        } else {
          pairs += pairs_of(std::get<td::sim::ComputeDescriptor>(descriptor));
        }
      }
    }
    for (const double share : {0.0, 0.3, 1.0}) {
      CAPTURE(share);
      const td::sim::JobsBegin begin =
          td::sim::Planner(run.geometry).begin(run.operation, run.cut, run.placement, share);
      CHECK(begin.pairs == pairs);
      CHECK(begin.loaded == loaded);
      if (begin.all) {
        CHECK(begin.stored == stored);
        CHECK(begin.jobs[0].size() == run.jobs[0].size());
      }
      parts_of_it += !begin.all;
      stores_close += !begin.all && std::abs(begin.stored - stored) * 10 <= stored;
      // Up to the first compute with which there are enough, the descriptors are the same.
      double taken = 0;
      for (std::size_t k = 0;
           k < begin.jobs[0].size() && taken <= share * static_cast<double>(pairs); ++k) {
        std::vector<std::uint32_t> words[2];
        encode(run.jobs[0][k], words[0]);
        encode(begin.jobs[0][k], words[1]);
        REQUIRE(words[0] == words[1]);
        const auto* compute = std::get_if<td::sim::ComputeDescriptor>(&begin.jobs[0][k]);
        if (compute != nullptr) taken += static_cast<double>(pairs_of(*compute));
      }
    }
  }
  CHECK(parts_of_it > 40);
  CHECK(stores_close * 10 > parts_of_it * 8);
}

TEST_CASE("accelerator: lanes filled in are zeros in results, and filters filled in as they were") {
  std::mt19937 random(53);
  int lanes = 0, filters = 0;
  for (int i = 0; i < 200; ++i) {
    OperationCase what = td::unit::random_case(random, td::unit::random_accelerator(random));
    if (i % 2 == 0) what.op = td::sim::Op::wgrad;
    CAPTURE(i);
    OperationRun run(what);
    REQUIRE(run.run(what.config, 0).error == td::sim::ErrorCode::none);
    const td::sim::TensorLayout& layout = run.operation.result_layout();
    std::vector<std::uint8_t> expected = layout.pack(run.results());
    const std::int64_t groups = what.layer.conv.groups;
    const std::int64_t of_group = layout.outer() / groups, real = what.layer.w[0] / groups;
    const std::int64_t bytes = layout.outer_pitch() * layout.row_bytes();
    for (std::int64_t n = 0; what.op == td::sim::Op::wgrad && n < layout.outer(); ++n) {
      if (n % of_group < real) continue;
      std::fill_n(expected.begin() + n * bytes, bytes, OperationRun::kUntouched);
      ++filters;
    }
    lanes += what.layer.w[1] % run.geometry.lanes != 0;
    CHECK(std::equal(expected.begin(), expected.end(), run.result_bytes()));
  }
  CHECK(lanes > 50);
  CHECK(filters > 50);
}

TEST_CASE("accelerator: batches and filters beyond what positions can say") {
  std::mt19937 random(41);
  for (const td::sim::LayerInfo& layer :
       {td::unit::linear_layer(40000, 3, 2), td::unit::linear_layer(2, 3, 40000),
        td::unit::linear_layer(70000, 3, 2), td::unit::linear_layer(2, 3, 70000)}) {
    for (const td::sim::Op op : {td::sim::Op::fwd, td::sim::Op::dgrad, td::sim::Op::wgrad}) {
      OperationCase what;
      // A box of all rows would fit.
      what.config = td::unit::config_of(
          "[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = 2\n"
          "[accelerator.sram]\nbanks = 2\nbank_bytes = 262144\n");
      what.layer = layer;
      what.op = op;
      what.wide = true;
      for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
        what.operands[static_cast<std::size_t>(operand)] =
            td::unit::random_bits(random, what.config.format, layer, operand, 0.5);
      }
      CAPTURE(td::sim::geometry_text(layer));
      CAPTURE(td::sim::to_string(op));
      OperationRun run(what);
      REQUIRE(run.run(what.config, 0).error == td::sim::ErrorCode::none);
      const Bits results = run.results();
      CHECK(worst_excess(exact(what), results, what.result_format()) <= 0);
      CHECK(results == plain(what, run));
    }
  }
}

TEST_CASE("accelerator: the last rows of a box that is higher than positions can say") {
  const td::Geometry geometry = geometry_of(
      td::unit::config_of("[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = 1\n"
                          "[accelerator.sram]\nbanks = 2\nbank_bytes = 262144\n"));
  const td::sim::Operation operation(td::unit::linear_layer(40000, 4, 4), td::sim::Op::fwd,
                                     geometry, false);
  const td::sim::HeldBox held = {{{0, 1}, {0, 40000}, {0, 1}, {0, 1}}, 0, 0};
  td::sim::OperandWalk walk = operation.rows_walk({}, {{{{39990, 40000}, {0, 1}, {0, 1}}}},
                                                  td::sim::whole(operation.reduction(0)), held);
  walk.blocks = 10;
  std::vector<std::size_t> rows;
  td::sim::walk_rows(geometry, walk, 10, 1,
                     [&](const td::sim::WalkPlace&, std::size_t row) { rows.push_back(row); });
  REQUIRE(rows.size() == 10);
  CHECK(rows.front() == 39990);
  CHECK(rows.back() == 39999);
}

TEST_CASE("accelerator: loads of a box with more rows than a descriptor can count") {
  const td::Geometry geometry = geometry_of(
      td::unit::config_of("[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = 1\n"
                          "[accelerator.sram]\nbanks = 2\nbank_bytes = 262144\n"));
  const td::sim::TensorLayout tensor(td::unit::linear_layer(200000, 8, 4), Operand::A, geometry);
  const td::sim::HeldBox held = {{{1, 2}, {5, 150005}, {0, 1}, {0, 1}}, 7, 0};
  std::int64_t next = 0;
  for (const td::sim::LoadDescriptor& load : loads_of(tensor, 0x1000, held, false)) {
    CHECK(load.row == 7 + next);
    CHECK(load.memory.address == 0x1000 + static_cast<std::uint64_t>((5 + next) * 2 + 1) * 8);
    CHECK(load.memory.rows == 1);
    CHECK(load.memory.segment_pitch == 2 * 8);
    next += load.memory.segments * load.memory.planes;
  }
  CHECK(next == 150000);
}

TEST_CASE("accelerator: stored zeros are counted, and passes with infinities") {
  OperationCase what;
  what.config = td::unit::config_of(
      "[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n"
      "[accelerator]\ntiles = 1\n"
      "[accelerator.sram]\nbanks = 1\nbank_bytes = 4096\n");
  what.layer = td::unit::linear_layer(2, 4, 4);
  what.operands[0] = Bits(8, td::sim::to_bf16(1.0F));
  what.operands[1] = Bits(16, td::sim::to_bf16(0.5F));
  what.operands[2] = Bits(8, 0);
  for (std::size_t i = 0; i < 4; ++i) what.operands[1][i] = 0;  // filter 0: two results are zero
  what.operands[0][0] = 0x7f80;                                 // image 0, with every filter
  OperationRun run(what);
  REQUIRE(run.run(what.config, 0).error == td::sim::ErrorCode::none);
  CHECK(run.counts.results == 8);
  CHECK(run.counts.zeros == 1);  // image 0's is a NaN
  CHECK(run.compute_counts.passes == 2);
  CHECK(run.compute_counts.nonfinite == 2);
  CHECK(run.results() == Bits{0x7fc0, 0x7f80, 0x7f80, 0x7f80, 0, 0x4000, 0x4000, 0x4000});
}

TEST_CASE("accelerator: what computes keep is what they would bring again") {
  std::mt19937 random(53);
  int keeping = 0, spoilt = 0;
  for (int i = 0; i < 120; ++i) {
    CAPTURE(i);
    const OperationCase what = td::unit::random_case(random, td::unit::random_accelerator(random));
    OperationRun kept(what), brought(what), wrong(what);
    std::int64_t keeps = 0;
    kept.each_compute([&](const auto& compute) { keeps += compute.keep != 0 ? 1 : 0; });
    brought.each_compute([](auto& compute) { compute.keep = 0; });
    REQUIRE(kept.run(what.config, 0).error == td::sim::ErrorCode::none);
    REQUIRE(brought.run(what.config, 0).error == td::sim::ErrorCode::none);
    CHECK(kept.results() == brought.results());
    const td::sim::ComputeCounts &less = kept.compute_counts, &all = brought.compute_counts;
    CHECK(less.operand_rows_read <= all.operand_rows_read);
    CHECK((less.scratchpad_rows_written < all.scratchpad_rows_written) == (keeps > 0));
    keeping += keeps > 0 ? 1 : 0;
    // What is kept though it should not be is the compute's before.
    std::optional<td::sim::ComputeDescriptor> before;
    wrong.each_compute([&](auto& compute) {
      const bool alike = before && (alike_sides(compute, *before) & 1) != 0;
      const bool other = alike && !(compute.a == before->a);
      before = compute;
      if (other) compute.keep = 1;
    });
    REQUIRE(wrong.run(what.config, 0).error == td::sim::ErrorCode::none);
    spoilt += wrong.results() != kept.results() ? 1 : 0;
  }
  CHECK(keeping > 25);
  CHECK(spoilt > 25);
}

TEST_CASE("accelerator: a side may be kept if its streams are alike") {
  td::sim::ComputeDescriptor before;
  CHECK(alike_sides(before, before) == 3);
  const auto alike = [&](auto field) {
    td::sim::ComputeDescriptor compute = before;
    ++(compute.*field);
    return alike_sides(compute, before);
  };
  using Compute = td::sim::ComputeDescriptor;
  for (const auto field : {&Compute::chunk_rows, &Compute::group_pitch}) CHECK(alike(field) == 0);
  CHECK(alike(&Compute::across) == 0);
  for (const auto field : {&Compute::a_groups, &Compute::a_lines}) CHECK(alike(field) == 2);
  for (const auto field : {&Compute::b_groups, &Compute::b_lines}) CHECK(alike(field) == 1);
  for (const auto field : {&Compute::result_word, &Compute::result_pitch}) CHECK(alike(field) == 3);
}
