// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/ports.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace td::gate {

namespace {

/// Ports by how far along something they are.
using Order = std::vector<std::pair<double, std::size_t>>;

double way_round(const Core& core) { return 2 * (core.width + core.height); }

/// A place around the core, so many µm of the way round.
Point around(const Core& core, double way) {
  if (way < core.width) return {way, 0};
  way -= core.width;
  if (way < core.height) return {core.width, way};
  way -= core.height;
  if (way < core.width) return {core.width - way, core.height};
  return {0, core.height - (way - core.width)};
}

/// The way round to where the core's edge is nearest.
double nearest_way(const Core& core, const Point& place) {
  const double x = std::clamp(place[kX], 0.0, core.width);
  const double y = std::clamp(place[kY], 0.0, core.height);
  const double least = std::min({y, core.width - x, core.height - y, x});
  if (least == y) return x;
  if (least == core.width - x) return core.width + y;
  if (least == core.height - y) return 2 * core.width + core.height - x;
  return way_round(core) - y;
}

/// The middle of the cells that a port is joined to; of none, where it is.
Point joined_to(const Layout& layout, std::size_t port, const Places& places) {
  Point sum = {0, 0};
  double count = 0;
  for (const std::int32_t* net = layout.nets_begin(port); net != layout.nets_end(port); ++net) {
    for (const Vertex* pin = layout.begin(at(*net)); pin != layout.end(at(*net)); ++pin) {
      if (layout.is_port(at(*pin))) continue;
      for (const std::size_t axis : {kX, kY}) sum[axis] += places[at(*pin)][axis];
      ++count;
    }
  }
  return count == 0 ? places[port] : Point{sum[kX] / count, sum[kY] / count};
}

void stand_evenly(const Layout& layout, const Core& core, const Order& order, Places& places) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(order.size());
    places[layout.cells() + order[i].second] = around(core, share * way_round(core));
  }
}

/// Moves what is in order until it is `pitch` apart within `length`; the sum of the squares of
/// moves is least: of what is in each other's way, all move alike (isotonic regression by pooling).
void move_apart(Order& order, double pitch, double length) {
  struct Pool {
    double sum, count;
    double place() const { return sum / count; }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < order.size(); ++i) {
    pools.push_back({order[i].first - (static_cast<double>(i) + 0.5) * pitch, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].place() >= pools.back().place()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  const double room = std::max(length - static_cast<double>(order.size()) * pitch, 0.0);
  std::size_t next = 0;
  for (const Pool& pool : pools) {
    for (const auto end = next + static_cast<std::size_t>(pool.count); next < end; ++next) {
      order[next].first =
          std::clamp(pool.place(), 0.0, room) + (static_cast<double>(next) + 0.5) * pitch;
    }
  }
}

/// The way round to the middle of the longest stretch without a port.
double widest_gap(const Order& order, double length) {
  double before = order.back().first - length, widest = 0, middle = 0;
  for (const auto& [way, port] : order) {
    if (way - before > widest) {
      widest = way - before;
      middle = before + widest / 2;
    }
    before = way;
  }
  return middle;
}

}  // namespace

void line_up_ports(const Layout& layout, const Core& core, Places& places) {
  Order order(layout.ports());
  for (std::size_t port = 0; port < order.size(); ++port) order[port].second = port;
  stand_evenly(layout, core, order, places);
}

void turn_ports(const Layout& layout, const Core& core, Places& places) {
  Order angles;
  // From the corner where around() begins.
  const double corner = std::atan2(-core.height, -core.width);
  for (std::size_t port = 0; port < layout.ports(); ++port) {
    const Point middle = joined_to(layout, layout.cells() + port, places);
    const double angle = std::atan2(middle[kY] - core.height / 2, middle[kX] - core.width / 2);
    angles.emplace_back(angle < corner ? angle + 2 * std::acos(-1.0) : angle, port);
  }
  std::sort(angles.begin(), angles.end());
  stand_evenly(layout, core, angles, places);
}

void draw_ports(const Layout& layout, const Core& core, double pitch, Places& places) {
  Order ways;
  for (std::size_t port = 0; port < layout.ports(); ++port)
    ways.emplace_back(nearest_way(core, joined_to(layout, layout.cells() + port, places)), port);
  if (ways.empty()) return;
  std::sort(ways.begin(), ways.end());
  // The way round begins where it is cut with least harm.
  const double length = way_round(core), begin = widest_gap(ways, length);
  for (auto& [way, port] : ways) way = way < begin ? way - begin + length : way - begin;
  std::sort(ways.begin(), ways.end());
  move_apart(ways, std::min(pitch, length / static_cast<double>(ways.size())), length);
  for (const auto& [way, port] : ways)
    places[layout.cells() + port] = around(core, std::fmod(way + begin + length, length));
}

}  // namespace td::gate
