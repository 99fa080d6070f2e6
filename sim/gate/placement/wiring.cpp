// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/wiring.hpp"

#include <algorithm>
#include <utility>

namespace td::gate {

namespace {

constexpr double kShortest = 1;  // µm of wire that a repeater is not spent on
/// With more, sinks that are near each other get a repeater of their own: along one tree, the last
/// of them would be behind too many.
constexpr std::size_t kMostSinks = 20;

/// Cuts one net after the other.
class Cutter {
 public:
  Cutter(const Library& library, const WireRules& rules, Layout& layout, Places& places)
      : layout_(layout),
        library_(library),
        rules_(rules),
        places_(places),
        repeater_in_(pin_of(library.cells[rules.repeater], PinDirection::input)),
        repeater_out_(pin_of(library.cells[rules.repeater], PinDirection::output)),
        repeater_pF_(library.cells[rules.repeater].pins[at(repeater_in_)].capacitance_pF) {}

  void cut(std::size_t number) {
    Wire wire{layout_.net(number), layout_.pin(number, 0), {}};
    for (std::size_t pin = 1; pin < layout_.pins(number); ++pin) {
      wire.sinks.push_back(layout_.pin(number, pin));
    }
    net_ = wire.net;
    while (gather(wire)) {
    }
    const WireTree tree = tree_of(layout_, wire, places_);
    double load = tree.length() * rules_.pF_per_um;
    for (const PlacedPin& sink : wire.sinks) load += pin_pF(layout_, library_, sink);
    if (load > limit_of(wire.driver)) cut(tree, wire);
    wiring_.wires.push_back(std::move(wire));
  }

  Wiring take() { return std::move(wiring_); }

 private:
  /// What is behind a place of a tree.
  struct Behind {
    double load = 0;  ///< pF
    std::vector<PlacedPin> sinks;
  };

  double limit_of(const PlacedPin& driver) const {
    return limit_pF(layout_, library_, driver, rules_.repeater, rules_.limit_pF);
  }

  Behind repeated(const Point& place, Behind branch) {
    const Vertex repeater = layout_.add_buffer(library_, rules_.repeater);
    places_.push_back(place);
    ++wiring_.repeaters;
    wiring_.wires.push_back({net_, {repeater, repeater_out_}, std::move(branch.sinks)});
    return {repeater_pF_, {{repeater, repeater_in_}}};
  }

  /// Puts repeaters in front of sinks that are near each other, as many as one drives, if there are
  /// too many. Says whether that left far fewer.
  bool gather(Wire& wire) {
    if (wire.sinks.size() <= kMostSinks) return false;
    Branches branches;
    for (const PlacedPin& sink : wire.sinks)
      branches.push_back(branch_to(sink, layout_, library_, places_));
    const Point from = layout_.where(wire.driver, places_);
    if (fit(from, branches, rules_.pF_per_um, limit_of(wire.driver))) return false;
    std::vector<PlacedPin> left;
    for (const Part& part : parts_of(std::move(branches), rules_.pF_per_um, rules_.limit_pF)) {
      std::vector<PlacedPin> pins = pins_of(part.branches);
      if (part.branches.size() > 2) pins = repeated(part.middle, {0, std::move(pins)}).sinks;
      left.insert(left.end(), pins.begin(), pins.end());
    }
    const bool far_fewer = 4 * left.size() < 3 * wire.sinks.size();
    wire.sinks = std::move(left);
    return far_fewer;
  }

  /// A branch at the upper end of the edge above a node.
  Behind along(const WireTree& tree, std::size_t node, Behind branch) {
    const Point& from = tree.nodes[node];
    const Point& to = tree.nodes[at(tree.parent[node])];
    const double whole = tree.edge(node);
    double left = whole;
    while (left > kShortest && branch.load + left * rules_.pF_per_um > rules_.limit_pF) {
      const double go = std::clamp((rules_.limit_pF - branch.load) / rules_.pF_per_um, 0.0, left);
      left -= go;
      const double share = 1 - left / whole;
      branch =
          repeated({from[kX] + (to[kX] - from[kX]) * share, from[kY] + (to[kY] - from[kY]) * share},
                   std::move(branch));
      if (go <= 0 && branch.load >= rules_.limit_pF) break;
    }
    branch.load += left * rules_.pF_per_um;
    return branch;
  }

