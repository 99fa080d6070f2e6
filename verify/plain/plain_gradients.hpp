// SPDX-License-Identifier: Apache-2.0
// Output gradients that come in once for dgrad and wgrad, element by element: which rows of the
// large memories they and what works with them take.
#pragma once

#include <cstdint>

#include "gen/configuration/config.hpp"
#include "sim/mapping/layer.hpp"

namespace td::verify {

/// Rows at once, the most of any part.
struct PlainGradients {
  std::int64_t first = 0;      ///< of a part's GO as it is, and of its A, turned
  std::int64_t second = 0;     ///< of W, and of GO of a part and of the next, turned
  std::int64_t gradients = 0;  ///< of GO alone, as it is
  std::int64_t turned = 0;     ///< of GO alone, turned
};

/// So many images at a time; the last part may have fewer.
PlainGradients plain_gradients(const Config& config, const sim::LayerInfo& layer,
                               std::int64_t images);

}  // namespace td::verify
