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

// Words and symbols
//   N lanes, D depth of the staging buffer, T tiles, b bytes of an operand; ceil and floor of x/y.
//   A row is N operands, N*b bytes; a filled-in zero of a row is moved as any operand is, so rows
//   that are padding only count too. Rows of results have the results' bytes.
//   A line is a row of PEs of a tile (side B, the scheduled operand) or a column (side A).
//
// What moves the same rows: the dense and the TensorDash hardware. A scheduler finds zeros only in
// rows that it has read, so a skipped zero was read nevertheless: skipping saves cycles, not rows.
//
// Scratchpads. Every line has one, of D banks; row r of a stream lies in bank r mod D, so that D
//   neighbouring rows can be read at once. It is double-buffered: half of it holds the stream of
//   the pass, while the other half is filled for the next pass. A stream fits that has at most
//     D * floor(bank_bytes / (N*b) / 2) rows.
//   Passes run as pass() numbers them, block after block, and pass p of the operation runs on tile
//   p mod T. In a pass every line that has a stream reads each row of it once; lines without one
//   (the last group) read nothing. A stream that fits stays there for the tile's next pass if
//   that is of the same block and has the same group of streams on that side. Otherwise the line's
//   stream is read again from the SRAM, every row once. In a block of F groups of first and S
//   groups of second streams, each stream is so filled
//     first:  min(S, T) times      if it fits,
//             S times              otherwise;
//     second: min(F, T / S) times  if it fits and S divides T (a tile then sees one group only),
//             F times              otherwise.
//
// SRAM. A tile has one memory for each of the operands and one for the results. They hold operands
//   as they are, zeros included, in rows of N channels of one position (W: of one filter and kernel
//   position; linear layers: of one image). What fills scratchpads was read from here row by row,
//   at any alignment. Results are written once, as whole rows, and read once when they leave the
//   chip. Banks are taken to be wide enough: SRAM bandwidth bounds nothing here.
//
// Transposers. Where an operation reduces over another dimension than channels (W in dgrad, A and
//   GO in wgrad), the operand is turned while it comes in from off-chip, in blocks of N rows of N:
//   each time it comes, N rows go into a transposer and N rows out into the SRAM. W is cut into
//   blocks of N filters by N channels of one group at a kernel position, A and GO into N positions
//   of an image (linear: N images) by N channels; blocks at an edge count whole. A transposer takes
//   a row in and gives a row of the block before out in every cycle, and as many of them work on
//   one block as it needs buffers.
//
// Off-chip. Every operand comes in, every result leaves once; both are packed, without filled-in
//   zeros. Compressed (CompressingDMA: M. Rhu et al., HPCA 2018) a tensor is one mask bit for each
//   element, in whole bytes, and its non-zero values; it goes raw where that is not larger, and the
//   flag that tells is free:
//     compressed bytes = min(elements * b, ceil(elements / 8) + non-zero elements * b)
//   Results are counted as dense, and so go raw.
//   An operand's share of the SRAM is its memories in all tiles, half of it since it is
//   double-buffered:
//     Z = floor(T * banks * floor(bank_bytes / (N*b)) / 2) rows
//   An operand of R rows in g groups is worked on, group by group, in so many chunks:
//     n = ceil(R / (g * Z))
//   Streams of the first and the second operand of a group all meet, so while one chunk of the
//   outer operand stays, all of the inner one passes through:
//     bytes read = min(B1 + n1 * B2, B2 + n2 * B1)
//   for operands of B1 and B2 off-chip bytes; first outermost if equal. This is chosen by raw bytes
//   for raw and by compressed ones for compressed traffic. What neighbouring chunks of windows
//   share is taken to stay on the chip, and scratchpads are counted as if there were one chunk.

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

  std::int64_t transposer_cycles = 0;  ///< N * ceil(blocks * ceil(N*N*b / buffer_bytes) / count)
  std::int64_t dram_cycles = 0;        ///< of the core's clock: ceil(bytes / bandwidth)
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

/// Memory traffic of the operation at a clock. `cycles` are those of the same operation and
/// configuration; its `scheduled` operand is on side B. Of dense
/// configurations, D is the default depth. Throws UserError when the layer contradicts itself,
/// std::invalid_argument when contents do not fit the layer. Exact while every count is below 2^63.
MemoryTraffic memory_traffic(const LayerInfo& layer, Op op, const Config& config,
                             std::int64_t clock_MHz, const OpCycles& cycles,
                             const TensorContents& contents);

}  // namespace td::sim
