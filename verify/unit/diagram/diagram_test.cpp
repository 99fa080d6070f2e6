// SPDX-License-Identifier: Apache-2.0
// Pictures show what the configuration says and what the reference model does: their wires are the
// pattern's options and the model's choices, and begin and end where their names say.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "base/configuration/preset.hpp"
#include "base/support/error.hpp"
#include "gen/diagram/diagrams.hpp"
#include "gen/diagram/graphviz.hpp"
#include "sim/model/tile.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::Config;
using td::unit::pick;

using Wire = std::pair<std::string, std::string>;

/// The wires of a picture, by the names that they have in its SVG.
std::multiset<Wire> wires_of(const std::string& svg) {
  static const std::regex title("<title>([^<]*)&#45;&gt;([^<]*)</title>");
  std::multiset<Wire> wires;
  for (std::sregex_iterator at(svg.begin(), svg.end(), title), end; at != end; ++at) {
    wires.insert({(*at)[1], (*at)[2]});
  }
  return wires;
}

/// Those that begin at an element of the window.
std::multiset<Wire> element_wires(const std::string& svg) {
  std::multiset<Wire> wires;
  for (const Wire& wire : wires_of(svg)) {
    if (wire.first.rfind("slot ", 0) == 0) wires.insert(wire);
  }
  return wires;
}

std::string element(int slot, int lane) {
  return "slot " + std::to_string(slot) + ", lane " + std::to_string(lane);
}

struct Frame {
  double x, y, width, height;
  /// How far a point is outside.
  double distance(double px, double py) const {
    return std::max({std::abs(px - x) - width / 2, std::abs(py - y) - height / 2, 0.0});
  }
};

using Frames = std::map<std::string, Frame>;

/// Every wire between named shapes begins at the one and ends at the other. Returns where they are.
Frames check_ends(const std::string& dot) {
  static const std::regex shape(
      "\"([^\"]*)\" \\[pos=\"([-.0-9]+),([-.0-9]+)\" width=([.0-9]+) height=([.0-9]+) ");
  static const std::regex wire(
      "\"([^\"]*)\" -> \"([^\"]*)\" \\[pos=\"e,([-.0-9]+),([-.0-9]+) ([-.0-9]+),([-.0-9]+) ");
  Frames frames;
  for (std::sregex_iterator at(dot.begin(), dot.end(), shape), end; at != end; ++at) {
    const std::smatch& m = *at;
    CHECK(frames
              .emplace(m[1], Frame{std::stod(m[2]), std::stod(m[3]), 72 * std::stod(m[4]),
                                   72 * std::stod(m[5])})
              .second);
  }
  int seen = 0;
  for (std::sregex_iterator at(dot.begin(), dot.end(), wire), end; at != end; ++at) {
    const std::smatch& m = *at;
    INFO(m.str());
    CHECK(frames.at(m[1]).distance(std::stod(m[5]), std::stod(m[6])) < 0.1);
    CHECK(frames.at(m[2]).distance(std::stod(m[3]), std::stod(m[4])) < 6);
    ++seen;
  }
  CHECK(seen > 0);
  return frames;
}

/// A tile of one PE: every lane of the picture is a lane of the model.
Config one_pe(std::mt19937& random) {
  td::unit::RandomLimits limits;
  limits.lines = 1;
  limits.dense = false;
  return td::unit::random_config(random, limits);
}

std::vector<std::uint32_t> bits_of(const Config& config, const td::Window& window) {
  const auto one = std::uint32_t{1} << td::fraction_bits(config.format);  // a normal number
  std::vector<std::uint32_t> bits;
  for (const auto& slot : window) {
    for (bool effectual : slot) bits.push_back(effectual ? one : 0);
  }
  return bits;
}

/// The window as a stream of its own, through the reference model.
struct Reference {
  Reference(const Config& config, const td::StepOperands& operands) : model(config) {
    td::sim::PassData pass;
    pass.segment_rows = {config.depth};
    pass.a = bits_of(config, operands.a);
    pass.b = bits_of(config, operands.b);
    pass.dense = {false};
    model.run(pass, result);
  }
  td::sim::TileModel model;
  td::sim::PassResult result;
};

}  // namespace

TEST_CASE("diagram: a lane's wires are the pattern's options") {
  std::mt19937 random(14);
  for (int i = 0; i < 25; ++i) {
    const Config config = one_pe(random);
    const int lane = pick(random, 0, config.lanes - 1);
    const std::string dot = td::lane_drawing(config, lane).dot();
    std::multiset<Wire> expected;
    for (std::size_t p = 0; p < config.options.size(); ++p) {
      const auto [slot, source] =
          *td::unit::reach_of(lane, {config.options[p]}, config.lanes).begin();
      expected.insert({element(slot, source), "option " + std::to_string(p)});
    }
    CHECK(element_wires(td::draw_svg(dot)) == expected);
    check_ends(dot);
  }
}

TEST_CASE("diagram: the choices of a step are the reference model's") {
  std::mt19937 random(15);
  for (int i = 0; i < 200; ++i) {
    const Config config = one_pe(random);
    const td::StepOperands operands =
        td::step_operands(config, static_cast<std::uint32_t>(pick(random, 0, 1 << 30)));
    const Reference reference(config, operands);
    std::multiset<Wire> expected;
    for (const td::sim::TileModel::Pair& pair : reference.model.pairs(0, 0)) {
      const int row = static_cast<int>(pair.element) / config.lanes;
      const int source = static_cast<int>(pair.element) % config.lanes;
      expected.insert({element(row, source), "lane " + std::to_string(pair.lane)});
    }
    const std::string dot = td::step_drawing(config, operands).dot();
    CHECK(dot.find("\"advance " + std::to_string(reference.result.advances[0]) + "\\l" +
                   std::to_string(expected.size()) + " of ") != std::string::npos);
    if (i < 25) {
      CHECK(element_wires(td::draw_svg(dot)) == expected);
      const Frames frames = check_ends(dot);
      for (int lane = 0; lane < config.lanes; ++lane) {
        CHECK(frames.at("lane " + std::to_string(lane)).x == frames.at(element(0, lane)).x);
      }
    }
  }
}

