// SPDX-License-Identifier: 0BSD
// Row or column of a dense tile: the row in use, which is the operands.
`default_nettype none

module td1_dense_line #(
    parameter LANES = 16,  // 2..64
    parameter WIDTH = 16,  // bits of an element: 1 + EXP + fraction
    parameter EXP   = 8    // ... of which are the exponent
) (
    input  wire                   clk_i,       // clock
    input  wire                   load_i,      // the row is used up, or there is none
    input  wire [LANES*WIDTH-1:0] row_i,       // first row offered, lane 0 in the low bits
    output wire [LANES*WIDTH-1:0] operand_o,   // of each lane
    output wire                   nonfinite_o  // an Inf or NaN in the row
);
  reg [LANES*WIDTH-1:0] row_q;
  always @(posedge clk_i) if (load_i) row_q <= row_i;
  assign operand_o = row_q;

  wire [LANES-1:0] special;  // Inf or NaN
  assign nonfinite_o = |special;
  genvar lane;
  for (lane = 0; lane < LANES; lane = lane + 1) begin : g_lane
    assign special[lane] = &row_q[lane*WIDTH+WIDTH-1-EXP+:EXP];
  end
endmodule
`default_nettype wire
