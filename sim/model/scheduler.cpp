// SPDX-License-Identifier: Apache-2.0
#include "sim/model/scheduler.hpp"

namespace td::sim {

Scheduler::Scheduler(const Config& config) : all_(~LaneMask{0} >> (64 - config.lanes)) {
  for (Option option : config.options) {
    const int right = source_lane(0, option, config.lanes);
    options_.push_back({option.step, right, right == 0 ? 0 : config.lanes - right});
  }
  for (const Level& level : config.levels) {
    LaneMask mask = 0;
    for (int lane : level) mask |= LaneMask{1} << lane;
    levels_.push_back(mask);
  }
}

void Scheduler::choose(LaneMask* rows, Choice& choice) const {
  for (std::size_t p = 0; p < options_.size(); ++p) choice.lanes[p] = 0;
  for (LaneMask undecided : levels_) {
    // Lanes of a level never reach the same element, so option by option is lane by lane.
    for (std::size_t p = 0; p < options_.size(); ++p) {
      const Reach& option = options_[p];
      LaneMask& row = rows[option.step];
      if (row == 0) continue;  // common where there are many zeros
      const LaneMask taking = rotate(row, option.right, option.left) & undecided;
      undecided &= ~taking;
      choice.lanes[p] |= taking;
      row &= ~rotate(taking, option.left, option.right);
    }
  }
}

}  // namespace td::sim
