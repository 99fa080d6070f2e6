// SPDX-License-Identifier: Apache-2.0
// Whole operations through planner and functional model: beside a double-precision sum, and bit for
// bit beside plain loops with the same cut.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "gen/base/error.hpp"
#include "verify/plain/plain_accelerator.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace {

using td::sim::Block;
using td::sim::Mapping;
using td::sim::Which;
using td::unit::Bits;
using td::unit::OperationCase;
using td::unit::OperationRun;
using td::unit::pick;

/// The operation in double precision, and what its results may be off.
struct Exact {
  std::vector<double> values;
  std::vector<double> bounds;
};

Exact exact(const OperationCase& what) {
  const Mapping mapping(what.layer, what.op, what.config.lanes);
  const auto size = static_cast<std::size_t>(td::sim::count(mapping.output_shape()));
  Exact result{std::vector<double>(size), std::vector<double>(size)};
  const td::Format format = what.config.format;
  for (const Block& block : mapping.blocks()) {
    const auto elements = static_cast<std::size_t>(block.rows() * what.config.lanes);
    std::vector<std::int64_t> first(elements), second(elements);
    // Every row, every level of the tree, every chunk and accumulator rounds at most once.
    const double rounds = static_cast<double>(3 * block.rows() + 16);
    const double unit = rounds * 0x1p-24;
    for (std::int64_t i = 0; i < block.first_streams; ++i) {
      mapping.gather_indices(block, Which::first, i, first.data());
      for (std::int64_t j = 0; j < block.second_streams; ++j) {
        mapping.gather_indices(block, Which::second, j, second.data());
        double sum = 0, magnitude = 0;
        for (std::size_t k = 0; k < elements; ++k) {
          if (first[k] < 0 || second[k] < 0) continue;
          const double a = td::sim::widen(
              format, what.operand(Which::first)[static_cast<std::size_t>(first[k])]);
          const double b = td::sim::widen(
              format, what.operand(Which::second)[static_cast<std::size_t>(second[k])]);
          sum += a * b;
          magnitude += std::abs(a * b);
        }
        const auto at = static_cast<std::size_t>(mapping.output_index(block, i, j));
        const double rounded = format == td::Format::bf16 && !what.wide ? 0x1p-8 : 0;
        result.values[at] = sum;
        result.bounds[at] = unit / (1 - unit) * magnitude * (1 + rounded) +
                            rounded * std::abs(sum) + rounds * 0x1p-149;
      }
    }
  }
  return result;
}

double worst_excess(const Exact& exact, const Bits& results, td::Format format) {
  double worst = -1;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const double error = std::abs(td::sim::widen(format, results[i]) - exact.values[i]);
    worst = std::max(worst, error - exact.bounds[i]);
  }
  return worst;
}

/// The results of plain loops, in the format of the result tensor.
Bits plain(const OperationCase& what, const OperationRun& run) {
  Bits results =
      td::verify::plain_accelerator(what.config, what.layer, what.op, run.cut,
                                    what.operand(Which::first), what.operand(Which::second));
  if (what.wide) return results;
  for (std::uint32_t& bits : results) {
    bits = td::sim::narrow(what.config.format, td::sim::widen(td::Format::fp32, bits));
  }
  return results;
}

}  // namespace

TEST_CASE("accelerator: random operations equal plain loops, and double precision in bounds") {
  std::mt19937 random(17);
  int run_count = 0, cut_count = 0, refused = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const OperationCase what = td::unit::random_case(random, td::unit::random_accelerator(random));
    CAPTURE(td::sim::geometry_text(what.layer));
    CAPTURE(td::canonical_toml(what.config));
    CAPTURE(static_cast<int>(what.op));
    try {
      OperationRun run(what);
      const auto end = run.run(what.config, static_cast<std::uint32_t>(pick(random, 0, 9)));
      REQUIRE(end.error == td::sim::ErrorCode::none);
      const Bits results = run.results();
      const td::Format format = what.wide ? td::Format::fp32 : what.config.format;
      CHECK(worst_excess(exact(what), results, format) <= 0);
      CHECK(results == plain(what, run));
      ++run_count;
      cut_count += run.cut.part != run.operation.most_reduction() ? 1 : 0;
    } catch (const td::UserError& error) {
      MESSAGE(error.what());
      ++refused;
    }
  }
  MESSAGE(run_count << " run, " << cut_count << " cut, " << refused << " refused");
  CHECK(run_count > 200);
}
