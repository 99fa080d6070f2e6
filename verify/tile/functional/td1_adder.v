// SPDX-License-Identifier: Apache-2.0
// Stands in for hw/fp/td1_adder.v where simulation shall be fast: the sum comes from C, in
// verify/tile/functional/functional.hpp.
`default_nettype none

module td1_adder #(
    parameter REGISTERS = 0
) (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output wire [31:0] y_o
);
  wire [31:0] y = $c32("td::functional::add(", a_i, ",", b_i, ")");
  td1_pipe #(.WIDTH(32), .REGISTERS(REGISTERS)) u_pipe (
      .clk_i(clk_i),
      .en_i (en_i),
      .x_i  (y),
      .y_o  (y_o)
  );
endmodule
`default_nettype wire
