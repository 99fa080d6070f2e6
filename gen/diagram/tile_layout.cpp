// SPDX-License-Identifier: Apache-2.0
#include "gen/diagram/tile_layout.hpp"

#include <algorithm>

namespace td {
namespace {

constexpr double kFeed = 120;    // left of side B's windows, behind the names of ports
constexpr double kTop = 88;      // of the intake and side A's windows
constexpr double kHeight = 72;   // of a block
constexpr double kArray = 222;   // top of the first tile row's blocks
constexpr double kDown = 118;    // from row to row
constexpr double kAcross = 134;  // from column to column
constexpr double kLeftOut = 44;  // instead, where rows or columns are left out
constexpr double kWindow = 112;
constexpr double kScheduler = 84;
constexpr double kInterconnect = 88;
constexpr double kMultiplexers = 40;
constexpr double kBody = 68;  // of a PE

/// All of them, or the first two and the last.
std::vector<int> shown(int count) {
  if (count > 4) return {0, 1, -1, count - 1};
  std::vector<int> all;
  for (int i = 0; i < count; ++i) all.push_back(i);
  return all;
}

/// How far number `wanted` is from the first.
double distance(const std::vector<int>& numbers, int wanted, double pitch) {
  double sum = 0;
  for (int number : numbers) {
    if (number == wanted) return sum;
    sum += number < 0 ? kLeftOut : pitch;
  }
  return sum;
}

}  // namespace

TileLayout::TileLayout(const Config& config)
    : dense_(config.is_dense()), rows_(shown(config.rows)), columns_(shown(config.columns)) {}

double TileLayout::row_top(int row) const { return kArray + distance(rows_, row, kDown); }

double TileLayout::column_left(int column) const {
  return feed_right() + 56 + distance(columns_, column, kAcross);
}

double TileLayout::feed_right() const { return dense_ ? kFeed + kWindow : interconnect(0).right(); }

double TileLayout::control_x() const { return intake().left - 12; }

Box TileLayout::intake() const { return {kFeed, kTop, feed_right() - kFeed, kHeight}; }

Box TileLayout::window_a(int column) const {
  return {column_left(column) - 22, kTop, kMultiplexers + kBody + 22, kHeight};
}

Box TileLayout::window_b(int row) const { return {kFeed, row_top(row), kWindow, kHeight}; }

Box TileLayout::scheduler(int row) const {
  return {kFeed + kWindow + 38, row_top(row), kScheduler, kHeight};
}

Box TileLayout::interconnect(int row) const {
  return {scheduler(row).right() + 22, row_top(row), kInterconnect, kHeight};
}

Box TileLayout::multiplexers(int row, int column) const {
  return {column_left(column), row_top(row), dense_ ? 0 : kMultiplexers, kHeight};
}

Box TileLayout::pe(int row, int column) const {
  const Box left = multiplexers(row, column);
  return {left.right(), left.top, kMultiplexers + kBody - left.width, kHeight};
}

Box TileLayout::array() const {
  const Box first = multiplexers(rows_.front(), columns_.front());
  const Box last = pe(rows_.back(), columns_.back());
  // Wide enough for what stands below it.
  return {first.left - 30, first.top - 38, std::max(last.right() - first.left + 42, 340.0),
          last.bottom() - first.top + 52};
}

Box TileLayout::counters() const {
  return {kFeed, array().bottom() + 34, feed_right() - kFeed, 52};
}

Box TileLayout::sequencer() const {
  return {array().left, counters().top, array().width / 2 - 20, counters().height};
}

Box TileLayout::output() const {
  const double left = sequencer().right() + 40;
  return {left, counters().top, array().right() - left, counters().height};
}

}  // namespace td
