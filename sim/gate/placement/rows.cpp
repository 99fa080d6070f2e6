// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace td::gate {

namespace {

constexpr double kStrip = 20;                   // width of a strip, in row heights
constexpr double kBin = 3;                      // of places to exchange with, likewise
constexpr std::size_t kMostPinsExchanged = 60;  // of a net: others hardly change
constexpr int kTries = 12;                      // cells of a bin
constexpr int kPasses = 3;
constexpr double kLeastGain = 1e-6;  // µm

/// Boxes of the nets at one cell or two.
class Boxes {
 public:
  Boxes(const Layout& layout, const Weights& weights, Places& places)
      : layout_(layout), weights_(weights), places_(places) {}

  /// Their sum; a net that both are at counts twice, before an exchange as behind it.
  double of(Vertex a, Vertex b) const { return of(a) + of(b); }
  double of(Vertex cell) const {
    double sum = 0;
    each_net(cell, [&](std::size_t net) {
      sum += (weights_.empty() ? 1 : weights_[net]) * box(layout_, net, places_);
    });
    return sum;
  }

  /// The middle of the places that are best for a cell: of the boxes of its nets without it.
  bool best_place(Vertex cell, Point& best) {
    for (auto& edges : edges_) edges.clear();
    each_net(cell, [&](std::size_t net) {
      bool found = false;
      Point low{}, high{};
      for (std::size_t number = 0; number < layout_.pins(net); ++number) {
        const PlacedPin pin = layout_.pin(net, number);
        if (pin.vertex == cell) continue;
        const Point place = layout_.where(pin, places_);
        for (const std::size_t axis : {kX, kY}) {
          low[axis] = found ? std::min(low[axis], place[axis]) : place[axis];
          high[axis] = found ? std::max(high[axis], place[axis]) : place[axis];
        }
        found = true;
      }
      if (!found) return;
      for (const std::size_t axis : {kX, kY}) {
        edges_[axis].push_back(low[axis]);
        edges_[axis].push_back(high[axis]);
      }
    });
    if (edges_[kX].empty()) return false;
    for (const std::size_t axis : {kX, kY}) {
      std::vector<double>& edges = edges_[axis];
      std::sort(edges.begin(), edges.end());
      best[axis] = (edges[edges.size() / 2 - 1] + edges[edges.size() / 2]) / 2;
    }
    return true;
  }

 private:
  template <class Use>
  void each_net(Vertex cell, Use use) const {
    for (const std::int32_t* net = layout_.nets_begin(at(cell)); net != layout_.nets_end(at(cell));
         ++net) {
      if (layout_.pins(at(*net)) <= kMostPinsExchanged) use(at(*net));
    }
  }

  const Layout& layout_;
  const Weights& weights_;
  Places& places_;
  std::array<std::vector<double>, 2> edges_;
};

/// Cells by where they are.
class Bins {
 public:
  Bins(const Layout& layout, const Core& core, const Places& places)
      : size_(kBin * layout.row_height()),
        across_(static_cast<std::size_t>(core.width / size_) + 1),
        down_(static_cast<std::size_t>(core.height / size_) + 1),
        bins_(across_ * down_) {
    for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
      bins_[bin(places[cell])].push_back(static_cast<Vertex>(cell));
    }
  }
  const std::vector<Vertex>& around(const Point& place) const { return bins_[bin(place)]; }

 private:
  std::size_t bin(const Point& place) const {
    const auto slot = [this](double way, std::size_t slots) {
      return std::min(slots - 1, static_cast<std::size_t>(std::max(0.0, way / size_)));
    };
    return slot(place[kX], across_) + across_ * slot(place[kY], down_);
  }

  double size_;
  std::size_t across_, down_;
  std::vector<std::vector<Vertex>> bins_;
};

void exchange_far(const Layout& layout, const Core& core, Boxes& boxes, Places& places) {
  const Bins bins(layout, core, places);
  for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
    const auto a = static_cast<Vertex>(cell);
    Point best;
    if (!boxes.best_place(a, best) || distance(best, places[cell]) < layout.row_height()) continue;
    double gain = kLeastGain;
    Vertex with = -1;
    int tries = 0;
    for (const Vertex b : bins.around(best)) {
      if (b == a || std::abs(layout.width(at(b)) - layout.width(cell)) > 1e-6) continue;
      if (++tries > kTries) break;
      const double before = boxes.of(a, b);
      std::swap(places[cell], places[at(b)]);
      const double gained = before - boxes.of(a, b);
      std::swap(places[cell], places[at(b)]);
      if (gained > gain) {
        gain = gained;
        with = b;
      }
    }
    if (with >= 0) std::swap(places[cell], places[at(with)]);
  }
}

void exchange_neighbours(const Layout& layout, const Boxes& boxes, Rows& rows, Places& places) {
  for (std::vector<Vertex>& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      const Vertex a = row[i], b = row[i + 1];
      double& left = places[at(a)][kX];
      double& right = places[at(b)][kX];
      const std::pair<double, double> was = {left, right};
      const double begin = left - layout.width(at(a)) / 2, end = right + layout.width(at(b)) / 2;
      const double before = boxes.of(a, b);
      right = begin + layout.width(at(b)) / 2;
      left = end - layout.width(at(a)) / 2;
      if (boxes.of(a, b) < before - kLeastGain) {
        std::swap(row[i], row[i + 1]);
      } else {
        std::tie(left, right) = was;
      }
    }
  }
}

