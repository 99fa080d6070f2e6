// SPDX-License-Identifier: Apache-2.0
// dma_test [RUNS] [SEED]: load and store engine in several sizes, each judged in so many runs.
#include <Vdma_bf16.h>
#include <Vdma_fp32.h>
#include <Vdma_square.h>
#include <Vdma_wide2.h>
#include <Vdma_wide4.h>

#include <cstdlib>

#include "verify/accelerator/dma/dma_judge.hpp"
#include "verify/accelerator/power_on.hpp"

int main(int argc, char** argv) {
  using namespace td::verify;
  const std::uint64_t runs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  begin_with_anything();
  bool good = judge<Vdma_bf16>("bf16", {4, 2, 16, 3, 300, 200, 1, 0}, runs, seed);
  good = judge<Vdma_fp32>("fp32", {8, 4, 32, 1, 256, 512, 1, 1}, runs, seed) && good;
  good = judge<Vdma_square>("square", {4, 4, 16, 4, 300, 200, 2, 4}, runs, seed) && good;
  good = judge<Vdma_wide2>("wide2", {8, 4, 32, 2, 256, 512, 2, 2}, runs, seed) && good;
  good = judge<Vdma_wide4>("wide4", {4, 2, 16, 3, 300, 200, 4, 8}, runs, seed) && good;
  return good ? 0 : 1;
}
