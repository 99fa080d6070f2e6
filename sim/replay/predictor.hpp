// SPDX-License-Identifier: Apache-2.0
// What the reference model makes of passes, told to the scoreboard as they are drawn.
#pragma once

#include "sim/model/tile.hpp"
#include "sim/replay/scoreboard.hpp"

namespace td::replay {

/// The passes of another source.
class Predictor : public PassSource {
 public:
  /// Source and scoreboard must outlive it.
  Predictor(const Config& config, PassSource& source, Scoreboard& scoreboard,
            const sim::Fp8Results& results = {})
      : source_(source), scoreboard_(scoreboard), model_(config, results) {}

  bool next(Pass& pass) override {
    if (!source_.next(pass)) return false;
    sim::PassResult result;
    model_.run(pass.data, result);
    scoreboard_.expect(pass, std::move(result));
    return true;
  }

  std::vector<Tally> tallies() const override { return source_.tallies(); }

 private:
  PassSource& source_;
  Scoreboard& scoreboard_;
  sim::TileModel model_;
};

}  // namespace td::replay
