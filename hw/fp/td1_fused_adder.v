// SPDX-License-Identifier: 0BSD
// Adds a row's integer sum to a binary32 value and rounds once, to nearest even; subnormals and
// infinities are kept, every NaN is 0x7FC00000. docs/microarchitecture.md has the rules.
`default_nettype none

module td1_fused_adder #(
    parameter SUM       = 42,    // bits of the row's sum, 4..62
    parameter EXPONENT  = 9,     // bits of its exponent, 3..9
    parameter OFFSET    = -136,  // from that to the exponent of a binary32 value three places up
    parameter REGISTERS = 0      // pipeline registers between summands and sum, 0..3
) (
    input  wire                clk_i,       // clock
    input  wire                en_i,        // registers load
    // Row, see td1_fused_sum
    input  wire                nan_i,
    input  wire                inf_i,
    input  wire                negative_i,
    input  wire [EXPONENT-1:0] exponent_i,
    input  wire [     SUM-1:0] sum_i,
    input  wire [        31:0] a_i,         // summand, binary32
    output wire [        31:0] y_o          // sum, REGISTERS enabled clocks later
);
  localparam BITS = (SUM > 28 ? SUM : 28) + 1;  // of both summands and their sum
  localparam [31:0] BIAS = OFFSET;
  localparam [31:0] TOP = BITS - 29;  // from the exponent to that of the first place

  // Stage 1: whose last place is the higher one, and how far the other summand moves down.
  wire normal = |a_i[30:23];
  wire special = &a_i[30:23];
  wire minus = a_i[31];
  wire nan = nan_i | (special & ((|a_i[22:0]) | (inf_i & (negative_i ^ minus))));
  wire inf = inf_i | special;
  wire sign = inf_i ? negative_i : minus;
  wire [10:0] own = {3'd0, a_i[30:24], a_i[23] | ~normal};
  wire [10:0] row = (|exponent_i) ? {{11 - EXPONENT{1'b0}}, exponent_i} + BIAS[10:0] : 11'd0;
  wire [10:0] above = row - own;
  wire [9:0] below = own[9:0] - row[9:0];
  wire moves = ~above[10];  // the value, not the row
  wire [9:0] difference = moves ? above[9:0] : below;
  wire [5:0] distance = difference[5:0] | {6{|difference[9:6]}};  // 63 is as good as more
  wire [BITS-1:0] value = {{BITS - 27{minus}}, {normal, a_i[22:0], 3'd0} ^ {27{minus}}};
  wire [BITS-1:0] rows = {{BITS - SUM{sum_i[SUM-1]}}, sum_i};
  localparam ORDERED_BITS = 22 + 2 * BITS;
  wire [ORDERED_BITS-1:0] ordered;
  td1_pipe #(.WIDTH(ORDERED_BITS), .REGISTERS(REGISTERS > 1 ? 1 : 0)) u_ordered (
      .clk_i(clk_i),
      .en_i ({(REGISTERS > 1 ? 2 : 1){en_i}}),
      .x_i  ({nan, inf, sign, moves ? row : own, minus & ~moves, minus & moves, distance,
              moves ? rows : value, moves ? value : rows}),
      .y_o  (ordered)
  );

  // Stage 2: align and add. A half of the last place stands for all that is lost; a negative value
  // is complemented, and its missing one is added unless such a half takes it.
  wire stays_minus, moves_minus;
  wire [13:0] kinds;  // nan, inf, sign, exponent
  wire [5:0] places;
  wire [BITS-1:0] x, y;
  assign {kinds, stays_minus, moves_minus, places, x, y} = ordered;
  wire [BITS-1:0] kept = {BITS{1'b1}} << places;
  wire lost = |((y ^ {BITS{moves_minus}}) & ~kept);
  wire [BITS-1:0] filled = {BITS{y[BITS-1]}} & ~({BITS{1'b1}} >> places);
  wire carry = stays_minus | (moves_minus & ~lost);
  wire [BITS:0] total = {x, 1'b1} + {(y >> places) | filled, carry};
  wire unused = &{1'b0, total[0]};
  wire [14+BITS:0] added;
  td1_pipe #(.WIDTH(15 + BITS), .REGISTERS(REGISTERS > 0 ? 1 : 0)) u_added (
      .clk_i(clk_i), .en_i({(REGISTERS > 0 ? 2 : 1){en_i}}), .x_i({kinds, total[BITS:1], lost}),
      .y_o(added)
  );

  // Stage 3: the magnitude, and how far its first one is from the top; it moves there only as far
  // as the exponent allows. The hidden one counts as one more of the exponent.
  wire negative = added[BITS];
  wire [BITS-1:0] magnitude = (added[BITS-1:0] ^ {BITS{negative}}) + {{BITS - 1{1'b0}}, negative};
  wire [10:0] top = added[BITS+1+:11] + TOP[10:0];
  function automatic [5:0] zeros;  /*verilator no_inline_task*/
    input [63:1] x64;
    reg [31:1] x32;
    reg [15:1] x16;
    reg [7:1] x8;
    reg [3:1] x4;
    begin
      x32 = (|x64[63:32]) ? x64[63:33] : x64[31:1];
      x16 = (|x32[31:16]) ? x32[31:17] : x32[15:1];
      x8 = (|x16[15:8]) ? x16[15:9] : x16[7:1];
      x4 = (|x8[7:4]) ? x8[7:5] : x8[3:1];
      zeros = {~|x64[63:32], ~|x32[31:16], ~|x16[15:8], ~|x8[7:4], ~|x4[3:2],
               ~((|x4[3:2]) ? x4[3] : x4[1])};
    end
  endfunction
  wire [5:0] leading = zeros({magnitude, {63 - BITS{1'b0}}});
  wire [5:0] up = ({5'd0, leading} > top) ? top[5:0] : leading;
  localparam NORMALISED_BITS = 20 + BITS;
  wire [NORMALISED_BITS-1:0] normalised;
  td1_pipe #(.WIDTH(NORMALISED_BITS), .REGISTERS(REGISTERS > 2 ? 1 : 0)) u_normalised (
      .clk_i(clk_i),
      .en_i ({(REGISTERS > 2 ? 2 : 1){en_i}}),
      .x_i  ({added[BITS+13+:2], added[BITS+13] ? added[BITS+12] : negative, up,
              top - {5'd0, up}, magnitude}),
      .y_o  (normalised)
  );

  // Stage 4: round to nearest even; a carry out of the fraction moves on into the exponent.
  wire result_nan, result_inf, result_sign;
  wire [5:0] shift;
  wire [10:0] exponent;
  wire [BITS-1:0] field;
  assign {result_nan, result_inf, result_sign, shift, exponent, field} = normalised;
  wire [BITS-1:0] shifted = field << shift;
  wire hidden = shifted[BITS-1];
  wire up_one = shifted[BITS-25] & (shifted[BITS-24] | (|shifted[BITS-26:0]));
  wire [30:0] rounded = {exponent[7:0] & {8{hidden}}, shifted[BITS-2-:23]}
                      + {7'd0, hidden, 22'd0, up_one};
  wire overflow = hidden & (exponent >= 11'd254);
  assign y_o = result_nan ? 32'h7fc00000
             : (result_inf | overflow) ? {result_sign, 8'hff, 23'd0} : {result_sign, rounded};
endmodule
`default_nettype wire
