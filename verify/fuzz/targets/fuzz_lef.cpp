// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a LEF file, and what must hold for one that is accepted.
#include <cmath>
#include <string_view>

#include "sim/gate/layout/lef.hpp"
#include "verify/fuzz/target.hpp"

namespace td::verify {

namespace {

void check(std::string_view text) {
  const auto cells = gate::parse_lef(text, kInputName);
  must(!cells.empty(), "there is a cell");
  for (const auto& [name, cell] : cells) {
    for (const double size : cell.size) must(size >= 0 && size <= 10000, "cells have sizes");
    for (const auto& [pin, place] : cell.pins) {
      for (const double way : place) must(std::abs(way) <= 10000, "pins are at places");
    }
  }
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return td::verify::judge([&] { td::verify::check(td::verify::text_of(data, size)); });
}
