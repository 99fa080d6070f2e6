/* SPDX-License-Identifier: 0BSD
 * Registers and descriptors of the TensorDash accelerator, for C99 and later. Offsets are in bytes;
 * a field is the bits MASK of its register or word, from bit SHIFT on.
 * Written by scripts/toolbox/registers; do not edit. */
#ifndef TENSORDASH_H
#define TENSORDASH_H

#include <stdint.h>

#define TD1_MAP_VERSION 1u

/* The letters TDA1. */
#define TD1_ID 0x000u

/* Version of these registers and of the descriptors. */
#define TD1_VERSION 0x004u

/* Sizes of a tile. */
#define TD1_SHAPE 0x008u
/* lanes of a PE */
#define TD1_SHAPE_LANES_SHIFT 0
#define TD1_SHAPE_LANES_MASK 0x000000ffu
/* tile rows */
#define TD1_SHAPE_ROWS_SHIFT 8
#define TD1_SHAPE_ROWS_MASK 0x0000ff00u
/* tile columns */
#define TD1_SHAPE_COLUMNS_SHIFT 16
#define TD1_SHAPE_COLUMNS_MASK 0x00ff0000u
/* rows of a staging buffer */
#define TD1_SHAPE_DEPTH_SHIFT 24
#define TD1_SHAPE_DEPTH_MASK 0xff000000u

/* Sizes of the accelerator. */
#define TD1_SIZES 0x00cu
/* tiles */
#define TD1_SIZES_TILES_SHIFT 0
#define TD1_SIZES_TILES_MASK 0x0000ffffu
/* bits of an operand */
#define TD1_SIZES_WIDTH_SHIFT 16
#define TD1_SIZES_WIDTH_MASK 0x00ff0000u
/* the tiles are dense: they drop nothing */
#define TD1_SIZES_DENSE_SHIFT 24
#define TD1_SIZES_DENSE_MASK 0x01000000u
/* rows that a fill brings in a clock, at most */
#define TD1_SIZES_FILL_ROWS_SHIFT 25
#define TD1_SIZES_FILL_ROWS_MASK 0xfe000000u

/* Rows of an operand memory. */
#define TD1_OPERAND_ROWS 0x010u

/* Words of a tile's result memory. */
#define TD1_RESULT_WORDS 0x014u

/* Bank rows of one half of a scratchpad. */
#define TD1_BANK_ROWS 0x018u

/* The memory's bus. */
#define TD1_BUS 0x01cu
/* rows of a bus beat */
#define TD1_BUS_BEAT_ROWS_SHIFT 0
#define TD1_BUS_BEAT_ROWS_MASK 0x000000ffu
/* rows of packed tensors that loads unpack in a clock; 0: tensors cannot be packed */
#define TD1_BUS_UNPACK_ROWS_SHIFT 8
#define TD1_BUS_UNPACK_ROWS_MASK 0x0000ff00u

/* Write 1 to do. */
#define TD1_CONTROL 0x020u
/* drop all jobs, reset the engines; clears the error, interrupts, JOBS_DONE and counters */
#define TD1_CONTROL_SOFT_RESET_SHIFT 0
#define TD1_CONTROL_SOFT_RESET_MASK 0x00000001u
/* take jobs again; nothing happens before the error's interrupt is there */
#define TD1_CONTROL_CLEAR_ERROR_SHIFT 1
#define TD1_CONTROL_CLEAR_ERROR_MASK 0x00000002u

/* What goes on. Only queue_full and timed_out can be cleared. */
#define TD1_STATUS 0x024u
/* a job runs or waits, or the engines are being reset */
#define TD1_STATUS_BUSY_SHIFT 0
#define TD1_STATUS_BUSY_MASK 0x00000001u
/* a job was stopped; no job is taken before clear_error */
#define TD1_STATUS_ERROR_SHIFT 1
#define TD1_STATUS_ERROR_MASK 0x00000002u
/* the engines are stopped and reset */
#define TD1_STATUS_RESETTING_SHIFT 2
#define TD1_STATUS_RESETTING_MASK 0x00000004u
/* a job was refused since the queue was full */
#define TD1_STATUS_QUEUE_FULL_SHIFT 3
#define TD1_STATUS_QUEUE_FULL_MASK 0x00000008u
/* the engines were reset after STOP_TIMEOUT, and the bus owed answers; no soft reset clears it */
#define TD1_STATUS_TIMED_OUT_SHIFT 4
#define TD1_STATUS_TIMED_OUT_MASK 0x00000010u
/* jobs in the queue, 0 to 4 */
#define TD1_STATUS_WAITING_SHIFT 8
#define TD1_STATUS_WAITING_MASK 0x00000700u

