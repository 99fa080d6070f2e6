// SPDX-License-Identifier: Apache-2.0
// Where the accelerator's registers are, and their fields.
// Written by scripts/toolbox/registers; do not edit.
#pragma once

namespace td::sim {

namespace registers {

struct Field {
  unsigned offset;  // of the register
  unsigned bit;     // the lowest
  unsigned bits;
};

// Bytes that they take on the bus.
inline constexpr unsigned bytes = 4096;
// What can be read.
inline constexpr unsigned offsets[] = {
    0x000, 0x004, 0x008, 0x00c, 0x010, 0x014, 0x018, 0x01c, 0x020, 0x024, 0x028, 0x02c, 0x030,
    0x034, 0x038, 0x03c, 0x040, 0x044, 0x048, 0x04c, 0x050, 0x054, 0x058, 0x05c, 0x080, 0x084,
    0x088, 0x08c, 0x090, 0x094, 0x098, 0x09c, 0x0a0, 0x0a4, 0x0a8, 0x0ac, 0x0b0, 0x0b4, 0x0b8,
    0x0bc, 0x0c0, 0x0c4, 0x0c8, 0x0cc, 0x0d0, 0x0d4, 0x0d8, 0x0dc, 0x0e0, 0x0e4};

// The letters TDA1.
inline constexpr unsigned id = 0x000;
inline constexpr unsigned id_value = 0x31414454;
// Version of these registers and of the descriptors.
inline constexpr unsigned version = 0x004;
inline constexpr unsigned version_value = 0x1;
// Sizes of a tile.
inline constexpr unsigned shape = 0x008;
// lanes of a PE
inline constexpr Field shape_lanes{0x008, 0, 8};
// tile rows
inline constexpr Field shape_rows{0x008, 8, 8};
// tile columns
inline constexpr Field shape_columns{0x008, 16, 8};
// rows of a staging buffer
inline constexpr Field shape_depth{0x008, 24, 8};
// Sizes of the accelerator.
inline constexpr unsigned sizes = 0x00c;
// tiles
inline constexpr Field sizes_tiles{0x00c, 0, 16};
// bits of an operand
inline constexpr Field sizes_width{0x00c, 16, 8};
// the tiles are dense: they drop nothing
inline constexpr Field sizes_dense{0x00c, 24, 1};
// rows that a fill brings in a clock, at most
inline constexpr Field sizes_fill_rows{0x00c, 25, 7};
// Rows of an operand memory.
inline constexpr unsigned operand_rows = 0x010;
// Words of a tile's result memory.
inline constexpr unsigned result_words = 0x014;
// Bank rows of one half of a scratchpad.
inline constexpr unsigned bank_rows = 0x018;
// The memory's bus.
inline constexpr unsigned bus = 0x01c;
// rows of a bus beat
inline constexpr Field bus_beat_rows{0x01c, 0, 8};
// rows of packed tensors that loads unpack in a clock; 0: tensors cannot be packed
inline constexpr Field bus_unpack_rows{0x01c, 8, 8};
// Write 1 to do.
inline constexpr unsigned control = 0x020;
// drop all jobs, reset the engines; clears the error, interrupts, JOBS_DONE and counters
inline constexpr Field control_soft_reset{0x020, 0, 1};
// take jobs again; nothing happens before the error's interrupt is there
inline constexpr Field control_clear_error{0x020, 1, 1};
// What goes on. Only queue_full and timed_out can be cleared.
inline constexpr unsigned status = 0x024;
// a job runs or waits, or the engines are being reset
inline constexpr Field status_busy{0x024, 0, 1};
// a job was stopped; no job is taken before clear_error
inline constexpr Field status_error{0x024, 1, 1};
// the engines are stopped and reset
inline constexpr Field status_resetting{0x024, 2, 1};
// a job was refused since the queue was full
inline constexpr Field status_queue_full{0x024, 3, 1};
// the engines were reset after STOP_TIMEOUT, and the bus owed answers; no soft reset clears it
inline constexpr Field status_timed_out{0x024, 4, 1};
// jobs in the queue, 0 to 4
inline constexpr Field status_waiting{0x024, 8, 3};
// What has happened. The interrupt is high while a bit is set here and in INTERRUPT_ENABLE.
inline constexpr unsigned interrupt = 0x028;
// one job or more is done, see JOBS_DONE
inline constexpr Field interrupt_job_done{0x028, 0, 1};
// a job was stopped, see ERROR_CODE; the engines are reset
inline constexpr Field interrupt_error{0x028, 1, 1};
// Which bits of INTERRUPT raise the interrupt.
inline constexpr unsigned interrupt_enable = 0x02c;
// as there
inline constexpr Field interrupt_enable_job_done{0x02c, 0, 1};
// as there
inline constexpr Field interrupt_enable_error{0x02c, 1, 1};
// Why a job was stopped; 0 if none was.
inline constexpr unsigned error_code = 0x030;
// see the errors
inline constexpr Field error_code_code{0x030, 0, 4};
// Which descriptor of the job stopped it, from 0.
inline constexpr unsigned error_descriptor = 0x034;
// Which job was stopped: how many were taken before it since the reset.
inline constexpr unsigned error_job = 0x038;
// Clocks after which a stop, by an error or a soft reset, waits no longer for what the bus owes; 0:
// it waits for ever.
inline constexpr unsigned stop_timeout = 0x03c;
// First byte of memory that may be read and written. Refused while busy. Loads read whole beats: to
// them, both count without the bits within one. Bursts of stores are of whole beats, too, of which
// nothing is written outside.
inline constexpr unsigned window_begin_low = 0x040;
inline constexpr unsigned window_begin_high = 0x044;
// Byte behind the last of them. Refused while busy. 0 after the reset: no memory at all.
inline constexpr unsigned window_end_low = 0x048;
inline constexpr unsigned window_end_high = 0x04c;
// Where the descriptors of the next job are; a multiple of 64.
inline constexpr unsigned job_address_low = 0x050;
inline constexpr unsigned job_address_high = 0x054;
// Their number, 1 or more. A write queues the job; refused while the queue is full, after an error
// and while resetting.
inline constexpr unsigned job_descriptors = 0x058;
// Jobs done since the reset.
inline constexpr unsigned jobs_done = 0x05c;
// Clocks in which a job ran.
inline constexpr unsigned cycles_busy_low = 0x080;
inline constexpr unsigned cycles_busy_high = 0x084;
// Clocks in which a load ran.
inline constexpr unsigned cycles_load_low = 0x088;
inline constexpr unsigned cycles_load_high = 0x08c;
// Clocks in which a compute ran.
inline constexpr unsigned cycles_compute_low = 0x090;
inline constexpr unsigned cycles_compute_high = 0x094;
// Clocks in which a store ran.
inline constexpr unsigned cycles_store_low = 0x098;
inline constexpr unsigned cycles_store_high = 0x09c;
// Clocks in which a tile or more stepped.
inline constexpr unsigned cycles_stepped_low = 0x0a0;
inline constexpr unsigned cycles_stepped_high = 0x0a4;
// Clocks in which a compute ran, and no tile stepped.
inline constexpr unsigned cycles_waiting_low = 0x0a8;
inline constexpr unsigned cycles_waiting_high = 0x0ac;
// Bytes read from memory, descriptors included.
inline constexpr unsigned bytes_read_low = 0x0b0;
inline constexpr unsigned bytes_read_high = 0x0b4;
// Bytes written to memory. Beats without strobes, which are owed after an error, write none.
inline constexpr unsigned bytes_written_low = 0x0b8;
inline constexpr unsigned bytes_written_high = 0x0bc;
// Elements stored.
inline constexpr unsigned results_low = 0x0c0;
inline constexpr unsigned results_high = 0x0c4;
// ... of them zeros.
inline constexpr unsigned zero_results_low = 0x0c8;
inline constexpr unsigned zero_results_high = 0x0cc;
// Passes of a tile with an Inf or a NaN among their operands.
inline constexpr unsigned nonfinite_results_low = 0x0d0;
inline constexpr unsigned nonfinite_results_high = 0x0d4;
// Of CYCLES_WAITING: no tile was at work, since what it needs was still being filled in.
inline constexpr unsigned cycles_filling_low = 0x0d8;
inline constexpr unsigned cycles_filling_high = 0x0dc;
// Clocks from the first step of a job to its last one; of all jobs.
inline constexpr unsigned cycles_spanned_low = 0x0e0;
inline constexpr unsigned cycles_spanned_high = 0x0e4;

// Values of error_code.
// no error
inline constexpr unsigned error_none = 0;
// a descriptor of no known kind
inline constexpr unsigned error_kind = 1;
// a field out of range, or a job without descriptors
inline constexpr unsigned error_range = 2;
// an address or pitch that is not a whole row, or a job's that is no multiple of 64
inline constexpr unsigned error_alignment = 3;
// an address outside of the window
inline constexpr unsigned error_window = 4;
// a wait for more descriptors of a kind than stand before it, or a compute that keeps what none
// before it has
inline constexpr unsigned error_wait = 5;
// a bus error while reading
inline constexpr unsigned error_read = 6;
// a bus error while writing
inline constexpr unsigned error_write = 7;
// a job into a full queue; only the write is refused, no job is stopped
inline constexpr unsigned error_queue = 8;
// a register written while busy; only the write is refused
inline constexpr unsigned error_busy = 9;
// a packed block whose masks have more ones than it has room for values
inline constexpr unsigned error_packed = 10;

}  // namespace registers

}  // namespace td::sim
