// SPDX-License-Identifier: Apache-2.0
#include "gen/diagram/window_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace td {
namespace {

constexpr double kGridLeft = 104;
constexpr double kGridTop = 40;  // of the lanes' numbers
constexpr double kHeader = 26;   // of the lanes' numbers

}  // namespace

WindowGrid::WindowGrid(int depth, std::vector<int> lanes)
    : depth_(depth), lanes_(std::move(lanes)) {}

double WindowGrid::column(int lane) const {
  const auto at = std::find(lanes_.begin(), lanes_.end(), lane) - lanes_.begin();
  return kGridLeft + kPitch * (static_cast<double>(at) + 0.5);
}

double WindowGrid::slot_middle(int slot) const {
  return kGridTop + kHeader + kPitch * (static_cast<double>(depth_ - 1 - slot) + 0.5);
}

Point WindowGrid::element(int slot, int lane) const { return {column(lane), slot_middle(slot)}; }

double WindowGrid::right() const { return kGridLeft + kPitch * static_cast<double>(lanes_.size()); }

double WindowGrid::bottom() const { return slot_middle(0) + kPitch / 2; }

std::string WindowGrid::name(int slot, int lane) {
  return fmt::format("slot {}, lane {}", slot, lane);
}

void WindowGrid::draw_frame(Drawing& drawing) const {
  Shape band;
  band.line = "none";
  for (int slot = 0; slot < depth_; ++slot) {
    const double middle = slot_middle(slot);
    band.fill = slot % 2 == 0 ? "#e8e8e8" : "#f4f4f4";
    drawing.shape(fmt::format("slot {}", slot),
                  {kGridLeft, middle - kPitch / 2, right() - kGridLeft, kPitch}, "", band);
    drawing.text({kGridLeft - 100, middle - 7}, fmt::format("slot {}", slot), 11, Align::left,
                 colour::kInk, true);
    drawing.text({kGridLeft - 100, middle + 7},
                 slot == 0   ? "row in use"
                 : slot == 1 ? "1 row ahead"
                             : fmt::format("{} rows ahead", slot),
                 9, Align::left, colour::kFaint);
  }
  drawing.text({kGridLeft - 100, kGridTop + kHeader / 2}, "lane", 11, Align::left, colour::kInk,
               true);
  double x = kGridLeft + kPitch / 2;
  for (int lane : lanes_) {
    drawing.text({x, kGridTop + kHeader / 2}, lane < 0 ? "…" : fmt::format("{}", lane), 11);
    x += kPitch;
  }
}

std::vector<Point> WindowGrid::way(int slot, int lane, Point to) const {
  const Point from = element(slot, lane);
  if (slot == 0) return {{from.x, from.y + kCell / 2}, {from.x, bottom()}, to};
  // Wires of later slots keep further out, so that earlier ones need not cross them.
  const double room = kPitch - kCell;
  const double x = from.x + kCell / 2 + room * slot / depth_;
  return {{from.x + kCell / 2, from.y}, {x, from.y}, {x, bottom()}, to};
}

}  // namespace td
