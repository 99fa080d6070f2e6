// SPDX-License-Identifier: Apache-2.0
// Functional coverage: which situations a run has been through.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "verify/replay/pass_source.hpp"

namespace td::verify {

/// Counts how often each declared situation came up. A situation that never did is a hole.
class Coverage : public sim::StepObserver {
 public:
  explicit Coverage(const Config& config);

  // From the model, whose steps are the tile's as long as bits and cycles agree.
  void on_choice(int tile_row, const sim::Choice& choice) override;
  void on_advance(int advance, const std::vector<int>& row_advance) override;

  // From the testbench.
  void on_pass(const sim::PassData& pass);
  void on_rows(char side, int offered, int ready);
  void on_output(bool valid, bool ready);
  void on_nonfinite(bool flag);

  std::int64_t points() const { return static_cast<std::int64_t>(hits_.size()); }
  std::vector<std::string> holes() const;

 private:
  void declare(const std::string& point) { hits_.emplace(point, 0); }
  void hit(const std::string& point);

  Config config_;
  std::map<std::string, std::int64_t> hits_;
};

}  // namespace td::verify
