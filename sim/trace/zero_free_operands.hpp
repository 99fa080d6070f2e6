// SPDX-License-Identifier: Apache-2.0
// The operands of a network, had its tensors not a single zero.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// The layers of another source with 1 for every element of every tensor. What is skipped then is
/// only what the mapping filled in: lanes without a channel or position, and the padding around
/// images.
class ZeroFreeOperands : public OperandSource {
 public:
  /// The source must outlive this.
  explicit ZeroFreeOperands(const OperandSource& source) : source_(source) {}

  const std::string& path() const override { return source_.path(); }
  std::string identity() const override { return source_.identity(); }
  const std::vector<LayerInfo>& layers() const override { return source_.layers(); }
  Dtype dtype(const LayerInfo&, Operand) const override { return Dtype::bf16; }
  bool has_equal_slabs() const override { return true; }
  const unsigned char* slab(const LayerInfo& layer, Operand operand, std::int64_t index,
                            SlabBuffer& buffer) const override;

 private:
  const OperandSource& source_;
};

}  // namespace td::sim
