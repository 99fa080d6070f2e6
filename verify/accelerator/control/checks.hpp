// SPDX-License-Identifier: Apache-2.0
// Counts checks; the first that fails ends the run, with its clock.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace td::verify {

struct Checks {
  std::uint64_t clock = 0;
  std::uint64_t done = 0;

  void operator()(bool holds, const std::string& what) {
    ++done;
    if (!holds) throw std::runtime_error(fmt::format("clock {}: {}", clock, what));
  }
};

}  // namespace td::verify
