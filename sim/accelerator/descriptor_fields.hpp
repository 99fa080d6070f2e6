// SPDX-License-Identifier: Apache-2.0
// Where the fields of the accelerator's descriptors are, in words of 32 bits.
// Written by scripts/toolbox/registers; do not edit.
#pragma once

namespace td::sim {

struct Field {
  unsigned word;  // the first, in the descriptor, the walk or the level
  unsigned bit;   // the lowest of it, in its word
  unsigned bits;  // up to 64
};

// The head of every descriptor. It starts once as many descriptors of the job have finished.
namespace descriptor {
// 1 load, 2 compute, 3 store
inline constexpr Field kind{0, 0, 8};
// loads of this job to wait for
inline constexpr Field wait_loads{1, 0, 16};
// computes of this job to wait for
inline constexpr Field wait_computes{1, 16, 16};
// stores of this job to wait for
inline constexpr Field wait_stores{2, 0, 16};
}  // namespace descriptor

// Rows of memory into an operand memory, where they lie behind each other.
namespace load {
inline constexpr unsigned kind = 1, bytes = 64;
// operand memory: 0 is side A's, 1 is side B's
inline constexpr Field side{3, 0, 1};
// log2 of the rows from a bank of the operand memory to the next, as in the walks that read them
inline constexpr Field interleave{3, 8, 5};
// rows that are read of each block, packed, as many as the longest of this load takes: those of the
// masks up to 63, in whole beats; 0: the tensor is not packed
inline constexpr Field packed{3, 16, 8};
// byte address of the first row, as it would be if not packed; a whole row
inline constexpr Field address{4, 0, 64};
// first row in the operand memory
inline constexpr Field row{6, 0, 32};
// rows of a segment, 1 or more
inline constexpr Field rows{7, 0, 16};
// segments of a plane, 1 or more
inline constexpr Field segments{7, 16, 16};
// planes, 1 or more
inline constexpr Field planes{8, 0, 16};
// bytes from segment to segment
inline constexpr Field segment_pitch{9, 0, 32};
// bytes from plane to plane
inline constexpr Field plane_pitch{10, 0, 32};
}  // namespace load

// Streams of both operand memories meet; their outputs go into the result memories.
namespace compute {
inline constexpr unsigned kind = 2, bytes = 256;
// drop nothing
inline constexpr Field dense{3, 0, 1};
// side B's streams become lanes of result rows, not side A's
inline constexpr Field lanes_on_b{3, 1, 1};
// add to what the result memories hold
inline constexpr Field accumulate{3, 2, 1};
// log2 of the tiles beside each other
inline constexpr Field across{3, 4, 4};
// 1 or 2: side A's, or side B's, streams are those of the compute before, of this job, whose
// across, chunk_rows, group_pitch, groups and lines of that side are the same; its walk is not
// looked at
inline constexpr Field keep{3, 8, 2};
// side A's operands are of E5M2, not of E4M3; 0 where operands are not of eight bits
inline constexpr Field a_e5m2{3, 10, 1};
// the same of side B's
inline constexpr Field b_e5m2{3, 11, 1};
// rows of a stream, 1 or more
inline constexpr Field chunk_rows{4, 0, 16};
// bank rows of a group: chunk_rows / depth, rounded up
inline constexpr Field group_pitch{4, 16, 16};
// groups of side A in a tile, 1 or more
inline constexpr Field a_groups{5, 0, 16};
// groups of side B in a tile, 1 or more
inline constexpr Field b_groups{5, 16, 16};
// tiles with streams of side A of their own, 1 or more
inline constexpr Field a_lines{6, 0, 16};
// tiles with streams of side B of their own, 1 or more
inline constexpr Field b_lines{6, 16, 16};
// first word in the result memories
inline constexpr Field result_word{7, 0, 16};
// words from a result row to the next, which begins behind it: groups of side A or more, of side B
// with lanes_on_b
inline constexpr Field result_pitch{7, 16, 16};
}  // namespace compute

// Results of one tile into memory.
namespace store {
inline constexpr unsigned kind = 3, bytes = 64;
// whose results
inline constexpr Field tile{3, 0, 8};
// as binary32, or as bfloat16 where operands have eight bits, which must be; otherwise in the
// operands' format
inline constexpr Field wide{3, 8, 1};
// byte address of the first row; a whole row
inline constexpr Field address{4, 0, 64};
// first word in the result memory; a whole row of results
inline constexpr Field word{6, 0, 32};
// rows of a segment, 1 or more
inline constexpr Field rows{7, 0, 16};
// segments of a plane, 1 or more
inline constexpr Field segments{7, 16, 16};
// planes, 1 or more
inline constexpr Field planes{8, 0, 16};
// bytes from segment to segment
inline constexpr Field segment_pitch{9, 0, 32};
// bytes from plane to plane
inline constexpr Field plane_pitch{10, 0, 32};
// words from segment to segment; whole rows of results
inline constexpr Field word_pitch{11, 0, 16};
}  // namespace store

// Which rows of the operand memory become which streams: six nested loops, the last level
// outermost. A step of the loops brings fan rows, evenly apart, which lie in banks of their own; of
// the fan loop's last iteration, last_fan. That loop is level 0 if transposed, otherwise level 3.
namespace walk {
inline constexpr unsigned a_word = 16, b_word = 40;
inline constexpr unsigned levels = 6, level_word = 4, level_words = 3;
// first row
inline constexpr Field row{0, 0, 32};
// y of the first row, signed
inline constexpr Field y{1, 0, 16};
// x of the first row, signed
inline constexpr Field x{1, 16, 16};
// rows with y outside 0..y_bound-1 are zero
inline constexpr Field y_bound{2, 0, 16};
// rows with x outside 0..x_bound-1 are zero
inline constexpr Field x_bound{2, 16, 16};
// blocks of as many rows as lanes are transposed
inline constexpr Field transpose{3, 0, 1};
// rows in a clock, 1..FILL_ROWS: of neighbouring streams, or of a block if transposed
inline constexpr Field fan{3, 1, 5};
// ... in the last iteration of the fan loop, 1..fan
inline constexpr Field last_fan{3, 6, 5};
// log2 of the rows from a bank to the next, as in the loads
inline constexpr Field interleave{3, 11, 5};
// fan or last_fan streams each, or as many as lanes if transposed, 1 or more; beyond the loops
// streams are zero, which come FILL_ROWS at once
inline constexpr Field blocks{3, 16, 16};
// from row to row within a clock, signed
inline constexpr Field fan_row_step{22, 0, 32};
// of y, signed
inline constexpr Field fan_y_step{23, 0, 16};
// of x, signed
inline constexpr Field fan_x_step{23, 16, 16};

namespace level {
// iterations, 1 or more
inline constexpr Field count{0, 0, 16};
// added to y, signed
inline constexpr Field y_step{0, 16, 16};
// added to x, signed
inline constexpr Field x_step{1, 0, 16};
// added to the row, signed
inline constexpr Field row_step{2, 0, 32};
}  // namespace level
}  // namespace walk

}  // namespace td::sim