/* What has happened. The interrupt is high while a bit is set here and in INTERRUPT_ENABLE. */
#define TD1_INTERRUPT 0x028u
/* one job or more is done, see JOBS_DONE */
#define TD1_INTERRUPT_JOB_DONE_SHIFT 0
#define TD1_INTERRUPT_JOB_DONE_MASK 0x00000001u
/* a job was stopped, see ERROR_CODE; the engines are reset */
#define TD1_INTERRUPT_ERROR_SHIFT 1
#define TD1_INTERRUPT_ERROR_MASK 0x00000002u

/* Which bits of INTERRUPT raise the interrupt. */
#define TD1_INTERRUPT_ENABLE 0x02cu
/* as there */
#define TD1_INTERRUPT_ENABLE_JOB_DONE_SHIFT 0
#define TD1_INTERRUPT_ENABLE_JOB_DONE_MASK 0x00000001u
/* as there */
#define TD1_INTERRUPT_ENABLE_ERROR_SHIFT 1
#define TD1_INTERRUPT_ENABLE_ERROR_MASK 0x00000002u

/* Why a job was stopped; 0 if none was. */
#define TD1_ERROR_CODE 0x030u
/* see the errors */
#define TD1_ERROR_CODE_CODE_SHIFT 0
#define TD1_ERROR_CODE_CODE_MASK 0x0000000fu

/* Which descriptor of the job stopped it, from 0. */
#define TD1_ERROR_DESCRIPTOR 0x034u

/* Which job was stopped: how many were taken before it since the reset. */
#define TD1_ERROR_JOB 0x038u

/* Clocks after which a stop, by an error or a soft reset, waits no longer for what the bus owes; 0:
 * it waits for ever. */
#define TD1_STOP_TIMEOUT 0x03cu

/* First byte of memory that may be read and written. Refused while busy. Loads read whole beats: to
 * them, both count without the bits within one. Bursts of stores are of whole beats, too, of which
 * nothing is written outside. */
#define TD1_WINDOW_BEGIN_LOW 0x040u
#define TD1_WINDOW_BEGIN_HIGH 0x044u

/* Byte behind the last of them. Refused while busy. 0 after the reset: no memory at all. */
#define TD1_WINDOW_END_LOW 0x048u
#define TD1_WINDOW_END_HIGH 0x04cu

/* Where the descriptors of the next job are; a multiple of 64. */
#define TD1_JOB_ADDRESS_LOW 0x050u
#define TD1_JOB_ADDRESS_HIGH 0x054u

/* Their number, 1 or more. A write queues the job; refused while the queue is full, after an error
 * and while resetting. */
#define TD1_JOB_DESCRIPTORS 0x058u

/* Jobs done since the reset. */
#define TD1_JOBS_DONE 0x05cu

/* Clocks in which a job ran. */
#define TD1_CYCLES_BUSY_LOW 0x080u
#define TD1_CYCLES_BUSY_HIGH 0x084u

/* Clocks in which a load ran. */
#define TD1_CYCLES_LOAD_LOW 0x088u
#define TD1_CYCLES_LOAD_HIGH 0x08cu

/* Clocks in which a compute ran. */
#define TD1_CYCLES_COMPUTE_LOW 0x090u
#define TD1_CYCLES_COMPUTE_HIGH 0x094u

/* Clocks in which a store ran. */
#define TD1_CYCLES_STORE_LOW 0x098u
#define TD1_CYCLES_STORE_HIGH 0x09cu

/* Clocks in which a tile or more stepped. */
#define TD1_CYCLES_STEPPED_LOW 0x0a0u
#define TD1_CYCLES_STEPPED_HIGH 0x0a4u

/* Clocks in which a compute ran, and no tile stepped. */
#define TD1_CYCLES_WAITING_LOW 0x0a8u
#define TD1_CYCLES_WAITING_HIGH 0x0acu

/* Bytes read from memory, descriptors included. */
#define TD1_BYTES_READ_LOW 0x0b0u
#define TD1_BYTES_READ_HIGH 0x0b4u

/* Bytes written to memory. Beats without strobes, which are owed after an error, write none. */
#define TD1_BYTES_WRITTEN_LOW 0x0b8u
#define TD1_BYTES_WRITTEN_HIGH 0x0bcu

