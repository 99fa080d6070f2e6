// SPDX-License-Identifier: Apache-2.0
// Which operand of an operation is searched for zeros: the one with the larger share of them.
#pragma once

#include <cstdint>
#include <vector>

#include "gen/format.hpp"
#include "sim/layer.hpp"

namespace td::sim {

/// Zeros among the counted elements.
struct ZeroCount {
  std::int64_t zeros = 0;
  std::int64_t elements = 0;

  double share() const { return static_cast<double>(zeros) / static_cast<double>(elements); }
};

/// Zeros of an operation's two operands, as they are counted for the choice.
struct ZeroShares {
  ZeroCount first;
  ZeroCount second;

  /// The operand for side B: the first if it has the larger share, else (ties too) the second.
  Which scheduled() const { return first.share() > second.share() ? Which::first : Which::second; }
};

/// Counts over the whole tensors, all images together. fwd: A with its padding, and W. dgrad: GO
/// padded as A was (not as the walk pads it), and W. wgrad: of padded A the P x Q corner at the
/// origin, and GO. `first` and `second` are the operands' bits, as from load_bits.
ZeroShares zero_shares(const LayerInfo& layer, Op op, Format format,
                       const std::vector<std::uint32_t>& first,
                       const std::vector<std::uint32_t>& second);

}  // namespace td::sim
