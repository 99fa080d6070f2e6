// SPDX-License-Identifier: Apache-2.0
#include "gen/scheduler.hpp"

#include <fmt/ranges.h>

#include "gen/verilog.hpp"

namespace td {
namespace {

/// What `lane` reaches through `place`, as a bit of the rows ahead.
int element_ahead(const Config& config, int lane, Place place) {
  return (place.step - 1) * config.lanes + source_lane(lane, place, config.lanes);
}

/// For each element of the rows ahead, the select bit with which a lane of `level` takes it; empty
/// where no lane of the level reaches. Lanes of one level cannot meet, so there is at most one.
std::vector<std::string> takers(const Config& config, const Level& level) {
  std::vector<std::string> bits(static_cast<std::size_t>((config.depth - 1) * config.lanes));
  for (int lane : level) {
    for (std::size_t p = 0; p < config.places.size(); ++p) {
      if (config.places[p].step == 0) continue;
      bits[static_cast<std::size_t>(element_ahead(config, lane, config.places[p]))] =
          fmt::format("select_l{}_o[{}]", lane, p);
    }
  }
  return bits;
}

void emit_lane(Module& module, const Config& config, std::size_t level, int lane) {
  const std::size_t places = config.places.size();
  std::vector<std::string> reach;
  for (std::size_t p = places; p-- > 0;) {
    const Place place = config.places[p];
    reach.push_back(place.step == 0
                        ? fmt::format("z_i[{}]", lane)
                        : fmt::format("left_{}[{}]", level, element_ahead(config, lane, place)));
  }
  module.line("  wire [{}:0] reach_l{} = {};", places - 1, lane, concatenation(reach));
  // The lowest set bit: the first place in order of priority that holds a pair.
  module.line("  assign select_l{0}_o = reach_l{0} & (~reach_l{0} + {1}'d1);", lane, places);
}

void emit_level(Module& module, const Config& config, std::size_t index) {
  const Level& level = config.levels[index];
  module.comment(fmt::format("Level {}: lanes {} choose at once.", index, fmt::join(level, ", ")));
  for (int lane : level) emit_lane(module, config, index, lane);
  if (config.depth == 1) return;

  const std::vector<std::string> bits = takers(config, level);
  std::vector<std::string> words;
  for (std::size_t i = bits.size(); i-- > 0;) {
    words.push_back((bits[i].empty() ? "1'b0" : bits[i]) + (i == 0 ? "" : ","));
  }
  module.line("  wire [{}:0] taken_{} = {{", bits.size() - 1, index);
  module.line("{}", wrap(words, 100, "      "));
  module.line("  }};");
  module.line("  wire [{0}:0] left_{1} = left_{2} & ~taken_{2};", bits.size() - 1, index + 1,
              index);
}

}  // namespace

std::string emit_scheduler(const Config& config) {
  Module module(config, "scheduler", "Scheduler: which pair each lane takes in this step.");
  const int elements = config.depth * config.lanes;
  const int places = static_cast<int>(config.places.size());
  module.input("z_i", elements, "effectual and free; bit = row * lanes + lane");
  for (int lane = 0; lane < config.lanes; ++lane) {
    module.output(fmt::format("select_l{}_o", lane), places,
                  fmt::format("place that lane {} takes from, one-hot", lane));
  }
  const int ahead = elements - config.lanes;
  if (ahead > 0) module.output("rest_o", ahead, "what no lane took of rows 1 and up");

  std::vector<std::string> names;
  for (Place place : config.places) names.push_back(to_string(place));
  module.comment(
      fmt::format("Pattern {}: (step ahead, lane offset) in order of priority, bit 0 of a "
                  "select first.",
                  config.pattern));
  module.line("{}", wrap(names, 100, "  // "));
  if (ahead > 0) {
    module.line(
        "  // Of row 0 nothing is left: its elements are the first choice of their own lane.");
    module.line("  wire [{}:0] left_0 = z_i[{}:{}];", ahead - 1, elements - 1, config.lanes);
  }
  for (std::size_t level = 0; level < config.levels.size(); ++level) {
    emit_level(module, config, level);
  }
  if (ahead > 0) module.line("\n  assign rest_o = left_{};", config.levels.size());
  return module.text();
}

}  // namespace td
