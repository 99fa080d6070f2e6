// SPDX-License-Identifier: Apache-2.0
// Driving and predicting without any Verilog: a tile that is the model itself, behind the ports.
#include <doctest/doctest.h>

#include <deque>
#include <random>

#include "sim/replay/predictor.hpp"
#include "sim/replay/random_source.hpp"
#include "sim/replay/scoreboard.hpp"
#include "sim/replay/stimulus.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace td::unit {
namespace {

using replay::Offer;
using replay::Scoreboard;

/// Row `row` of a port: `count` elements of `bits` bits, low bits first.
std::vector<std::uint32_t> unpack(const std::vector<std::uint32_t>& port, int row, int count,
                                  int bits) {
  std::vector<std::uint32_t> elements;
  for (int i = 0; i < count; ++i) {
    std::uint32_t element = 0;
    for (int bit = 0; bit < bits; ++bit) {
      const auto at = static_cast<std::size_t>((row * count + i) * bits + bit);
      element |= (port[at / 32] >> at % 32 & 1) << bit;
    }
    elements.push_back(element);
  }
  return elements;
}

/// Takes rows from the ports and answers with what the model makes of them.
class PlayedTile {
 public:
  explicit PlayedTile(const Config& config) : config_(config), model_(config) {}

  void take_a(const Offer& offer, int rows) {
    for (int row = 0; row < rows; ++row) {
      const auto elements = operands(offer.a_words, offer.a_e5m2, row, config_.columns);
      a_.insert(a_.end(), elements.begin(), elements.end());
    }
  }

  void take_b(const Offer& offer, int rows) {
    for (int row = 0; row < rows; ++row) {
      const auto elements = operands(offer.b_words, offer.b_e5m2, row, config_.rows);
      open_.b.insert(open_.b.end(), elements.begin(), elements.end());
      if (is_first_) {
        open_.segment_rows.push_back(0);
        open_.dense.push_back(offer.dense);
      }
      ++open_.segment_rows.back();
      is_first_ = (offer.last >> row & 1) != 0;
      if ((offer.last_of_output >> row & 1) == 0) continue;
      complete_.push_back(std::move(open_));
      open_ = {};
    }
  }

  /// Answers what is whole on both sides; `flip` is put over the first output's bits.
  void answer(Scoreboard& scoreboard, std::int64_t clock, std::uint32_t flip) {
    while (!complete_.empty()) {
      sim::PassData& pass = complete_.front();
      const auto size = pass.rows() * config_.columns * config_.lanes;
      if (static_cast<std::int64_t>(a_.size()) < size) return;
      pass.a.assign(a_.begin(), a_.begin() + size);
      a_.erase(a_.begin(), a_.begin() + size);
      sim::PassResult result;
      model_.run(pass, result);
      result.outputs.front() ^= flip;
      scoreboard.on_cycles(result.cycles, clock);
      scoreboard.on_output(result.outputs, result.nonfinite, clock);
      complete_.pop_front();
    }
  }

 private:
  /// Of a row of a side with so many lines.
  std::vector<std::uint32_t> operands(const std::vector<std::uint32_t>& port, std::uint32_t e5m2,
                                      int row, int lines) const {
    auto elements = unpack(port, row, lines * config_.lanes, stored_width(config_.format));
    if (config_.format != td::Format::fp8) return elements;
    const sim::Fp8 kind = (e5m2 >> row & 1) != 0 ? sim::Fp8::e5m2 : sim::Fp8::e4m3;
    for (std::uint32_t& element : elements) element = from_code(kind, element);
    return elements;
  }

  Config config_;
  sim::TileModel model_;
  std::deque<std::uint32_t> a_;
  sim::PassData open_;
  std::deque<sim::PassData> complete_;
  bool is_first_ = true;
};

/// The scoreboard after `passes` random passes through a played tile that waits now and then.
Scoreboard play(const Config& config, std::int64_t passes, std::uint64_t seed, std::uint32_t flip) {
  replay::RandomSelection selection;
  selection.passes = passes;
  selection.seed = seed;
  selection.specials = 0.02;
  selection.dense = 0.3;
  replay::RandomSource source(config, selection);
  Scoreboard scoreboard(config, source.tallies());
  replay::Predictor predictor(config, source, scoreboard);
  replay::Stimulus stimulus(config, predictor, {0.3, 0.02, seed});
  PlayedTile tile(config);
  std::mt19937 random(static_cast<unsigned>(seed));
  int a_ready = 0;
  int b_ready = 0;
  for (std::int64_t clock = 0; clock < 100000; ++clock) {
    const Offer& offer = stimulus.clock(a_ready, b_ready);
    if (stimulus.exhausted()) break;
    const auto limit = static_cast<unsigned>(config.depth + 1);
    a_ready = static_cast<int>(random() % limit);
    b_ready = static_cast<int>(random() % limit);
    tile.take_a(offer, std::min(a_ready, offer.a_rows));
    tile.take_b(offer, std::min(b_ready, offer.b_rows));
    tile.answer(scoreboard, clock, flip);
  }
  return scoreboard;
}

}  // namespace

TEST_CASE("replay: what goes through the ports is what the scoreboard expects") {
  std::mt19937 random(13);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Config config = random_config(random);
    CAPTURE(canonical_toml(config));
    const Scoreboard scoreboard = play(config, 12, seed, 0);
    REQUIRE(scoreboard.first_mismatch() == "");
    REQUIRE(scoreboard.passes_done() == 12);
    REQUIRE(scoreboard.idle());
  }
}

TEST_CASE("replay: one wrong bit of each pass is one mismatch each") {
  const Config config = parse_config("name = \"x\"", "x.toml");
  const Scoreboard scoreboard = play(config, 8, 1, 1);
  CHECK(scoreboard.mismatches() == 8);
  CHECK(scoreboard.first_mismatch().find("tile row 0 column 0: expected 0x") != std::string::npos);
}

}  // namespace td::unit
