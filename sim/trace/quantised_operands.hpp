// SPDX-License-Identifier: Apache-2.0
// The operands of a trace as training in eight bits has them: a power of two for each tensor, then
// rounding to one of OFP8's formats.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "sim/arithmetic/fp8.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// The format that training has a tensor in: E5M2, of more range, for gradients of outputs; E4M3,
/// of more precision, for the others (P. Micikevicius et al., FP8 Formats for Deep Learning, 2022).
constexpr Fp8 fp8_kind(Operand operand) { return operand == Operand::GO ? Fp8::e5m2 : Fp8::e4m3; }

/// Numbers of a tensor that its format changes.
struct Quantised {
  int scale = 0;  ///< they are multiplied by 2^scale
  std::int64_t elements = 0;
  std::int64_t zeros = 0;                ///< that the trace has
  std::int64_t underflows = 0;           ///< that become zero
  std::int64_t underflows_unscaled = 0;  ///< that would with a scale of 0
  std::int64_t underflows_blocks = 0;    ///< that would with a scale for each block
  std::int64_t special = 0;              ///< Inf and NaN
};

/// Numbers of a block that has a scale of its own (OCP Microscaling Formats, 1.0), along the second
/// axis: channels, over which the forward pass adds up.
constexpr std::int64_t kBlock = 32;

/// Each tensor is scaled by the largest power of two with which its largest finite magnitude is a
/// number of the format still, so that none overflows; infinities become the largest numbers.
/// Slabs hold the scaled and rounded numbers as BF16, which is exact.
class QuantisedOperands : public TraceOperands {
 public:
  /// Reads all tensors of the trace, which must outlive this. Uses the threads of the caller's
  /// arena.
  explicit QuantisedOperands(const Trace& trace);

  Dtype dtype(const LayerInfo&, Operand) const override { return Dtype::bf16; }
  std::string conversion_text(const LayerInfo& layer, Operand operand,
                              Format format) const override {
    return sim::conversion_text(trace().tensor(layer, operand).dtype, format, true);
  }
  const unsigned char* slab(const LayerInfo& layer, Operand operand, std::int64_t index,
                            SlabBuffer& buffer) const override;

  /// What becomes of a tensor of one of layers().
  Quantised quantised(const LayerInfo& layer, Operand operand) const;

 private:
  std::map<std::pair<std::string, Operand>, int> scales_;  ///< by path(layer)
};

/// The trace's operands for a configuration with this format: quantised for fp8.
std::unique_ptr<OperandSource> operands_of(const Trace& trace, Format format);

}  // namespace td::sim
