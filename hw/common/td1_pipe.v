// SPDX-License-Identifier: 0BSD
// Delay line that holds still while it is not enabled. It is for data whose valid bit travels
// elsewhere, so it has no reset.
`default_nettype none

module td1_pipe #(
    parameter WIDTH     = 1,  // bits, 1 or more
    parameter REGISTERS = 0   // enabled clocks from input to output; 0 is a wire
) (
    input  wire             clk_i,  // clock; unused without registers
    input  wire             en_i,   // registers load; unused without registers
    input  wire [WIDTH-1:0] x_i,    // value
    output wire [WIDTH-1:0] y_o     // the value REGISTERS enabled clocks ago
);
  if (REGISTERS == 0) begin : g_wire
    wire unused = &{1'b0, clk_i, en_i};
    assign y_o = x_i;
  end else begin : g_registers
    reg  [    REGISTERS*WIDTH-1:0] value_q;  // the youngest in the low bits
    wire [(REGISTERS+1)*WIDTH-1:0] value_d = {value_q, x_i};
    wire unused = &{1'b0, value_d};  // the oldest leaves
    always @(posedge clk_i) if (en_i) value_q <= value_d[REGISTERS*WIDTH-1:0];
    assign y_o = value_q[(REGISTERS-1)*WIDTH+:WIDTH];
  end
endmodule
`default_nettype wire
