// SPDX-License-Identifier: Apache-2.0
// Bins of functional coverage: situations that a set of runs shall have been through, counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace td::verify {

/// One situation. Its name is stable: runs are merged by it.
struct Bin {
  std::string name;    ///< block: what happens there
  std::string reason;  ///< why it cannot happen in this configuration; empty: it can
  std::int64_t count = 0;
};

class Bins {
 public:
  using Id = std::size_t;

  /// A situation of a block that runs can reach.
  Id declare(const std::string& block, const std::string& text) {
    return unreachable(block, text, "");
  }

  /// One that no run of this configuration reaches. With an empty reason, one that runs can reach.
  Id unreachable(const std::string& block, const std::string& text, const std::string& reason) {
    bins_.push_back({block + ": " + text, reason, 0});
    return bins_.size() - 1;
  }

  void hit(Id id) { ++bins_[id].count; }

  const std::vector<Bin>& all() const { return bins_; }

 private:
  std::vector<Bin> bins_;
};

}  // namespace td::verify
