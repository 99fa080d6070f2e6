// SPDX-License-Identifier: Apache-2.0
// The accelerator around the tiles: what stands between the buses and a tile, with its sizes.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "gen/diagram/diagrams.hpp"

namespace td {
namespace {

constexpr double kBlockHeight = 54;     // of a block
constexpr double kBlockRow = 84;        // from one row of blocks to the next
constexpr double kBlockWidth = 150;     // of a block
constexpr double kBlockColumn = 196;    // from one column to the next
constexpr double kFirstRow = 60;        // of the first row
constexpr double kRoom = 18;            // around what a tile has
constexpr double kShadow = 6;           // from a tile to the one behind it
constexpr std::int64_t kMostTiles = 4;  // that are shown behind each other

/// A block of column and row.
Box block_at(double column, double row) {
  return {60 + kBlockColumn * column, kFirstRow + kBlockRow * row, kBlockWidth, kBlockHeight};
}

Shape filled(const char* fill, const char* line = colour::kLine) {
  Shape look;
  look.fill = fill;
  look.line = line;
  return look;
}

class AcceleratorPicture {
 public:
  explicit AcceleratorPicture(const Config& config)
      : config_(config),
        geometry_(geometry_of(config)),
        drawing_(fmt::format("{}: the accelerator", config.name)) {}

  Drawing draw() {
    drawing_.text({60, 24},
                  fmt::format("{}: {} of {}x{} PEs, {} lanes, {}", config_.name,
                              count(geometry_.tiles, "tile"), geometry_.lines, geometry_.lines,
                              geometry_.lanes, to_string(config_.format)),
                  13, Align::left, colour::kInk, true);
    draw_control();
    draw_bus();
    draw_tiles();
    draw_side("A", 1, colour::kSideA, colour::kSideALine);
    draw_side("B", 2, colour::kSideB, colour::kSideBLine);
    draw_array();
    draw_results();
    return drawing_;
  }

 private:
  void draw_control() {
    const Shape look = filled(colour::kControl, colour::kControlLine);
    const char* const names[] = {"registers", "jobs", "fetch", "dispatch"};
    const char* const texts[] = {
        "registers\nAXI4-Lite, interrupt", "queue of jobs\none runs, four wait",
        "fetch\ndescriptors of a job", "dispatch\nto load, compute, store"};
    for (int i = 0; i < 4; ++i) {
      drawing_.shape(names[i], block_at(i, 0), texts[i], look);
      if (i > 0) straight(names[i - 1], names[i], block_at(i - 1, 0), block_at(i, 0), {});
    }
  }

  /// Load and store engine, and the bus in front of them.
  void draw_bus() {
    const Box load = block_at(0, 1.5), store = block_at(0, 4);
    drawing_.shape("bus", {0, load.top - 20, 26, store.bottom() - load.top + 40}, "AXI4",
                   filled(colour::kPanel));
    const auto beats = [&](const char* engine, std::int64_t bytes) {
      return fmt::format("{}\n{} bytes a clock\n{} bursts on the way", engine, bytes,
                         geometry_.outstanding);
    };
    drawing_.shape("load", load, beats("load", geometry_.beat_bytes()), filled("white"));
    drawing_.shape("store", store, beats("store", geometry_.beat_bytes()), filled("white"));
    drawing_.wire("bus", "load", {{26, load.middle_y()}, {load.left, load.middle_y()}});
    drawing_.wire("store", "bus", {{store.left, store.middle_y()}, {26, store.middle_y()}});
  }

