// SPDX-License-Identifier: Apache-2.0
// Stands in for hw/fp/td1_adder.v where simulation shall be fast: the sum comes from C, in
// verify/tile/functional/functional.hpp.
`default_nettype none

module td1_adder #(
    parameter REGISTERS = 0
) (
    input  wire               clk_i,
    input  wire [REGISTERS:0] en_i,
    input  wire [       31:0] a_i,
    input  wire [       31:0] b_i,
    output wire [       31:0] y_o
);
  wire [31:0] y = $c32("td::functional::add(", a_i, ",", b_i, ")");
  genvar k;
  for (k = 0; k < REGISTERS; k = k + 1) begin : g_register
    reg [31:0] value_q;
    if (k == 0) begin : g_first
      always @(posedge clk_i) if (en_i[k]) value_q <= y;
    end else begin : g_next
      always @(posedge clk_i) if (en_i[k]) value_q <= g_register[k-1].value_q;
    end
  end
  if (REGISTERS == 0) begin : g_wire
    assign y_o = y;
  end else begin : g_registers
    assign y_o = g_register[REGISTERS-1].value_q;
  end
  wire unused = &{1'b0, clk_i, en_i};
endmodule
`default_nettype wire
