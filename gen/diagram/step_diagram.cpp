// SPDX-License-Identifier: Apache-2.0
// One scheduling step: which lane takes which element of a window, level by level, and how far the
// window advances.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "gen/diagram/diagrams.hpp"
#include "gen/diagram/window_grid.hpp"

namespace td {
namespace {

constexpr std::size_t kLevelLines = 8;  // of a column of the list of levels

Window random_window(const Config& config, std::mt19937& random, std::uint32_t percent) {
  Window window(static_cast<std::size_t>(config.depth));
  for (auto& slot : window) {
    for (int lane = 0; lane < config.lanes; ++lane) slot.push_back(random() % 100 < percent);
  }
  return window;
}

bool at(const Window& window, int slot, int lane) {
  return window[static_cast<std::size_t>(slot)][static_cast<std::size_t>(lane)];
}

auto count_of(const Window& window, int slot) {
  const auto& lanes = window[static_cast<std::size_t>(slot)];
  return std::count(lanes.begin(), lanes.end(), true);
}

std::vector<int> all_lanes(const Config& config) {
  std::vector<int> lanes(static_cast<std::size_t>(config.lanes));
  std::iota(lanes.begin(), lanes.end(), 0);
  return lanes;
}

Window both(const StepOperands& operands) {
  Window window = operands.b;
  for (std::size_t slot = 0; slot < window.size(); ++slot) {
    for (std::size_t lane = 0; lane < window[slot].size(); ++lane) {
      window[slot][lane] = window[slot][lane] && operands.a[slot][lane];
    }
  }
  return window;
}

/// What an element without effect shows where both sides count: whose operand is zero.
std::string zero_text(const Config& config, const StepOperands& operands, int slot, int lane) {
  if (config.scheduling != Scheduling::two_sided) return "";
  return std::string(at(operands.a, slot, lane) ? "" : "A") +
         (at(operands.b, slot, lane) ? "" : "B");
}

Shape left_look() {
  Shape look;
  look.fill = "#9a9a9a";
  return look;
}

Shape zero_look() {
  Shape look;
  look.line = "#b0b0b0";
  look.ink = colour::kFaint;
  look.size = 9;
  return look;
}

void draw_elements(Drawing& drawing, const Config& config, const WindowGrid& grid,
                   const StepOperands& operands, const Step& step) {
  std::map<std::pair<int, int>, Take> takes;
  for (const Take& take : step.takes) takes[{take.slot, take.source}] = take;
  for (int slot = 0; slot < config.depth; ++slot) {
    for (int lane = 0; lane < config.lanes; ++lane) {
      Shape cell;
      std::string label;
      const auto found = takes.find({slot, lane});
      if (found != takes.end()) {
        cell.fill = ordered_colour(found->second.level, config.levels.size());
        cell.ink = ink_on(cell.fill);
        label = fmt::format("{}", found->second.lane);
      } else if (at(step.left, slot, lane)) {
        cell = left_look();
      } else {
        cell = zero_look();
        label = zero_text(config, operands, slot, lane);
      }
      cell.form = "circle";
      drawing.shape(WindowGrid::name(slot, lane),
                    around(grid.element(slot, lane), WindowGrid::kCell, WindowGrid::kCell), label,
                    cell);
    }
  }
}

void draw_lanes(Drawing& drawing, const Config& config, const WindowGrid& grid, const Step& step) {
  const double top = grid.bottom() + 90;
  drawing.text({0, top + 17}, "multiplier\nof lane", 11, Align::left, colour::kInk, true);
  std::vector<bool> busy(static_cast<std::size_t>(config.lanes), false);
  for (const Take& take : step.takes) {
    busy[static_cast<std::size_t>(take.lane)] = true;
    Shape box;
    box.fill = ordered_colour(take.level, config.levels.size());
    box.ink = ink_on(box.fill);
    const std::string name = fmt::format("lane {}", take.lane);
    const double x = grid.column(take.lane);
    drawing.shape(name, around({x, top + 17}, 36, 34), fmt::format("{}", take.lane), box);
    drawing.text({x, top + 44}, to_string(config.options[take.option]), 9);
    Wire wire;
    wire.line = box.fill;
    wire.width = 1.5;
    drawing.wire(WindowGrid::name(take.slot, take.source), name,
                 grid.way(take.slot, take.source, {x, top}), wire);
  }
  Shape idle;
  idle.ink = colour::kFaint;
  for (int lane = 0; lane < config.lanes; ++lane) {
    if (busy[static_cast<std::size_t>(lane)]) continue;
    const double x = grid.column(lane);
    drawing.shape(fmt::format("lane {}", lane), around({x, top + 17}, 36, 34),
                  fmt::format("{}", lane), idle);
    drawing.text({x, top + 44}, "idle", 9, Align::centre, colour::kFaint);
  }
  drawing.text({0, top + 44}, "(step, offset)", 9, Align::left, colour::kFaint);
}

std::string level_text(const Config& config, std::size_t level) {
  const Level& lanes = config.levels[level];
  return fmt::format("level {}: {} {}", level, lanes.size() == 1 ? "lane" : "lanes",
                     fmt::join(lanes, ", "));
}

/// One line of the legend.
void draw_mark(Drawing& drawing, Point at, const Shape& look, const std::string& label,
               const std::string& text) {
  Shape mark = look;
  mark.form = "circle";
  mark.size = 8;
  drawing.shape(text, around({at.x + 9, at.y}, 16, 16), label, mark);
  drawing.text({at.x + 24, at.y}, text, 10, Align::left);
}

/// The levels, in columns; returns how wide they are.
double draw_levels(Drawing& drawing, const Config& config, Point at) {
  const std::string head = "levels, one after the other; lanes of one level choose at once";
  drawing.text(at, head, 11, Align::left, colour::kInk, true);
  double column = 0;
  for (std::size_t level = 0; level < config.levels.size(); ++level) {
    column = std::max(column, text_width(level_text(config, level), 10) + 40);
  }
  for (std::size_t level = 0; level < config.levels.size(); ++level) {
    const std::size_t columns_before = level / kLevelLines;
    Shape look;
    look.fill = ordered_colour(level, config.levels.size());
    draw_mark(drawing,
              {at.x + column * static_cast<double>(columns_before),
               at.y + 20 + 19 * static_cast<double>(level % kLevelLines)},
              look, "", level_text(config, level));
  }
  const std::size_t columns = (config.levels.size() + kLevelLines - 1) / kLevelLines;
  return std::max(text_width(head, 11), column * static_cast<double>(columns));
}

void draw_legend(Drawing& drawing, const Config& config, Point at) {
  drawing.text(at, "elements of the window", 11, Align::left, colour::kInk, true);
  Shape look;
  look.fill = ordered_colour(0, config.levels.size());
  look.ink = ink_on(look.fill);
  draw_mark(drawing, {at.x, at.y + 20}, look, "n",
            "effectual, taken by lane n (its level's colour)");
  draw_mark(drawing, {at.x, at.y + 39}, left_look(), "", "effectual, left for a later step");
  draw_mark(drawing, {at.x, at.y + 58}, zero_look(), "",
            config.scheduling == Scheduling::two_sided
                ? "ineffectual: zero on side A, on side B, or on both"
                : "ineffectual: zero on side B");
}

/// What is left of each slot, and what that makes of the advance.
void draw_outcome(Drawing& drawing, const Config& config, const WindowGrid& grid,
                  const Window& window, const Step& step) {
  const double x = grid.right() + 12;
  for (int slot = 0; slot < config.depth; ++slot) {
    const auto effectual = count_of(window, slot);
    const auto left = count_of(step.left, slot);
    const double y = grid.slot_middle(slot);
    drawing.text({x, y - 7}, fmt::format("{} effectual, {} taken", effectual, effectual - left), 10,
                 Align::left);
    const bool leaves = slot < step.advance;
    drawing.text({x, y + 7},
                 leaves      ? "empty: the row leaves"
                 : left == 0 ? "empty, but behind one that stays"
                             : fmt::format("{} left: the row stays", left),
                 10, Align::left, leaves ? colour::kSideALine : colour::kSideBLine, true);
  }
  drawing.text({x, grid.bottom() + 107},
               fmt::format("advance {}\n{} of {} lanes multiply", step.advance, step.takes.size(),
                           config.lanes),
               12, Align::left, colour::kInk, true);
}

}  // namespace

StepOperands step_operands(const Config& config, std::uint32_t seed) {
  std::mt19937 random(seed);
  const bool two_sided = config.scheduling == Scheduling::two_sided;
  StepOperands operands;
  operands.b = random_window(config, random, two_sided ? 62 : 40);
  operands.a = random_window(config, random, two_sided ? 62 : 100);
  return operands;
}

Drawing step_drawing(const Config& config, const StepOperands& operands) {
  Drawing drawing(fmt::format("{}: one scheduling step", config.name));
  const WindowGrid grid(config.depth, all_lanes(config));
  const Window window = both(operands);
  const Step step = take_step(config, window);
  drawing.text({0, 10},
               fmt::format("{}: one scheduling step of {}", config.name,
                           config.scheduling == Scheduling::two_sided ? "the PE" : "a tile row"),
               14, Align::left, colour::kInk, true);
  grid.draw_frame(drawing);
  draw_elements(drawing, config, grid, operands, step);
  draw_lanes(drawing, config, grid, step);
  draw_outcome(drawing, config, grid, window, step);
  const double below = grid.bottom() + 166;
  const double levels = draw_levels(drawing, config, {0, below});
  draw_legend(drawing, config, {levels + 50, below});
  return drawing;
}

}  // namespace td
