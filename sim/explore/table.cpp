// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/support/text_table.hpp"
#include "base/support/version.hpp"

namespace td::sim {
namespace {

using Align = TextTable::Align;
using Json = nlohmann::ordered_json;

std::string pattern_text(const Config& config) {
  std::vector<std::string> options;
  for (const Option option : config.options) options.push_back(to_string(option));
  return fmt::format("{}", fmt::join(options, " "));
}

std::string number_text(double value) {
  constexpr double large = 1000;  // areas, not ratios
  const bool whole = std::floor(value) == value || value >= large;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.3f}", value);
}

/// In the order of the first objective, the best first.
std::vector<const Point*> ranked(const Space& space, const std::vector<Point>& points) {
  std::vector<const Point*> order;
  for (const Point& point : points) order.push_back(&point);
  const double sign = space.objectives.front()->is_most ? 1 : -1;
  std::stable_sort(order.begin(), order.end(), [sign](const Point* a, const Point* b) {
    return sign * a->objectives.front() > sign * b->objectives.front();
  });
  return order;
}

std::string points_text(const Space& space, const std::vector<const Point*>& points) {
  TextTable table;
  table.add_column("point", Align::left);
  for (const char* heading : {"lanes", "rows", "columns", "depth", "options", "levels"}) {
    table.add_column(heading, Align::right);
  }
  table.add_column("dealing", Align::left);
  for (const PointObjective* objective : space.objectives) {
    table.add_column(fmt::format("{} {}", objective->name, objective->unit), Align::right);
  }
  table.add_column("front", Align::left);
  table.add_column("pattern", Align::left);
  for (const Point* point : points) {
    const Config& config = point->config;
    std::vector<std::string> cells = {config.name};
    for (const std::size_t size :
         {static_cast<std::size_t>(config.lanes), static_cast<std::size_t>(config.rows),
          static_cast<std::size_t>(config.columns), static_cast<std::size_t>(config.depth),
          config.options.size(), config.levels.size()}) {
      cells.push_back(fmt::format("{}", size));
    }
    cells.emplace_back(to_string(space.cells[point->cell].dealing));
    for (const double value : point->objectives) cells.push_back(number_text(value));
    cells.emplace_back(point->on_front ? "yes" : "");
    cells.push_back(pattern_text(config));
    table.add_row(cells);
  }
  return table.text();
}

std::string networks_text(const Space& space, const std::vector<const Point*>& points) {
  TextTable table;
  table.add_column("point", Align::left);
  table.add_column("network", Align::left);
  table.add_column("use", Align::left);
  for (const char* heading : {"total x", "data x", "memory x", "left out x"}) {
    table.add_column(heading, Align::right);
  }
  for (const std::string& name : space.named) table.add_column(name + " x", Align::right);
  for (const Point* point : points) {
    for (const PointNetwork& network : point->networks) {
      std::vector<std::string> cells = {
          point->config.name,
          network.name,
          to_string(network.use),
          fmt::format("{:.3f}", network.found.total),
          fmt::format("{:.3f}", network.found.data),
          network.found.machine ? fmt::format("{:.3f}", network.found.machine->speedup) : "-",
          network.left_out ? fmt::format("{:.3f}", network.left_out->total) : "-"};
      for (const Speedups& named : network.named)
        cells.push_back(fmt::format("{:.3f}", named.total));
      table.add_row(cells);
    }
  }
  return table.text();
}

/// What no objective of the space has, and scripts/ppa measures.
std::vector<std::string> not_estimated(const Space& space) {
  if (space.needs(Need::energy)) return {"clock"};
  return {"power", "clock", "energy"};
}

std::string notes_text(const Space& space, const std::vector<Point>& points) {
  std::int64_t scored = 0;
  double spread = 0;
  for (const Point& point : points) {
    scored += point.scored;
    const auto [least, most] = std::minmax_element(point.chains.begin(), point.chains.end());
    spread = std::max(spread, *most / *least - 1);
  }
  std::string text = fmt::format("{} points, {} patterns scored for them on all tuned networks\n",
                                 points.size(), scored);
  if (space.chains > 1) {
    text +=
        fmt::format("the {} chains of a point end within {:.2f} %\n", space.chains, 100 * spread);
  }
  text +=
      "total, data, memory: tdsim's whole simulation; left out: total, with the pattern that was "
      "found without the network;\nnamed patterns: total, in the same tile, dealt naturally\n";
  if (space.fit) {
    text +=
        fmt::format("area: the fit over {}; a tile that was left out errs by at most {:.1f} %\n",
                    space.fit->source(), space.fit->error_percent());
  }
  if (space.needs(Need::energy)) {
    text += fmt::format(
        "total_efficiency, power: compute alone, with glitches, by the energies of that fit; the "
        "energy of a trace in a tile that was left out errs by at most {:.1f} %\n",
        space.fit->energy_error_percent());
  }
  return text + fmt::format("{}: not estimated; scripts/explore --confirm N measures\n",
                            fmt::join(not_estimated(space), ", "));
}

Json speedups_json(const Speedups& speedups) {
  const std::optional<MachineFigures>& machine = speedups.machine;
  return {{"total_ratio", speedups.total},
          {"data_ratio", speedups.data},
          {"memory_ratio", machine ? Json(machine->speedup) : Json()},
          {"memory_clocks", machine ? Json(machine->clocks) : Json()},
          {"efficiency_ratio", speedups.efficiency ? Json(*speedups.efficiency) : Json()}};
}

Json network_json(const Space& space, const PointNetwork& network) {
  Json named = Json::object();
  for (std::size_t i = 0; i < space.named.size(); ++i) {
    named[space.named[i]] = speedups_json(network.named[i]);
  }
  return {{"name", network.name},
          {"use", to_string(network.use)},
          {"found", speedups_json(network.found)},
          {"left_out", network.left_out ? speedups_json(*network.left_out) : Json()},
          {"named", named}};
}

Json point_json(const Space& space, const Point& point) {
  const Config& config = point.config;
  Json options = Json::array();
  for (const Option option : config.options) options.push_back({option.step, option.offset});
  Json values;
  for (std::size_t i = 0; i < space.objectives.size(); ++i) {
    values[space.objectives[i]->name] = point.objectives[i];
  }
  Json networks = Json::array();
  for (const PointNetwork& one : point.networks) networks.push_back(network_json(space, one));
  return {{"name", config.name},
          {"configuration", fmt::format("points/{}.toml", config.name)},
          {"hash", config_hash_text(config)},
          {"lanes", config.lanes},
          {"rows", config.rows},
          {"columns", config.columns},
          {"depth_rows", config.depth},
          {"options", options},
          {"levels", config.levels.size()},
          {"dealing", to_string(space.cells[point.cell].dealing)},
          {"on_front", point.on_front},
          {"objectives", values},
          {"patterns_scored", point.scored},
          {"exhaustive", point.exhaustive},
          {"chains", point.chains},
          {"networks", networks}};
}

}  // namespace

