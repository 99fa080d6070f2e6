// SPDX-License-Identifier: Apache-2.0
#include "sim/model/scheduler.hpp"

#include "base/configuration/choice.hpp"

namespace td::sim {

/// Lanes of a level never reach the same element, so option by option is lane by lane.
struct Scheduler::View {
  const Reach* options;
  LaneMask all;
  LaneMask* rows;
  Choice& choice;

  LaneMask rotate(LaneMask mask, int right, int left) const {
    return ((mask >> right) | (mask << left)) & all;
  }
  LaneMask seen(int option) const {
    return rotate(rows[options[option].step], options[option].right, options[option].left);
  }
  void take(int option, LaneMask seen, LaneMask undecided) {
    if (seen == 0) return;  // common where there are many zeros
    const LaneMask taking = seen & undecided;
    choice.lanes[option] |= taking;
    rows[options[option].step] &= ~rotate(taking, options[option].left, options[option].right);
  }
};

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
  View view{options_.data(), all_, rows, choice};
  for (const LaneMask level : levels_) td::choose(static_cast<int>(options_.size()), level, view);
}

}  // namespace td::sim
