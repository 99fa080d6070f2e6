// SPDX-License-Identifier: Apache-2.0
#include "gen/diagram/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace td {
namespace {

constexpr double kMargin = 12;
constexpr const char* kFont = "Helvetica,Arial,sans-serif";
/// A name without a font: draw_svg() makes a weight of it.
constexpr const char* kBoldFont = "Helvetica,Arial,sans-serif,bold";

/// Graphviz' y grows upwards.
std::string position(Point at) { return fmt::format("{:.2f},{:.2f}", at.x, -at.y); }

/// The label with an end of `line_end` for each of its lines.
std::string label_text(const std::string& lines, const char* line_end) {
  std::string label;
  for (char c : lines) {
    if (c == '\n') {
      label += line_end;
    } else {
      label += c;
    }
  }
  return label + line_end;
}

std::string frame(Box box) {
  return fmt::format("pos=\"{}\" width={:.4f} height={:.4f}",
                     position({box.middle_x(), box.middle_y()}), box.width / 72, box.height / 72);
}

/// The point `distance` in front of `to` on the way from `from`.
Point short_of(Point from, Point to, double distance) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const double part = length == 0 ? 0 : distance / length;
  return {to.x - (to.x - from.x) * part, to.y - (to.y - from.y) * part};
}

auto count_of(const std::string& text, char wanted) {
  return std::count(text.begin(), text.end(), wanted);
}

}  // namespace

double text_width(const std::string& lines, double size) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin <= lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return 0.55 * size * static_cast<double>(longest);
}

Box around(Point centre, double width, double height) {
  return {centre.x - width / 2, centre.y - height / 2, width, height};
}

std::string ordered_colour(std::size_t index, std::size_t count) {
  // From violet over blue to green: the lightness rises evenly, so that it shows in grey, too.
  constexpr std::array<std::array<double, 3>, 4> stops = {
      {{68, 1, 84}, {49, 104, 142}, {31, 158, 137}, {144, 215, 67}}};
  const double at =
      count < 2 ? 0 : 3.0 * static_cast<double>(index) / static_cast<double>(count - 1);
  const auto low = std::min<std::size_t>(static_cast<std::size_t>(at), 2);
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = at - static_cast<double>(low);
    mixed[i] = static_cast<int>(std::lround(stops[low][i] * (1 - part) + stops[low + 1][i] * part));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

std::string ink_on(const std::string& fill) {
  const auto part = [&](std::size_t at) { return std::stoi(fill.substr(at, 2), nullptr, 16); };
  const int light = 2 * part(1) + 5 * part(3) + part(5);
  return light > 8 * 125 ? colour::kInk : "white";
}

Drawing::Drawing(std::string title) : title_(std::move(title)) {}

std::string Drawing::nameless() { return fmt::format("~{}", ++nameless_); }

void Drawing::show(Box box) {
  right_ = std::max(right_, box.right());
  bottom_ = std::max(bottom_, box.bottom());
}

void Drawing::shape(const std::string& name, Box box, const std::string& label, const Shape& look) {
  show(box);
  shapes_ += fmt::format(
      "\"{}\" [{} shape={} style=\"filled{}\" fillcolor=\"{}\" color=\"{}\" fontcolor=\"{}\" "
      "fontsize={} label=\"{}\"]\n",
      name, frame(box), look.form, look.rounded ? ",rounded" : "", look.fill, look.line, look.ink,
      look.size, label.empty() ? "" : label_text(label, "\\n"));
}

void Drawing::text(Point at, const std::string& lines, double size, Align align,
                   const std::string& ink, bool bold) {
  // What is shown is about as wide as the text; the box is wide enough for any font's letters, so
  // that where the text begins does not depend on them.
  const double height = size * 1.3 * static_cast<double>(1 + count_of(lines, '\n'));
  Box box = around(at, text_width(lines, size), height);
  if (align == Align::left) box.left = at.x;
  show(box);
  box = around(at, 2 * text_width(lines, size), height);
  if (align == Align::left) box.left = at.x;
  shapes_ += fmt::format(
      "\"{}\" [{} shape=none fontname=\"{}\" fontcolor=\"{}\" fontsize={} label=\"{}\"]\n",
      nameless(), frame(box), bold ? kBoldFont : kFont, ink, size,
      label_text(lines, align == Align::left ? "\\l" : "\\n"));
}

void Drawing::wire(const std::string& from, const std::string& to, const std::vector<Point>& points,
                   const Wire& look) {
  std::vector<Point> line = points;
  std::string spline;
  if (look.arrow) {
    spline = fmt::format("e,{} ", position(line.back()));
    line.back() = short_of(line[line.size() - 2], line.back(), 7);
  }
  spline += position(line[0]);
  for (std::size_t i = 1; i < line.size(); ++i) {
    spline += fmt::format(" {} {} {}", position(line[i - 1]), position(line[i]), position(line[i]));
  }
  wires_ += fmt::format("\"{}\" -> \"{}\" [pos=\"{}\" color=\"{}\" penwidth={} style={}{}]\n", from,
                        to, spline, look.line, look.width, look.dashed ? "dashed" : "solid",
                        look.arrow ? "" : " dir=none");
}

void Drawing::joint(Point at, const std::string& line) {
  shapes_ += fmt::format(
      "\"{}\" [{} shape=circle style=filled fillcolor=\"{}\" color=\"{}\" label=\"\"]\n",
      nameless(), frame(around(at, 4, 4)), line, line);
}

std::string Drawing::dot() const {
  const Box page = {-kMargin, -kMargin, right_ + 2 * kMargin, bottom_ + 2 * kMargin};
  return fmt::format(
             "digraph \"{}\" {{\n"
             "graph [bgcolor=white notranslate=true outputorder=nodesfirst pad=0 "
             "viewport=\"{:.0f},{:.0f},1,{}\"]\n"
             "node [fixedsize=true margin=0 fontname=\"{}\"]\n"
             "edge [arrowsize=0.7]\n",
             title_, page.width, page.height, position({page.middle_x(), page.middle_y()}), kFont) +
         shapes_ + wires_ + "}\n";
}

}  // namespace td
