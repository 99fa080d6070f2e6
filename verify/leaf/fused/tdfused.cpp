// SPDX-License-Identifier: Apache-2.0
// Judges the verilated cells of a fused sum in a format of four bits: every row of two products,
// with accumulators that meet every path, against exact integers.
#include <fmt/format.h>

#include <vector>

#include "Vfused_adder.h"
#include "Vfused_sum.h"
#include "base/support/error.hpp"
#include "verify/leaf/fused/fused.hpp"

namespace {

using td::leaf::Operands;

constexpr td::leaf::Layout kLayout{TD_EXP, TD_FRAC};
constexpr std::uint32_t kValues = 1U << kLayout.width();

class Cells {
 public:
  std::uint32_t sum(Operands first, Operands second, std::uint32_t accumulator) {
    row_.a_i = static_cast<std::uint8_t>(second.a * kValues + first.a);
    row_.b_i = static_cast<std::uint8_t>(second.b * kValues + first.b);
    row_.eval();
    adder_.nan_i = row_.nan_o;
    adder_.inf_i = row_.inf_o;
    adder_.negative_i = row_.negative_o;
    adder_.exponent_i = row_.exponent_o;
    adder_.sum_i = row_.sum_o;
    adder_.a_i = accumulator;
    adder_.eval();
    return adder_.y_o;
  }

 private:
  Vfused_sum row_;
  Vfused_adder adder_;
};

/// Zeros, borders of the range, and what is near the row: cancels it but for a place, or leaves it
/// below the last place.
std::vector<std::uint32_t> accumulators(std::uint32_t row) {
  std::vector<std::uint32_t> values = {0x80000000, 1,          0x807fffff, 0x3f800000,
                                       0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000};
  for (const std::uint32_t places : {0U, 1U, 2U, 22U, 24U, 26U, 27U, 28U}) {
    values.push_back((row ^ 0x80000000) + 1 + (places << 23));
  }
  return values;
}

}  // namespace

int main() {
  Cells cells;
  std::int64_t checked = 0;
  const auto wrong = [&](const std::vector<Operands>& row, std::uint32_t held) {
    ++checked;
    const std::uint32_t expected = td::leaf::exact::fused(kLayout, 2, row, held);
    const std::uint32_t actual = cells.sum(row[0], row[1], held);
    if (actual == expected) return false;
    fmt::print(stderr,
               "tdfused: a {:x} {:x} b {:x} {:x} accumulator 0x{:08x} expected 0x{:08x} actual "
               "0x{:08x}\n",
               row[0].a, row[1].a, row[0].b, row[1].b, held, expected, actual);
    return true;
  };
  for (std::uint32_t bits = 0; bits < kValues * kValues * kValues * kValues; ++bits) {
    const std::vector<Operands> row = {
        {bits % kValues, bits / kValues % kValues},
        {bits / (kValues * kValues) % kValues, bits / (kValues * kValues * kValues)}};
    if (wrong(row, 0)) return td::kExitCheckFailed;
    for (const std::uint32_t held : accumulators(cells.sum(row[0], row[1], 0))) {
      if (wrong(row, held)) return td::kExitCheckFailed;
    }
  }
  fmt::print("fused sum: {} sums of two products checked, all equal\n", checked);
  return td::kExitPass;
}
