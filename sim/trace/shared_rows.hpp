// SPDX-License-Identifier: Apache-2.0
// Forward convolutions whose channels and kernel positions share rows, where channels alone do not
// fill them: a convolution of kernel 1 over as many channels as a window has elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// Whether streams of the operation have fewer rows of so many lanes then: fwd of a convolution.
/// An image of windows has at most 2^26 elements.
bool can_share_rows(const LayerInfo& layer, Op op, int lanes);

/// The convolution with shared rows: A [N, g*T*C, P, Q] and W [K, T*C, 1, 1], with T kernel
/// positions and C channels in each of g groups; GO as it was. Channels are innermost, then y.
LayerInfo with_shared_rows(const LayerInfo& layer);

/// A and W of one layer of another source, so laid out. Padding is zero, as ever.
class SharedRowOperands : public OperandSource {
 public:
  /// Both must outlive this.
  SharedRowOperands(const OperandSource& source, const LayerInfo& layer)
      : source_(source), layer_(layer), layers_{with_shared_rows(layer)} {}

  /// The only one.
  const LayerInfo& layer() const { return layers_.front(); }

  const std::string& path() const override { return source_.path(); }
  std::string identity() const override { return source_.identity(); }
  const std::vector<LayerInfo>& layers() const override { return layers_; }
  bool has_equal_slabs() const override { return source_.has_equal_slabs(); }
  Dtype dtype(const LayerInfo&, Operand operand) const override {
    return source_.dtype(layer_, operand);
  }
  const unsigned char* slab(const LayerInfo& layer, Operand operand, std::int64_t index,
                            std::vector<unsigned char>& buffer) const override;

 private:
  const OperandSource& source_;
  const LayerInfo& layer_;
  std::vector<LayerInfo> layers_;
};

}  // namespace td::sim
