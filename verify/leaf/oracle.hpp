// SPDX-License-Identifier: Apache-2.0
// What a cell must answer, by the processor's arithmetic, by MPFR, or by both.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "verify/leaf/judge.hpp"
#include "verify/leaf/stimulus.hpp"

namespace td::leaf {

/// The expected results of one cell.
template <class Cell>
class Oracle {
 public:
  /// name: "cpu", "mpfr" or "both".
  explicit Oracle(const std::string& name) : cpu_(name != "mpfr"), mpfr_(name != "cpu") {}

  /// Throws Mismatch where the two differ.
  std::uint32_t operator()(Operands pair) const {
    if (!mpfr_) return Cell::by_cpu(pair);
    const std::uint32_t bits = Cell::by_mpfr(pair);
    if (cpu_ && Cell::by_cpu(pair) != bits) {
      throw Mismatch(
          fmt::format("{}: the oracles differ: a 0x{:08x} b 0x{:08x} MPFR 0x{:08x} cpu 0x{:08x}",
                      Cell::name, pair.a, pair.b, bits, Cell::by_cpu(pair)));
    }
    return bits;
  }

 private:
  bool cpu_;
  bool mpfr_;
};

}  // namespace td::leaf
