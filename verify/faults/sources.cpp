// SPDX-License-Identifier: Apache-2.0
// sources CLOCKS [+violate=NAME]: gives sources.sv its clock and reset.
#include <Vsources.h>

#include <cstdlib>

int main(int argc, char** argv) {
  Verilated::commandArgs(argc, argv);
  Vsources sources;
  const int clocks = std::atoi(argv[1]);
  for (int clock = 0; clock < clocks; ++clock) {
    sources.rst_n = clock > 1;
    for (int level : {0, 1}) {
      sources.clk = static_cast<CData>(level);
      sources.eval();
      Verilated::timeInc(1);
    }
  }
  sources.final();
  return 0;
}
