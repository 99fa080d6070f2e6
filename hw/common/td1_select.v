// SPDX-License-Identifier: 0BSD
// Select: of several inputs the one that is chosen, as an AND-OR; zeros, if none is.
`default_nettype none

module td1_select #(
    parameter WAYS  = 2,  // inputs, 1 or more
    parameter WIDTH = 16  // bits of an input
) (
    input  wire [      WAYS-1:0] chosen_i,  // one-hot, or none
    input  wire [WAYS*WIDTH-1:0] x_i,       // the first input in the low bits
    output wire [     WIDTH-1:0] y_o
);
  genvar i;
  for (i = 0; i < WAYS; i = i + 1) begin : g_way
    localparam BEFORE = (i > 0) ? i - 1 : 0;
    wire [WIDTH-1:0] one = {WIDTH{chosen_i[i]}} & x_i[i*WIDTH+:WIDTH];
    wire [WIDTH-1:0] some = (i > 0 ? g_way[BEFORE].some : {WIDTH{1'b0}}) | one;  // up to this one
  end
  assign y_o = g_way[WAYS-1].some;
endmodule
`default_nettype wire
