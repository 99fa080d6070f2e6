// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/objectives.hpp"

#include <algorithm>
#include <cmath>

namespace td::sim {
namespace {

PointObjective speedup(const char* name, double Speedups::*figure, const char* text) {
  const auto value = [figure](const Point& point, const TileFit*) {
    return geometric_mean(point, [figure](const Speedups& found) { return found.*figure; });
  };
  return {name, "x", true, Need::nothing, text, value};
}

/// The networks' mean of how much more than the dense tile it is.
PointObjective by_energies(const char* name, bool is_most, const char* text,
                           double (*figure)(const Speedups&)) {
  const auto value = [figure](const Point& point, const TileFit*) {
    return geometric_mean(point, figure);
  };
  return {name, "x", is_most, Need::energy, text, value};
}

PointObjective of_machine(const char* name, const char* unit, bool is_most,
                          double MachineFigures::*figure, const char* text) {
  const auto value = [figure](const Point& point, const TileFit*) {
    return geometric_mean(point,
                          [figure](const Speedups& found) { return (*found.machine).*figure; });
  };
  return {name, unit, is_most, Need::machine, text, value};
}

/// Operand inputs of all multiplexers: each tile row has them for side B, each PE for side A.
double multiplexer_inputs(const Point& point, const TileFit*) {
  const Config& config = point.config;
  return static_cast<double>(config.options.size()) * config.lanes * config.rows *
         (1 + config.columns);
}

/// Operands that all staging buffers hold.
double staged_operands(const Point& point, const TileFit*) {
  const Config& config = point.config;
  return static_cast<double>(config.depth) * config.lanes * (config.rows + config.columns);
}

bool beats(const std::vector<const PointObjective*>& objectives, const Point& a, const Point& b) {
  bool better = false;
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    const double gain = (a.objectives[i] - b.objectives[i]) * (objectives[i]->is_most ? 1 : -1);
    if (gain < 0) return false;
    better = better || gain > 0;
  }
  return better;
}

}  // namespace

double geometric_mean(const Point& point, const std::function<double(const Speedups&)>& figure) {
  double sum = 0;
  for (const PointNetwork& network : point.networks) sum += std::log(figure(network.found));
  return std::exp(sum / static_cast<double>(point.networks.size()));
}

const std::vector<PointObjective>& point_objectives() {
  static const std::vector<PointObjective> all = {
      speedup("total_speedup", &Speedups::total, "of the compute, over dense tiles"),
      speedup("data_speedup", &Speedups::data, "without what dropping filled-in zeros gains"),
      of_machine("memory_speedup", "x", true, &MachineFigures::speedup,
                 "from memory to memory, over dense tiles"),
      of_machine("memory_clocks", "clocks", false, &MachineFigures::clocks,
                 "from memory to memory, of a step"),
      by_energies("total_efficiency", true, "energy of the dense tile's compute over the tile's",
                  [](const Speedups& found) { return *found.efficiency; }),
      by_energies("power", false, "of the tile while it works, over the dense tile's",
                  [](const Speedups& found) { return found.total / *found.efficiency; }),
      {"area", "um2", false, Need::area, "of a tile, by the fit",
       [](const Point& point, const TileFit* fit) { return fit->um2(point.config); }},
      {"multiplexer_inputs", "operands", false, Need::nothing, "of all lanes of a tile, both sides",
       multiplexer_inputs},
      {"staged_operands", "operands", false, Need::nothing, "in all staging buffers of a tile",
       staged_operands},
      {"levels", "levels", false, Need::nothing,
       "of the scheduler, one after the other in its loop", [](const Point& point, const TileFit*) {
         return static_cast<double>(point.config.levels.size());
       }}};
  return all;
}

const PointObjective* find_point_objective(const std::string& name) {
  const auto found = std::find_if(point_objectives().begin(), point_objectives().end(),
                                  [&](const PointObjective& one) { return one.name == name; });
  return found == point_objectives().end() ? nullptr : &*found;
}

void mark_front(const std::vector<const PointObjective*>& objectives, std::vector<Point>& points) {
  for (Point& point : points) {
    point.on_front = std::none_of(points.begin(), points.end(), [&](const Point& other) {
      return beats(objectives, other, point);
    });
  }
}

}  // namespace td::sim
