// SPDX-License-Identifier: 0BSD
// Registers behind each other, each of which holds still while it is not enabled. They are for data
// whose valid bit travels elsewhere, so they have no reset.
`default_nettype none

module td1_pipe #(
    parameter WIDTH     = 1,  // bits, 1 or more
    parameter REGISTERS = 0   // from input to output; 0 is a wire
) (
    input  wire               clk_i,  // clock; unused without registers
    input  wire [REGISTERS:0] en_i,   // bit k: register k loads; the last bit is unused
    input  wire [  WIDTH-1:0] x_i,    // value
    output wire [  WIDTH-1:0] y_o     // the value behind all registers
);
  wire [(REGISTERS+1)*WIDTH-1:0] value;  // behind k registers: from k * WIDTH on
  wire unused = &{1'b0, clk_i, en_i};
  assign value[0+:WIDTH] = x_i;
  genvar k;
  for (k = 0; k < REGISTERS; k = k + 1) begin : g_register
    reg [WIDTH-1:0] value_q;
    always @(posedge clk_i) if (en_i[k]) value_q <= value[k*WIDTH+:WIDTH];
    assign value[(k+1)*WIDTH+:WIDTH] = value_q;
  end
  assign y_o = value[REGISTERS*WIDTH+:WIDTH];
endmodule
`default_nettype wire