  /// All branches that meet at a node as one of at most `limit`, if that can be.
  Behind meet(const Point& place, double limit, std::vector<Behind> branches) {
    std::stable_sort(branches.begin(), branches.end(),
                     [](const Behind& a, const Behind& b) { return a.load > b.load; });
    double sum = 0;
    for (const Behind& branch : branches) sum += branch.load;
    for (Behind& branch : branches) {
      if (sum <= limit || branch.load <= 1.01 * repeater_pF_) break;
      sum -= branch.load;
      branch = repeated(place, std::move(branch));
      sum += branch.load;
    }
    Behind all{sum, {}};
    for (const Behind& branch : branches) {
      all.sinks.insert(all.sinks.end(), branch.sinks.begin(), branch.sinks.end());
    }
    return all;
  }

  void cut(const WireTree& tree, Wire& wire) {
    const std::size_t nodes = tree.nodes.size();
    std::vector<std::vector<std::size_t>> children(nodes);
    for (std::size_t node = 1; node < nodes; ++node) {
      children[at(tree.parent[node])].push_back(node);
    }
    Behind all = below(tree, children, 0, limit_of(wire.driver), wire);
    if (all.load > limit_of(wire.driver) && all.sinks.size() > 1) {
      all = repeated(tree.nodes[0], std::move(all));
    }
    wire.sinks = std::move(all.sinks);
  }

  Behind below(const WireTree& tree, const std::vector<std::vector<std::size_t>>& children,
               std::size_t node, double limit, const Wire& wire) {
    std::vector<Behind> branches;
    if (node > 0 && node <= wire.sinks.size()) {
      const PlacedPin& sink = wire.sinks[node - 1];
      branches.push_back({pin_pF(layout_, library_, sink), {sink}});
    }
    for (const std::size_t child : children[node]) {
      branches.push_back(along(tree, child, below(tree, children, child, rules_.limit_pF, wire)));
    }
    return meet(tree.nodes[node], limit, std::move(branches));
  }

  Layout& layout_;
  const Library& library_;
  const WireRules& rules_;
  Places& places_;
  std::int32_t repeater_in_, repeater_out_;  ///< pins
  double repeater_pF_;
  Net net_ = no_net;
  Wiring wiring_;
};

}  // namespace

std::int32_t pin_of(const Cell& buffer, PinDirection direction) {
  const auto found = std::find_if(buffer.pins.begin(), buffer.pins.end(),
                                  [&](const Pin& pin) { return pin.direction == direction; });
  return static_cast<std::int32_t>(found - buffer.pins.begin());
}

double pin_pF(const Layout& layout, const Library& library, const PlacedPin& sink) {
  if (layout.is_port(at(sink.vertex))) return 0;
  return library.cells[layout.cell(at(sink.vertex))].pins[at(sink.pin)].capacitance_pF;
}

Branch branch_to(const PlacedPin& sink, const Layout& layout, const Library& library,
                 const Places& places) {
  return {sink, layout.where(sink, places), pin_pF(layout, library, sink)};
}

double limit_pF(const Layout& layout, const Library& library, const PlacedPin& driver,
                std::size_t buffer, double limit) {
  if (layout.is_port(at(driver.vertex))) return limit;
  const std::vector<Pin>& pins = library.cells[layout.cell(at(driver.vertex))].pins;
  const double drives = pins[at(driver.pin)].max_capacitance_pF;
  const Cell& cell = library.cells[buffer];
  const double most = cell.pins[at(pin_of(cell, PinDirection::output))].max_capacitance_pF;
  return limit * (drives > 0 && drives < most ? drives / most : 1);
}

Wiring with_repeaters(const Library& library, const WireRules& rules, Layout& layout,
                      Places& places) {
  Cutter cutter(library, rules, layout, places);
  for (std::size_t number = 0; number < layout.nets(); ++number) {
    if (layout.is_wired(number)) cutter.cut(number);
  }
  return cutter.take();
}

WireTree tree_of(const Layout& layout, const Wire& wire, const Places& places) {
  std::vector<Point> pins{layout.where(wire.driver, places)};
  for (const PlacedPin& sink : wire.sinks) pins.push_back(layout.where(sink, places));
  return wire_tree(pins);
}

}  // namespace td::gate
