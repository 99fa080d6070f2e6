// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/quadratic.hpp"

#include <tbb/parallel_invoke.h>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "sim/gate/placement/ports.hpp"

namespace td::gate {

namespace {

/// Nets with more pins hold nothing together that others do not.
constexpr std::size_t kMostPins = 300;
constexpr int kFirstRounds = 5;  // before anything is spread: springs follow lengths
constexpr int kTurnRounds = 2;   // of these, in which ports turn; then they are drawn
constexpr int kMostRounds = 80;
constexpr double kPull = 0.02;         // of an anchor, more in each round
constexpr int kWeighing = 4;           // rounds, after which wires are weighed anew
constexpr double kKept = 0.6;          // of what wires weighed before
constexpr double kCloseEnough = 0.04;  // wire of spread cells over that of cells drawn together
constexpr double kLeastGained = 3e-4;  // of the wire of spread cells, in a round

struct Spring {
  Vertex a, b;
  double weight;
};

/// The springs of all nets along an axis.
class Springs {
 public:
  Springs(const Layout& layout, const Weights& weights, std::size_t axis, const Places& places)
      : layout_(layout),
        weights_(weights),
        axis_(axis),
        places_(places),
        diagonal_(layout.cells(), 1e-9),
        right_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(layout.cells()))) {
    for (std::size_t net = 0; net < layout.nets(); ++net) add_net(net);
  }

  /// A spring from a cell to a place that does not move.
  void hold(std::size_t cell, double place, double weight) {
    diagonal_[cell] += weight;
    right_[static_cast<Eigen::Index>(cell)] += weight * place;
  }

  /// The system whose solution is where cells come to rest. Rows have their diagonal first.
  Eigen::VectorXd rest(int iterations) {
    using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    const std::size_t cells = layout_.cells();
    std::vector<int> first(cells + 1, 1);
    first[0] = 0;
    for (const Spring& spring : springs_) {
      ++first[at(spring.a) + 1];
      ++first[at(spring.b) + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int> columns(at(first.back()));
    std::vector<double> values(columns.size());
    std::vector<int> next(first.begin(), first.end() - 1);
    const auto add = [&](std::size_t row, std::size_t column, double value) {
      columns[at(next[row])] = static_cast<int>(column);
      values[at(next[row]++)] = value;
    };
    for (std::size_t cell = 0; cell < cells; ++cell) add(cell, cell, diagonal_[cell]);
    for (const Spring& spring : springs_) {
      add(at(spring.a), at(spring.b), -spring.weight);
      add(at(spring.b), at(spring.a), -spring.weight);
    }
    const auto size = static_cast<Eigen::Index>(cells);
    const Eigen::Map<const Matrix> matrix(size, size, first.back(), first.data(), columns.data(),
                                          values.data());
    Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper> solver;
    solver.setMaxIterations(iterations);
    solver.setTolerance(3e-5);
    solver.compute(matrix);
    Eigen::VectorXd guess(size);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      guess[static_cast<Eigen::Index>(cell)] = places_[cell][axis_];
    }
    return solver.solveWithGuess(right_, guess);
  }

 private:
  double where(Vertex vertex) const { return places_[at(vertex)][axis_]; }
  bool moves(Vertex vertex) const { return at(vertex) < layout_.cells(); }

  void add_net(std::size_t net) {
    const std::size_t pins = layout_.pins(net);
    if (pins > kMostPins) return;
    const auto nearer = [this](Vertex a, Vertex b) { return where(a) < where(b); };
    const auto [low, high] = std::minmax_element(layout_.begin(net), layout_.end(net), nearer);
    // Pins that all lie in one place: any two of them.
    const Vertex* end = low == high ? layout_.begin(net) + 1 : high;
    const double weight = (weights_.empty() ? 1 : weights_[net]) / static_cast<double>(pins - 1);
    add(*low, *end, weight);
    for (const Vertex* pin = layout_.begin(net); pin != layout_.end(net); ++pin) {
      if (pin == low || pin == end) continue;
      add(*low, *pin, weight);
      add(*pin, *end, weight);
    }
  }

  void add(Vertex a, Vertex b, double weight) {
    if (a == b || (!moves(a) && !moves(b))) return;
    weight /= std::max(std::abs(where(a) - where(b)), 0.5 * layout_.row_height());
    if (!moves(a)) return hold(at(b), where(a), weight);
    if (!moves(b)) return hold(at(a), where(b), weight);
    diagonal_[at(a)] += weight;
    diagonal_[at(b)] += weight;
    springs_.push_back({a, b, weight});
  }

  const Layout& layout_;
  const Weights& weights_;
  std::size_t axis_;
  const Places& places_;
  std::vector<double> diagonal_;
  Eigen::VectorXd right_;
  std::vector<Spring> springs_;
};

/// Cuts regions in two, in turn with the cells in them, until a region has few cells.
class Spreader {
 public:
  Spreader(const Layout& layout, Places& places)
      : layout_(layout), places_(places), from_(places), order_(layout.cells()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  struct Region {
    Point low, high;
    double size(std::size_t axis) const { return high[axis] - low[axis]; }
  };

  void cut(std::size_t begin, std::size_t end, const Region& region) {
    if (begin == end) return;
    const double row = layout_.row_height();
    if (end - begin <= 4 || (region.size(kY) <= row && region.size(kX) <= 6 * row)) {
      return line_up(begin, end, region, region.size(kY) > 1.5 * row ? kY : kX);
    }
    const std::size_t axis = region.size(kX) >= region.size(kY) ? kX : kY;
    const std::size_t middle = begin + (end - begin) / 2;
    std::nth_element(iterator(begin), iterator(middle), iterator(end), before(axis));
    const double share = width(begin, middle) / width(begin, end);
    Region low = region, high = region;
    low.high[axis] = high.low[axis] = region.low[axis] + share * region.size(axis);
    cut(begin, middle, low);
    cut(middle, end, high);
  }

 private:
  std::vector<Vertex>::iterator iterator(std::size_t place) {
    return order_.begin() + static_cast<std::ptrdiff_t>(place);
  }
  /// By place; cells in one place by number, so that any library orders them alike.
  struct Before {
    const Places& places;
    std::size_t axis;
    bool operator()(Vertex a, Vertex b) const {
      return std::make_pair(places[at(a)][axis], a) < std::make_pair(places[at(b)][axis], b);
    }
  };
  Before before(std::size_t axis) const { return {from_, axis}; }
  double width(std::size_t begin, std::size_t end) const {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += layout_.width(at(order_[i]));
    return sum;
  }

  /// One behind the other along an axis; across it in the middle, or where they were.
  void line_up(std::size_t begin, std::size_t end, const Region& region, std::size_t axis) {
    std::sort(iterator(begin), iterator(end), before(axis));
    const double all = width(begin, end);
    const std::size_t across = 1 - axis;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t cell = at(order_[i]);
      const double middle = sum + layout_.width(cell) / 2;
      sum += layout_.width(cell);
      Point& place = places_[cell];
      place[axis] = region.low[axis] + region.size(axis) * middle / all;
      place[across] = axis == kX ? (region.low[kY] + region.high[kY]) / 2
                                 : std::clamp(from_[cell][kX], region.low[kX], region.high[kX]);
    }
  }

