// SPDX-License-Identifier: Apache-2.0
// What parts of the timeline go on by, to be compared: two with the same state go on alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace td::sim {

/// Clocks count from now on, places in the job from the descriptor that control takes next.
class ClockState {
 public:
  void clear() { numbers_.clear(); }

  template <class... Values>
  void add(Values... values) {
    (numbers_.push_back(static_cast<std::int64_t>(values)), ...);
  }
  bool operator==(const ClockState& other) const { return numbers_ == other.numbers_; }

  struct Hash {
    std::size_t operator()(const ClockState& state) const {
      const std::string_view bytes(reinterpret_cast<const char*>(state.numbers_.data()),
                                   state.numbers_.size() * sizeof(std::int64_t));
      return std::hash<std::string_view>()(bytes);
    }
  };

 private:
  std::vector<std::int64_t> numbers_;
};

/// By state.
template <class Value>
using StateMap = std::unordered_map<ClockState, Value, ClockState::Hash>;

/// How far a job has come between two clocks from which on it goes on alike.
struct Stride {
  std::int64_t clocks = 0;
  std::size_t descriptors = 0;
  std::array<std::uint32_t, 3> finished = {0, 0, 0};  ///< of these, by kind
};

}  // namespace td::sim
