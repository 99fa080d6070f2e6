// SPDX-License-Identifier: 0BSD
// A tile with its scratchpads, collector and result memory. It works through the halves of its
// scratchpads in turn: feeds what a half holds to the tile, and goes on with the other half while
// the outputs are still under way.
`default_nettype none

module td1_tile_unit #(
    parameter STREAMS                = 4,    // tile rows, and columns, 1..16
    parameter LANES                  = 16,   // 2..64
    parameter WIDTH                  = 16,   // bits of an operand
    parameter BANK_ROWS              = 16,   // of half a scratchpad bank, 2 or more
    parameter RESULT_WORDS           = 1024, // 2..65536
    // Tile, see td1_tile and td1_dense_tile
    parameter DENSE                  = 0,    // 1: the dense tile
    parameter RESTS                  = 0,
    parameter EXP                    = 8,
    parameter DEPTH                  = 3,
    parameter OPTIONS                = 8,
    parameter LEVELS                 = 6,
    parameter [8*OPTIONS-1:0] STEP   = 0,
    parameter [8*OPTIONS-1:0] OFFSET = 0,
    parameter [  8*LANES-1:0] LEVEL  = 0,
    parameter FUSED                  = 0,
    parameter ACCUMULATORS           = 1,
    parameter INTERCONNECT_REGISTERS = 1,
    parameter MULTIPLIER_REGISTERS   = 0,
    parameter ADDER_REGISTERS        = 0,
    parameter TREE_REGISTERS         = 1
) (
    input  wire                            clk_i,          // clock
    input  wire                            rst_ni,         // asynchronous reset, active low
    // Jobs, half 0's in the low bits; what a half's job is stays while the half is full
    input  wire [                     1:0] full_i,         // the half holds a job
    input  wire [                     1:0] part_i,         // ... that this tile takes part in
    input  wire [               2*5*32-1:0] job_i,          // words 3..7 of the descriptor
    output wire [                     1:0] done_o,         // all of it is in the result memory
    output wire                            error_o,        // a result has no place
    // Fill, see td1_scratchpad; side A's in the low bits
    input  wire [                     1:0] write_i,
    input  wire                            write_half_i,
    input  wire [           2*STREAMS-1:0] write_stream_i,
    input  wire [             2*DEPTH-1:0] write_bank_i,
    input  wire [ 2*$clog2(BANK_ROWS)-1:0] write_row_i,
    input  wire [       2*LANES*WIDTH-1:0] write_data_i,
    // Store
    input  wire                            store_en_i,
    input  wire [$clog2(RESULT_WORDS)-1:0] store_word_i,
    output wire [          STREAMS*32-1:0] store_data_o,   // one clock later
    // For counters
    output wire                            stepped_o,
    output wire                            nonfinite_o     // an output has an Inf or NaN in it
);
  // Fields of a job
  localparam DENSE_MODE = 0, LANES_ON_B = 1, ACCUMULATE = 2, CHUNK_ROWS = 32, GROUP_PITCH = 48;
  localparam A_GROUPS = 64, B_GROUPS = 80, WORD = 128, PITCH = 144;
  localparam JOB = 160, ROW = LANES * WIDTH, COUNT = $clog2(DEPTH + 1);
  localparam BANK_ROW_BITS = $clog2(BANK_ROWS);

  // A half is fed, then collected; a half that this tile takes no part in is at once.
  reg feeding_q, feed_half_q, collecting_q, collect_half_q;
  reg [1:0] fed_q, collected_q;
  wire [1:0] feeder_busy;  // side A, side B
  wire collector_busy;
  wire feed = ~feeding_q & full_i[feed_half_q] & ~fed_q[feed_half_q];
  wire collect = ~collecting_q & full_i[collect_half_q] & ~collected_q[collect_half_q];
  wire fed = feeding_q ? ~(|feeder_busy) : feed & ~part_i[feed_half_q];
  wire collected = collecting_q ? ~collector_busy : collect & ~part_i[collect_half_q];
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {feeding_q, feed_half_q, collecting_q, collect_half_q} <= 4'd0;
      {fed_q, collected_q} <= 4'd0;
    end else begin
      feeding_q <= ~fed & (feeding_q | feed);
      collecting_q <= ~collected & (collecting_q | collect);
      feed_half_q <= feed_half_q ^ fed;
      collect_half_q <= collect_half_q ^ collected;
      fed_q <= full_i & (fed_q | {fed & feed_half_q, fed & ~feed_half_q});
      collected_q <= full_i & (collected_q | {collected & collect_half_q,
                                              collected & ~collect_half_q});
    end
  end
  assign done_o = fed_q & collected_q;

  // The sides' scratchpads
  wire [JOB-1:0] job = job_i[feed_half_q*JOB+:JOB];
  wire [2*COUNT-1:0] valid, ready;
  wire [2*DEPTH*STREAMS*ROW-1:0] rows;
  wire [2*DEPTH-1:0] last;
  genvar side;
  for (side = 0; side < 2; side = side + 1) begin : g_scratchpad
    td1_scratchpad #(
        .STREAMS(STREAMS), .ROW(ROW), .DEPTH(DEPTH), .BANK_ROWS(BANK_ROWS)
    ) u_scratchpad (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .write_i       (write_i[side]),
        .write_half_i  (write_half_i),
        .write_stream_i(write_stream_i[side*STREAMS+:STREAMS]),
        .write_bank_i  (write_bank_i[side*DEPTH+:DEPTH]),
        .write_row_i   (write_row_i[side*BANK_ROW_BITS+:BANK_ROW_BITS]),
        .write_data_i  (write_data_i[side*ROW+:ROW]),
        .start_i       (feed & part_i[feed_half_q]),
        .half_i        (feed_half_q),
        .chunk_rows_i  (job[CHUNK_ROWS+:16]),
        .group_pitch_i (job[GROUP_PITCH+:16]),
        .inner_i       (job[A_GROUPS+:16]),
        .outer_i       (job[B_GROUPS+:16]),
        .repeats_i     (side == 1),
        .busy_o        (feeder_busy[side]),
        .valid_o       (valid[side*COUNT+:COUNT]),
        .ready_i       (ready[side*COUNT+:COUNT]),
        .rows_o        (rows[side*DEPTH*STREAMS*ROW+:DEPTH*STREAMS*ROW]),
        .last_o        (last[side*DEPTH+:DEPTH])
    );
  end

  wire out_valid, out_ready;
  wire [STREAMS*STREAMS*32-1:0] out_data;
  wire [STREAMS*STREAMS-1:0] out_nonfinite;
  wire [7:0] steps, stalls, skipped;
  wire unused = &{1'b0, job, last[DEPTH-1:0], steps, stalls, skipped};
  if (DENSE != 0) begin : g_dense
    td1_dense_tile #(
        .ROWS(STREAMS), .COLUMNS(STREAMS), .LANES(LANES), .RESTS(RESTS), .WIDTH(WIDTH), .EXP(EXP),
        .DEPTH(DEPTH), .COUNTER_WIDTH(8), .FUSED(FUSED), .ACCUMULATORS(ACCUMULATORS),
        .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS), .ADDER_REGISTERS(ADDER_REGISTERS),
        .TREE_REGISTERS(TREE_REGISTERS)
    ) u_tile (
        .clk_i             (clk_i),
        .rst_ni            (rst_ni),
        .dense_i           (1'b1),
        .a_valid_i         (valid[0+:COUNT]),
        .a_ready_o         (ready[0+:COUNT]),
        .a_rows_i          (rows[0+:DEPTH*STREAMS*ROW]),
        .b_valid_i         (valid[COUNT+:COUNT]),
        .b_ready_o         (ready[COUNT+:COUNT]),
        .b_rows_i          (rows[DEPTH*STREAMS*ROW+:DEPTH*STREAMS*ROW]),
        .b_last_i          (last[DEPTH+:DEPTH]),
        .b_last_of_output_i(last[DEPTH+:DEPTH]),
        .out_valid_o       (out_valid),
        .out_ready_i       (out_ready),
        .out_data_o        (out_data),
        .out_nonfinite_o   (out_nonfinite),
        .cycles_o          (steps),
        .stalls_o          (stalls),
        .skipped_o         (skipped)
    );
  end else begin : g_sparse
    td1_tile #(
        .ROWS(STREAMS), .COLUMNS(STREAMS), .LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .DEPTH(DEPTH),
        .OPTIONS(OPTIONS), .LEVELS(LEVELS), .STEP(STEP), .OFFSET(OFFSET), .LEVEL(LEVEL),
        .COUNTER_WIDTH(8), .FUSED(FUSED), .ACCUMULATORS(ACCUMULATORS),
        .INTERCONNECT_REGISTERS(INTERCONNECT_REGISTERS),
        .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS), .ADDER_REGISTERS(ADDER_REGISTERS),
        .TREE_REGISTERS(TREE_REGISTERS)
    ) u_tile (
        .clk_i             (clk_i),
        .rst_ni            (rst_ni),
        .dense_i           (job[DENSE_MODE]),
        .a_valid_i         (valid[0+:COUNT]),
        .a_ready_o         (ready[0+:COUNT]),
        .a_rows_i          (rows[0+:DEPTH*STREAMS*ROW]),
        .b_valid_i         (valid[COUNT+:COUNT]),
        .b_ready_o         (ready[COUNT+:COUNT]),
        .b_rows_i          (rows[DEPTH*STREAMS*ROW+:DEPTH*STREAMS*ROW]),
        .b_last_i          (last[DEPTH+:DEPTH]),
        .b_last_of_output_i(last[DEPTH+:DEPTH]),
        .out_valid_o       (out_valid),
        .out_ready_i       (out_ready),
        .out_data_o        (out_data),
        .out_nonfinite_o   (out_nonfinite),
        .cycles_o          (steps),
        .stalls_o          (stalls),
        .skipped_o         (skipped)
    );
  end

  td1_collector #(
      .STREAMS(STREAMS), .RESULT_WORDS(RESULT_WORDS), .ADDER_REGISTERS(ADDER_REGISTERS)
  ) u_collector (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .start_i     (collect & part_i[collect_half_q]),
      .lanes_on_b_i(job_i[collect_half_q*JOB+LANES_ON_B]),
      .accumulate_i(job_i[collect_half_q*JOB+ACCUMULATE]),
      .a_groups_i  (job_i[collect_half_q*JOB+A_GROUPS+:16]),
      .b_groups_i  (job_i[collect_half_q*JOB+B_GROUPS+:16]),
      .word_i      (job_i[collect_half_q*JOB+WORD+:16]),
      .pitch_i     (job_i[collect_half_q*JOB+PITCH+:16]),
      .busy_o      (collector_busy),
      .error_o     (error_o),
      .out_valid_i (out_valid),
      .out_ready_o (out_ready),
      .out_data_i  (out_data),
      .store_en_i  (store_en_i),
      .store_word_i(store_word_i),
      .store_data_o(store_data_o)
  );

  // The counter of steps turns odd or even with each.
  reg odd_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) odd_q <= 1'b0;
    else odd_q <= steps[0];
  end
  assign stepped_o = odd_q ^ steps[0];
  assign nonfinite_o = out_valid & out_ready & (|out_nonfinite);
endmodule
`default_nettype wire
