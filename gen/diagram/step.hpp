// SPDX-License-Identifier: Apache-2.0
// One scheduling step, for pictures: what the tables of a configuration make of a window, lane by
// lane. Tests compare it with the reference model.
#pragma once

#include <cstddef>
#include <vector>

#include "base/configuration/config.hpp"

namespace td {

/// [slot][lane]: whether the element is effectual.
using Window = std::vector<std::vector<bool>>;

/// A lane takes an element.
struct Take {
  int lane = 0;
  std::size_t option = 0;  ///< of the pattern
  int slot = 0;
  int source = 0;  ///< lane of the element
  std::size_t level = 0;
};

struct Step {
  std::vector<Take> takes;  ///< level after level
  Window left;              ///< what nobody took
  int advance = 0;          ///< rows that leave
};

/// What one tile row takes from a window of as many slots as the configuration is deep.
Step take_step(const Config& config, const Window& window);

}  // namespace td
