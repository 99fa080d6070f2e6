// SPDX-License-Identifier: Apache-2.0
// Output gradients that come in once for dgrad and wgrad: how many images of them at a time.
#pragma once

#include <cstdint>
#include <optional>

#include "gen/configuration/config.hpp"
#include "sim/mapping/layer.hpp"

namespace td::sim {

// for each part of the images:
//   GO of the part comes in, into dgrad's memories as it is and into wgrad's turned, and A of it
//   dgrad of the part, with all of W, which stays
//   wgrad of the part, on top of the sums of the parts before, which stay
//
// The memories of first operands (GO as it is, then A) hold a part in a half, the next one in the
// other. Those of second operands hold W and GO of two parts, turned. Sums of wgrad take their rows
// of a half of the result memories; partial sums of dgrad have the rest of it. A chunk of wgrad has
// images of one part, so a part has a whole number of them.
// If halves hold all images, there is one part: GO stays for wgrad, nothing else has to.

struct GradientParts {
  std::int64_t images = 0;    ///< of a part; 0: all of them are one
  std::int64_t sum_rows = 0;  ///< of the result memories, that wgrad's sums take during dgrad
};

/// The longest parts; none: not even the shortest fits.
std::optional<GradientParts> gradient_parts(const Config& config, const LayerInfo& layer);

}  // namespace td::sim