/* Elements stored. */
#define TD1_RESULTS_LOW 0x0c0u
#define TD1_RESULTS_HIGH 0x0c4u

/* ... of them zeros. */
#define TD1_ZERO_RESULTS_LOW 0x0c8u
#define TD1_ZERO_RESULTS_HIGH 0x0ccu

/* Passes of a tile with an Inf or a NaN among their operands. */
#define TD1_NONFINITE_RESULTS_LOW 0x0d0u
#define TD1_NONFINITE_RESULTS_HIGH 0x0d4u

/* Of CYCLES_WAITING: no tile was at work, since what it needs was still being filled in. */
#define TD1_CYCLES_FILLING_LOW 0x0d8u
#define TD1_CYCLES_FILLING_HIGH 0x0dcu

/* Clocks from the first step of a job to its last one; of all jobs. */
#define TD1_CYCLES_SPANNED_LOW 0x0e0u
#define TD1_CYCLES_SPANNED_HIGH 0x0e4u

/* Values of ERROR_CODE. */
/* no error */
#define TD1_ERROR_NONE 0u
/* a descriptor of no known kind */
#define TD1_ERROR_KIND 1u
/* a field out of range, or a job without descriptors */
#define TD1_ERROR_RANGE 2u
/* an address or pitch that is not a whole row, or a job's that is no multiple of 64 */
#define TD1_ERROR_ALIGNMENT 3u
/* an address outside of the window */
#define TD1_ERROR_WINDOW 4u
/* a wait for more descriptors of a kind than stand before it, or a compute that keeps what none
 * before it has */
#define TD1_ERROR_WAIT 5u
/* a bus error while reading */
#define TD1_ERROR_READ 6u
/* a bus error while writing */
#define TD1_ERROR_WRITE 7u
/* a job into a full queue; only the write is refused, no job is stopped */
#define TD1_ERROR_QUEUE 8u
/* a register written while busy; only the write is refused */
#define TD1_ERROR_BUSY 9u
/* a packed block whose masks have more ones than it has room for values */
#define TD1_ERROR_PACKED 10u

/* The head of every descriptor. It starts once as many descriptors of the job have finished. */
/* 1 load, 2 compute, 3 store */
#define TD1_DESCRIPTOR_KIND_WORD 0
#define TD1_DESCRIPTOR_KIND_SHIFT 0
#define TD1_DESCRIPTOR_KIND_MASK 0x000000ffu
/* loads of this job to wait for */
#define TD1_DESCRIPTOR_WAIT_LOADS_WORD 1
#define TD1_DESCRIPTOR_WAIT_LOADS_SHIFT 0
#define TD1_DESCRIPTOR_WAIT_LOADS_MASK 0x0000ffffu
/* computes of this job to wait for */
#define TD1_DESCRIPTOR_WAIT_COMPUTES_WORD 1
#define TD1_DESCRIPTOR_WAIT_COMPUTES_SHIFT 16
#define TD1_DESCRIPTOR_WAIT_COMPUTES_MASK 0xffff0000u
/* stores of this job to wait for */
#define TD1_DESCRIPTOR_WAIT_STORES_WORD 2
#define TD1_DESCRIPTOR_WAIT_STORES_SHIFT 0
#define TD1_DESCRIPTOR_WAIT_STORES_MASK 0x0000ffffu

/* Rows of memory into an operand memory, where they lie behind each other. */
#define TD1_LOAD_KIND 1u
#define TD1_LOAD_BYTES 64u
/* operand memory: 0 is side A's, 1 is side B's */
#define TD1_LOAD_SIDE_WORD 3
#define TD1_LOAD_SIDE_SHIFT 0
#define TD1_LOAD_SIDE_MASK 0x00000001u
/* log2 of the rows from a bank of the operand memory to the next, as in the walks that read them */
#define TD1_LOAD_INTERLEAVE_WORD 3
#define TD1_LOAD_INTERLEAVE_SHIFT 8
#define TD1_LOAD_INTERLEAVE_MASK 0x00001f00u
/* rows that are read of each block, packed, as many as the longest of this load takes: those of the
 * masks up to 63, in whole beats; 0: the tensor is not packed */
