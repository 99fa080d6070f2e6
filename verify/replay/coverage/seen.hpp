// SPDX-License-Identifier: Apache-2.0
// What the testbench sees of the tile in one clock: all that functional coverage is made of.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/model/scheduler.hpp"

namespace td::verify {

/// The row ports of one side.
struct SeenSide {
  int held = 0;       ///< rows in the staging buffers
  int offered = 0;    ///< rows
  int ready = 0;      ///< rows that the tile would accept
  bool more = false;  ///< the source has rows that it does not offer
  /// Operand bits of the rows that move [row][line][lane].
  std::vector<std::uint32_t> moved;
};

/// Signals of the tile and its ports, as the rising edge finds them.
struct Seen {
  bool open = false;        ///< rows are accepted: reset is over
  bool enable = false;      ///< the pipeline moves
  bool step = false;        ///< the tile steps
  bool final_step = false;  ///< ... and completes an output
  bool dense = false;       ///< the stream in use runs dense; always so in a dense tile
  int eligible = 0;         ///< rows of the window that belong to the stream in use, held or not
  int advance = 0;          ///< rows that leave
  std::vector<int> row_advance;        ///< ... if each tile row were alone; not for dense tiles
  std::vector<std::uint64_t> selects;  ///< option each lane takes from, one-hot [tile row][lane]
  SeenSide a, b;
  std::uint32_t last = 0;  ///< bit per offered row of side B: it ends its stream
  bool out_valid = false, out_ready = false;
  int waiting_outputs = 0;                  ///< in the output buffer, 0…2
  std::array<std::uint64_t, 3> counters{};  ///< cycles, stalls, skipped

  /// Every row that a step needs is there.
  bool ready_to_step() const { return a.held >= eligible && b.held >= eligible; }
};

}  // namespace td::verify
