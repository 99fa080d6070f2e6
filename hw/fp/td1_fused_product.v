// SPDX-License-Identifier: 0BSD
// One lane of a fused sum: the exact product of two operands' significands, its sign, and what it
// is if it is no number.
`default_nettype none

module td1_fused_product #(
    parameter WIDTH     = 16,  // bits of an operand: 1 + EXP + fraction
    parameter EXP       = 8,   // ... of which are the exponent, 2..8
    parameter REGISTERS = 0    // behind the product, 0 or 1
) (
    input  wire                     clk_i,       // clock; unused without registers
    input  wire                     en_i,        // the register loads
    input  wire [        WIDTH-1:0] a_i,         // factor
    input  wire [        WIDTH-1:0] b_i,         // factor
    output wire                     nan_o,       // no number
    output wire                     inf_o,       // infinite, or no number
    output wire                     negative_o,  // below zero
    output wire [2*(WIDTH-EXP)-1:0] product_o
);
  localparam FRAC = WIDTH - 1 - EXP;
  localparam PRODUCT = 2 * (FRAC + 1);

  function automatic [PRODUCT+2:0] multiply;  /*verilator no_inline_task*/
    input [WIDTH-1:0] a, b;
    reg a_normal, b_normal, a_special, b_special, a_zero, b_zero, nan;
    reg [PRODUCT-1:0] product;
    begin
      a_normal = |a[FRAC+:EXP];
      b_normal = |b[FRAC+:EXP];
      a_special = &a[FRAC+:EXP];
      b_special = &b[FRAC+:EXP];
      a_zero = ~|a[WIDTH-2:0];
      b_zero = ~|b[WIDTH-2:0];
      nan = (a_special & ((|a[FRAC-1:0]) | b_zero)) | (b_special & ((|b[FRAC-1:0]) | a_zero));
      product = {{FRAC + 1{1'b0}}, a_normal, a[FRAC-1:0]}
              * {{FRAC + 1{1'b0}}, b_normal, b[FRAC-1:0]};
      multiply = {nan, a_special | b_special, a[WIDTH-1] ^ b[WIDTH-1], product};
    end
  endfunction

  td1_pipe #(.WIDTH(PRODUCT + 3), .REGISTERS(REGISTERS)) u_pipe (
      .clk_i(clk_i), .en_i({REGISTERS + 1{en_i}}), .x_i(multiply(a_i, b_i)),
      .y_o({nan_o, inf_o, negative_o, product_o})
  );
endmodule
`default_nettype wire
