// SPDX-License-Identifier: 0BSD
// Select: the value that is chosen, an AND-OR. Without a choice it is 0.
`default_nettype none

module td1_select #(
    parameter COUNT = 2,  // values, 1 or more
    parameter WIDTH = 1   // bits of one
) (
    input  wire [      COUNT-1:0] choice_i,  // one-hot, or none
    input  wire [COUNT*WIDTH-1:0] values_i,  // value k from bit k * WIDTH on
    output wire [      WIDTH-1:0] value_o    // the chosen one
);
  genvar k;
  for (k = 0; k < COUNT; k = k + 1) begin : g_value
    localparam BEFORE = (k > 0) ? k - 1 : 0;
    // Of this one and those before it.
    wire [WIDTH-1:0] some = (k > 0 ? g_value[BEFORE].some : {WIDTH{1'b0}})
                          | ({WIDTH{choice_i[k]}} & values_i[k*WIDTH+:WIDTH]);
  end
  assign value_o = g_value[COUNT-1].some;
endmodule
`default_nettype wire
