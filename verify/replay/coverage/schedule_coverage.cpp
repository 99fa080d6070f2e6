// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/coverage/schedule_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace td::verify {
namespace {

/// The element, as row * lanes + lane, that a lane reaches through an option.
int element(const Config& config, int lane, Option option) {
  return option.step * config.lanes + source_lane(lane, option, config.lanes);
}

}  // namespace

ScheduleCoverage::ScheduleCoverage(const Config& config, Bins& bins)
    : config_(config), bins_(bins), level_of_(static_cast<std::size_t>(config.lanes), 0) {
  if (config.is_dense()) return;
  for (std::size_t level = 0; level < config.levels.size(); ++level) {
    for (int lane : config.levels[level]) {
      level_of_[static_cast<std::size_t>(lane)] = static_cast<int>(level);
    }
  }
  declare_options();
  declare_levels();
  declare_advances();
  declare_modes();
}

void ScheduleCoverage::declare_options() {
  for (Option option : config_.options) {
    for (int lane = 0; lane < config_.lanes; ++lane) {
      taken_.push_back(bins_.declare(
          "scheduler", fmt::format("option {} taken by lane {}", to_string(option), lane)));
    }
  }
}

/// Whether a lane of the level shares an element with one of an earlier level.
bool ScheduleCoverage::conflicts(int level) const {
  for (int lane : config_.levels[static_cast<std::size_t>(level)]) {
    for (int other = 0; other < config_.lanes; ++other) {
      if (level_of_[static_cast<std::size_t>(other)] < level &&
          lanes_conflict(lane, other, config_.options, config_.lanes)) {
        return true;
      }
    }
  }
  return false;
}

/// Whether a lane of the level can lose an element to an earlier level and have another: the lane
/// that takes it must not reach the other one first.
bool ScheduleCoverage::can_take_later(int level) const {
  for (int lane : config_.levels[static_cast<std::size_t>(level)]) {
    for (int other = 0; other < config_.lanes; ++other) {
      if (level_of_[static_cast<std::size_t>(other)] >= level) continue;
      std::vector<int> first;  // what the other lane prefers to the element that it takes
      for (Option option : config_.options) {
        const int lost = element(config_, other, option);
        bool found = false;
        for (Option mine : config_.options) {
          const int at = element(config_, lane, mine);
          if (found && std::find(first.begin(), first.end(), at) == first.end()) return true;
          found = found || at == lost;
        }
        first.push_back(lost);
      }
    }
  }
  return false;
}

void ScheduleCoverage::declare_levels() {
  for (int level = 1; level < static_cast<int>(config_.levels.size()); ++level) {
    const auto text = [&](const char* what) {
      return fmt::format("level {} blocked by an earlier one: {}", level, what);
    };
    const char* no_conflict =
        conflicts(level) ? "" : "its lanes share no element with lanes of earlier levels";
    const char* no_later =
        can_take_later(level) ? "" : "who takes an element of its lanes prefers all they have left";
    levels_.push_back({bins_.unreachable("scheduler", text("a lane takes a later option"),
                                         *no_conflict != '\0' ? no_conflict : no_later),
                       bins_.unreachable("scheduler", text("a lane stays idle"), no_conflict)});
  }
}

void ScheduleCoverage::declare_advances() {
  for (int advance = 1; advance <= config_.depth; ++advance) {
    advances_.push_back(bins_.declare("intake", fmt::format("advance by {}", advance)));
  }
  const char* one_row = config_.rows > 1 ? "" : "there is one tile row";
  const char* shallow = config_.depth > 1 ? "" : "every advance is by one row";
  const std::string no_limit = config_.rows > 1 ? shallow : one_row;
  for (int row = 0; row < config_.rows; ++row) {
    rows_.push_back(
        {bins_.declare("row", fmt::format("tile row {} has no pair in a step", row)),
         bins_.declare("row", fmt::format("tile row {} has a pair in every lane", row)),
         bins_.unreachable("intake", fmt::format("advance limited by tile row {} alone", row),
                           no_limit)});
  }
  together_ =
      bins_.unreachable("intake", "advance limited by several tile rows together", no_limit);
  at_the_end_ = bins_.unreachable("intake", "advance limited by the end of the stream", shallow);
}