#define TD1_LOAD_PACKED_WORD 3
#define TD1_LOAD_PACKED_SHIFT 16
#define TD1_LOAD_PACKED_MASK 0x00ff0000u
/* byte address of the first row, as it would be if not packed; a whole row */
#define TD1_LOAD_ADDRESS_WORD 4
#define TD1_LOAD_ADDRESS_SHIFT 0
/* first row in the operand memory */
#define TD1_LOAD_ROW_WORD 6
#define TD1_LOAD_ROW_SHIFT 0
#define TD1_LOAD_ROW_MASK 0xffffffffu
/* rows of a segment, 1 or more */
#define TD1_LOAD_ROWS_WORD 7
#define TD1_LOAD_ROWS_SHIFT 0
#define TD1_LOAD_ROWS_MASK 0x0000ffffu
/* segments of a plane, 1 or more */
#define TD1_LOAD_SEGMENTS_WORD 7
#define TD1_LOAD_SEGMENTS_SHIFT 16
#define TD1_LOAD_SEGMENTS_MASK 0xffff0000u
/* planes, 1 or more */
#define TD1_LOAD_PLANES_WORD 8
#define TD1_LOAD_PLANES_SHIFT 0
#define TD1_LOAD_PLANES_MASK 0x0000ffffu
/* bytes from segment to segment */
#define TD1_LOAD_SEGMENT_PITCH_WORD 9
#define TD1_LOAD_SEGMENT_PITCH_SHIFT 0
#define TD1_LOAD_SEGMENT_PITCH_MASK 0xffffffffu
/* bytes from plane to plane */
#define TD1_LOAD_PLANE_PITCH_WORD 10
#define TD1_LOAD_PLANE_PITCH_SHIFT 0
#define TD1_LOAD_PLANE_PITCH_MASK 0xffffffffu

/* Streams of both operand memories meet; their outputs go into the result memories. */
#define TD1_COMPUTE_KIND 2u
#define TD1_COMPUTE_BYTES 256u
/* drop nothing */
#define TD1_COMPUTE_DENSE_WORD 3
#define TD1_COMPUTE_DENSE_SHIFT 0
#define TD1_COMPUTE_DENSE_MASK 0x00000001u
/* side B's streams become lanes of result rows, not side A's */
#define TD1_COMPUTE_LANES_ON_B_WORD 3
#define TD1_COMPUTE_LANES_ON_B_SHIFT 1
#define TD1_COMPUTE_LANES_ON_B_MASK 0x00000002u
/* add to what the result memories hold */
#define TD1_COMPUTE_ACCUMULATE_WORD 3
#define TD1_COMPUTE_ACCUMULATE_SHIFT 2
#define TD1_COMPUTE_ACCUMULATE_MASK 0x00000004u
/* log2 of the tiles beside each other */
#define TD1_COMPUTE_ACROSS_WORD 3
#define TD1_COMPUTE_ACROSS_SHIFT 4
#define TD1_COMPUTE_ACROSS_MASK 0x000000f0u
/* 1 or 2: side A's, or side B's, streams are those of the compute before, of this job, whose
 * across, chunk_rows, group_pitch, groups and lines of that side are the same; its walk is not
 * looked at */
#define TD1_COMPUTE_KEEP_WORD 3
#define TD1_COMPUTE_KEEP_SHIFT 8
#define TD1_COMPUTE_KEEP_MASK 0x00000300u
/* side A's operands are of E5M2, not of E4M3; 0 where operands are not of eight bits */
#define TD1_COMPUTE_A_E5M2_WORD 3
#define TD1_COMPUTE_A_E5M2_SHIFT 10
#define TD1_COMPUTE_A_E5M2_MASK 0x00000400u
/* the same of side B's */
#define TD1_COMPUTE_B_E5M2_WORD 3
#define TD1_COMPUTE_B_E5M2_SHIFT 11
#define TD1_COMPUTE_B_E5M2_MASK 0x00000800u
/* rows of a stream, 1 or more */
#define TD1_COMPUTE_CHUNK_ROWS_WORD 4
#define TD1_COMPUTE_CHUNK_ROWS_SHIFT 0
#define TD1_COMPUTE_CHUNK_ROWS_MASK 0x0000ffffu
/* bank rows of a group: chunk_rows / depth, rounded up */
#define TD1_COMPUTE_GROUP_PITCH_WORD 4
#define TD1_COMPUTE_GROUP_PITCH_SHIFT 16
#define TD1_COMPUTE_GROUP_PITCH_MASK 0xffff0000u
/* groups of side A in a tile, 1 or more */
#define TD1_COMPUTE_A_GROUPS_WORD 5
#define TD1_COMPUTE_A_GROUPS_SHIFT 0
#define TD1_COMPUTE_A_GROUPS_MASK 0x0000ffffu
/* groups of side B in a tile, 1 or more */
#define TD1_COMPUTE_B_GROUPS_WORD 5
#define TD1_COMPUTE_B_GROUPS_SHIFT 16
#define TD1_COMPUTE_B_GROUPS_MASK 0xffff0000u
/* tiles with streams of side A of their own, 1 or more */
#define TD1_COMPUTE_A_LINES_WORD 6
#define TD1_COMPUTE_A_LINES_SHIFT 0
#define TD1_COMPUTE_A_LINES_MASK 0x0000ffffu
/* tiles with streams of side B of their own, 1 or more */
#define TD1_COMPUTE_B_LINES_WORD 6
#define TD1_COMPUTE_B_LINES_SHIFT 16
#define TD1_COMPUTE_B_LINES_MASK 0xffff0000u
/* first word in the result memories */
#define TD1_COMPUTE_RESULT_WORD_WORD 7
#define TD1_COMPUTE_RESULT_WORD_SHIFT 0
#define TD1_COMPUTE_RESULT_WORD_MASK 0x0000ffffu
/* words from a result row to the next, which begins behind it: groups of side A or more, of side B
 * with lanes_on_b */