TEST_CASE("diagram: options of a step's takes lead to their elements") {
  std::mt19937 random(16);
  for (int i = 0; i < 200; ++i) {
    const Config config = one_pe(random);
    const td::Window window = td::step_operands(config, static_cast<std::uint32_t>(i)).b;
    const td::Step step = td::take_step(config, window);
    for (const td::Take& take : step.takes) {
      CHECK(td::unit::reach_of(take.lane, {config.options[take.option]}, config.lanes) ==
            std::set<td::unit::Element>{{take.slot, take.source}});
      const td::Level& level = config.levels[take.level];
      CHECK(std::find(level.begin(), level.end(), take.lane) != level.end());
    }
  }
}

TEST_CASE("diagram: every tile can be drawn") {
  std::mt19937 random(17);
  for (int i = 0; i < 25; ++i) {
    const Config config = td::unit::random_config(random);
    const std::vector<td::OutputFile> files = td::emit_diagrams(config, {});
    const std::size_t accelerators = td::accelerator_obstacle(config) ? 0 : 1;
    CHECK(files.size() == (config.is_dense() ? 2 : 4) + accelerators);
    const std::multiset<Wire> wires = wires_of(files[0].text);
    const bool last_is_drawn =
        files[0].text.find("<title>PE " + std::to_string(config.rows - 1) + "," +
                           std::to_string(config.columns - 1) + "</title>") != std::string::npos;
    CHECK(last_is_drawn);
    CHECK(wires.count({"window A0", "scheduler 0"}) ==
          (config.scheduling == td::Scheduling::two_sided ? 1 : 0));
    CHECK(wires.count({"scheduler 0", "interconnect B0"}) == (config.is_dense() ? 0 : 1));
  }
}

TEST_CASE("diagram: the clocks of a PE's stages add up to the latency") {
  std::mt19937 random(18);
  for (int i = 0; i < 50; ++i) {
    const Config config = td::unit::random_config(random);
    const std::string dot = td::pe_drawing(config).dot();
    std::smatch sum;
    REQUIRE(std::regex_search(dot, sum, std::regex("step to output: ([^=]*) = ([0-9]+)")));
    const std::string terms = sum[1];
    int clocks = 0;
    const std::regex term("([0-9]+)(?: × ([0-9]+))?");
    for (std::sregex_iterator at(terms.begin(), terms.end(), term), end; at != end; ++at) {
      clocks += std::stoi((*at)[1]) * ((*at)[2].matched ? std::stoi((*at)[2]) : 1);
    }
    CHECK(clocks == std::stoi(sum[2]));
    CHECK(clocks == td::output_latency(config));
    const std::multiset<Wire> wires = wires_of(td::draw_svg(dot));
    const auto ending_at = [&](const std::string& name) {
      return std::count_if(wires.begin(), wires.end(),
                           [&](const Wire& wire) { return wire.second.rfind(name, 0) == 0; });
    };
    const bool fused = config.sum == td::Sum::fused;
    CHECK(ending_at("adder ") == (fused ? 0 : 2 * (config.lanes - 1)));
    CHECK(ending_at("shifter ") == (fused ? config.lanes : 0));
    CHECK(ending_at("integer sum") == (fused ? config.lanes : 0));
    CHECK(ending_at("merge ") == 2 * (config.accumulators - 1));
  }
}

TEST_CASE("diagram: a lane that the tile does not have is refused") {
  td::DiagramOptions options;
  options.lane = 4;
  CHECK_THROWS_AS(td::emit_diagrams(td::unit::config_of("tile.lanes = 4"), options), td::UserError);
  options.lane = 3;
  CHECK(td::emit_diagrams(td::unit::config_of("tile.lanes = 4"), options).size() == 4);
}

TEST_CASE("diagram: an accelerator with its sizes, from bus to bus") {
  const Config config = td::find_config("accel_quad");
  const std::string dot = td::accelerator_drawing(config).dot();
  check_ends(dot);
  for (const char* size :
       {"4 tiles of 4x4 PEs, 16 lanes, bf16", "32768 rows of 32 bytes", "8 banks", "8 rows a clock",
        "4 x 3 banks", "2 halves of 128 rows, 2 sets", "16384 words of 4 sums",
        "64 bursts on the way"}) {
    CAPTURE(size);
    CHECK(dot.find(size) != std::string::npos);
  }
  const std::multiset<Wire> wires = wires_of(td::draw_svg(dot));
  const char* const way[] = {"bus",           "load",  "memory A", "fill A",
                             "scratchpads A", "array", "results",  "store"};
  for (std::size_t i = 0; i + 1 < std::size(way); ++i) {
    CAPTURE(way[i]);
    CHECK(wires.count({way[i], way[i + 1]}) == 1);
  }
  CHECK(wires.count({"store", "bus"}) == 1);
  CHECK_THROWS_AS(td::accelerator_drawing(td::find_config("odd_fp16")), td::UserError);
}
