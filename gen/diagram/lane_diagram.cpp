// SPDX-License-Identifier: Apache-2.0
// One lane's interconnect: the elements of the window that it may take, in order of priority.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "gen/diagram/diagrams.hpp"
#include "gen/diagram/window_grid.hpp"

namespace td {
namespace {

constexpr double kInput = 20;             // between inputs of the multiplexer
constexpr std::size_t kOptionLines = 12;  // of a column of the list of options

/// All lanes, or where there are many the reached ones with their neighbours: -1 for those between.
std::vector<int> shown_lanes(const Config& config, int lane) {
  std::vector<int> shown(static_cast<std::size_t>(config.lanes));
  std::iota(shown.begin(), shown.end(), 0);
  if (config.lanes <= 16) return shown;
  std::set<int> wanted = {0, lane, config.lanes - 1};
  for (Option reach : config.options) wanted.insert(source_lane(lane, reach, config.lanes));
  shown.clear();
  for (int next : wanted) {
    if (!shown.empty() && next == shown.back() + 2) shown.push_back(next - 1);
    if (!shown.empty() && next > shown.back() + 1) shown.push_back(-1);
    shown.push_back(next);
  }
  return shown;
}

std::string option_text(const Config& config, int lane, Option reach) {
  const std::string element = WindowGrid::name(reach.step, source_lane(lane, reach, config.lanes));
  if (reach.step == 0) return fmt::format("(0,0)  its own element: {}", element);
  const std::string ahead = fmt::format("lookahead {}", reach.step);
  return reach.offset == 0 ? fmt::format("{}  {}: {}", to_string(reach), ahead, element)
                           : fmt::format("{}  {}, lookaside {:+d}: {}", to_string(reach), ahead,
                                         reach.offset, element);
}

/// An input is a name for its wire: the multiplexer around it is what is seen.
Shape input_look() {
  Shape look;
  look.fill = "none";
  look.line = "none";
  return look;
}

/// Where each option enters the multiplexer: in the order in which their wires come down.
std::vector<Point> inputs(const Config& config, const WindowGrid& grid, int lane, Point middle) {
  std::vector<std::size_t> order(config.options.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto wire_x = [&](std::size_t option) {
    const Option reach = config.options[option];
    return grid.way(reach.step, source_lane(lane, reach, config.lanes), {}).end()[-2].x;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return wire_x(x) < wire_x(y); });
  std::vector<Point> points(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double away = static_cast<double>(i) - static_cast<double>(order.size() - 1) / 2;
    points[order[i]] = {middle.x + kInput * away, middle.y};
  }
  return points;
}

void draw_elements(Drawing& drawing, const Config& config, const WindowGrid& grid, int lane) {
  Shape cell;
  cell.form = "circle";
  cell.line = "#9a9a9a";
  for (int slot = 0; slot < config.depth; ++slot) {
    for (int source : grid.lanes()) {
      if (source < 0) continue;
      cell.fill = "white";
      std::string label;
      for (std::size_t option = 0; option < config.options.size(); ++option) {
        const Option reach = config.options[option];
        if (reach.step != slot || source_lane(lane, reach, config.lanes) != source) continue;
        cell.fill = ordered_colour(option, config.options.size());
        label = fmt::format("{}", option);
      }
      cell.ink = ink_on(cell.fill == "white" ? "#ffffff" : cell.fill);
      cell.size = 12;
      drawing.shape(WindowGrid::name(slot, source),
                    around(grid.element(slot, source), WindowGrid::kCell, WindowGrid::kCell), label,
                    cell);
    }
  }
}

/// The options as a list, first the first.
void draw_list(Drawing& drawing, const Config& config, int lane, Point at) {
  drawing.text(at, "options, in order of priority: (step, offset)", 11, Align::left, colour::kInk,
               true);
  double column = 0;
  for (Option reach : config.options) {
    column = std::max(column, text_width(option_text(config, lane, reach), 10) + 40);
  }
  for (std::size_t option = 0; option < config.options.size(); ++option) {
    const std::size_t columns_before = option / kOptionLines;
    const double x = at.x + column * static_cast<double>(columns_before);
    const double y = at.y + 20 + 18 * static_cast<double>(option % kOptionLines);
    Shape mark;
    mark.form = "circle";
    mark.line = "none";
    mark.fill = ordered_colour(option, config.options.size());
    mark.ink = ink_on(mark.fill);
    mark.size = 9;
    drawing.shape(fmt::format("priority {}", option), around({x + 7, y}, 15, 15),
                  fmt::format("{}", option), mark);
    drawing.text({x + 22, y}, option_text(config, lane, config.options[option]), 10, Align::left);
  }
}

/// The multiplexer, the inputs of its options and what it feeds.
void draw_multiplexer(Drawing& drawing, const Config& config, const WindowGrid& grid, int lane,
                      Box box) {
  const std::vector<Point> ends = inputs(config, grid, lane, {box.middle_x(), box.top});
  Shape look;
  look.form = "invtrapezium";
  look.fill = colour::kSideB;
  look.line = colour::kSideBLine;
  drawing.shape("multiplexer", box, fmt::format("\n{} : 1", ends.size()), look);
  for (std::size_t option = 0; option < ends.size(); ++option) {
    const Option reach = config.options[option];
    const int source = source_lane(lane, reach, config.lanes);
    const std::string name = fmt::format("option {}", option);
    drawing.shape(name, around({ends[option].x, box.top + 9}, 14, 12), "", input_look());
    drawing.text({ends[option].x, box.top + 9}, fmt::format("{}", option), 9);
    Wire wire;
    wire.line = ordered_colour(option, ends.size());
    wire.width = 1.6;
    drawing.wire(WindowGrid::name(reach.step, source), name,
                 grid.way(reach.step, source, ends[option]), wire);
  }
  look.form = "box";
  look.rounded = true;
  look.fill = colour::kControl;
  look.line = colour::kControlLine;
  const Box scheduler = {box.left - 110, box.top + 4, 84, 32};
  drawing.shape("scheduler", scheduler, "scheduler", look);
  Wire select;
  select.line = colour::kControlLine;
  select.dashed = true;
  drawing.wire("scheduler", "multiplexer",
               {{scheduler.right(), scheduler.middle_y()}, {box.left + 18, scheduler.middle_y()}},
               select);
  look.fill = colour::kCompute;
  look.line = colour::kLine;
  const Box multiplier = around({box.middle_x(), box.bottom() + 38}, 130, 26);
  drawing.shape("multiplier", multiplier, fmt::format("multiplier of lane {}", lane), look);
  drawing.wire("multiplexer", "multiplier",
               {{box.middle_x(), box.bottom()}, {box.middle_x(), multiplier.top}});
}

}  // namespace

Drawing lane_drawing(const Config& config, int lane) {
  Drawing drawing(fmt::format("{}: interconnect of lane {}", config.name, lane));
  const WindowGrid grid(config.depth, shown_lanes(config, lane));
  drawing.text({0, 10},
               fmt::format("{}: what lane {} may take from its window of {} slots × {} lanes",
                           config.name, lane, config.depth, config.lanes),
               14, Align::left, colour::kInk, true);
  grid.draw_frame(drawing);
  draw_elements(drawing, config, grid, lane);
  // The multiplexer stands below its lane, and leaves room for the scheduler beside it.
  const double width = std::max(100.0, kInput * static_cast<double>(config.options.size() + 3));
  const double left = std::max(grid.column(lane) - width / 2, 112.0);
  const Box multiplexer = {left, grid.bottom() + 60, width, 44};
  draw_multiplexer(drawing, config, grid, lane, multiplexer);
  draw_list(drawing, config, lane, {0, multiplexer.bottom() + 78});
  return drawing;
}

}  // namespace td
