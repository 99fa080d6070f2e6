// SPDX-License-Identifier: Apache-2.0
// Pins that a buffer may drive together, found from where they lie.
#pragma once

#include <vector>

#include "sim/gate/layout/layout.hpp"

namespace td::gate {

/// A pin that a wire is to lead to.
struct Branch {
  PlacedPin pin;
  Point place;
  double pF = 0;  ///< that it loads its wire with
};
using Branches = std::vector<Branch>;
std::vector<PlacedPin> pins_of(const Branches& branches);

/// Some branches, and the middle of the box that they lie in.
struct Part {
  Branches branches;
  Point middle;
};

/// Whether branches and a tree of wire to them from a place load at most `limit_pF`.
bool fit(const Point& from, const Branches& branches, double pF_per_um, double limit_pF);

/// Cuts branches in halves, across the longer side of their box, until what a part loads from its
/// middle is at most `limit_pF`, or there are two in it.
std::vector<Part> parts_of(Branches branches, double pF_per_um, double limit_pF);

}  // namespace td::gate
