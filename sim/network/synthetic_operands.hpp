// SPDX-License-Identifier: Apache-2.0
// Operands of a network without a trace: zeros and ones, drawn slab by slab when asked for.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/network/network.hpp"
#include "sim/network/sparsity.hpp"
#include "sim/network/synthetic_slab.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// A slab depends on the seed, the layer's path and shape, the operand, its law and the index
/// alone: not on what was asked for before, nor on the thread.
class SyntheticOperands : public OperandSource {
 public:
  /// Throws UserError when the sparsity names layers that the network does not have.
  SyntheticOperands(Network network, const Sparsity& sparsity, std::uint64_t seed);

  /// Of the network's text.
  const std::string& path() const override { return network_.document.file; }

  /// FNV-1a of the network's text, the sparsity's, batch, seed and epoch.
  std::string identity() const override { return identity_; }

  const std::vector<LayerInfo>& layers() const override { return network_.layers; }
  Dtype dtype(const LayerInfo&, Operand) const override { return Dtype::bf16; }

  /// Each element is 0 or 1. Throws UserError when the network has no such layer.
  const unsigned char* slab(const LayerInfo& layer, Operand operand, std::int64_t index,
                            SlabBuffer& buffer) const override;

 private:
  Network network_;
  std::string identity_;
  std::unordered_map<std::string, std::vector<SlabGenerator>> generators_;  ///< by name; by Operand
};

}  // namespace td::sim
