// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/layout/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/support/error.hpp"
#include "sim/gate/layout/lef.hpp"

namespace td::gate {

namespace {

/// first[i]: where the entries of i begin, from how many each one has, which stand behind it.
void begin_each(std::vector<std::int32_t>& first) {
  std::partial_sum(first.begin(), first.end(), first.begin());
}

}  // namespace

double CellShapes::width(const Library& library, std::size_t cell) const {
  const double width = widths.empty() ? library.cells[cell].area / row_height : widths[cell];
  return std::ceil(width / site_width - 1e-6) * site_width;
}

void add_lef(const Library& library, const std::string& lef, CellShapes& shapes) {
  const std::map<std::string, LefCell> found = read_lef(lef);
  for (const Cell& cell : library.cells) {
    const auto shape = found.find(cell.name);
    if (shape == found.end()) throw UserError(lef, "MACRO", "none of " + cell.name, "all cells");
    const Point& size = shape->second.size;
    if (std::abs(size[kY] - shapes.row_height) > 1e-6) {
      throw UserError(lef, cell.name + " SIZE", fmt::format("{}", size[kY]),
                      fmt::format("the height of a row, {}", shapes.row_height));
    }
    shapes.widths.push_back(size[kX]);
    shapes.pins.emplace_back();
    for (const Pin& pin : cell.pins) {
      const auto place = shape->second.pins.find(pin.name);
      if (place == shape->second.pins.end())
        throw UserError(lef, cell.name + " PIN", "none of " + pin.name, "all pins with a RECT");
      shapes.pins.back().push_back(
          {place->second[kX] - size[kX] / 2, place->second[kY] - size[kY] / 2});
    }
  }
}

Point Layout::where(const PlacedPin& pin, const std::vector<Point>& places) const {
  const std::size_t vertex = at(pin.vertex);
  Point place = places[vertex];
  if (is_port(vertex) || shapes_.pins.empty()) return place;
  const Point& offset = shapes_.pins[cell(vertex)][at(pin.pin)];
  const bool flipped = static_cast<long>(place[kY] / shapes_.row_height) % 2 != 0;
  place[kX] += offset[kX];
  place[kY] += flipped ? -offset[kY] : offset[kY];
  return place;
}

Layout::Layout(const Netlist& netlist, const Library& library, const CellShapes& shapes,
               const std::vector<NetUse>& uses)
    : shapes_(shapes) {
  gates_.reserve(netlist.gates.size());
  std::vector<NetPin> pins;
  const auto add = [&](Net net, std::size_t vertex, std::size_t pin, bool drives) {
    if (net == no_net || net == net_zero || net == net_one) return;
    const NetUse use = uses[at(net)];
    if (use == NetUse::left_out) return;
    pins.push_back({net,
                    use == NetUse::wired,
                    {static_cast<Vertex>(vertex), static_cast<std::int32_t>(pin)},
                    drives});
  };
  for (std::size_t number = 0; number < netlist.gates.size(); ++number) {
    const Gate& gate = netlist.gates[number];
    const Cell& cell = library.cells[at(gate.cell)];
    if (!(cell.area > 0)) {
      throw UserError(library.path, "area of " + cell.name, fmt::format("{}", cell.area),
                      "more than 0 for a cell that is placed");
    }
    gates_.push_back({at(gate.cell), shapes.width(library, at(gate.cell))});
    for (std::size_t pin = 0; pin < cell.pins.size(); ++pin) {
      add(netlist.pin_nets[at(gate.first) + pin], number, pin,
          cell.pins[pin].direction == PinDirection::output);
    }
  }
  for (const Port& port : netlist.ports) {
    for (const Net net : port.bits) {
      add(net, vertices(), 0, port.direction == PinDirection::input);
      ++ports_;
    }
  }
  join(std::move(pins));
}

Layout::Layout(CellShapes shapes, std::vector<Shape> gates, std::size_t ports,
               std::vector<NetPin> pins)
    : shapes_(std::move(shapes)), gates_(std::move(gates)), ports_(ports) {
  join(std::move(pins));
}

Layout Layout::with(const std::vector<Wire>& wires) const {
  std::vector<Shape> gates = gates_;
  gates.insert(gates.end(), buffers_.begin(), buffers_.end());
  std::vector<NetPin> pins;
  for (std::size_t number = 0; number < wires.size(); ++number) {
    const auto add = [&](const PlacedPin& pin, bool drives) {
      pins.push_back(
          {static_cast<Net>(number), true, {beside_buffers(pin.vertex), pin.pin}, drives});
    };
    add(wires[number].driver, true);
    for (const PlacedPin& sink : wires[number].sinks) add(sink, false);
  }
  return Layout(shapes_, std::move(gates), ports_, std::move(pins));
}

Vertex Layout::beside_buffers(Vertex vertex) const {
  if (at(vertex) < cells()) return vertex;
  return static_cast<Vertex>(is_port(at(vertex)) ? at(vertex) + buffers() : at(vertex) - ports_);
}

void Layout::join(std::vector<NetPin> pins) {
  // Net by net, drivers first.
  std::stable_sort(pins.begin(), pins.end(), [](const NetPin& a, const NetPin& b) {
    return std::make_pair(a.net, !a.drives) < std::make_pair(b.net, !b.drives);
  });
  vertex_first_.assign(vertices() + 1, 0);
  net_first_.push_back(0);
  for (auto begin = pins.begin(); begin != pins.end();) {
    const auto end =
        std::find_if(begin, pins.end(), [&](const NetPin& pin) { return pin.net != begin->net; });
    // A net that nothing drives is a constant, see read_netlist.
    if (end - begin > 1 && begin->drives) {
      net_of_.push_back(begin->net);
      wired_.push_back(begin->is_wired);
      for (auto pin = begin; pin != end; ++pin) {
        net_pins_.push_back(pin->pin.vertex);
        pin_numbers_.push_back(pin->pin.pin);
        ++vertex_first_[at(pin->pin.vertex) + 1];
      }
      net_first_.push_back(static_cast<std::int32_t>(net_pins_.size()));
    }
    begin = end;
  }
  begin_each(vertex_first_);
  vertex_nets_.resize(net_pins_.size());
  std::vector<std::int32_t> next(vertex_first_.begin(), vertex_first_.end() - 1);
  for (std::size_t wire = 0; wire < nets(); ++wire) {
    for (const Vertex* pin = begin(wire); pin != end(wire); ++pin) {
      vertex_nets_[at(next[at(*pin)]++)] = static_cast<std::int32_t>(wire);
    }
  }
}

Vertex Layout::add_buffer(const Library& library, std::size_t cell) {
  const auto vertex = static_cast<Vertex>(vertices() + buffers());
  buffers_.push_back({cell, shapes_.width(library, cell)});
  return vertex;
}

double Layout::area() const {
  const auto add = [](double sum, const Shape& gate) { return sum + gate.width; };
  return std::accumulate(gates_.begin(), gates_.end(), 0.0, add) * shapes_.row_height;
}

Core core_of(const Layout& layout, double utilisation) {
  const double area = layout.area() / utilisation;
  Core core;
  core.rows =
      static_cast<std::size_t>(std::max(1.0, std::round(std::sqrt(area) / layout.row_height())));
  core.height = static_cast<double>(core.rows) * layout.row_height();
  core.width = std::ceil(area / core.height / layout.site_width()) * layout.site_width();
  return core;
}

double box(const Layout& layout, std::size_t wire, const Places& places) {
  Box box(layout.where(layout.pin(wire, 0), places));
  for (std::size_t pin = 1; pin < layout.pins(wire); ++pin)
    box.add(layout.where(layout.pin(wire, pin), places));
  return box.size(kX) + box.size(kY);
}

double boxes(const Layout& layout, const Places& places) {
  double sum = 0;
  for (std::size_t wire = 0; wire < layout.nets(); ++wire) sum += box(layout, wire, places);
  return sum;
}

}  // namespace td::gate
