// SPDX-License-Identifier: Apache-2.0
// What an operation's results must be: in double precision, and bit for bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/mapping/mapping.hpp"
#include "verify/plain/plain_accelerator.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace td::unit {

/// The operation in double precision, and what its results may be off.
struct Exact {
  std::vector<double> values;
  std::vector<double> bounds;
};

inline Exact exact(const OperationCase& what) {
  const sim::Mapping mapping(what.layer, what.op, what.config.lanes);
  const auto size = static_cast<std::size_t>(sim::count(mapping.output_shape()));
  Exact result{std::vector<double>(size), std::vector<double>(size)};
  const Format format = what.config.format;
  for (const sim::Block& block : mapping.blocks()) {
    const auto elements = static_cast<std::size_t>(block.rows() * what.config.lanes);
    std::vector<std::int64_t> first(elements), second(elements);
    // Every row, every level of the tree, every chunk and accumulator rounds at most once.
    const double rounds = static_cast<double>(3 * block.rows() + 16);
    const double unit = rounds * 0x1p-24;
    for (std::int64_t i = 0; i < block.first_streams; ++i) {
      mapping.gather_indices(block, sim::Which::first, i, first.data());
      for (std::int64_t j = 0; j < block.second_streams; ++j) {
        mapping.gather_indices(block, sim::Which::second, j, second.data());
        double sum = 0, magnitude = 0;
        for (std::size_t k = 0; k < elements; ++k) {
          if (first[k] < 0 || second[k] < 0) continue;
          const double a = sim::widen(
              format, what.operand(sim::Which::first)[static_cast<std::size_t>(first[k])]);
          const double b = sim::widen(
              format, what.operand(sim::Which::second)[static_cast<std::size_t>(second[k])]);
          sum += a * b;
          magnitude += std::abs(a * b);
        }
        const auto at = static_cast<std::size_t>(mapping.output_index(block, i, j));
        const double rounded = what.result_format() == Format::bf16 ? 0x1p-8 : 0;
        result.values[at] = sum;
        result.bounds[at] = unit / (1 - unit) * magnitude * (1 + rounded) +
                            rounded * std::abs(sum) + rounds * 0x1p-149;
      }
    }
  }
  return result;
}

inline double worst_excess(const Exact& exact, const Bits& results, Format format) {
  double worst = -1;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const double error = std::abs(sim::widen(format, results[i]) - exact.values[i]);
    worst = std::max(worst, error - exact.bounds[i]);
  }
  return worst;
}

/// The results of plain loops, in the format of the result tensor.
inline Bits plain(const OperationCase& what, const OperationRun& run) {
  Bits results =
      verify::plain_accelerator(what.config, what.layer, what.op, run.cut,
                                what.operand(sim::Which::first), what.operand(sim::Which::second));
  for (std::uint32_t& bits : results) {
    bits = sim::narrow(what.result_format(), sim::widen(Format::fp32, bits));
  }
  return results;
}

}  // namespace td::unit
