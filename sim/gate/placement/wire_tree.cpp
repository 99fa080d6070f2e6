// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/wire_tree.hpp"

#include <algorithm>
#include <limits>

namespace td::gate {

namespace {

/// With more, each pin's way to each edge would take too long.
constexpr std::size_t kMostToBranch = 64;

/// A tree that pins join.
class Growing {
 public:
  explicit Growing(const std::vector<Point>& pins)
      : pins_(pins.size()), branches_(pins.size() <= kMostToBranch), ways_(pins.size()) {
    tree_.nodes = pins;
    tree_.parent.assign(pins.size(), kOutside);
    tree_.parent[0] = -1;
    for (std::size_t pin = 1; pin < pins_; ++pin) look_at_node(pin, 0);
  }

  WireTree grown() {
    for (std::size_t joined = 1; joined < pins_; ++joined) join(nearest());
    return std::move(tree_);
  }

 private:
  static constexpr std::int32_t kOutside = -2;

  /// The shortest way from a pin to the tree: to a node, or to a place on the edge above it.
  struct Way {
    double length = std::numeric_limits<double>::infinity();
    std::int32_t node = 0;
    bool on_edge = false;
    Point end{};
  };

  bool outside(std::size_t pin) const { return tree_.parent[pin] == kOutside; }

  std::size_t nearest() const {
    std::size_t nearest = 0;
    for (std::size_t pin = 1; pin < pins_; ++pin) {
      if (outside(pin) && (nearest == 0 || ways_[pin].length < ways_[nearest].length))
        nearest = pin;
    }
    return nearest;
  }

  void look_at_node(std::size_t pin, std::size_t node) {
    const double length = distance(tree_.nodes[pin], tree_.nodes[node]);
    if (length < ways_[pin].length) {
      ways_[pin] = {length, static_cast<std::int32_t>(node), false, tree_.nodes[node]};
    }
  }

  void look_at_edge(std::size_t pin, std::size_t node) {
    const Point& a = tree_.nodes[node];
    const Point& b = tree_.nodes[at(tree_.parent[node])];
    Point end = tree_.nodes[pin];
    for (const std::size_t axis : {kX, kY}) {
      end[axis] = std::clamp(end[axis], std::min(a[axis], b[axis]), std::max(a[axis], b[axis]));
    }
    const double length = distance(tree_.nodes[pin], end);
    if (length < ways_[pin].length) {
      ways_[pin] = {length, static_cast<std::int32_t>(node), end != a && end != b, end};
      if (end == b) ways_[pin].node = tree_.parent[node];
    }
  }

  void look_at(std::size_t pin, std::size_t node) {
    if (branches_) {
      look_at_edge(pin, node);
    } else {
      look_at_node(pin, node);
    }
  }

  /// Of a pin whose way ended on an edge that is no more.
  void look_anew(std::size_t pin) {
    ways_[pin] = {};
    look_at_node(pin, 0);
    for (std::size_t node = 1; node < tree_.nodes.size(); ++node) {
      if (!outside(node)) look_at_edge(pin, node);
    }
  }

  void join(std::size_t pin) {
    const Way way = ways_[pin];
    std::int32_t parent = way.node;
    if (way.on_edge) {
      parent = static_cast<std::int32_t>(tree_.nodes.size());
      tree_.nodes.push_back(way.end);
      tree_.parent.push_back(tree_.parent[at(way.node)]);
      tree_.parent[at(way.node)] = parent;
    }
    tree_.parent[pin] = parent;
    for (std::size_t other = 1; other < pins_; ++other) {
      if (!outside(other)) continue;
      if (way.on_edge && ways_[other].on_edge && ways_[other].node == way.node) {
        look_anew(other);
      } else {
        look_at(other, pin);
      }
    }
  }

  std::size_t pins_;
  bool branches_;
  WireTree tree_;
  std::vector<Way> ways_;
};

}  // namespace

double WireTree::length() const {
  double sum = 0;
  for (std::size_t node = 1; node < nodes.size(); ++node) sum += edge(node);
  return sum;
}

WireTree wire_tree(const std::vector<Point>& pins) { return Growing(pins).grown(); }

}  // namespace td::gate
