// SPDX-License-Identifier: Apache-2.0
// One PE: multipliers, adder tree or fused sum, accumulators, and how many clocks each stage takes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gen/diagram/diagrams.hpp"

namespace td {
namespace {

constexpr double kLanesTop = 92;  // of the lanes, or of the accumulators where these are more
constexpr double kPitch = 24;     // from lane to lane
constexpr double kHeld = 30;      // from accumulator to accumulator
constexpr double kNode = 18;      // of an adder
constexpr double kColumn = 62;    // from stage to stage

/// A value on its way: where it leaves its stage, and what it leaves.
struct Value {
  std::string name;
  Point at;
};

/// Draws one PE; holds what every part needs.
class PePicture {
 public:
  explicit PePicture(const Config& config)
      : config_(config),
        drawing_(config.name + ": one PE"),
        level_(config.adder_registers + config.tree_registers) {}

  Drawing draw() {
    drawing_.text({0, 10},
                  fmt::format("{}: one PE, with the clocks that each stage takes", config_.name),
                  14, Align::left, colour::kInk, true);
    const Value sum = config_.sum == Sum::fused ? fused(products())
                                                : tree("adder", "adder tree", products(), kColumn);
    Value result = tree("merge", "merge", accumulate(sum), 44);
    if (config_.output != Format::fp32) result = convert(result);
    finish(result);
    return drawing_;
  }

 private:
  double lanes_height() const { return kPitch * config_.lanes; }

  /// Of the accumulators, with the wire below them.
  double held_height() const { return kHeld * config_.accumulators; }

  double top() const { return kLanesTop + std::max(0.0, (held_height() - lanes_height()) / 2); }

  double bottom() const {
    const double middle = top() + lanes_height() / 2;
    return middle + std::max(lanes_height() / 2, held_height() / 2 + 24);
  }

  /// The name of a stage above it, and its clocks.
  void stage(const std::string& name, double middle, int clocks, int times = 1) {
    drawing_.text({middle, 46}, name, 11, Align::centre, colour::kInk, true);
    drawing_.text({middle, 62},
                  times == 1 ? fmt::format("{}", clocks) : fmt::format("{} × {}", times, clocks),
                  10);
    if (clocks > 0) {
      terms_.push_back(times == 1 ? fmt::format("{}", clocks)
                                  : fmt::format("{} × {}", times, clocks));
    }
  }

  std::vector<Value> products() {
    Shape look;
    look.fill = colour::kPanel;
    const Box source = {0, top(), 104, lanes_height()};
    drawing_.shape(
        "operands", source,
        config_.is_dense()
            ? "rows in use,\nsides A and B"
            : fmt::format("{} × {} : 1\nfor side A,\n{} × {} : 1\nfor side B", config_.lanes,
                          config_.options.size(), config_.lanes, config_.options.size()),
        look);
    if (!config_.is_dense())
      stage("interconnect", source.middle_x(),
            config_.scheduler_registers + config_.interconnect_registers);
    stage("multipliers", source.right() + 52, config_.multiplier_registers);
    look.fill = colour::kCompute;
    look.rounded = true;
    look.size = 12;
    std::vector<Value> values;
    for (int lane = 0; lane < config_.lanes; ++lane) {
      const double y = top() + kPitch * (lane + 0.5);
      const Box box = around({source.right() + 52, y}, 30, 18);
      const std::string name = fmt::format("multiplier {}", lane);
      drawing_.shape(name, box, "×", look);
      feed(name, {source.right(), y - 4}, {box.left, y - 4}, colour::kSideALine);
      feed(name, {source.right(), y + 4}, {box.left, y + 4}, colour::kSideBLine);
      values.push_back({name, {box.right(), y}});
    }
    return values;
  }

  void feed(const std::string& to, Point from, Point end, const char* line) {
    Wire wire;
    wire.line = line;
    drawing_.wire("operands", to, {from, end}, wire);
  }

  /// Adds values up, neighbours first; one without a neighbour passes to the next level.
  Value tree(const std::string& kind, const std::string& head, std::vector<Value> values,
             double pitch) {
    const double begin = values[0].at.x;
    int levels = 0;
    for (double x = begin + pitch; values.size() > 1; x += pitch, ++levels) {
      std::vector<Value> sums;
      for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
        const std::string name = fmt::format("{} {},{}", kind, levels, i / 2);
        sums.push_back(adder(name, values[i], values[i + 1], x));
      }
      if (values.size() % 2 == 1) sums.push_back(values.back());
      values = std::move(sums);
    }
    if (levels > 0) stage(head, begin + pitch * (levels + 1) / 2, level_, levels);
    return values[0];
  }

