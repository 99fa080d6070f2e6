// SPDX-License-Identifier: 0BSD
// Row queue: takes beats of up to BEAT_ROWS rows from a stream, and offers a tile up to DEPTH rows
// in every clock. Rows keep their order; what beat a row came in with makes no difference.
//
// The room suffices for full rate: while a beat of DEPTH rows comes in every clock in which there
// is room, DEPTH rows are on offer in every clock. in_ready_o and all that is offered come from
// registers. Only the pointers see out_ready_i, which settles late.
`default_nettype none

module row_queue #(
    parameter BITS      = 1024,  // of a row, with its flags
    parameter BEAT_ROWS = 3,     // rows of a beat, 1..DEPTH
    parameter DEPTH     = 3      // rows that the tile accepts in a clock, at most
) (
    input  wire                           clk_i,        // clock
    input  wire                           rst_ni,       // reset, active low: empties the queue
    // Beats
    input  wire                           in_valid_i,   // a beat is offered
    output wire                           in_ready_o,   // ... and accepted in this clock
    input  wire [$clog2(BEAT_ROWS+1)-1:0] in_count_i,   // rows of the beat
    input  wire [     BEAT_ROWS*BITS-1:0] in_rows_i,    // the first one in the low bits
    // Rows: the smaller count moves
    output wire [    $clog2(DEPTH+1)-1:0] out_valid_o,  // rows offered
    input  wire [    $clog2(DEPTH+1)-1:0] out_ready_i,  // rows accepted, at most
    output wire [         DEPTH*BITS-1:0] out_rows_o    // the first one in the low bits
);
  // Without room for a beat at least SLOTS - BEAT_ROWS + 1 rows are held. DEPTH of them may leave
  // before the next beat can come, and DEPTH must then be left.
  localparam SLOTS = 2 * DEPTH + BEAT_ROWS - 1;
  localparam COUNT = $clog2(SLOTS + 1), INDEX = $clog2(SLOTS);  // bits of a number of rows, a slot

  reg [ BITS-1:0] slots_q [0:SLOTS-1];  // a ring: a row is written once, and never moves
  reg [COUNT-1:0] held_q;               // rows in it
  reg [INDEX-1:0] read_q, write_q;      // slots of the next row to leave, and to come

  // The slot that lies some rows behind another one.
  function [INDEX-1:0] slot(input [INDEX-1:0] from, input [COUNT-1:0] rows);
    reg [COUNT:0] sum;
    begin
      sum = {{COUNT + 1 - INDEX{1'b0}}, from} + {1'b0, rows};
      if (sum >= SLOTS[COUNT:0]) sum = sum - SLOTS[COUNT:0];
      slot = sum[INDEX-1:0];
    end
  endfunction

  localparam FULL = SLOTS - BEAT_ROWS;  // with more there is no room for a beat
  localparam IN = $clog2(BEAT_ROWS + 1), OUT = $clog2(DEPTH + 1);
  wire [COUNT-1:0] in_count = {{COUNT - IN{1'b0}}, in_count_i};
  wire [COUNT-1:0] out_ready = {{COUNT - OUT{1'b0}}, out_ready_i};
  wire [COUNT-1:0] offered = held_q < DEPTH[COUNT-1:0] ? held_q : DEPTH[COUNT-1:0];
  wire [COUNT-1:0] come = in_valid_i & in_ready_o ? in_count : {COUNT{1'b0}};
  wire [COUNT-1:0] leave = offered < out_ready ? offered : out_ready;
  assign in_ready_o = held_q <= FULL[COUNT-1:0];
  assign out_valid_o = offered[OUT-1:0];

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q  <= {COUNT{1'b0}};
      read_q  <= {INDEX{1'b0}};
      write_q <= {INDEX{1'b0}};
    end else begin
      held_q  <= held_q + come - leave;
      read_q  <= slot(read_q, leave);
      write_q <= slot(write_q, come);
    end
  end

  genvar k;
  generate
    for (k = 0; k < BEAT_ROWS; k = k + 1) begin : g_in
      localparam ROW = k;
      wire [INDEX-1:0] to = slot(write_q, ROW[COUNT-1:0]);
      always @(posedge clk_i) if (ROW[COUNT-1:0] < come) slots_q[to] <= in_rows_i[k*BITS+:BITS];
    end
    for (k = 0; k < DEPTH; k = k + 1) begin : g_out
      localparam ROW = k;
      assign out_rows_o[k*BITS+:BITS] = slots_q[slot(read_q, ROW[COUNT-1:0])];
    end
  endgenerate
endmodule
`default_nettype wire