std::string explore_text(const Space& space, const std::vector<Point>& points) {
  const std::vector<const Point*> order = ranked(space, points);
  return points_text(space, order) + "\n" + networks_text(space, order) + "\n" +
         notes_text(space, points);
}

std::string explore_json(const Space& space, const std::vector<Point>& points) {
  Json named_objectives = Json::array();
  for (const PointObjective* one : space.objectives) {
    named_objectives.push_back({{"name", one->name},
                                {"unit", one->unit},
                                {"best", one->is_most ? "most" : "least"},
                                {"text", one->text}});
  }
  Json root = {{"format", kExploreFormat},
               {"program", fmt::format("tdsim {}", kGeneratorVersion)},
               {"space", space.name},
               {"seed", space.seed},
               {"objectives", named_objectives},
               {"area_fit", Json()},
               {"not_estimated", not_estimated(space)},
               {"points", Json::array()}};
  if (space.fit) {
    root["area_fit"] = {{"source", space.fit->source()},
                        {"left_out_error_percent", space.fit->error_percent()}};
  }
  for (const Point* point : ranked(space, points)) {
    root["points"].push_back(point_json(space, *point));
  }
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string point_toml(const Space& space, const Point& point) {
  return fmt::format("# Found by tdsim explore in the space {}, seed {}; streams dealt: {}.\n{}",
                     space.name, space.seed, to_string(space.cells[point.cell].dealing),
                     canonical_toml(point.config));
}

}  // namespace td::sim
