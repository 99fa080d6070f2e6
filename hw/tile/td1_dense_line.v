// SPDX-License-Identifier: 0BSD
// Row or column of a dense tile: the row in use, which is the operands. Where lanes rest at zeros
// an operand takes the first of them, as registers behind it do, and no other. What the row has is
// found as it loads: it goes to clock gates all over the tile.
`default_nettype none

module td1_dense_line #(
    parameter LANES = 16,  // 2..64
    parameter WIDTH = 16,  // bits of an element: 1 + EXP + fraction
    parameter EXP   = 8,   // ... of which are the exponent
    parameter RESTS = 0    // 1: lanes rest at zeros
) (
    input  wire                   clk_i,       // clock
    input  wire                   rst_ni,      // asynchronous reset, active low
    input  wire                   loads_i,     // in the next clock, if a row is offered
    input  wire                   offered_i,   // it is; else the row may be anything
    input  wire [LANES*WIDTH-1:0] row_i,       // first row offered, lane 0 in the low bits
    output wire [LANES*WIDTH-1:0] operand_o,   // of each lane; a zero may be of either sign
    output wire [      LANES-1:0] live_o,      // it is not a zero; all are live if none rests
    output wire                   nonfinite_o  // an Inf or NaN in the row
);
  wire [LANES-1:0] special;  // the offered element is Inf or NaN
  reg load_q, nonfinite_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) load_q <= 1'b1;
    else load_q <= loads_i;
  end
  always @(posedge clk_i) if (load_q) nonfinite_q <= |special;
  assign nonfinite_o = nonfinite_q;
  genvar lane;
  for (lane = 0; lane < LANES; lane = lane + 1) begin : g_lane
    wire [WIDTH-1:0] element = row_i[lane*WIDTH+:WIDTH];
    reg  [WIDTH-1:0] operand_q;
    if (RESTS != 0) begin : g_rests
      wire live = |element[WIDTH-2:0];
      reg  live_q;
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) live_q <= 1'b1;  // the operand is anything
        else if (load_q) live_q <= live | ~offered_i;
      end
      always @(posedge clk_i) if (load_q & (live | live_q)) operand_q <= element;
      assign live_o[lane] = live_q;
    end else begin : g_always
      always @(posedge clk_i) if (load_q) operand_q <= element;
      wire unused = &{1'b0, offered_i};
      assign live_o[lane] = 1'b1;
    end
    assign operand_o[lane*WIDTH+:WIDTH] = operand_q;
    assign special[lane] = &element[WIDTH-2-:EXP];
  end
endmodule
`default_nettype wire
