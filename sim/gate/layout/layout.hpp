// SPDX-License-Identifier: Apache-2.0
// What a placer places: cells on rows and ports around them, joined by nets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/gate/layout/point.hpp"
#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"

namespace td::gate {

/// Shapes of the cells of a library, µm.
struct CellShapes {
  double row_height = 0;
  double site_width = 0;  ///< cells begin at multiples of it
  /// Of a cell's pins, by cell and pin of the library, from the cell's middle. In every other row
  /// cells are flipped, top to bottom. Empty: all pins are in the middle.
  std::vector<std::vector<Point>> pins;
  /// Of cells, by number in the library. Empty: cells are as wide as their areas say, since they
  /// are as high as rows.
  std::vector<double> widths;

  /// In whole sites.
  double width(const Library& library, std::size_t cell) const;
};

/// Adds widths and pins of a library's cells from a LEF file. Throws UserError: not LEF, a cell or
/// pin that is not there, a cell that is not as high as a row.
void add_lef(const Library& library, const std::string& lef, CellShapes& shapes);

/// What has a place: a gate, by its number in the netlist; behind them a bit of a port, in the
/// order of ports; behind these a buffer that was added.
using Vertex = std::int32_t;

/// A pin of a vertex: its number in the cell, of a port 0.
struct PlacedPin {
  Vertex vertex = 0;
  std::int32_t pin = 0;
};

/// A net, or what a buffer in it drives.
struct Wire {
  Net net = no_net;  ///< in the netlist
  PlacedPin driver;
  std::vector<PlacedPin> sinks;
};

/// What a layout does with a net.
enum class NetUse : char {
  wired,
  drawn,  ///< draws its pins together, as the clock behind a gate does; a tree brings its wires
  left_out
};

/// Hypergraph of a netlist. Nets with one pin, constants and the nets that are left out are not in
/// it. Of a net's pins the one that drives it comes first. Buffers come to it later, and are at
/// none of these nets.
class Layout {
 public:
  /// `uses`: by net. Throws UserError: a cell without an area.
  Layout(const Netlist& netlist, const Library& library, const CellShapes& shapes,
         const std::vector<NetUse>& uses);

  /// The same cells, then the buffers, all as cells; ports behind them. Its nets are these wires,
  /// and net() is a wire's number.
  Layout with(const std::vector<Wire>& wires) const;
  Vertex beside_buffers(Vertex vertex) const;  ///< its number there

  /// Its cell by its number in the library.
  Vertex add_buffer(const Library& library, std::size_t cell);

  std::size_t cells() const { return gates_.size(); }
  std::size_t ports() const { return ports_; }
  std::size_t vertices() const { return cells() + ports_; }  ///< without buffers
  std::size_t buffers() const { return buffers_.size(); }
  bool is_port(std::size_t vertex) const { return vertex >= cells() && vertex < vertices(); }
  /// In the library; not of a port.
  std::size_t cell(std::size_t vertex) const { return shape(vertex).cell; }
  double width(std::size_t vertex) const { return shape(vertex).width; }  ///< not of a port
  double area() const;  ///< of all cells without buffers, µm²
  double row_height() const { return shapes_.row_height; }
  /// Where a pin is; `places`: of all vertices.
  Point where(const PlacedPin& pin, const std::vector<Point>& places) const;
  double site_width() const { return shapes_.site_width; }

  /// Nets that join pins: wires, by a number of their own.
  std::size_t nets() const { return net_of_.size(); }
  Net net(std::size_t wire) const {
    return net_of_[wire];
  }  ///< its number in the netlist; see with()
  bool is_wired(std::size_t wire) const { return wired_[wire] != 0; }
  std::size_t pins(std::size_t wire) const {
    return static_cast<std::size_t>(net_first_[wire + 1] - net_first_[wire]);
  }
  const Vertex* begin(std::size_t wire) const { return net_pins_.data() + net_first_[wire]; }
  const Vertex* end(std::size_t wire) const { return net_pins_.data() + net_first_[wire + 1]; }
  PlacedPin pin(std::size_t wire, std::size_t number) const {
    return {begin(wire)[number], pin_numbers_[static_cast<std::size_t>(net_first_[wire]) + number]};
  }

  /// Nets at a vertex; one that it is at twice stands there twice.
  const std::int32_t* nets_begin(std::size_t vertex) const {
    return vertex_nets_.data() + vertex_first_[vertex];
  }
  const std::int32_t* nets_end(std::size_t vertex) const {
    return vertex_nets_.data() + vertex_first_[vertex + 1];
  }

 private:
  struct Shape {
    std::size_t cell;
    double width;
  };
  struct NetPin {
    Net net;
    bool is_wired;
    PlacedPin pin;
    bool drives;
  };
  Layout(CellShapes shapes, std::vector<Shape> gates, std::size_t ports, std::vector<NetPin> pins);

  void join(std::vector<NetPin> pins);
  const Shape& shape(std::size_t vertex) const {
    return vertex < cells() ? gates_[vertex] : buffers_[vertex - vertices()];
  }

  CellShapes shapes_;
  std::vector<Shape> gates_;
  std::vector<Shape> buffers_;
  std::size_t ports_ = 0;
  std::vector<Net> net_of_;
  std::vector<char> wired_;
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
double box(const Layout& layout, std::size_t wire, const Places& places);
/// Of all nets.
double boxes(const Layout& layout, const Places& places);

}  // namespace td::gate
