// SPDX-License-Identifier: Apache-2.0
// Fits the law of synthetic zeros to real tensors, as networks/README.md says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/mapping/layer.hpp"
#include "sim/network/sparsity.hpp"

namespace td::sim {

/// Means over tensors of [N, C, H, W] or [N, C].
class LawFit {
 public:
  /// `bits` as from load_bits for fp32.
  void add(const Shape& shape, const std::vector<std::uint32_t>& bits);

  std::size_t tensors() const { return tensors_; }
  ZeroLaw law() const;

 private:
  std::size_t tensors_ = 0;
  double zeros_ = 0;       ///< s
  double largest_ = 0;     ///< s/(1+s), the correlation at spread 1
  double channel_ = 0;     ///< κ
  double neighbours_ = 0;  ///< ν
};

}  // namespace td::sim
