// SPDX-License-Identifier: Apache-2.0
// Judges load and store engine of one size, verilated.
#pragma once

#include <fmt/format.h>

#include "verify/accelerator/dma/dma_rate.hpp"
#include "verify/accelerator/dma/dma_run.hpp"
#include "verify/accelerator/dma/verilated_dma.hpp"

namespace td::verify {

constexpr unsigned kMostFailed = 20;  ///< runs that are told

/// Returns whether all went well, and something was checked.
template <class Verilated>
bool judge(const char* name, const DmaShape& shape, std::uint64_t runs, std::uint64_t seed) {
  VerilatedDma<Verilated> model;
  DmaCount count;
  for (const std::string& line : check_rates(model, shape)) {
    fmt::print("{}: {}\n", name, line);
    return false;
  }
  unsigned failed = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const auto trouble = static_cast<Trouble>((seed + run) % 4);
    const auto faults = DmaRun(model, shape, trouble, seed + run).run(count);
    for (const std::string& line : faults) {
      fmt::print("{}: {} (dma_test 1 {})\n", name, line, seed + run);
    }
    if (!faults.empty() && ++failed == kMostFailed) break;
  }
  if (failed > 0) return false;
  fmt::print(
      "{}: {} runs, {} clocks, {} transfers, {} bytes compared, {} beats of the other reader, "
      "{} halts, errors",
      name, runs, count.clocks, count.transfers, count.bytes, count.fetched, count.halts);
  bool all = count.bytes > 0 && count.transfers > 0 && count.fetched > 0 && count.halts > 0;
  for (unsigned code : {2U, 3U, 4U, 6U, 7U, kPacked}) {
    if (code == kPacked && shape.unpack_rows == 0) continue;
    fmt::print(" {}: {}", code, count.errors[code]);
    all = all && count.errors[code] > 0;
  }
  fmt::print("\n");
  if (!all && runs > 1) fmt::print("{}: something was never seen\n", name);
  return all || runs == 1;
}

}  // namespace td::verify
