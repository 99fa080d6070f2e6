// SPDX-License-Identifier: Apache-2.0
// A trace whose zeros are drawn anew: what a model of zeros makes of a network that is known.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/network/synthetic_slab.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// Where zeros lie: as in the trace, or drawn: each on its own, or as the law that was fitted
/// to the tensor says.
enum class ZeroOrigin { trace, random, clustered };

/// The names that the command line uses.
constexpr const char* to_string(ZeroOrigin origin) {
  return origin == ZeroOrigin::trace    ? "trace"
         : origin == ZeroOrigin::random ? "random"
                                        : "clustered";
}

/// Zeros and ones; every tensor has as large a share of zeros as the trace's, but for chance.
class RedrawnOperands : public TraceOperands {
 public:
  /// Reads all tensors. The trace must outlive this.
  RedrawnOperands(const Trace& trace, ZeroOrigin origin, std::uint64_t seed);

  std::string identity() const override;
  Dtype dtype(const LayerInfo&, Operand) const override { return Dtype::bf16; }
  const unsigned char* slab(const LayerInfo& layer, Operand operand, std::int64_t index,
                            SlabBuffer& buffer) const override;

 private:
  ZeroOrigin origin_;
  std::uint64_t seed_;
  std::unordered_map<std::string, SlabGenerator> generators_;  ///< by the tensor's name
};

}  // namespace td::sim