/// Cells of the rows, as their places have it.
void collect(const Layout& layout, Rows& rows, const Places& places) {
  for (std::vector<Vertex>& row : rows) row.clear();
  for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
    const double row = places[cell][kY] / layout.row_height();
    rows[std::min(rows.size() - 1, static_cast<std::size_t>(std::max(0.0, row)))].push_back(
        static_cast<Vertex>(cell));
  }
  for (std::vector<Vertex>& row : rows) {
    std::sort(row.begin(), row.end(), [&](Vertex a, Vertex b) {
      return std::make_pair(places[at(a)][kX], a) < std::make_pair(places[at(b)][kX], b);
    });
  }
}

/// The row nearest to a place, in rows from the first, that has room; or how many rows there are.
std::size_t nearest_with_room(const std::vector<double>& room, double width, double place) {
  const auto way = [place](std::size_t row) { return std::abs(static_cast<double>(row) - place); };
  std::size_t best = room.size();
  for (std::size_t row = 0; row < room.size(); ++row) {
    if (room[row] >= width && (best == room.size() || way(row) < way(best))) best = row;
  }
  return best;
}

}  // namespace

Rows put_into_rows(const Layout& layout, const Core& core, Places& places) {
  const double height = layout.row_height();
  const auto strips =
      static_cast<std::size_t>(std::max(1.0, std::round(core.width / (kStrip * height))));
  const double strip_width = core.width / static_cast<double>(strips);
  const auto by = [&places](std::size_t axis) {
    return [&places, axis](Vertex a, Vertex b) {
      return std::make_pair(places[at(a)][axis], a) < std::make_pair(places[at(b)][axis], b);
    };
  };
  std::vector<std::vector<Vertex>> cells(strips);
  for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
    const double strip = std::max(0.0, places[cell][kX] / strip_width);
    cells[std::min(strips - 1, static_cast<std::size_t>(strip))].push_back(
        static_cast<Vertex>(cell));
  }
  Rows rows(core.rows);
  for (std::size_t strip = 0; strip < strips; ++strip) {
    std::vector<Vertex>& some = cells[strip];
    std::sort(some.begin(), some.end(), by(kY));
    double all = 0;
    for (const Vertex cell : some) all += layout.width(at(cell));
    Rows parts(core.rows);
    double sum = 0;
    for (const Vertex cell : some) {
      const double share = (sum + layout.width(at(cell)) / 2) / all;
      sum += layout.width(at(cell));
      parts[std::min(core.rows - 1,
                     static_cast<std::size_t>(share * static_cast<double>(core.rows)))]
          .push_back(cell);
    }
    for (std::size_t row = 0; row < core.rows; ++row) {
      std::vector<Vertex>& part = parts[row];
      std::sort(part.begin(), part.end(), by(kX));
      double part_width = 0, done = 0;
      for (const Vertex cell : part) part_width += layout.width(at(cell));
      for (const Vertex cell : part) {
        const double width = layout.width(at(cell));
        places[at(cell)] = {
            (static_cast<double>(strip) + (done + width / 2) / part_width) * strip_width,
            (static_cast<double>(row) + 0.5) * height};
        done += width;
        rows[row].push_back(cell);
      }
    }
  }
  return rows;
}

void exchange(const Layout& layout, const Core& core, const Weights& weights, Rows& rows,
              Places& places) {
  Boxes boxes(layout, weights, places);
  for (int pass = 0; pass < kPasses; ++pass) {
    exchange_far(layout, core, boxes, places);
    collect(layout, rows, places);
    exchange_neighbours(layout, boxes, rows, places);
  }
}

std::size_t shorten(const Layout& layout, const Core& core, Rows& rows, Places& places) {
  std::vector<double> room(rows.size(), core.width + kLeastGain);
  std::vector<Vertex> over;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const Vertex cell : rows[row]) room[row] -= layout.width(at(cell));
    while (room[row] < 0) {
      over.push_back(rows[row].back());
      room[row] += layout.width(at(over.back()));
      rows[row].pop_back();
    }
  }
  // The widest first: others find room behind them.
  std::stable_sort(over.begin(), over.end(), [&layout](Vertex a, Vertex b) {
    return layout.width(at(a)) > layout.width(at(b));
  });
  std::size_t without = 0;
  for (const Vertex cell : over) {
    const double width = layout.width(at(cell));
    const std::size_t row =
        nearest_with_room(room, width, places[at(cell)][kY] / layout.row_height() - 0.5);
    if (row == rows.size()) {
      ++without;
      continue;
    }
    room[row] -= width;
    places[at(cell)][kY] = (static_cast<double>(row) + 0.5) * layout.row_height();
    rows[row].push_back(cell);
  }
  return without;
}

void move_to_sites(const Layout& layout, const Core& core, const Rows& rows, Places& places) {
  const double site = layout.site_width();
  for (const std::vector<Vertex>& row : rows) {
    // To the right until none lies over another, then back from the end of the row.
    double end = 0;
    for (const Vertex cell : row) {
      const double half = layout.width(at(cell)) / 2;
      const double begin = std::max(end, std::round((places[at(cell)][kX] - half) / site) * site);
      places[at(cell)][kX] = begin + half;
      end = begin + 2 * half;
    }
    double limit = core.width;
    for (auto cell = row.rbegin(); cell != row.rend(); ++cell) {
      const double half = layout.width(at(*cell)) / 2;
      const double begin = std::min(limit - 2 * half, places[at(*cell)][kX] - half);
      places[at(*cell)][kX] = begin + half;
      limit = begin;
    }
  }
}

}  // namespace td::gate
