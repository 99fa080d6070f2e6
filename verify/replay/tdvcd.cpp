// SPDX-License-Identifier: Apache-2.0
// Prints a wave (FST) as a value change dump, with the reader that comes with Verilator.
#include <fmt/format.h>
#include <gtkwave/fstapi.h>

#include <cstdio>

/// SystemC's entry point: Verilator's run-time library is linked with it.
extern "C" int sc_main(int argc, char** argv) {
  void* const reader = argc == 2 ? fstReaderOpen(argv[1]) : nullptr;
  if (reader == nullptr) {
    fmt::print(stderr, "tdvcd: give one FST file\n");
    return 2;
  }
  bool whole = fstReaderProcessHier(reader, stdout) != 0;
  fstReaderSetFacProcessMaskAll(reader);
  whole = whole && fstReaderIterBlocks(reader, nullptr, nullptr, stdout) != 0;
  fstReaderClose(reader);
  return whole && std::fflush(stdout) == 0 ? 0 : 1;
}
