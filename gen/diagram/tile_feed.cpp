// SPDX-License-Identifier: Apache-2.0
// The data path in the block diagram of a tile: windows, schedulers, interconnects and PEs.
#include <fmt/format.h>

#include <algorithm>

#include "gen/diagram/tile_picture.hpp"

namespace td {

using namespace tile_look;

namespace {

constexpr double kOperandUp = 11;  // above its row: the wire of side B's operands
constexpr double kSelectUp = 24;   // ... and of the choices

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// The number that is drawn before this one.
int before(const std::vector<int>& numbers, int number) {
  int last = 0;
  for (int other : numbers) {
    if (other == number) break;
    if (other >= 0) last = other;
  }
  return last;
}

}  // namespace

std::string TilePicture::row_bits() const {
  return fmt::format("{} b", config_.lanes * width(config_.format));
}

std::string TilePicture::window_name(const char* side, int number) const {
  return fmt::format("{} {}{}", config_.is_dense() ? "register" : "window", side, number);
}

void TilePicture::window(const std::string& name, Box box, const Shape& look) {
  drawing_.shape(name, box, "", look);
  drawing_.text({box.middle_x(), box.top + 12}, name, 12, Align::centre, colour::kInk, true);
  const int slots = config_.is_dense() ? 1 : config_.depth;
  const double height = std::min(40.0 / slots, 14.0);
  const double top = box.top + 44 - height * slots / 2;
  Shape slot;
  slot.line = look.line;
  for (int i = 0; i < slots; ++i) {
    drawing_.shape(fmt::format("{}, slot {}", name, i),
                   {box.left + 8, top + height * i, 38, height}, "", slot);
  }
  drawing_.text(
      {box.left + 52, box.top + 44},
      slots == 1 ? "1 row of\n" + row_bits() : fmt::format("{} rows of\n{}", slots, row_bits()),
      kText, Align::left);
}

void TilePicture::side_a(int column) {
  const Box box = at_.window_a(column);
  const std::string name = window_name("A", column);
  window(name, box, kSideA);
  const Box intake = at_.intake();
  const double bus = box.top - 25;
  const double moves = box.top - 12;
  const double data = box.middle_x() + 30;
  drawing_.wire("a_rows_i", name, {{at_.window_a(0).left - 34, bus}, {data, bus}, {data, box.top}},
                kDataA);
  const double order = box.middle_x();
  std::vector<Point> way = {{order, moves}, {order, box.top}};
  const double turn = intake.right() + 12;
  if (column == 0) {
    way.insert(way.begin(),
               {{intake.right(), intake.middle_y()}, {turn, intake.middle_y()}, {turn, moves}});
  } else {
    way.insert(way.begin(), {at_.window_a(before(at_.columns(), column)).middle_x(), moves});
  }
  drawing_.wire("intake", name, way, kOrder);
  if (column == at_.columns().back()) return;
  drawing_.joint({data, bus}, kDataA.line);
  drawing_.joint({order, moves}, kOrder.line);
}

void TilePicture::side_b(int row) {
  const Box box = at_.window_b(row);
  const std::string name = window_name("B", row);
  window(name, box, kSideB);
  drawing_.wire("b_rows_i", name,
                {{0, at_.window_b(0).middle_y() + 8},
                 {at_.control_x() - 16, at_.window_b(0).middle_y() + 8},
                 {at_.control_x() - 16, box.middle_y() + 8},
                 {box.left, box.middle_y() + 8}},
                kDataB);
  drawing_.wire("intake", name, {{at_.control_x(), box.top + 16}, {box.left, box.top + 16}},
                kOrder);
  drawing_.joint({at_.control_x(), box.top + 16}, kOrder.line);
  if (!config_.is_dense()) schedule(row, name);
  operands(row, config_.is_dense() ? name : fmt::format("interconnect B{}", row));
}

void TilePicture::schedule(int row, const std::string& window) {
  const Box from = at_.window_b(row);
  const Box box = at_.scheduler(row);
  const Box to = at_.interconnect(row);
  const std::string name = fmt::format("scheduler {}", row);
  const std::string interconnect = fmt::format("interconnect B{}", row);
  block(name, box,
        counted(config_.options.size(), "option") + "\n" + counted(config_.levels.size(), "level"),
        kControl);
  drawing_.shape(interconnect, to, "", kSideB);
  drawing_.text({to.middle_x(), to.top + 13}, "interconnect", 12, Align::centre, colour::kInk,
                true);
  drawing_.text({to.middle_x(), to.middle_y() + 10},
                fmt::format("{} × {} : 1", config_.lanes, config_.options.size()), kText);
  // What is not zero, the data past the scheduler, and which slots are empty.
  drawing_.wire(window, name,
                {{from.right(), from.middle_y() + 8}, {box.left, from.middle_y() + 8}}, kOrder);
  drawing_.text({(from.right() + box.left) / 2 + 7, from.middle_y() + 18}, "≠ 0", kText,
                Align::centre, colour::kControlLine);
  drawing_.wire(window, interconnect,
                {{from.right() - 20, from.bottom()},
                 {from.right() - 20, from.bottom() + 12},
                 {to.middle_x(), from.bottom() + 12},
                 {to.middle_x(), to.bottom()}},
                kDataB);
  const double up = from.right() + 14;
  const double joint =
      row == 0 ? at_.intake().bottom() : at_.scheduler(before(at_.rows(), row)).top + 16;
  Wire clear = kOrder;
  clear.arrow = row == 0;
  drawing_.wire(name, "intake", {{box.left, box.top + 16}, {up, box.top + 16}, {up, joint}}, clear);
  drawing_.wire(name, interconnect,
                {{box.middle_x(), box.top},
                 {box.middle_x(), box.top - kSelectUp},
                 {to.middle_x(), box.top - kSelectUp},
                 {to.middle_x(), to.top}},
                kOrder);
  drawing_.joint({to.middle_x(), box.top - kSelectUp}, kOrder.line);
  if (config_.scheduling != Scheduling::two_sided) return;
  const Box other = at_.window_a(0);
  drawing_.wire(window_name("A", 0), name,
                {{other.left + 7, other.bottom()},
                 {other.left + 7, other.bottom() + 13},
                 {box.left + 16, other.bottom() + 13},
                 {box.left + 16, box.top}},
                kOrder);
  drawing_.text({box.left + 34, other.bottom() + 21}, "≠ 0", kText, Align::centre,
                colour::kControlLine);
}

void TilePicture::operands(int row, const std::string& from) {
  const Box box = config_.is_dense() ? at_.window_b(row) : at_.interconnect(row);
  for (int column : at_.columns()) {
    if (column < 0) continue;
    const Box to = at_.pe(row, column);
    const std::string pe = fmt::format("PE {},{}", row, column);
    const double x = to.left + to.width / 2 + 18;
    drawing_.wire(from, pe,
                  {{box.right(), box.middle_y()},
                   {box.right() + 13, box.middle_y()},
                   {box.right() + 13, box.top - kOperandUp},
                   {x, box.top - kOperandUp},
                   {x, to.top}},
                  kDataB);
    if (column != at_.columns().back()) drawing_.joint({x, box.top - kOperandUp}, kDataB.line);
    if (config_.is_dense()) continue;
    const Box left = at_.multiplexers(row, column);
    drawing_.wire(fmt::format("scheduler {}", row), fmt::format("multiplexers {},{}", row, column),
                  {{column == 0 ? box.middle_x()
                                : at_.multiplexers(row, before(at_.columns(), column)).middle_x(),
                    box.top - kSelectUp},
                   {left.middle_x(), box.top - kSelectUp},
                   {left.middle_x(), left.top}},
                  kOrder);
    if (column != at_.columns().back())
      drawing_.joint({left.middle_x(), box.top - kSelectUp}, kOrder.line);
  }
}

void TilePicture::pe(int row, int column) {
  if (row < 0 || column < 0) return;
  const Box left = at_.multiplexers(row, column);
  const Box box = at_.pe(row, column);
  const std::string name = fmt::format("PE {},{}", row, column);
  const std::string multiplexers = fmt::format("multiplexers {},{}", row, column);
  if (!config_.is_dense()) {
    drawing_.shape(multiplexers, left,
                   fmt::format("{} ×\n{} : 1", config_.lanes, config_.options.size()), kSideA);
  }
  block(name, box,
        fmt::format("{} mult.\n{}\n{} acc.", config_.lanes,
                    config_.sum == Sum::fused ? "fused sum" : "tree", config_.accumulators),
        kCompute);
  const double x = left.left - 14;
  drawing_.wire(
      window_name("A", column), config_.is_dense() ? name : multiplexers,
      {{x, at_.window_a(column).bottom()}, {x, left.middle_y()}, {left.left, left.middle_y()}},
      kDataA);
  if (row != at_.rows().back()) drawing_.joint({x, left.middle_y()}, kDataA.line);
}

}  // namespace td
