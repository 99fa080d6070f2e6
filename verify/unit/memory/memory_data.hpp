// SPDX-License-Identifier: Apache-2.0
// Cycles and contents for tests of the memory traffic.
#pragma once

#include <cstdint>

#include "sim/memory/memory.hpp"

namespace td::unit {

inline sim::OpCycles cycles_of(sim::Which scheduled, std::int64_t dense_cycles,
                               std::int64_t cycles) {
  sim::OpCycles result;
  result.scheduled = scheduled;
  result.dense_cycles = dense_cycles;
  result.cycles = cycles;
  return result;
}

/// Contents with these shares of non-zero elements, in tenths.
inline sim::TensorContents contents_of(const sim::LayerInfo& layer, sim::Op op, int first,
                                       int second) {
  sim::TensorContents contents;
  contents.first_nonzero_elements =
      sim::count(layer.shape(sim::operand(op, sim::Which::first))) * first / 10;
  contents.second_nonzero_elements =
      sim::count(layer.shape(sim::operand(op, sim::Which::second))) * second / 10;
  return contents;
}

}  // namespace td::unit
