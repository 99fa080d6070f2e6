// SPDX-License-Identifier: Apache-2.0
#include "gen/diagram/step.hpp"

#include <algorithm>

#include "base/configuration/choice.hpp"

namespace td {
namespace {

/// A window as one lane sees it, whose bit is the lowest.
struct LaneWindow {
  const Config& config;
  int lane;
  std::size_t level;
  Step& step;

  Take reached(int option) const {
    const auto index = static_cast<std::size_t>(option);
    const Option reach = config.options[index];
    return {lane, index, reach.step, source_lane(lane, reach, config.lanes), level};
  }
  std::vector<bool>::reference element(const Take& take) const {
    return step.left[static_cast<std::size_t>(take.slot)][static_cast<std::size_t>(take.source)];
  }
  unsigned seen(int option) const { return element(reached(option)) ? 1 : 0; }
  void take(int option, unsigned effectual, unsigned undecided) {
    if ((effectual & undecided) == 0) return;
    step.takes.push_back(reached(option));
    element(step.takes.back()) = false;
  }
};

}  // namespace

Step take_step(const Config& config, const Window& window) {
  Step step;
  step.left = window;
  for (std::size_t level = 0; level < config.levels.size(); ++level) {
    for (int lane : config.levels[level]) {
      LaneWindow view{config, lane, level, step};
      choose(static_cast<int>(config.options.size()), 1U, view);
    }
  }
  const auto first = std::find_if(step.left.begin(), step.left.end(), [](const auto& slot) {
    return std::find(slot.begin(), slot.end(), true) != slot.end();
  });
  step.advance = static_cast<int>(first - step.left.begin());
  return step;
}

}  // namespace td
