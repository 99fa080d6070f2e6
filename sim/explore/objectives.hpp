// SPDX-License-Identifier: Apache-2.0
// By what points are compared, and which of them no other beats.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/explore/point.hpp"
#include "sim/explore/tile_fit.hpp"

namespace td::sim {

/// What a space must have for an objective.
enum class Need {
  nothing,
  area,    ///< a fit
  energy,  ///< a fit with energies, by which the networks are simulated
  machine  ///< clocks of the accelerator, which are simulated where they are asked for
};

/// One objective. The clock is none: no fit of it is measured, and scripts/explore --confirm
/// measures it.
struct PointObjective {
  const char* name;
  const char* unit;
  bool is_most;  ///< the more, the better
  Need need;
  const char* text;
  std::function<double(const Point&, const TileFit*)> value;
};

const std::vector<PointObjective>& point_objectives();

/// The objective or nullptr.
const PointObjective* find_point_objective(const std::string& name);

/// Sets on_front of points whose `objectives` are filled in.
void mark_front(const std::vector<const PointObjective*>& objectives, std::vector<Point>& points);

}  // namespace td::sim