  /// From an operand memory to the scratchpads of all tiles.
  void draw_side(const std::string& side, int row, const char* fill, const char* line) {
    const Box memory = block_at(1, row), filler = block_at(2, row), load = block_at(0, 1.5);
    const Shape look = filled(fill, line);
    Wire wire;
    wire.line = line;
    wire.width = 2;
    drawing_.shape(
        "memory " + side, memory,
        fmt::format("operand memory {}\n{} rows of {} bytes\n{}", side, geometry_.operand_rows,
                    geometry_.row_bytes(), count(geometry_.fill_rows, "bank")),
        look);
    drawing_.shape(
        "fill " + side, filler,
        fmt::format("fill {}, transposer\n{} a clock", side, count(geometry_.fill_rows, "row")),
        look);
    const double turn = load.right() + (memory.left - load.right()) / 2;
    drawing_.wire("load", "memory " + side,
                  {{load.right(), load.middle_y()},
                   {turn, load.middle_y()},
                   {turn, memory.middle_y()},
                   {memory.left, memory.middle_y()}},
                  wire);
    straight("memory " + side, "fill " + side, memory, filler, wire);
    straight("fill " + side, "scratchpads " + side, filler, scratchpads(row), wire);
    drawing_.shape(
        "scratchpads " + side, scratchpads(row),
        fmt::format("scratchpads {}: {} x {} banks\n2 halves of {} rows{}", side, geometry_.lines,
                    geometry_.depth, geometry_.bank_rows,
                    geometry_.sets() > 1 ? fmt::format(", {} sets", geometry_.sets()) : ""),
        look);
  }

  /// Around what a tile has; the others stand behind it.
  void draw_tiles() {
    const Box first = scratchpads(1), last = block_at(3, 4);
    const std::int64_t shown = std::min(geometry_.tiles, kMostTiles);
    for (std::int64_t i = shown; i-- > 0;) {
      const double away = kShadow * static_cast<double>(i);
      drawing_.shape(fmt::format("tile {}", i),
                     {first.left - kRoom + away, first.top - kRoom + away, first.width + 2 * kRoom,
                      last.bottom() - first.top + 2 * kRoom},
                     "", filled(i == 0 ? "white" : colour::kPanel));
    }
    drawing_.text({first.middle_x(), last.bottom() + kRoom + kShadow * kMostTiles + 6},
                  geometry_.tiles == 1
                      ? "one tile"
                      : fmt::format("{} tiles, which share fills", geometry_.tiles),
                  10);
  }

  void draw_array() {
    const Box array = block_at(3, 3);
    drawing_.shape("array", array,
                   fmt::format("{}x{} PEs\n{}", geometry_.lines, geometry_.lines,
                               geometry_.dense ? "dense" : "drops pairs with a zero"),
                   filled(colour::kCompute));
    const Box a = scratchpads(1), b = scratchpads(2);
    const double around = a.right() + kRoom / 2;
    Wire wire;
    wire.width = 2;
    wire.line = colour::kSideALine;
    drawing_.wire("scratchpads A", "array",
                  {{a.right(), a.middle_y()},
                   {around, a.middle_y()},
                   {around, array.middle_y()},
                   {array.right(), array.middle_y()}},
                  wire);
    wire.line = colour::kSideBLine;
    drawing_.wire("scratchpads B", "array", {{b.middle_x(), b.bottom()}, {b.middle_x(), array.top}},
                  wire);
  }

  void draw_results() {
    const Box array = block_at(3, 3), results = block_at(3, 4), store = block_at(0, 4);
    drawing_.shape(
        "results", results,
        fmt::format("results, binary32\n{} words of {} sums\n{}", geometry_.result_words,
                    geometry_.lines, count(geometry_.beat_rows * geometry_.block_words(), "bank")),
        filled(colour::kPanel));
    drawing_.wire("array", "results",
                  {{array.middle_x(), array.bottom()}, {results.middle_x(), results.top}});
    drawing_.wire("results", "store",
                  {{results.left, results.middle_y()}, {store.right(), store.middle_y()}});
  }

  static Box scratchpads(int row) { return block_at(3, row); }

  static std::string count(std::int64_t number, const std::string& what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  }

  /// From the right of one block to the left of another beside it.
  void straight(const std::string& from, const std::string& to, const Box& left, const Box& right,
                const Wire& look) {
    drawing_.wire(from, to, {{left.right(), left.middle_y()}, {right.left, right.middle_y()}},
                  look);
  }

  const Config& config_;
  Geometry geometry_;
  Drawing drawing_;
};

}  // namespace

Drawing accelerator_drawing(const Config& config) { return AcceleratorPicture(config).draw(); }

}  // namespace td