void ScheduleCoverage::declare_modes() {
  for (const char* mode : {"dropping pairs", "dense"}) {
    modes_.push_back(bins_.declare("intake", fmt::format("step of a stream {}", mode)));
  }
  for (const char* to : {"dense to dropping pairs", "dropping pairs to dense"}) {
    for (const char* when : {"after a wait", "in consecutive clocks"}) {
      switches_.push_back(
          bins_.declare("intake", fmt::format("mode changes from {}, {}", to, when)));
    }
  }
}

void ScheduleCoverage::on_step(const Seen& seen, const HeldRows& rows) {
  if (config_.is_dense()) return;
  on_mode(seen, rows.b(0).first);
  if (seen.dense) return;
  for (int row = 0; row < config_.rows; ++row) on_row(seen, rows, row);
  on_advance(seen);
}

void ScheduleCoverage::on_row(const Seen& seen, const HeldRows& rows, int row) {
  int active = 0;
  for (int lane = 0; lane < config_.lanes; ++lane) {
    const std::uint64_t select = seen.selects[static_cast<std::size_t>(row * config_.lanes + lane)];
    active += select != 0 ? 1 : 0;
    on_lane(rows, row, lane, select, seen.eligible);
  }
  const RowBins& bins = rows_[static_cast<std::size_t>(row)];
  if (active == 0) bins_.hit(bins.nothing);
  if (active == config_.lanes) bins_.hit(bins.all);
}

/// A lane is blocked if it leaves an option whose element was free when the step began.
void ScheduleCoverage::on_lane(const HeldRows& rows, int row, int lane, std::uint64_t select,
                               int eligible) {
  const auto options = static_cast<int>(config_.options.size());
  const int chosen = select == 0 ? options : __builtin_ctzll(select);
  if (chosen < options) {
    bins_.hit(taken_[static_cast<std::size_t>(chosen * config_.lanes + lane)]);
  }
  const int level = level_of_[static_cast<std::size_t>(lane)];
  for (int p = 0; p < chosen && level > 0; ++p) {
    const Option option = config_.options[static_cast<std::size_t>(p)];
    if (option.step >= eligible) continue;
    const int source = source_lane(lane, option, config_.lanes);
    if ((rows.free(row, option.step) >> source & 1) == 0) continue;
    const LevelBins& bins = levels_[static_cast<std::size_t>(level - 1)];
    bins_.hit(chosen < options ? bins.later : bins.idle);
    return;
  }
}

void ScheduleCoverage::on_advance(const Seen& seen) {
  if (seen.advance < 1 || seen.advance > config_.depth) return;  // a faulty tile
  bins_.hit(advances_[static_cast<std::size_t>(seen.advance - 1)]);
  if (seen.advance == config_.depth) return;
  if (seen.advance == seen.eligible) {
    bins_.hit(at_the_end_);
    return;
  }
  if (config_.rows == 1) return;
  const auto& each = seen.row_advance;
  if (std::count(each.begin(), each.end(), seen.advance) > 1) {
    bins_.hit(together_);
  } else {
    const auto limit = std::find(each.begin(), each.end(), seen.advance);
    if (limit == each.end()) return;
    bins_.hit(rows_[static_cast<std::size_t>(limit - each.begin())].limits);
  }
}

void ScheduleCoverage::on_mode(const Seen& seen, bool first) {
  bins_.hit(modes_[seen.dense ? 1 : 0]);
  if (first && stepped_ && seen.dense != dense_before_) {
    bins_.hit(switches_[(seen.dense ? 2u : 0u) + (step_before_ ? 1u : 0u)]);
  }
  stepped_ = step_before_ = true;
  dense_before_ = seen.dense;
}

}  // namespace td::verify
