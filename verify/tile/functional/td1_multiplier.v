// SPDX-License-Identifier: Apache-2.0
// Stands in for hw/fp/td1_multiplier.v where simulation shall be fast: the product comes from C, in
// verify/tile/functional/functional.hpp.
`default_nettype none

module td1_multiplier #(
    parameter WIDTH     = 16,
    parameter EXP       = 8,
    parameter REGISTERS = 0
) (
    input  wire             clk_i,
    input  wire             en_i,
    input  wire [WIDTH-1:0] a_i,
    input  wire [WIDTH-1:0] b_i,
    output wire [     31:0] y_o
);
  localparam FRAC = WIDTH - 1 - EXP;
  wire [31:0] y = $c32("td::functional::mul(", a_i, ",", b_i, ",", EXP, ",", FRAC, ")");
  td1_pipe #(.WIDTH(32), .REGISTERS(REGISTERS)) u_pipe (
      .clk_i(clk_i),
      .en_i (en_i),
      .x_i  (y),
      .y_o  (y_o)
  );
endmodule
`default_nettype wire
