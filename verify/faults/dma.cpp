// SPDX-License-Identifier: Apache-2.0
// dma RUNS: the smallest load and store engine on a bus of two rows that
// unpacks four, with injected faults; see engines.py.
#include <Vdma.h>

#include <cstdlib>

#include "verify/accelerator/dma/dma_judge.hpp"

int main(int argc, char** argv) {
  Verilated::commandArgs(argc, argv);
  const std::uint64_t runs = std::strtoull(argv[1], nullptr, 10);
  return td::verify::judge<Vdma>("engines", {4, 2, 16, 3, 300, 200, 2, 4}, runs, 1) ? 0 : 1;
}
