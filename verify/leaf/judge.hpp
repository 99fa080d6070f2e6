// SPDX-License-Identifier: Apache-2.0
// Compares a cell's outputs with the expected ones, pipeline and stalls included.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "verify/leaf/stimulus.hpp"

namespace td::leaf {

/// A cell answered wrongly; what() says which, with operands, expected and actual bits.
class Mismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Feeds one cell and judges every result that leaves it.
template <class Cell>
class Judge {
 public:
  /// The seed only places the stalls.
  explicit Judge(std::uint64_t seed) : stalls_(~seed) {}

  /// Clocks the operands in, now and then after a stall; throws Mismatch.
  void check(Operands pair) {
    if constexpr (Cell::registers > 0) {
      if (entered_ >= Cell::registers && (stalls_.bits() & 15) == 0) stall();
    }
    pending_[entered_++ % depth] = {pair, Cell::expected(pair)};
    output_ = cell_.step(pair, true);
    if (entered_ >= depth) compare(pending_[checked_++ % depth]);
  }

  /// Judges what is still in the pipeline; throws Mismatch.
  void flush() {
    while (checked_ < entered_) {
      output_ = cell_.step({}, true);
      compare(pending_[checked_++ % depth]);
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

  void compare(const Pending& pending) const {
    if (output_ == pending.expected) return;
    throw Mismatch(fmt::format("{}: a 0x{:08x} b 0x{:08x} expected 0x{:08x} actual 0x{:08x}",
                               Cell::name, pending.operands.a, pending.operands.b, pending.expected,
                               output_));
  }

  Cell cell_;
  Random stalls_;
  std::array<Pending, depth> pending_{};
  std::uint32_t output_ = 0;
  std::uint64_t entered_ = 0;
  std::uint64_t checked_ = 0;
};

}  // namespace td::leaf
