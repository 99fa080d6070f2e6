// SPDX-License-Identifier: Apache-2.0
// Which operand of an operation is searched for zeros: the one with the larger share of them.
#pragma once

#include <cstdint>

#include "base/configuration/format.hpp"
#include "sim/mapping/layer.hpp"
#include "sim/trace/operand_source.hpp"

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

  const ZeroCount& of(Which which) const { return which == Which::first ? first : second; }
};

/// Zeros of a layer's tensors, all images together.
struct LayerZeros {
  ZeroCount a;
  ZeroCount a_corner;  ///< of A with its padding, the P x Q corner at the origin
  ZeroCount w;
  ZeroCount go;

  /// Of the whole tensor, without padding: what a counter at a layer's output sees.
  const ZeroCount& of(Operand operand) const {
    return operand == Operand::A ? a : operand == Operand::W ? w : go;
  }
};

/// Reads all three tensors; `format` is the configuration's, rounding to which makes zeros. Uses
/// the threads of the caller's arena.
LayerZeros count_zeros(const OperandSource& source, const LayerInfo& layer, Format format);

/// The same of what zero_shares() looks at for one operation: its two operands alone are read.
LayerZeros count_zeros(const OperandSource& source, const LayerInfo& layer, Op op, Format format);

/// As the authors' simulator counts. fwd: A with its padding, and W. dgrad: GO padded as A was (not
/// as the walk pads it), and W. wgrad: the corner of A, and GO.
ZeroShares zero_shares(const LayerInfo& layer, Op op, const LayerZeros& zeros);

}  // namespace td::sim
