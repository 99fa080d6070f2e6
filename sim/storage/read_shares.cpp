// SPDX-License-Identifier: Apache-2.0
#include "sim/storage/read_shares.hpp"

#include <algorithm>

namespace td::sim {

StoredShares stored_shares(const Config& config, const OperandSource& source,
                           const LayerInfo& layer, Op op) {
  StoredShares shares;
  const auto fill = [&](Which which, double ReadShares::*share) {
    if (!reads_runs(op, operand(op, which))) return;
    const StoredSize size = stored_size(config, source, layer, op, operand(op, which));
    shares.dense.*share = std::min(1.0, size.read_share(Storage::zero_compressed));
    shares.tensordash.*share = std::min(shares.dense.*share, size.read_share(Storage::scheduled));
  };
  fill(Which::first, &ReadShares::first);
  fill(Which::second, &ReadShares::second);
  return shares;
}

}  // namespace td::sim
