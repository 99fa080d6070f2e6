// SPDX-License-Identifier: Apache-2.0
// The window as a grid, for pictures: lanes side by side, slot 0 at the bottom, next to the
// multipliers. Wires leave an element beside its column, and nowhere cross another one.
#pragma once

#include <string>
#include <vector>

#include "gen/diagram/drawing.hpp"

namespace td {

class WindowGrid {
 public:
  /// Of these lanes, in order; a -1 stands for lanes that are left out.
  WindowGrid(int depth, std::vector<int> lanes);

  static constexpr double kPitch = 40;
  static constexpr double kCell = 24;

  Point element(int slot, int lane) const;
  double column(int lane) const;  ///< where the middle of a lane is
  double right() const;
  double bottom() const;  ///< of slot 0
  double slot_middle(int slot) const;

  /// `slot 1, lane 7`: name of an element in the picture.
  static std::string name(int slot, int lane);

  /// Numbers of lanes and slots, and the bands behind the slots.
  void draw_frame(Drawing& drawing) const;

  /// The way of a wire from an element to a point below the grid.
  std::vector<Point> way(int slot, int lane, Point to) const;

  const std::vector<int>& lanes() const { return lanes_; }

 private:
  int depth_;
  std::vector<int> lanes_;
};

}  // namespace td
