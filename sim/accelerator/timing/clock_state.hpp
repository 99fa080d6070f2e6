// SPDX-License-Identifier: Apache-2.0
// What clocks go on by, to be compared: those with the same state go on alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace td::sim {

/// Numbers. Clocks count from now on, places in the job from the descriptor that control takes
/// next.
class ClockState {
 public:
  template <class... Values>
  void add(Values... values) {
    (add_one(static_cast<std::int64_t>(values)), ...);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void add_one(std::int64_t value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::string bytes_;
};

/// How far a job has come between two clocks from which on it goes on alike.
struct Stride {
  std::int64_t clocks = 0;
  std::size_t descriptors = 0;
  std::array<std::uint32_t, 3> finished = {0, 0, 0};  ///< of these, by kind
};

}  // namespace td::sim
