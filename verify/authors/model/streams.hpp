// SPDX-License-Identifier: Apache-2.0
// How an operation on one image becomes streams of rows: section "Streams".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "verify/authors/model/nonzero.hpp"
#include "verify/authors/model/rules.hpp"

namespace td::authors {

inline constexpr int kLanes = 16;

/// Which of its elements are effectual.
using Row = std::array<bool, kLanes>;
using Stream = std::vector<Row>;

/// Every first stream meets every second one; all are as long. Where the kernel has no position
/// for a phase they are empty.
struct Block {
  std::vector<Stream> first;
  std::vector<Stream> second;
};

/// Blocks over which the authors' count runs on.
using Phase = std::vector<Block>;

/// The phases of an operation on one image: one, except for strided dgrad.
std::vector<Phase> make_phases(const Convolution& conv, sim::Op op, std::int64_t image,
                               const Rules& rules);

}  // namespace td::authors
