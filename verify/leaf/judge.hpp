// SPDX-License-Identifier: Apache-2.0
// Compares a cell's outputs with the expected ones, pipeline and stalls included.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "verify/leaf/stimulus.hpp"

namespace td::leaf {

/// A check failed; what() says which, with the bits.
class Mismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A wrong answer of a cell.
struct Difference {
  std::uint64_t index;  ///< of the vector, from 0
  Operands operands;
  std::uint32_t expected;
  std::uint32_t actual;

  /// The operands and both results.
  [[nodiscard]] std::string text() const {
    return fmt::format("a 0x{:08x} b 0x{:08x} expected 0x{:08x} actual 0x{:08x}", operands.a,
                       operands.b, expected, actual);
  }
};

/// Feeds one cell and judges every result that leaves it.
template <class Cell>
class Judge {
 public:
  using Handler = std::function<void(const Difference&)>;

  /// Throws Mismatch at the first wrong answer. The seed only places the stalls.
  explicit Judge(std::uint64_t seed)
      : Judge(seed, [](const Difference& difference) {
          throw Mismatch(fmt::format("{}: {}", Cell::name, difference.text()));
        }) {}

  /// Calls the handler for each wrong answer.
  Judge(std::uint64_t seed, Handler wrong) : wrong_(std::move(wrong)), stalls_(~seed) {}

  /// Clocks the operands in, now and then after a stall.
  void check(Operands pair, std::uint32_t expected) {
    if constexpr (Cell::registers > 0) {
      if (entered_ >= Cell::registers && (stalls_.bits() & 15) == 0) stall();
    }
    pending_[entered_++ % depth] = {pair, expected};
    output_ = cell_.step(pair, true);
    if (entered_ >= depth) compare();
  }

  /// Judges what is still in the pipeline.
  void flush() {
    while (checked_ < entered_) {
      output_ = cell_.step({}, true);
      compare();
    }
  }

  /// Results judged.
  [[nodiscard]] std::uint64_t checked() const { return checked_; }

 private:
  struct Pending {
    Operands operands;
    std::uint32_t expected;
  };

  /// Operands that wait for their result; a combinational cell has one place as well.
  static constexpr std::uint64_t depth = Cell::registers > 0 ? Cell::registers : 1;

  /// Without enable nothing moves, whatever stands at the inputs.
  void stall() {
    const std::uint32_t held = output_;
    const Operands ignored{stalls_.bits() & Cell::layout.mask(),
                           stalls_.bits() & Cell::layout.mask()};
    if (cell_.step(ignored, false) != held) {
      throw Mismatch(fmt::format("{}: output moved while en_i was low, after {} results",
                                 Cell::name, checked_));
    }
  }

  void compare() {
    const Pending& pending = pending_[checked_ % depth];
    if (output_ != pending.expected) {
      wrong_({checked_, pending.operands, pending.expected, output_});
    }
    ++checked_;
  }

  Cell cell_;
  Handler wrong_;
  Random stalls_;
  std::array<Pending, depth> pending_{};
  std::uint32_t output_ = 0;
  std::uint64_t entered_ = 0;
  std::uint64_t checked_ = 0;
};

}  // namespace td::leaf
