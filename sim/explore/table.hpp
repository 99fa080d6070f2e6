// SPDX-License-Identifier: Apache-2.0
// What exploring found, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "sim/explore/space.hpp"

namespace td::sim {

/// The form of the table as JSON.
inline constexpr const char* kExploreFormat = "tensordash-explore-2";

/// Every point with its objectives; then what it gains on each network.
std::string explore_text(const Space& space, const std::vector<Point>& points);

std::string explore_json(const Space& space, const std::vector<Point>& points);

/// A configuration that tdgen takes.
std::string point_toml(const Space& space, const Point& point);

}  // namespace td::sim
