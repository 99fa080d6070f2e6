// SPDX-License-Identifier: Apache-2.0
// Which operand is scheduled: the one with the larger share of zeros.
#pragma once

#include <cstdint>

#include "verify/authors/model/nonzero.hpp"

namespace td::authors {

/// Zero padding of the simulator around both dimensions of a tensor, in elements.
struct Padding {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

/// Of A: p on both sides, but p before and p-1 after where (H-R+2p)/stride+1 is not P exactly.
/// The text says so for H; each dimension is asked for itself here, which is the same on square
/// images, the only ones the published figures have.
Padding padding_along_x(const Convolution& conv);
Padding padding_along_y(const Convolution& conv);

/// Section "Which operand", over the images first_image...end_image-1 together. Shares are compared
/// exactly. Of GO the padding counts as many zeros as that of A, whatever the walk needs; a linear
/// layer has none.
sim::Which choose_operand(const Convolution& conv, sim::Op op, std::int64_t first_image,
                          std::int64_t end_image);

}  // namespace td::authors