#define TD1_COMPUTE_RESULT_PITCH_WORD 7
#define TD1_COMPUTE_RESULT_PITCH_SHIFT 16
#define TD1_COMPUTE_RESULT_PITCH_MASK 0xffff0000u

/* Results of one tile into memory. */
#define TD1_STORE_KIND 3u
#define TD1_STORE_BYTES 64u
/* whose results */
#define TD1_STORE_TILE_WORD 3
#define TD1_STORE_TILE_SHIFT 0
#define TD1_STORE_TILE_MASK 0x000000ffu
/* as binary32, or as bfloat16 where operands have eight bits, which must be; otherwise in the
 * operands' format */
#define TD1_STORE_WIDE_WORD 3
#define TD1_STORE_WIDE_SHIFT 8
#define TD1_STORE_WIDE_MASK 0x00000100u
/* byte address of the first row; a whole row */
#define TD1_STORE_ADDRESS_WORD 4
#define TD1_STORE_ADDRESS_SHIFT 0
/* first word in the result memory; a whole row of results */
#define TD1_STORE_WORD_WORD 6
#define TD1_STORE_WORD_SHIFT 0
#define TD1_STORE_WORD_MASK 0xffffffffu
/* rows of a segment, 1 or more */
#define TD1_STORE_ROWS_WORD 7
#define TD1_STORE_ROWS_SHIFT 0
#define TD1_STORE_ROWS_MASK 0x0000ffffu
/* segments of a plane, 1 or more */
#define TD1_STORE_SEGMENTS_WORD 7
#define TD1_STORE_SEGMENTS_SHIFT 16
#define TD1_STORE_SEGMENTS_MASK 0xffff0000u
/* planes, 1 or more */
#define TD1_STORE_PLANES_WORD 8
#define TD1_STORE_PLANES_SHIFT 0
#define TD1_STORE_PLANES_MASK 0x0000ffffu
/* bytes from segment to segment */
#define TD1_STORE_SEGMENT_PITCH_WORD 9
#define TD1_STORE_SEGMENT_PITCH_SHIFT 0
#define TD1_STORE_SEGMENT_PITCH_MASK 0xffffffffu
/* bytes from plane to plane */
#define TD1_STORE_PLANE_PITCH_WORD 10
#define TD1_STORE_PLANE_PITCH_SHIFT 0
#define TD1_STORE_PLANE_PITCH_MASK 0xffffffffu
/* words from segment to segment; whole rows of results */
#define TD1_STORE_WORD_PITCH_WORD 11
#define TD1_STORE_WORD_PITCH_SHIFT 0
#define TD1_STORE_WORD_PITCH_MASK 0x0000ffffu

/* Which rows of the operand memory become which streams: six nested loops, the last level
 * outermost. A step of the loops brings fan rows, evenly apart, which lie in banks of their own; of
 * the fan loop's last iteration, last_fan. That loop is level 0 if transposed, otherwise level 3.
 * */
