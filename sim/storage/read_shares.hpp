// SPDX-License-Identifier: Apache-2.0
// What is left to read of an operation's operands when each is stored as is best for it.
#pragma once

#include "sim/storage/stored_size.hpp"

namespace td::sim {

/// Bits that the streams of each operand read for every bit of plain rows.
struct ReadShares {
  double first = 1;
  double second = 1;
};

/// Every kind of hardware may compress zeros; only TensorDash has a scheduler.
struct StoredShares {
  ReadShares dense;
  ReadShares tensordash;
};

StoredShares stored_shares(const Config& config, const OperandSource& source,
                           const LayerInfo& layer, Op op);

}  // namespace td::sim
