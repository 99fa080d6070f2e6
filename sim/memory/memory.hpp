// SPDX-License-Identifier: Apache-2.0
// What an operation reads and writes at every level of the memory, and what that takes: exact
// counts.
#pragma once

#include <cstdint>
#include <vector>

#include "gen/configuration/config.hpp"
#include "sim/cycles/op_cycles.hpp"
#include "sim/mapping/layer.hpp"

namespace td::sim {

// The rules, with their reasons: docs/simulator.md, "Memory". In short, with N lanes, D depth of
// the staging buffer, T tiles, b bytes of an operand, F and S groups of first and second streams
// that all meet (a block of the mapping):
//   A row is N operands, N*b bytes. A line is a tile row (side B) or a tile column (side A).
//   A stream fits its line's scratchpad that has at most D * floor(bank_bytes / (N*b) / 2) rows.
//   Pass p of the operation runs on tile p mod T; so a stream is filled from the SRAM
//     first:  min(S, T) times      if it fits,
//             S times              otherwise;
//     second: min(F, T / S) times  if it fits and S divides T (a tile then sees one group only),
//             F times              otherwise.
//   Compressed bytes of a tensor: min(elements * b, ceil(elements / 8) + non-zero elements * b).
//   An operand of R rows in g groups comes in n = ceil(R / (g * Z)) chunks, with
//     Z = floor(T * banks * floor(bank_bytes / (N*b)) / 2) rows, its half of the SRAM;
//     bytes read = min(B1 + n1 * B2, B2 + n2 * B1), first outermost if equal. This is chosen by raw
//     bytes for raw traffic, by compressed ones for compressed.
//   Where results may stay (ChipOrder::results), wgrad may instead keep the sums of so many
//   channels
//     and filters as half of the results' SRAM holds, and take both operands piece by piece:
//     bytes read = p2 * B1 + p1 * B2 with p1, p2 parts of channels and filters, the fewest bytes.
//   Where GO comes in once for dgrad and wgrad (ChipOrder::gradients), its bytes are dgrad's, which
//   reads B1 + B2; wgrad reads the bytes of A.

constexpr std::int64_t kPartialBytes = 4;  ///< of a partial sum: binary32

/// Non-zero elements of an operation's operands. What it makes is counted as dense.
struct TensorContents {
  std::int64_t first_nonzero_elements = 0;
  std::int64_t second_nonzero_elements = 0;
};

/// Rows of one side of all tiles.
struct SideRows {
  std::vector<std::int64_t> scratchpad_read_rows;  ///< by bank, D of them
  std::int64_t filled_rows = 0;  ///< read from the SRAM and written into scratchpads

  std::int64_t total_scratchpad_read_rows() const;
};

/// What moves between the chip and the DRAM, raw or compressed.
struct OffChip {
  std::int64_t first_fetches = 0;  ///< times the operand comes in
  std::int64_t second_fetches = 0;
  std::int64_t read_bytes = 0;
  std::int64_t written_bytes = 0;
  std::int64_t sram_written_rows = 0;  ///< of operands, by fetching them
  std::int64_t transposed_blocks = 0;  ///< lanes rows into and out of a transposer each

  std::int64_t transposer_cycles = 0;   ///< N * ceil(blocks * ceil(N*N*b / buffer_bytes) / count)
  std::int64_t dram_cycles = 0;         ///< of the core's clock: ceil(bytes / bandwidth)
  std::int64_t first_written_rows = 0;  ///< of sram_written_rows, those of the first operand
};

/// Memory traffic of one operation of one layer, and its cycles when scratchpads and SRAM, being
/// double-buffered, hide everything but the slowest of tiles, transposers and DRAM.
struct MemoryTraffic {
  std::int64_t row_bytes = 0;         ///< N*b
  std::int64_t output_row_bytes = 0;  ///< N times the bytes of a result
  SideRows first;
  SideRows second;
  std::int64_t output_rows = 0;  ///< written into the SRAM, and read again
  OffChip raw;
  OffChip compressed;

  std::int64_t dense_raw_cycles = 0;  ///< dense tiles, raw: max(dense cycles, transposers, DRAM)
  std::int64_t dense_cycles = 0;      ///< dense tiles (or the sparse path gated off), compressed
  std::int64_t cycles = 0;            ///< TensorDash, compressed
};

/// What may stay on the chip while the rest comes in chunk by chunk.
enum class ChipOrder {
  operands,  ///< a chunk of an operand
  results,   ///< that, or partial sums: no reduction is then done in one go
  gradients  ///< dgrad and wgrad together: what comes in comes in once, GO for both
};

/// What leaves the chip of an operation's results, compressed, where it is known what they become.
struct LeavingResult {
  std::int64_t written_bytes = 0;
  std::int64_t mask_bytes = 0;  ///< read to know what becomes zero
};

/// How an operation's tensors lie on the chip, come there and leave.
struct ChipPlan {
  ChipOrder order = ChipOrder::operands;
  /// The layer as its rows lie on the chip; null: as off it.
  const LayerInfo* on_chip = nullptr;
  /// Null: all results leave as they are.
  const LeavingResult* result = nullptr;
};

/// Memory traffic of the operation at a clock. `cycles` are those of the same operation and
/// configuration; its `scheduled` operand is on side B. Of dense
/// configurations, D is the default depth. Throws UserError when the layer contradicts itself,
/// std::invalid_argument when contents do not fit the layer. Exact while every count is below 2^63.
MemoryTraffic memory_traffic(const LayerInfo& layer, Op op, const Config& config,
                             std::int64_t clock_MHz, const OpCycles& cycles,
                             const TensorContents& contents, const ChipPlan& plan = {});

}  // namespace td::sim
