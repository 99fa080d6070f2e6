// SPDX-License-Identifier: Apache-2.0
// What a placer places: cells on rows and ports around them, joined by nets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"

namespace td::gate {

/// µm: x along a row, y across the rows.
using Point = std::array<double, 2>;
constexpr std::size_t kX = 0, kY = 1;

inline double distance(const Point& a, const Point& b) {
  const double dx = a[kX] - b[kX], dy = a[kY] - b[kY];
  return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}

/// What a library says of the shapes of its cells, µm.
struct CellShapes {
  double row_height = 0;
  double site_width = 0;  ///< cells begin at multiples of it

  /// Of a cell, in whole sites: rows are as high as cells, so its area says it.
  double width(const Cell& cell) const;
};

/// What has a place: a gate, by its number in the netlist; behind them a bit of a port, in the
/// order of ports; behind these a repeater. Its pins are in the middle of it.
using Vertex = std::int32_t;

/// A pin of a vertex: of a gate its number in the cell, else 0.
struct PlacedPin {
  Vertex vertex = 0;
  std::int32_t pin = 0;
};

/// Hypergraph of a netlist. Nets with one pin, constants and the nets that are left out are not in
/// it. Of a net's pins the one that drives it comes first.
class Layout {
 public:
  /// `left_out`: nets, by number, that are not in it: clocks. `repeater`: cell that will be put
  /// among them. Throws UserError: a cell without an area.
  Layout(const Netlist& netlist, const Library& library, const CellShapes& shapes,
         const Cell& repeater, const std::vector<char>& left_out);

  std::size_t cells() const { return widths_.size(); }
  std::size_t ports() const { return ports_; }
  std::size_t vertices() const { return cells() + ports_; }
  double width(std::size_t vertex) const {  ///< not of a port
    return vertex < cells() ? widths_[vertex] : repeater_width_;
  }
  double area() const;  ///< of all cells, µm²
  double row_height() const { return shapes_.row_height; }
  double site_width() const { return shapes_.site_width; }

  /// Nets by their place here.
  std::size_t nets() const { return net_of_.size(); }
  Net net(std::size_t place) const { return net_of_[place]; }  ///< its number in the netlist
  std::size_t pins(std::size_t place) const {
    return static_cast<std::size_t>(net_first_[place + 1] - net_first_[place]);
  }
  const Vertex* begin(std::size_t place) const { return net_pins_.data() + net_first_[place]; }
  const Vertex* end(std::size_t place) const { return net_pins_.data() + net_first_[place + 1]; }
  PlacedPin pin(std::size_t place, std::size_t number) const {
    return {begin(place)[number],
            pin_numbers_[static_cast<std::size_t>(net_first_[place]) + number]};
  }

  /// Nets at a vertex; one that it is at twice stands there twice.
  const std::int32_t* nets_begin(std::size_t vertex) const {
    return vertex_nets_.data() + vertex_first_[vertex];
  }
  const std::int32_t* nets_end(std::size_t vertex) const {
    return vertex_nets_.data() + vertex_first_[vertex + 1];
  }

 private:
  CellShapes shapes_;
  std::vector<double> widths_;
  double repeater_width_;
  std::size_t ports_ = 0;
  std::vector<Net> net_of_;
  std::vector<std::int32_t> net_first_;
  std::vector<Vertex> net_pins_;
  std::vector<std::int32_t> pin_numbers_;  ///< of net_pins_, in their cells
  std::vector<std::int32_t> vertex_first_;
  std::vector<std::int32_t> vertex_nets_;
};

/// The area that cells are placed on.
struct Core {
  double width = 0;
  std::size_t rows = 0;
  double height = 0;
};

/// A core, as square as whole rows allow, of which cells take `utilisation`.
Core core_of(const Layout& layout, double utilisation);

/// Places of all vertices: of a cell its middle.
using Places = std::vector<Point>;

/// Half of the circumference of a net's box, µm.
double box(const Layout& layout, std::size_t place, const Places& places);
/// Of all nets.
double boxes(const Layout& layout, const Places& places);

}  // namespace td::gate
