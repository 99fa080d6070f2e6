// SPDX-License-Identifier: Apache-2.0
// Block diagram of a tile: what stands in it, with its sizes. Here is what stands around the data
// path; tile_feed.cpp has the path itself.
#include <fmt/format.h>

#include "gen/design/ports.hpp"
#include "gen/diagram/diagrams.hpp"
#include "gen/diagram/tile_picture.hpp"

namespace td {

using namespace tile_look;

TilePicture::TilePicture(const Config& config)
    : config_(config), at_(config), drawing_(config.name + ": block diagram of the tile") {}

Drawing TilePicture::draw() {
  title();
  panel();
  inputs();
  control();
  for (int column : at_.columns()) column < 0 ? dots_a() : side_a(column);
  for (int row : at_.rows()) row < 0 ? dots_b() : side_b(row);
  for (int row : at_.rows()) {
    for (int column : at_.columns()) pe(row, column);
  }
  output();
  legend();
  return drawing_;
}

std::string TilePicture::port(const std::string& name) const {
  for (const Port& port : tile_ports(config_)) {
    if (port.name == name) return fmt::format("{}  {} b", name, port.bits(config_));
  }
  return "";
}

void TilePicture::block(const std::string& name, Box box, const std::string& lines,
                        const Shape& look) {
  drawing_.shape(name, box, "", look);
  drawing_.text({box.middle_x(), box.top + 13}, name, 12, Align::centre, colour::kInk, true);
  drawing_.text({box.middle_x(), (box.top + 21 + box.bottom()) / 2}, lines, kText);
}

void TilePicture::begin(const std::string& port, Point at) {
  Shape unseen;
  unseen.fill = unseen.line = "none";
  drawing_.shape(port, around(at, 2, 2), "", unseen);
}

void TilePicture::title() {
  drawing_.text({0, 10},
                fmt::format("{}: {} of {} × {} PEs with {} lanes of {}", config_.name,
                            config_.is_dense() ? "dense tile" : "tile", config_.rows,
                            config_.columns, config_.lanes, to_string(config_.format)),
                14, Align::left, colour::kInk, true);
}

void TilePicture::panel() {
  Shape look;
  look.fill = colour::kPanel;
  look.line = "none";
  look.rounded = true;
  drawing_.shape("array", at_.array(), "", look);
}

void TilePicture::inputs() {
  const double a = at_.window_a(0).top - 25;
  const double b = at_.window_b(0).middle_y() + 8;
  const double left = at_.window_a(0).left - 34;
  begin("a_rows_i", {left, a});
  begin("b_rows_i", {0, b});
  drawing_.text({left, a - 9}, port("a_rows_i"), 10, Align::left, colour::kSideALine);
  drawing_.text({0, b - 9}, port("b_rows_i"), 10, Align::left, colour::kSideBLine);
}

void TilePicture::handshake(const std::string& name, double y, bool into) {
  drawing_.text({0, y - 14}, port("a_" + name) + "\n" + port("b_" + name), 10, Align::left);
  const Point outside = {0, y};
  const Point inside = {at_.intake().left, y};
  drawing_.wire("intake", "intake",
                into ? std::vector<Point>{outside, inside} : std::vector<Point>{inside, outside},
                kOrder);
}

void TilePicture::control() {
  const Box intake = at_.intake();
  block("intake", intake,
        config_.is_dense() ? "row handshakes,\nstep"
                           : "row handshakes, stream boundaries, mode\nwhat the next clock finds",
        kControl);
  handshake("valid_i", intake.top + 30, true);
  handshake("ready_o", intake.bottom() - 2, false);
  const Box counters = at_.counters();
  block("counters", counters,
        fmt::format(config_.is_dense() ? "cycles, stalls:\n{} b each"
                                       : "cycles, stalls, skipped pairs: {} b each",
                    config_.counter_width),
        kControl);
  const Box sequencer = at_.sequencer();
  block("sequencer", sequencer, "follows each step down\nthe pipeline; can hold it", kControl);
  const double x = at_.control_x();
  const double from = intake.top + 48;
  drawing_.wire("intake", "counters",
                {{intake.left, from},
                 {x, from},
                 {x, counters.middle_y()},
                 {counters.left, counters.middle_y()}},
                kOrder);
  drawing_.joint({x, counters.middle_y()}, kOrder.line);
  drawing_.wire("intake", "sequencer",
                {{x, counters.middle_y()},
                 {x, counters.bottom() + 12},
                 {sequencer.left + 20, counters.bottom() + 12},
                 {sequencer.left + 20, sequencer.bottom()}},
                kOrder);
  drawing_.wire(
      "sequencer", "array",
      {{sequencer.middle_x(), sequencer.top}, {sequencer.middle_x(), at_.array().bottom()}},
      kOrder);
}

void TilePicture::output() {
  const Box array = at_.array();
  const Box box = at_.output();
  block("output buffer", box,
        fmt::format("2 entries of\n{} × ({} + 1) b", config_.rows * config_.columns,
                    output_width(config_)),
        kCompute);
  drawing_.wire("array", "output buffer",
                {{box.middle_x(), array.bottom()}, {box.middle_x(), box.top}}, kOutput);
  drawing_.wire("output buffer", "sequencer",
                {{box.left, box.middle_y()}, {at_.sequencer().right(), box.middle_y()}}, kOrder);
  drawing_.wire("output buffer", "output buffer",
                {{box.middle_x(), box.bottom()}, {box.middle_x(), box.bottom() + 26}}, kOutput);
  drawing_.text({box.middle_x() + 10, box.bottom() + 20},
                port("out_data_o") + "\n" + port("out_nonfinite_o"), 10, Align::left);
}

void TilePicture::legend() {
  const double y = at_.counters().bottom() + 30;
  double x = 0;
  const auto entry = [&](const Wire& wire, const std::string& text) {
    drawing_.wire("array", "array", {{x, y}, {x + 30, y}}, wire);
    drawing_.text({x + 36, y}, text, kText, Align::left);
    x += 60 + text_width(text, kText);
  };
  entry(kDataA, "side A");
  entry(kDataB, config_.is_dense() ? "side B" : "side B (scheduled)");
  entry(kOrder, "control");
  drawing_.text({x, y}, fmt::format("output latency {} clocks", output_latency(config_)), kText,
                Align::left);
}

void TilePicture::dots(Point middle, double dx, double dy) {
  for (int i = -1; i <= 1; ++i) {
    drawing_.joint({middle.x + dx * i, middle.y + dy * i}, colour::kLine);
  }
}

void TilePicture::dots_a() {
  const Box box = at_.window_a(-1);
  dots({box.left + 20, box.middle_y()}, 7, 0);
  for (int row : at_.rows()) {
    if (row >= 0) dots({box.left + 20, at_.pe(row, 0).middle_y()}, 7, 0);
  }
}

void TilePicture::dots_b() {
  const double y = at_.window_b(-1).top + 4;
  dots({at_.window_b(0).middle_x(), y}, 0, 7);
  if (!config_.is_dense()) dots({at_.scheduler(0).middle_x(), y}, 0, 7);
  for (int column : at_.columns()) {
    if (column >= 0) dots({at_.pe(0, column).middle_x(), y}, 0, 7);
  }
}

Drawing tile_drawing(const Config& config) { return TilePicture(config).draw(); }

}  // namespace td
