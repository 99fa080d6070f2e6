// SPDX-License-Identifier: 0BSD
// A tile between AXI4-Streams: the rows of both sides come in, the outputs of all PEs leave. Copy
// this file and row_queue.v. For another configuration, change the tile's name below and the
// parameters that its configuration decides.
//
// A beat has up to BEAT_ROWS rows, the first one in the low bytes. Rows are whole: TKEEP is high
// for all bytes of the first rows, low for all others. The streams need not move together, and a
// beat may end anywhere. With BEAT_ROWS = DEPTH the tile loses no clock; the narrower the beats,
// the less of the speed-up is left, since a pair can only be dropped once its row is there.
`default_nettype none

module axis_tile #(
    // Sizes of the tile
    parameter ROWS          = 4,    // tile rows
    parameter COLUMNS       = 4,    // tile columns
    parameter COUNTER_WIDTH = 32,   // bits of a counter
    // What the configuration decides
    parameter LANES         = 16,   // tile.lanes
    parameter WIDTH         = 16,   // bits of an operand, by tile.numerics.format
    parameter OUTPUT_WIDTH  = 32,   // bits of an output, by tile.numerics.output
    parameter DEPTH         = 3,    // tile.interconnect.depth
    // Width of both input streams
    parameter BEAT_ROWS     = DEPTH,  // rows of a beat, 1..DEPTH
    // Derived, not to be set: bits of a row of each side, and of a beat of outputs
    parameter A_BITS        = COLUMNS * LANES * WIDTH,
    parameter B_BITS        = ROWS * LANES * WIDTH,
    parameter OUT_BITS      = ROWS * COLUMNS * OUTPUT_WIDTH
) (
    input  wire                          aclk,
    input  wire                          aresetn,          // active low, released with aclk
    input  wire                          dense_i,          // drop nothing; steady while rows move
    // Side A: element (row * COLUMNS + column) * LANES + lane
    input  wire                          s_axis_a_tvalid,
    output wire                          s_axis_a_tready,
    input  wire [  BEAT_ROWS*A_BITS-1:0] s_axis_a_tdata,
    input  wire [BEAT_ROWS*A_BITS/8-1:0] s_axis_a_tkeep,
    // Side B, searched for zeros: element (row * ROWS + tile row) * LANES + lane
    input  wire                          s_axis_b_tvalid,
    output wire                          s_axis_b_tready,
    input  wire [  BEAT_ROWS*B_BITS-1:0] s_axis_b_tdata,
    input  wire [BEAT_ROWS*B_BITS/8-1:0] s_axis_b_tkeep,
    input  wire [       2*BEAT_ROWS-1:0] s_axis_b_tuser,   // bit 2*row: it ends its stream;
                                                           // 2*row+1: ... and the output
    // Outputs: tile row * COLUMNS + column. A beat has those of all PEs.
    output wire                          m_axis_tvalid,
    input  wire                          m_axis_tready,
    output wire [          OUT_BITS-1:0] m_axis_tdata,
    output wire [      ROWS*COLUMNS-1:0] m_axis_tuser,     // an operand of it was Inf or NaN
    // Counters since reset
    output wire [     COUNTER_WIDTH-1:0] cycles_o,         // steps
    output wire [     COUNTER_WIDTH-1:0] stalls_o,         // no step, though rows waited
    output wire [     COUNTER_WIDTH-1:0] skipped_o         // pairs dropped in the tile rows
);
  localparam IN = $clog2(BEAT_ROWS + 1), OUT = $clog2(DEPTH + 1);  // bits of numbers of rows
  localparam FLAGGED = B_BITS + 2;                                 // bits of a B row and its flags

  // How many rows a beat has: the first byte of a row speaks for all of them.
  wire [BEAT_ROWS-1:0] a_keep, b_keep;
  wire [BEAT_ROWS*FLAGGED-1:0] b_beat;
  wire [DEPTH*FLAGGED-1:0] b_offered;
  wire [DEPTH*B_BITS-1:0] b_rows;
  wire [DEPTH-1:0] b_last, b_last_of_output;
  genvar k;
  generate
    for (k = 0; k < BEAT_ROWS; k = k + 1) begin : g_beat
      assign a_keep[k] = s_axis_a_tkeep[k*A_BITS/8];
      assign b_keep[k] = s_axis_b_tkeep[k*B_BITS/8];
      assign b_beat[k*FLAGGED+:FLAGGED] =
          {s_axis_b_tuser[2*k+:2], s_axis_b_tdata[k*B_BITS+:B_BITS]};
    end
    for (k = 0; k < DEPTH; k = k + 1) begin : g_offered
      assign {b_last_of_output[k], b_last[k], b_rows[k*B_BITS+:B_BITS]} =
          b_offered[k*FLAGGED+:FLAGGED];
    end
  endgenerate
  wire unused = &{1'b0, s_axis_a_tkeep, s_axis_b_tkeep};

  function [IN-1:0] count(input [BEAT_ROWS-1:0] keep);
    integer i;
    begin
      count = 0;
      for (i = 0; i < BEAT_ROWS; i = i + 1) count = count + {{IN - 1{1'b0}}, keep[i]};
    end
  endfunction

  wire [OUT-1:0] a_valid, a_ready, b_valid, b_ready;
  wire [DEPTH*A_BITS-1:0] a_rows;
  row_queue #(.BITS(A_BITS), .BEAT_ROWS(BEAT_ROWS), .DEPTH(DEPTH)) u_a (
      .clk_i      (aclk),
      .rst_ni     (aresetn),
      .in_valid_i (s_axis_a_tvalid),
      .in_ready_o (s_axis_a_tready),
      .in_count_i (count(a_keep)),
      .in_rows_i  (s_axis_a_tdata),
      .out_valid_o(a_valid),
      .out_ready_i(a_ready),
      .out_rows_o (a_rows)
  );
  row_queue #(.BITS(FLAGGED), .BEAT_ROWS(BEAT_ROWS), .DEPTH(DEPTH)) u_b (
      .clk_i      (aclk),
      .rst_ni     (aresetn),
      .in_valid_i (s_axis_b_tvalid),
      .in_ready_o (s_axis_b_tready),
      .in_count_i (count(b_keep)),
      .in_rows_i  (b_beat),
      .out_valid_o(b_valid),
      .out_ready_i(b_ready),
      .out_rows_o (b_offered)
  );

  // Its outputs come from a buffer that keeps AXI4-Stream's rules: they go straight through.
  paper_bf16_tile #(
      .ROWS(ROWS), .COLUMNS(COLUMNS), .COUNTER_WIDTH(COUNTER_WIDTH)
  ) u_tile (
      .clk_i             (aclk),
      .rst_ni            (aresetn),
      .dense_i           (dense_i),
      .a_valid_i         (a_valid),
      .a_ready_o         (a_ready),
      .a_rows_i          (a_rows),
      .b_valid_i         (b_valid),
      .b_ready_o         (b_ready),
      .b_rows_i          (b_rows),
      .b_last_i          (b_last),
      .b_last_of_output_i(b_last_of_output),
      .out_valid_o       (m_axis_tvalid),
      .out_ready_i       (m_axis_tready),
      .out_data_o        (m_axis_tdata),
      .out_nonfinite_o   (m_axis_tuser),
      .cycles_o          (cycles_o),
      .stalls_o          (stalls_o),
      .skipped_o         (skipped_o)
  );
endmodule
`default_nettype wire
