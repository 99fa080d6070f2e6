// SPDX-License-Identifier: Apache-2.0
// Results that are wrong are found: a wrong stride, a flipped kernel, transposed weights, a wait
// that is missing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <variant>

#include "verify/unit/accelerator/expected_results.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace {

using td::sim::ComputeDescriptor;
using td::sim::Op;
using td::sim::Operand;
using td::unit::Bits;
using td::unit::OperationCase;
using td::unit::OperationRun;

/// A convolution whose rows have to be right: as many filters as channels, stride and padding.
OperationCase square_case(Op op) {
  std::mt19937 random(5);
  OperationCase what;
  what.config = td::unit::config_of(
      "[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = 2\n"
      "[accelerator.sram]\nbanks = 1\nbank_bytes = 4096\n");
  td::sim::Conv conv;
  conv.stride[0] = conv.stride[1] = 2;
  conv.padding[0] = conv.padding[1] = 1;
  what.layer = td::unit::conv_layer({2, 6, 9, 9}, {6, 6, 3, 3}, conv);
  what.op = op;
  for (std::size_t i = 0; i < 3; ++i) {
    what.operands[i] =
        td::unit::random_bits(random, what.config.format, what.layer, static_cast<Operand>(i), 0.3);
  }
  return what;
}

/// Whether both comparisons find what a run makes, of `made` instead of `wanted`.
template <class Spoil>
void check_found(const OperationCase& wanted, const OperationCase& made, Spoil spoil) {
  OperationRun run(made);
  for (td::sim::Job& job : run.jobs) {
    for (td::sim::Descriptor& descriptor : job) spoil(descriptor);
  }
  REQUIRE(run.run(made.config, 0).error == td::sim::ErrorCode::none);
  const Bits results = run.results();
  CHECK(worst_excess(exact(wanted), results, wanted.config.format) > 0);
  CHECK(results != plain(wanted, run));
}

void leave(td::sim::Descriptor&) {}

constexpr Op kEveryOp[] = {Op::fwd, Op::dgrad, Op::wgrad};

}  // namespace

TEST_CASE("accelerator: a wrong stride is found") {
  for (const Op op : kEveryOp) {
    const OperationCase what = square_case(op);
    const std::size_t level = op == Op::wgrad ? 0 : 3;  // the first that is along y
    check_found(what, what, [&](td::sim::Descriptor& descriptor) {
      if (auto* compute = std::get_if<ComputeDescriptor>(&descriptor)) {
        for (td::sim::OperandWalk* walk : {&compute->a, &compute->b}) {
          if (walk->y_bound <= 1 || walk->levels[level].count == 1) continue;
          walk->levels[level].y_step = static_cast<std::int16_t>(walk->levels[level].y_step + 1);
        }
      }
    });
  }
}

TEST_CASE("accelerator: a flipped kernel is found") {
  for (const Op op : {Op::fwd, Op::dgrad}) {
    const OperationCase wanted = square_case(op);
    OperationCase made = wanted;
    Bits& weights = made.operands[static_cast<std::size_t>(Operand::W)];
    for (std::size_t i = 0; i < weights.size(); i += 9) {
      std::reverse(weights.begin() + static_cast<std::ptrdiff_t>(i),
                   weights.begin() + static_cast<std::ptrdiff_t>(i + 9));
    }
    check_found(wanted, made, leave);
  }
}

TEST_CASE("accelerator: transposed weights are found") {
  for (const Op op : {Op::fwd, Op::dgrad}) {
    const OperationCase wanted = square_case(op);
    OperationCase made = wanted;
    for (std::size_t k = 0; k < 6; ++k) {
      for (std::size_t c = 0; c < 6; ++c) {
        for (std::size_t i = 0; i < 9; ++i) {
          made.operands[1][(k * 6 + c) * 9 + i] = wanted.operands[1][(c * 6 + k) * 9 + i];
        }
      }
    }
    check_found(wanted, made, leave);
  }
}

TEST_CASE("accelerator: a missing wait is found in some order of the engines") {
  std::mt19937 random(3);
  int found[3] = {0, 0, 0};
  for (int i = 0; i < 60; ++i) {
    const OperationCase what = td::unit::random_case(random, td::unit::random_accelerator(random));
    for (int kind = 0; kind < 3; ++kind) {
      OperationRun run(what);
      for (td::sim::Job& job : run.jobs) {
        for (td::sim::Descriptor& descriptor : job) {
          const auto drop = [&](auto& one) {
            (kind == 0 ? one.waits.loads : kind == 1 ? one.waits.computes : one.waits.stores) = 0;
          };
          std::visit(drop, descriptor);
        }
      }
      const Bits wanted = plain(what, run);
      for (std::uint32_t seed = 1; seed < 8 && found[kind] < 5; ++seed) {
        OperationRun again = run;
        if (again.run(what.config, seed).error != td::sim::ErrorCode::none) continue;
        if (again.results() != wanted) ++found[kind];
      }
    }
  }
  CHECK(found[0] == 5);
  CHECK(found[1] == 5);
  CHECK(found[2] == 5);
}