  /// Moves products down to the largest exponent, and adds them as integers.
  Value fused(const std::vector<Value>& products) {
    const double x = products[0].at.x + kColumn;
    stage("align", x, config_.tree_registers, 2);
    stage("integer sum", x + 80, (config_.adder_registers + 1) / 2);
    Shape look;
    look.fill = colour::kCompute;
    look.rounded = true;
    look.size = 12;
    const Box sum = {x + 56, top(), 48, lanes_height()};
    drawing_.shape("integer sum", sum, "Σ", look);
    for (std::size_t lane = 0; lane < products.size(); ++lane) {
      const Point from = products[lane].at;
      const std::string name = fmt::format("shifter {}", lane);
      const Box box = around({x, from.y}, 30, 18);
      drawing_.shape(name, box, "≫", look);
      drawing_.wire(products[lane].name, name, {from, {box.left, from.y}});
      drawing_.wire(name, "integer sum", {{box.right(), from.y}, {sum.left, from.y}});
    }
    return {"integer sum", {sum.right(), sum.middle_y()}};
  }

  Value adder(const std::string& name, const Value& upper, const Value& lower, double x) {
    const Point at = {x, (upper.at.y + lower.at.y) / 2};
    Shape look;
    look.form = "circle";
    look.fill = colour::kCompute;
    look.size = 12;
    drawing_.shape(name, around(at, kNode, kNode), "+", look);
    for (const Value* value : {&upper, &lower}) {
      const double turn = x - 20;
      drawing_.wire(value->name, name,
                    {value->at, {turn, value->at.y}, {turn, at.y}, {x - kNode / 2, at.y}});
    }
    return {name, {x + kNode / 2, at.y}};
  }

  /// The accumulators' adder, and the accumulators that take its sums in turn.
  std::vector<Value> accumulate(const Value& sum) {
    const double y = sum.at.y;
    const Box box = around({sum.at.x + 70, y}, 30, 30);
    Shape look;
    look.fill = colour::kCompute;
    look.rounded = true;
    look.size = 14;
    drawing_.shape("accumulate", box, "+", look);
    drawing_.wire(sum.name, "accumulate", {sum.at, {box.left, y}});
    stage("add", box.middle_x(), config_.tree_registers + std::min(config_.accumulators, 4) - 1);
    const double x = box.right() + 58;
    stage(config_.accumulators == 1 ? "accumulator" : "accumulators", x, 1);
    look.size = 10;
    std::vector<Value> values;
    const double first = y - kHeld / 2 * (config_.accumulators - 1);
    for (int i = 0; i < config_.accumulators; ++i) {
      const std::string name = fmt::format("accumulator {}", i);
      const Box one = around({x, first + kHeld * i}, 34, 20);
      drawing_.shape(name, one, fmt::format("{}", i), look);
      const double turn = box.right() + 18;
      drawing_.wire(
          "accumulate", name,
          {{box.right(), y}, {turn, y}, {turn, one.middle_y()}, {one.left, one.middle_y()}});
      values.push_back({name, {one.right(), one.middle_y()}});
    }
    back({x, values.back().at.y + 10}, {box.middle_x(), box.bottom()});
    return values;
  }

  /// What is held comes back to the adder.
  void back(Point from, Point to) {
    Wire wire;
    wire.dashed = true;
    drawing_.wire("accumulator 0", "accumulate",
                  {from, {from.x, from.y + 14}, {to.x, from.y + 14}, to}, wire);
    drawing_.text({(from.x + to.x) / 2, from.y + 24}, "the one whose turn it is", 9, Align::centre,
                  colour::kFaint);
  }

  Value convert(const Value& value) {
    const Box box = around({value.at.x + 62, value.at.y}, 60, 22);
    Shape look;
    look.fill = colour::kCompute;
    drawing_.shape("conversion", box, fmt::format("to {}", to_string(config_.output)), look);
    drawing_.wire(value.name, "conversion", {value.at, {box.left, value.at.y}});
    return {"conversion", {box.right(), value.at.y}};
  }

  void finish(const Value& value) {
    const Box box = around({value.at.x + 76, value.at.y}, 78, 34);
    Shape look;
    look.fill = colour::kCompute;
    drawing_.shape("output buffer", box, "output\nbuffer", look);
    drawing_.wire(value.name, "output buffer", {value.at, {box.left, value.at.y}});
    stage("output", box.middle_x(), 1);
    drawing_.text({0, bottom() + 24},
                  fmt::format("clocks from step to output: {} = {}", fmt::join(terms_, " + "),
                              output_latency(config_)),
                  11, Align::left, colour::kInk, true);
  }

  const Config& config_;
  Drawing drawing_;
  int level_;  ///< clocks of a level of a tree
  std::vector<std::string> terms_;
};

}  // namespace

Drawing pe_drawing(const Config& config) { return PePicture(config).draw(); }

}  // namespace td
