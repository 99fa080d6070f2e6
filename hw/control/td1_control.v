// SPDX-License-Identifier: 0BSD
// The accelerator's control: registers behind AXI4-Lite, jobs, their descriptors from memory to the
// engines, counters. What the engines do is theirs.
`default_nettype none

module td1_control #(
    parameter LANES         = 16,    // lanes of a PE
    parameter STREAMS       = 4,     // rows, and columns, of a tile
    parameter DEPTH         = 3,     // rows of a staging buffer
    parameter TILES         = 4,     // tiles
    parameter WIDTH         = 16,    // bits of an operand
    parameter DENSE         = 0,     // 1: the tiles drop nothing
    parameter FILL_ROWS     = 1,     // rows that a side fills in a clock
    parameter BEAT_ROWS     = 1,     // rows of a bus beat
    parameter UNPACK_ROWS   = 0,     // packed rows that loads unpack in a clock
    parameter OPERAND_ROWS  = 1024,  // rows of an operand memory
    parameter RESULT_WORDS  = 1024,  // words of a tile's result memory
    parameter BANK_ROWS     = 16,    // of half a scratchpad bank
    parameter ADDRESS_WIDTH = 40     // bits of a memory address, 33..63
) (
    input  wire                             clk_i,            // clock
    input  wire                             rst_ni,           // asynchronous reset, active low
    output wire                             irq_o,            // interrupt, a level
    // AXI4-Lite
    input  wire                             aw_valid_i,
    output wire                             aw_ready_o,
    input  wire [                     11:0] aw_addr_i,
    input  wire                             w_valid_i,
    output wire                             w_ready_o,
    input  wire [                     31:0] w_data_i,
    input  wire [                      3:0] w_strb_i,
    output wire                             b_valid_o,
    input  wire                             b_ready_i,
    output wire [                      1:0] b_resp_o,
    input  wire                             ar_valid_i,
    output wire                             ar_ready_o,
    input  wire [                     11:0] ar_addr_i,
    output wire                             r_valid_o,
    input  wire                             r_ready_i,
    output wire [                     31:0] r_data_o,
    output wire [                      1:0] r_resp_o,
    // AXI, reads of descriptors
    output wire                             fetch_ar_valid_o,
    input  wire                             fetch_ar_ready_i,
    output wire [        ADDRESS_WIDTH-1:0] fetch_ar_addr_o,
    output wire [                      7:0] fetch_ar_len_o,
    input  wire                             fetch_r_valid_i,
    output wire                             fetch_r_ready_o,
    input  wire [BEAT_ROWS*LANES*WIDTH-1:0] fetch_r_data_i,
    input  wire [                      1:0] fetch_r_resp_i,
    // All engines
    output wire [        ADDRESS_WIDTH-1:0] window_begin_o,   // memory that they may use
    output wire [        ADDRESS_WIDTH-1:0] window_end_o,     // ... up to here
    output wire                             halt_o,           // start nothing on the bus
    output wire                             engine_rst_no,    // their reset, a register
    input  wire                             load_quiet_i,     // nothing is owed, by bus or engine
    input  wire                             store_quiet_i,
    // Descriptors; an error concerns the first that is not done, or the one behind it
    output wire                             load_valid_o,
    input  wire                             load_ready_i,
    output wire [                    511:0] load_o,
    input  wire                             load_done_i,
    input  wire [                      3:0] load_error_i,
    output wire                             compute_valid_o,
    input  wire                             compute_ready_i,
    output wire [                   2047:0] compute_o,
    input  wire                             compute_done_i,
    input  wire [                      3:0] compute_error_i,
    output wire                             store_valid_o,
    input  wire                             store_ready_i,
    output wire [                    511:0] store_o,
    input  wire                             store_done_i,
    input  wire [                      3:0] store_error_i,
    // What is counted in this clock
    input  wire                             stepped_i,        // a tile has stepped
    input  wire                             waiting_i,        // none has, though a compute runs
    input  wire                             filling_i,        // ... for want of what is filled in
    input  wire                             read_beat_i,      // a beat was read, by whom ever
    input  wire [                      7:0] written_i,        // bytes stored
    input  wire [                      7:0] result_count_i,   // elements stored
    input  wire [                      7:0] zero_count_i,     // ... of them zeros
    input  wire [                      6:0] nonfinite_i       // tiles that hand over an Inf or NaN
);
  localparam ROW_BYTES = LANES * WIDTH / 8, BEAT_BYTES = BEAT_ROWS * ROW_BYTES, COUNTERS = 12;

  wire write, write_known, read_known;
  wire [11:0] write_offset, read_offset;
  wire [31:0] write_data, read_data;
  td1_axi_lite #(.ADDRESS_BITS(12)) u_axi_lite (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .aw_valid_i(aw_valid_i), .aw_ready_o(aw_ready_o), .aw_addr_i(aw_addr_i),
      .w_valid_i(w_valid_i), .w_ready_o(w_ready_o), .w_data_i(w_data_i), .w_strb_i(w_strb_i),
      .b_valid_o(b_valid_o), .b_ready_i(b_ready_i), .b_resp_o(b_resp_o),
      .ar_valid_i(ar_valid_i), .ar_ready_o(ar_ready_o), .ar_addr_i(ar_addr_i),
      .r_valid_o(r_valid_o), .r_ready_i(r_ready_i), .r_data_o(r_data_o), .r_resp_o(r_resp_o),
      .write_o(write), .write_offset_o(write_offset), .write_data_o(write_data),
      .write_known_i(write_known), .read_offset_o(read_offset), .read_data_i(read_data),
      .read_known_i(read_known)
  );

  wire [10:0] status;
  wire [1:0] interrupt, interrupt_enable;
  wire [31:0] stop_timeout;
  wire [3:0] error_code, error;
  wire [31:0] error_descriptor, error_job, jobs_done, descriptor;
  wire [63:0] cycles_busy, cycles_load, cycles_compute, cycles_store, cycles_stepped;
  wire [63:0] cycles_waiting, cycles_filling, cycles_spanned, bytes_read, bytes_written;
  wire [63:0] results, zero_results, nonfinite_results;
  wire [ADDRESS_WIDTH-1:0] job_address, start_address;
  wire [31:0] start_count;
  wire control_write, status_write, interrupt_write, job_write, busy, job_refused;
  wire start_valid, start_ready, done, runs, fetch_quiet, clear;
  td1_registers #(.ADDRESS_WIDTH(ADDRESS_WIDTH)) u_registers (
      .clk_i(clk_i), .rst_ni(rst_ni), .write_i(write), .write_offset_i(write_offset),
      .write_data_i(write_data), .write_known_o(write_known), .read_offset_i(read_offset),
      .read_data_o(read_data), .read_known_o(read_known),
      .shape_i({DEPTH[7:0], STREAMS[7:0], STREAMS[7:0], LANES[7:0]}),
      .sizes_i({FILL_ROWS[6:0], DENSE[0], WIDTH[7:0], TILES[15:0]}),
      .operand_rows_i(OPERAND_ROWS), .result_words_i(RESULT_WORDS), .bank_rows_i(BANK_ROWS),
      .bus_i({UNPACK_ROWS[7:0], BEAT_ROWS[7:0]}),
      .status_i(status), .interrupt_i(interrupt), .error_code_i(error_code),
      .error_descriptor_i(error_descriptor), .error_job_i(error_job), .jobs_done_i(jobs_done),
      .cycles_busy_i(cycles_busy), .cycles_load_i(cycles_load),
      .cycles_compute_i(cycles_compute), .cycles_store_i(cycles_store),
      .cycles_stepped_i(cycles_stepped), .cycles_waiting_i(cycles_waiting),
      .bytes_read_i(bytes_read), .bytes_written_i(bytes_written), .results_i(results),
      .zero_results_i(zero_results), .nonfinite_results_i(nonfinite_results),
      .cycles_filling_i(cycles_filling), .cycles_spanned_i(cycles_spanned),
      .interrupt_enable_o(interrupt_enable), .stop_timeout_o(stop_timeout),
      .window_begin_o(window_begin_o), .window_end_o(window_end_o), .job_address_o(job_address),
      .control_write_o(control_write), .status_write_o(status_write),
      .interrupt_write_o(interrupt_write), .job_descriptors_write_o(job_write),
      .busy_i(busy), .job_refused_i(job_refused)
  );
  td1_jobs #(.ADDRESS_WIDTH(ADDRESS_WIDTH)) u_jobs (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .control_write_i(control_write), .status_write_i(status_write),
      .interrupt_write_i(interrupt_write), .job_write_i(job_write), .write_data_i(write_data),
      .job_address_i(job_address), .interrupt_enable_i(interrupt_enable),
      .stop_timeout_i(stop_timeout), .status_o(status), .interrupt_o(interrupt),
      .error_code_o(error_code), .error_descriptor_o(error_descriptor), .error_job_o(error_job),
      .jobs_done_o(jobs_done), .busy_o(busy), .job_refused_o(job_refused), .irq_o(irq_o),
      .start_valid_o(start_valid), .start_ready_i(start_ready), .start_address_o(start_address),
      .start_count_o(start_count), .runs_o(runs), .done_i(done), .error_i(error),
      .error_descriptor_i(descriptor), .halt_o(halt_o),
      .quiet_i(fetch_quiet & load_quiet_i & store_quiet_i), .engine_rst_no(engine_rst_no),
      .clear_o(clear)
  );

  wire unit_valid, unit_ready, load_busy, compute_busy, store_busy;
  wire [511:0] unit;
  wire [3:0] fetch_error;
  td1_fetch #(.BEAT_BYTES(BEAT_BYTES), .ADDRESS_WIDTH(ADDRESS_WIDTH), .UNITS(32)) u_fetch (
      .clk_i(clk_i), .rst_ni(engine_rst_no),
      .job_valid_i(start_valid), .job_ready_o(start_ready), .job_address_i(start_address),
      .job_count_i(start_count), .unit_valid_o(unit_valid), .unit_ready_i(unit_ready),
      .unit_o(unit), .error_o(fetch_error), .halt_i(halt_o), .quiet_o(fetch_quiet),
      .window_begin_i(window_begin_o), .window_end_i(window_end_o),
      .ar_valid_o(fetch_ar_valid_o), .ar_ready_i(fetch_ar_ready_i),
      .ar_addr_o(fetch_ar_addr_o), .ar_len_o(fetch_ar_len_o),
      .r_valid_i(fetch_r_valid_i), .r_ready_o(fetch_r_ready_o),
      .r_data_i(fetch_r_data_i), .r_resp_i(fetch_r_resp_i)
  );
  td1_dispatch u_dispatch (
      .clk_i(clk_i), .rst_ni(engine_rst_no),
      .job_start_i(start_valid & start_ready), .job_count_i(start_count), .job_done_o(done),
      .error_o(error), .error_descriptor_o(descriptor), .halt_i(halt_o),
      .unit_valid_i(unit_valid), .unit_ready_o(unit_ready), .unit_i(unit),
      .fetch_error_i(fetch_error),
      .load_valid_o(load_valid_o), .load_ready_i(load_ready_i), .load_o(load_o),
      .load_done_i(load_done_i), .load_error_i(load_error_i), .load_busy_o(load_busy),
      .compute_valid_o(compute_valid_o), .compute_ready_i(compute_ready_i),
      .compute_o(compute_o), .compute_done_i(compute_done_i),
      .compute_error_i(compute_error_i), .compute_busy_o(compute_busy),
      .store_valid_o(store_valid_o), .store_ready_i(store_ready_i), .store_o(store_o),
      .store_done_i(store_done_i), .store_error_i(store_error_i), .store_busy_o(store_busy)
  );

  // Engines that were reset count nothing.
  wire [7:0] read_bytes = read_beat_i ? BEAT_BYTES[7:0] : 8'd0;
  reg clear_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) clear_q <= 1'b0;
    else clear_q <= clear;
  end
  td1_totals #(.COUNTERS(COUNTERS)) u_totals (
      .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_q),
      .added_i({7'd0, runs, 7'd0, load_busy, 7'd0, compute_busy, 7'd0, store_busy,
                7'd0, stepped_i, 7'd0, waiting_i, 7'd0, filling_i, read_bytes, written_i,
                result_count_i, zero_count_i, 1'b0, nonfinite_i}),
      .totals_o({cycles_busy, cycles_load, cycles_compute, cycles_store,
                 cycles_stepped, cycles_waiting, cycles_filling, bytes_read, bytes_written,
                 results, zero_results, nonfinite_results})
  );
  td1_span u_span (
      .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_q), .start_i(start_valid & start_ready),
      .step_i(stepped_i), .clocks_o(cycles_spanned)
  );
endmodule
`default_nettype wire
