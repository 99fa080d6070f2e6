// SPDX-License-Identifier: Apache-2.0
// Tensors of binary32 numbers in memory, made operands of a format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/configuration/format.hpp"
#include "sim/arithmetic/fp8.hpp"
#include "sim/mapping/mapping.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// `count` numbers rounded to the format, which is not fp8, to nearest even, and widened again;
/// `out` may be where they are.
void round_to(Format format, const float* values, std::int64_t count, float* out);

/// The same, by the threads of the caller's arena.
std::vector<float> rounded(const float* values, std::int64_t count, Format format);

/// The same for OFP8: scaled by the largest power of two with which no finite number overflows.
struct Scaled {
  std::vector<float> values;
  int scale;  ///< they are 2^scale as large as the numbers
};
Scaled quantised(const float* values, std::int64_t count, Fp8 kind);

/// Whether there is an infinity or a NaN among them.
bool has_nonfinite(const std::vector<float>& values);

/// The operand with the larger share of zeros, as trace replays and tdsim choose it. `first` and
/// `second` are the operation's tensors, rounded.
Which scheduled_operand(const LayerInfo& layer, Op op, Format format, const float* first,
                        const float* second);

}  // namespace td::sim
