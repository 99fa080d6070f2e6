// SPDX-License-Identifier: Apache-2.0
// Passes for tests of the tile model, written as numbers, and results read as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/arithmetic/arith.hpp"
#include "sim/model/tile.hpp"

namespace td::unit {

using Rows = std::vector<std::vector<float>>;  ///< [row][column or tile row, lane]

inline std::vector<std::uint32_t> bits_of(Format format, const Rows& rows) {
  std::vector<std::uint32_t> bits;
  for (const std::vector<float>& row : rows) {
    for (float value : row) bits.push_back(sim::narrow(format, value));
  }
  return bits;
}

/// One output of every PE from streams of these lengths; all of them, if none are given.
inline sim::PassData pass_of(const Config& config, const Rows& a, const Rows& b,
                             std::vector<std::int64_t> segments = {}) {
  sim::PassData pass;
  pass.segment_rows = std::move(segments);
  if (pass.segment_rows.empty()) pass.segment_rows = {static_cast<std::int64_t>(b.size())};
  pass.a = bits_of(config.format, a);
  pass.b = bits_of(config.format, b);
  pass.dense.assign(pass.segment_rows.size(), false);
  return pass;
}

inline sim::PassResult run(const Config& config, const sim::PassData& pass,
                           sim::StepObserver* observer = nullptr) {
  sim::PassResult result;
  sim::TileModel(config).run(pass, result, observer);
  return result;
}

/// A binary32 output as a number.
inline float value_of(const sim::PassResult& result, std::size_t output = 0) {
  return sim::detail::float_of(result.outputs.at(output));
}

}  // namespace td::unit
