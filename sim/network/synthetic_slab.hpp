// SPDX-License-Identifier: Apache-2.0
// Draws the slabs of a synthetic operand: bf16 zeros and ones after a law.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/mapping/layer.hpp"
#include "sim/network/sparsity.hpp"

namespace td::sim {

/// The slabs of one operand of one layer.
class SlabGenerator {
 public:
  /// `key` tells this operand's numbers from all others'.
  SlabGenerator(const ZeroLaw& law, const Shape& shape, std::uint64_t key);

  /// Of a slab.
  std::int64_t elements() const { return channels_ * height_ * width_; }

  /// Writes slab `index`: little-endian bf16, 2 * elements() bytes, each element 0 or 1. They
  /// depend on the constructor's arguments and the index alone.
  void generate(std::int64_t index, unsigned char* bytes) const;

 private:
  ZeroLaw law_;
  std::uint64_t key_;
  std::int64_t channels_;
  std::int64_t height_ = 1;
  std::int64_t width_ = 1;
  std::vector<std::uint32_t>
      zero_below_;  ///< by channel, in 2^-32; empty when channels do not matter
};

}  // namespace td::sim