  const Layout& layout_;
  Places& places_;
  const Places from_;
  std::vector<Vertex> order_;
};

/// Draws ports to cells that are spread if that leaves less wire between them. Says whether it did.
bool draw_ports_for_less(const Layout& layout, const Core& core, double pitch, Places& spread_out,
                         Places& places) {
  Places drawn = spread_out;
  draw_ports(layout, core, pitch, drawn);
  if (boxes(layout, drawn) >= boxes(layout, spread_out)) return false;
  spread_out = std::move(drawn);
  for (std::size_t port = layout.cells(); port < layout.vertices(); ++port)
    places[port] = spread_out[port];
  return true;
}

/// Wires that were slow still weigh more when they have become short: else they grow long again.
Weights kept(Weights before, const Weights& now) {
  if (before.empty()) return now;
  for (std::size_t wire = 0; wire < now.size(); ++wire)
    before[wire] += (1 - kKept) * (now[wire] - before[wire]);
  return before;
}

void draw_together(const Layout& layout, const Weights& weights, const Anchors& anchors,
                   int iterations, Places& places) {
  Places beside = places;
  tbb::parallel_invoke([&] { draw_together(layout, weights, anchors, kX, iterations, places); },
                       [&] { draw_together(layout, weights, anchors, kY, iterations, beside); });
  for (std::size_t cell = 0; cell < layout.cells(); ++cell) places[cell][kY] = beside[cell][kY];
}

}  // namespace

void draw_together(const Layout& layout, const Weights& weights, const Anchors& anchors,
                   std::size_t axis, int iterations, Places& places) {
  Springs springs(layout, weights, axis, places);
  if (anchors.weight > 0) {
    for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
      const double anchor = anchors.places[cell][axis];
      springs.hold(
          cell, anchor,
          anchors.weight / std::max(std::abs(places[cell][axis] - anchor), layout.row_height()));
    }
  }
  const Eigen::VectorXd rest = springs.rest(iterations);
  for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
    places[cell][axis] = rest[static_cast<Eigen::Index>(cell)];
  }
}

void spread(const Layout& layout, const Core& core, Places& places) {
  Spreader(layout, places).cut(0, layout.cells(), {{0, 0}, {core.width, core.height}});
}

Places place_globally(const Layout& layout, const Core& core, double port_pitch,
                      const PathWeights& paths, std::uint64_t seed) {
  Weights weights;
  Places places(layout.vertices());
  std::mt19937_64 random(seed);
  const auto near_middle = [&random](double size) {
    return size * (0.5 + 0.01 * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5));
  };
  for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
    places[cell] = {near_middle(core.width), near_middle(core.height)};
  }
  line_up_ports(layout, core, places);
  for (int round = 0; round < kFirstRounds; ++round) {
    draw_together(layout, {}, {}, 200, places);
    if (round < kTurnRounds) {
      turn_ports(layout, core, places);
    } else {
      draw_ports(layout, core, port_pitch, places);
    }
  }
  Places best = places;
  double least = std::numeric_limits<double>::infinity();
  bool ports_move = true;
  for (int round = 1; round <= kMostRounds; ++round) {
    Anchors anchors{places, kPull * round};
    spread(layout, core, anchors.places);
    ports_move =
        ports_move && draw_ports_for_less(layout, core, port_pitch, anchors.places, places);
    const double drawn = boxes(layout, places), spread_out = boxes(layout, anchors.places);
    const bool stands = spread_out < least && spread_out > (1 - kLeastGained) * least;
    if (spread_out < least) {
      least = spread_out;
      best = anchors.places;
    }
    if (stands || spread_out - drawn < kCloseEnough * spread_out) break;
    if (round % kWeighing == 1) weights = kept(std::move(weights), paths.of(anchors.places));
    draw_together(layout, weights, anchors, 80, places);
  }
  return best;
}

}  // namespace td::gate
