// SPDX-License-Identifier: 0BSD
// Sum of a row's products and an accumulator, rounded once: the products are added as one integer,
// and the accumulator to it.
`default_nettype none

module td1_fused #(
    parameter LANES                = 16,  // 2..64
    parameter WIDTH                = 16,  // bits of an operand: 1 + EXP + fraction
    parameter EXP                  = 8,   // ... of which are the exponent, 2..8
    parameter MULTIPLIER_REGISTERS = 0,   // see td1_fused_sum, 0..2
    parameter ADDER_REGISTERS      = 0,   // 0..3
    parameter TREE_REGISTERS       = 1,   // 0..2
    parameter CLOCKS               = 3,   // registers from operands to the integer, by the above
    parameter ACCUMULATE_REGISTERS = 0    // from integer and accumulator to the result, 0..3
) (
    input  wire                        clk_i,       // clock
    input  wire                        en_i,        // the accumulators' pipeline moves
    input  wire [LANES*(CLOCKS+1)-1:0] load_i,      // see td1_live
    input  wire [            CLOCKS:0] row_load_i,
    input  wire [     LANES*WIDTH-1:0] a_i,         // factors
    input  wire [     LANES*WIDTH-1:0] b_i,         // factors
    input  wire [                31:0] augend_i,    // binary32, with the integer
    output wire [                31:0] y_o          // binary32, behind all registers
);
  localparam FRAC = WIDTH - 1 - EXP;
  // So many that a step cuts off less than half of its largest product's last bit in binary32.
  localparam GUARD = 24 + $clog2(LANES) - FRAC;
  localparam SUM = 2 * (FRAC + 1) + GUARD + $clog2(LANES) + 1;

  wire nan, inf, negative;
  wire [EXP:0] exponent;
  wire [SUM-1:0] sum;
  td1_fused_sum #(
      .LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .GUARD(GUARD),
      .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS), .ADDER_REGISTERS(ADDER_REGISTERS),
      .TREE_REGISTERS(TREE_REGISTERS), .CLOCKS(CLOCKS)
  ) u_sum (
      .clk_i(clk_i), .load_i(load_i), .row_load_i(row_load_i), .a_i(a_i), .b_i(b_i), .nan_o(nan),
      .inf_o(inf), .negative_o(negative), .exponent_o(exponent), .sum_o(sum)
  );
  td1_fused_adder #(
      .SUM(SUM), .EXPONENT(EXP + 1), .OFFSET(155 - (1 << EXP) - FRAC - 24 - $clog2(LANES)),
      .REGISTERS(ACCUMULATE_REGISTERS)
  ) u_accumulate (
      .clk_i(clk_i), .en_i(en_i), .nan_i(nan), .inf_i(inf), .negative_i(negative),
      .exponent_i(exponent), .sum_i(sum), .a_i(augend_i), .y_o(y_o)
  );
endmodule
`default_nettype wire
