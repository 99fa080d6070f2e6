// SPDX-License-Identifier: Apache-2.0
#include "gen/diagram/step.hpp"

#include <algorithm>

namespace td {

Step take_step(const Config& config, const Window& window) {
  Step step;
  step.left = window;
  for (std::size_t level = 0; level < config.levels.size(); ++level) {
    for (int lane : config.levels[level]) {
      for (std::size_t option = 0; option < config.options.size(); ++option) {
        const Option reach = config.options[option];
        const int source = source_lane(lane, reach, config.lanes);
        auto& slot = step.left[static_cast<std::size_t>(reach.step)];
        const auto element = slot.begin() + source;
        if (!*element) continue;
        *element = false;
        step.takes.push_back({lane, option, reach.step, source, level});
        break;
      }
    }
  }
  const auto first = std::find_if(step.left.begin(), step.left.end(), [](const auto& slot) {
    return std::find(slot.begin(), slot.end(), true) != slot.end();
  });
  step.advance = static_cast<int>(first - step.left.begin());
  return step;
}

}  // namespace td
