// SPDX-License-Identifier: 0BSD
// Sum of a row's aligned terms, as integers. A negative term is the complement of its magnitude:
// the ones that are then missing, and all extensions of signs, are one term more.
`default_nettype none

module td1_fused_terms #(
    parameter LANES     = 16,  // 2..64
    parameter WIDTH     = 38,  // bits of a term, $clog2(LANES) + 2 or more; the highest is no sign
    parameter REGISTERS = 0    // in front of the last carries; two: halfway, too; 0..2
) (
    input  wire                         clk_i,   // clock; unused without registers
    input  wire [          REGISTERS:0] en_i,    // register k loads; the last bit is unused
    input  wire [      LANES*WIDTH-1:0] terms_i,
    input  wire [      $clog2(LANES):0] ones_i,  // terms that are complements
    output wire [WIDTH+$clog2(LANES)-1:0] sum_o  // two's complement, behind the registers
);
  localparam LEVELS = $clog2(LANES);
  localparam SUM = WIDTH + LEVELS;
  localparam [31:0] MISSING = -LANES;
  localparam [LEVELS:0] EXTENSIONS = MISSING[LEVELS:0];
  wire unused = &{1'b0, en_i};

  // Three terms become two, level by level, until two are left.
  localparam [31:0] T0 = LANES + 1, T1 = T0 - T0 / 3, T2 = T1 - T1 / 3, T3 = T2 - T2 / 3;
  localparam [31:0] T4 = T3 - T3 / 3, T5 = T4 - T4 / 3, T6 = T5 - T5 / 3, T7 = T6 - T6 / 3;
  localparam [31:0] T8 = T7 - T7 / 3, T9 = T8 - T8 / 3;
  localparam [12*32-1:0] TERMS = {32'd2, T9, T8, T7, T6, T5, T4, T3, T2, T1, T0, T0};
  localparam DEPTH = T1 == 2 ? 1 : T2 == 2 ? 2 : T3 == 2 ? 3 : T4 == 2 ? 4 : T5 == 2 ? 5
                   : T6 == 2 ? 6 : T7 == 2 ? 7 : T8 == 2 ? 8 : T9 == 2 ? 9 : 10;

  genvar level, i;
  for (level = 0; level <= DEPTH; level = level + 1) begin : g_level
    localparam THREES = TERMS[32*level+:32] - TERMS[32*level+32+:32];  // that become two here
    localparam LAST = (level == DEPTH) ? 1 : 0;
    localparam HELD = (REGISTERS > 1 - LAST && (LAST || level == DEPTH / 2)) ? 1 : 0;
    for (i = 0; i < TERMS[32*level+32+:32]; i = i + 1) begin : g_term
      wire [SUM-1:0] value, held;
      if (level > 0 & i < 2 * THREES) begin : g_adder
        wire [SUM-1:0] x = g_level[level-1].g_term[i/2*3].held;
        wire [SUM-1:0] y = g_level[level-1].g_term[i/2*3+1].held;
        wire [SUM-1:0] z = g_level[level-1].g_term[i/2*3+2].held;
        if (i % 2 == 0) begin : g_sum
          assign value = x ^ y ^ z;
        end else begin : g_carry
          assign value = ((x & y) | (z & (x | y))) << 1;
        end
      end else if (level > 0) begin : g_odd
        assign value = g_level[level-1].g_term[i+THREES].held;
      end else if (i < LANES) begin : g_lane
        assign value = {{LEVELS{1'b0}}, terms_i[i*WIDTH+:WIDTH]};
      end else begin : g_ones
        assign value = {EXTENSIONS, {WIDTH - LEVELS - 2{1'b0}}, ones_i};
      end
      td1_pipe #(.WIDTH(SUM), .REGISTERS(HELD)) u_pipe (
          .clk_i(clk_i), .en_i({HELD + 1{en_i[LAST & (REGISTERS > 1)]}}), .x_i(value), .y_o(held)
      );
    end
  end
  assign sum_o = g_level[DEPTH].g_term[0].held + g_level[DEPTH].g_term[1].held;
endmodule
`default_nettype wire
