// SPDX-License-Identifier: Apache-2.0
// Draws the block diagram of one tile, part by part.
#pragma once

#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "gen/diagram/drawing.hpp"
#include "gen/diagram/tile_layout.hpp"

namespace td {

/// What stands for what in the diagram.
namespace tile_look {
extern const Shape kSideA;
extern const Shape kSideB;
extern const Shape kControl;
extern const Shape kCompute;
extern const Wire kDataA;
extern const Wire kDataB;
extern const Wire kOutput;
extern const Wire kOrder;  ///< control
inline constexpr double kText = 11;
}  // namespace tile_look

class TilePicture {
 public:
  explicit TilePicture(const Config& config);

  Drawing draw();

 private:
  std::string port(const std::string& name) const;
  std::string row_bits() const;
  void block(const std::string& name, Box box, const std::string& lines, const Shape& look);
  /// Where a port's wire begins: its name stands beside it.
  void begin(const std::string& port, Point at);

  // tile_diagram.cpp: what stands around the data path
  void title();
  void panel();
  /// Names of the ports of data, above their wires.
  void inputs();
  /// The counts of rows of both sides, with their arrow below them.
  void handshake(const std::string& name, double y, bool into);
  /// The intake, what it tells others, and the ports that it serves.
  void control();
  void output();
  void legend();
  /// Three dots for what is left out.
  void dots(Point middle, double dx, double dy);
  void dots_a();
  void dots_b();

  // tile_feed.cpp: the data path
  std::string window_name(const char* side, int number) const;
  /// A window, or a dense tile's register, with its slots.
  void window(const std::string& name, Box box, const Shape& look);
  void side_a(int column);
  void side_b(int row);
  void schedule(int row, const std::string& window);
  /// Side B's operands of a tile row, and its choices, on their way to the PEs.
  void operands(int row, const std::string& from);
  void pe(int row, int column);

  const Config& config_;
  TileLayout at_;
  Drawing drawing_;
};

}  // namespace td
