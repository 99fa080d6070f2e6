// SPDX-License-Identifier: Apache-2.0
// One dimension of the windows of fwd and dgrad: which positions a window reads, in what order.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/authors/model/nonzero.hpp"
#include "verify/authors/model/rules.hpp"

namespace td::authors {

/// Window i meets kernel position kernel[t] at position i * step + offset + t of the tensor.
struct Axis {
  std::vector<std::int64_t> kernel;
  std::int64_t step = 1;
  std::int64_t offset = 0;
  std::int64_t windows = 0;
};

enum class Dimension { x, y };

/// The kernel as it is, over padded A.
Axis fwd_axis(const Convolution& conv, Dimension dimension);

/// The rotated kernel over padded GO: one axis for each phase, a single one at stride 1.
///
/// The authors' strided phases: the text leaves open how many windows they have; the published
/// figures (P = H/stride there) settle that all have P, those of a shorter sub-kernel too, and
/// that with asymmetric padding all start at the same place. With symmetric padding, and where
/// 2p is not R-1 at stride 1, there are no published figures: the plainest reading of the text.
std::vector<Axis> dgrad_axes(const Convolution& conv, Dimension dimension, const Rules& rules);

}  // namespace td::authors
