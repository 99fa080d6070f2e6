// SPDX-License-Identifier: Apache-2.0
// A picture for Graphviz in which everything has its position, in points (1/72 inch); y grows
// downwards.
#pragma once

#include <string>
#include <vector>

namespace td {

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double middle_x() const { return left + width / 2; }
  double middle_y() const { return top + height / 2; }
};

/// A box around a centre.
Box around(Point centre, double width, double height);

/// Colours that everyone tells apart, dark text on light fills.
namespace colour {
inline constexpr const char* kInk = "#1a1a1a";
inline constexpr const char* kFaint = "#6b6b6b";  ///< for text that matters less
inline constexpr const char* kLine = "#4d4d4d";
inline constexpr const char* kPanel = "#f2f2f2";
inline constexpr const char* kSideA = "#cfe8f5";  ///< fill of what holds side A
inline constexpr const char* kSideALine = "#0072b2";
inline constexpr const char* kSideB = "#fbe3c6";  ///< fill of what holds side B
inline constexpr const char* kSideBLine = "#b35900";
inline constexpr const char* kControl = "#e3d9ef";  ///< fill of what decides
inline constexpr const char* kControlLine = "#5b3a8c";
inline constexpr const char* kCompute = "#d6ebd3";  ///< fill of what multiplies and adds
}  // namespace colour

/// The colour of number `index` of `count` in an order: dark first, all of them readable on white.
std::string ordered_colour(std::size_t index, std::size_t count);

/// Black or white: what is readable on that colour.
std::string ink_on(const std::string& fill);

struct Shape {
  std::string form = "box";  ///< of Graphviz
  std::string fill = "white";
  std::string line = colour::kLine;
  std::string ink = colour::kInk;
  double size = 10;  ///< of the label
  bool rounded = false;
};

enum class Align { left, centre };

struct Wire {
  std::string line = colour::kLine;
  double width = 1;
  bool dashed = false;
  bool arrow = true;
};

/// How wide the longest of the lines is, about.
double text_width(const std::string& lines, double size);

/// Collects what is to be drawn. Shapes come before wires; of two shapes the later is on top.
class Drawing {
 public:
  explicit Drawing(std::string title);

  /// A shape with a name, which readers see as a hint and tests look for.
  void shape(const std::string& name, Box box, const std::string& label, const Shape& look = {});

  /// Lines of text, separated by \n, around a point or to the right of it.
  void text(Point at, const std::string& lines, double size = 10, Align align = Align::centre,
            const std::string& ink = colour::kInk, bool bold = false);

  /// A line through two points or more, from one shape to another.
  void wire(const std::string& from, const std::string& to, const std::vector<Point>& points,
            const Wire& look = {});

  /// A dot where wires meet.
  void joint(Point at, const std::string& line);

  /// The picture in Graphviz' language.
  std::string dot() const;

 private:
  std::string nameless();
  void show(Box box);

  std::string title_;
  std::string shapes_;
  std::string wires_;
  int nameless_ = 0;
  double right_ = 0;  ///< of all that is shown; it begins at 0,0
  double bottom_ = 0;
};

}  // namespace td
