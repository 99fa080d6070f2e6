// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace td::verify {
namespace {

std::string taken_by(Place place, int lane) {
  return fmt::format("place {} taken by lane {}", to_string(place), lane);
}

std::string advance_by(int advance) { return fmt::format("advance by {}", advance); }

std::string limited_by(int row) { return fmt::format("advance limited by tile row {} alone", row); }

std::string stream_of(std::int64_t rows) { return fmt::format("stream of {} rows", rows); }

std::string handshake(char side, const char* what, int count) {
  return fmt::format("side {}: {} {} rows", side, what, count);
}

/// Rows that one clock of the tile can accept.
int accepted_rows(const Config& config) { return config.is_dense() ? 1 : config.depth; }

}  // namespace

Coverage::Coverage(const Config& config) : config_(config) {
  for (Place place : config.places) {
    for (int lane = 0; lane < config.lanes; ++lane) declare(taken_by(place, lane));
  }
  if (!config.is_dense()) {
    for (int advance = 1; advance <= config.depth; ++advance) declare(advance_by(advance));
    for (int row = 0; row < config.rows && config.rows > 1 && config.depth > 1; ++row) {
      declare(limited_by(row));
    }
    declare("stream in dense mode");
  }
  for (int rows = 1; rows <= 2 * config.depth; ++rows) declare(stream_of(rows));
  for (char side : {'A', 'B'}) {
    for (int count = 0; count <= config.depth; ++count) declare(handshake(side, "offered", count));
    for (int count = 0; count <= accepted_rows(config); ++count) {
      declare(handshake(side, "ready for", count));
    }
  }
  declare("output accepted at once");
  declare("output refused");
  declare("nonfinite set");
  declare("nonfinite clear");
}

void Coverage::hit(const std::string& point) {
  const auto found = hits_.find(point);
  if (found != hits_.end()) ++found->second;
}

void Coverage::on_choice(int, const sim::Choice& choice) {
  for (std::size_t p = 0; p < config_.places.size(); ++p) {
    for (int lane = 0; lane < config_.lanes; ++lane) {
      if ((choice.lanes[p] >> lane & 1) != 0) hit(taken_by(config_.places[p], lane));
    }
  }
}

void Coverage::on_advance(int advance, const std::vector<int>& row_advance) {
  hit(advance_by(advance));
  if (std::count(row_advance.begin(), row_advance.end(), advance) == 1) {
    const auto limit = std::find(row_advance.begin(), row_advance.end(), advance);
    hit(limited_by(static_cast<int>(limit - row_advance.begin())));
  }
}

void Coverage::on_pass(const sim::PassData& pass) {
  for (std::size_t s = 0; s < pass.segment_rows.size(); ++s) {
    hit(stream_of(pass.segment_rows[s]));
    if (pass.dense[s]) hit("stream in dense mode");
  }
}

void Coverage::on_rows(char side, int offered, int ready) {
  hit(handshake(side, "offered", offered));
  hit(handshake(side, "ready for", ready));
}

void Coverage::on_output(bool valid, bool ready) {
  if (valid) hit(ready ? "output accepted at once" : "output refused");
}

void Coverage::on_nonfinite(bool flag) { hit(flag ? "nonfinite set" : "nonfinite clear"); }

std::vector<std::string> Coverage::holes() const {
  std::vector<std::string> holes;
  for (const auto& [point, count] : hits_) {
    if (count == 0) holes.push_back(point);
  }
  return holes;
}

}  // namespace td::verify