#define TD1_WALK_A_WORD 16
#define TD1_WALK_B_WORD 40
#define TD1_WALK_LEVELS 6
#define TD1_WALK_LEVEL_WORD 4
#define TD1_WALK_LEVEL_WORDS 3
/* first row */
#define TD1_WALK_ROW_WORD 0
#define TD1_WALK_ROW_SHIFT 0
#define TD1_WALK_ROW_MASK 0xffffffffu
/* y of the first row, signed */
#define TD1_WALK_Y_WORD 1
#define TD1_WALK_Y_SHIFT 0
#define TD1_WALK_Y_MASK 0x0000ffffu
/* x of the first row, signed */
#define TD1_WALK_X_WORD 1
#define TD1_WALK_X_SHIFT 16
#define TD1_WALK_X_MASK 0xffff0000u
/* rows with y outside 0..y_bound-1 are zero */
#define TD1_WALK_Y_BOUND_WORD 2
#define TD1_WALK_Y_BOUND_SHIFT 0
#define TD1_WALK_Y_BOUND_MASK 0x0000ffffu
/* rows with x outside 0..x_bound-1 are zero */
#define TD1_WALK_X_BOUND_WORD 2
#define TD1_WALK_X_BOUND_SHIFT 16
#define TD1_WALK_X_BOUND_MASK 0xffff0000u
/* blocks of as many rows as lanes are transposed */
#define TD1_WALK_TRANSPOSE_WORD 3
#define TD1_WALK_TRANSPOSE_SHIFT 0
#define TD1_WALK_TRANSPOSE_MASK 0x00000001u
/* rows in a clock, 1..FILL_ROWS: of neighbouring streams, or of a block if transposed */
#define TD1_WALK_FAN_WORD 3
#define TD1_WALK_FAN_SHIFT 1
#define TD1_WALK_FAN_MASK 0x0000003eu
/* ... in the last iteration of the fan loop, 1..fan */
#define TD1_WALK_LAST_FAN_WORD 3
#define TD1_WALK_LAST_FAN_SHIFT 6
#define TD1_WALK_LAST_FAN_MASK 0x000007c0u
/* log2 of the rows from a bank to the next, as in the loads */
#define TD1_WALK_INTERLEAVE_WORD 3
#define TD1_WALK_INTERLEAVE_SHIFT 11
#define TD1_WALK_INTERLEAVE_MASK 0x0000f800u
/* fan or last_fan streams each, or as many as lanes if transposed, 1 or more; beyond the loops
 * streams are zero, which come FILL_ROWS at once */
#define TD1_WALK_BLOCKS_WORD 3
#define TD1_WALK_BLOCKS_SHIFT 16
#define TD1_WALK_BLOCKS_MASK 0xffff0000u
/* from row to row within a clock, signed */
#define TD1_WALK_FAN_ROW_STEP_WORD 22
#define TD1_WALK_FAN_ROW_STEP_SHIFT 0
#define TD1_WALK_FAN_ROW_STEP_MASK 0xffffffffu
/* of y, signed */
#define TD1_WALK_FAN_Y_STEP_WORD 23
#define TD1_WALK_FAN_Y_STEP_SHIFT 0
#define TD1_WALK_FAN_Y_STEP_MASK 0x0000ffffu
/* of x, signed */
#define TD1_WALK_FAN_X_STEP_WORD 23
#define TD1_WALK_FAN_X_STEP_SHIFT 16
#define TD1_WALK_FAN_X_STEP_MASK 0xffff0000u
/* iterations, 1 or more */
#define TD1_WALK_LEVEL_COUNT_WORD 0
#define TD1_WALK_LEVEL_COUNT_SHIFT 0
#define TD1_WALK_LEVEL_COUNT_MASK 0x0000ffffu
/* added to y, signed */
#define TD1_WALK_LEVEL_Y_STEP_WORD 0
#define TD1_WALK_LEVEL_Y_STEP_SHIFT 16
#define TD1_WALK_LEVEL_Y_STEP_MASK 0xffff0000u
/* added to x, signed */
#define TD1_WALK_LEVEL_X_STEP_WORD 1
#define TD1_WALK_LEVEL_X_STEP_SHIFT 0
#define TD1_WALK_LEVEL_X_STEP_MASK 0x0000ffffu
/* added to the row, signed */
#define TD1_WALK_LEVEL_ROW_STEP_WORD 2
#define TD1_WALK_LEVEL_ROW_STEP_SHIFT 0
#define TD1_WALK_LEVEL_ROW_STEP_MASK 0xffffffffu

/* A counter of 64 bits, whose offset is that of its LOW, while it counts. */
static inline uint64_t td1_counter(const volatile uint32_t *registers, uint32_t offset) {
  uint32_t high, low, again;
  do {
    high = registers[offset / 4 + 1];
    low = registers[offset / 4];
    again = registers[offset / 4 + 1];
  } while (high != again);
  return ((uint64_t)high << 32) | low;
}

#endif
