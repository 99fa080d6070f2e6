// SPDX-License-Identifier: Apache-2.0
// The options a lane may take its pair from, and the levels in which lanes can choose at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace td {

/// One multiplexer input: `step` rows ahead (0 = the row in use), `offset` lanes to the side
/// (lane i takes from lane i + offset, modulo the number of lanes).
struct Option {
  int step = 0;
  int offset = 0;
  friend bool operator==(Option x, Option y) { return x.step == y.step && x.offset == y.offset; }
};

/// `(1,-3)`: an option as the documents write it.
std::string to_string(Option option);

/// Lanes that choose at once; levels choose one after the other.
using Level = std::vector<int>;

/// A named list of options in order of priority, as published for 16 lanes and depth 3.
struct NamedPattern {
  std::string name;
  std::string text;
  std::vector<Option> options;
};

/// Most options of a pattern, (0,0) included.
inline constexpr std::size_t kMaximumOptions = 64;

/// Every named pattern; the first is the default.
const std::vector<NamedPattern>& named_patterns();

/// The named pattern or nullptr.
const NamedPattern* find_pattern(std::string_view name);

/// The lane that `lane` reaches through `option`, 0…lanes-1.
int source_lane(int lane, Option option, int lanes);

/// True when some element can be reached by both lanes.
bool lanes_conflict(int lane_x, int lane_y, const std::vector<Option>& options, int lanes);

/// Colours the conflict graph first-fit in lane order: each lane joins the first level that has no
/// lane it conflicts with.
std::vector<Level> colour_levels(const std::vector<Option>& options, int lanes);

/// Splits `options` into those usable with this many lanes and rows and those that are not, because
/// they repeat an earlier option (modulo the lanes) or look beyond the depth.
struct FittedPattern {
  std::vector<Option> options;
  std::vector<Option> dropped;
};
FittedPattern fit_pattern(const std::vector<Option>& options, int lanes, int depth);

}  // namespace td
