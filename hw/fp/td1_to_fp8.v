// SPDX-License-Identifier: 0BSD
// Results in OFP8: binary32 values times a power of two, rounded once to nearest even. A NaN
// becomes the one with sign clear and only the first fraction bit set, in E4M3 all of them.
// Combinational.
`default_nettype none

module td1_to_fp8 #(
    parameter RESULTS = 1
) (
    input  wire                  e5m2_i,      // to E5M2, not to E4M3
    input  wire                  saturate_i,  // beyond the largest number: that, not Inf or NaN
    input  wire [           8:0] scale_i,     // exponent of the power of two, signed
    input  wire [RESULTS*32-1:0] x_i,
    output wire [ RESULTS*8-1:0] y_o,
    output wire [   RESULTS-1:0] overflow_o,  // a finite value was beyond the largest number
    output wire [   RESULTS-1:0] underflow_o  // a value other than zero became zero
);
  localparam SIGNED_BITS = 11;  // hold a binary32 exponent of any value, times any power

  // How far the first one is below the top of a significand, 0..24.
  function automatic [4:0] leading_zeros;  /*verilator no_inline_task*/
    input [23:0] x;
    integer i;
    begin
      leading_zeros = 5'd24;
      for (i = 0; i < 24; i = i + 1) if (x[i]) leading_zeros = 5'd23 - i[4:0];
    end
  endfunction

  // overflow, underflow, code
  function automatic [9:0] narrow;  /*verilator no_inline_task*/
    input [31:0] x;
    input e5m2, saturate;
    input [8:0] scale;
    reg nan, inf, tiny, over, lost;
    reg [4:0] zeros;
    reg [23:0] significand;
    reg signed [SIGNED_BITS-1:0] exponent, below;
    reg [4:0] distance;
    reg [4:0] kept;   // an integer bit, the fraction, and one bit below
    reg [28:0] field;
    reg [SIGNED_BITS+2:0] code;
    begin
      nan = (&x[30:23]) & (|x[22:0]);
      inf = (&x[30:23]) & ~(|x[22:0]);
      significand = {|x[30:23], x[22:0]};
      zeros = leading_zeros(significand);
      significand = significand << zeros;
      // Over the format's smallest normal exponent, which is 2^-6 or 2^-14.
      exponent = $signed({3'd0, x[30:24], x[23] | ~(|x[30:23])})
               - $signed({{SIGNED_BITS - 5{1'b0}}, zeros})
               + $signed({{SIGNED_BITS - 9{scale[8]}}, scale})
               - (e5m2 ? 11'sd113 : 11'sd121);
      // Below it the significand moves down, beyond its last bit if need be.
      below = exponent[SIGNED_BITS-1] ? -exponent : 11'sd0;
      if (exponent[SIGNED_BITS-1] | ~(|significand)) exponent = 11'sd0;  // a zero has none
      tiny = |below[SIGNED_BITS-1:3];
      distance = {2'd0, below[2:0]} + (e5m2 ? 5'd1 : 5'd0);
      field = {significand, 5'd0} >> distance;
      lost = tiny | (|(significand & ~(24'hffffff << distance)));
      kept = tiny ? 5'd0 : field[28:24];
      lost = lost | (|field[23:0]);
      code = {exponent, 3'd0} + {10'd0, kept[4:1]} + {13'd0, kept[0] & (lost | kept[1])};
      if (e5m2) code = {1'b0, exponent, 2'd0} + {10'd0, kept[4:1]}
                     + {13'd0, kept[0] & (lost | kept[1])};
      over = code > (e5m2 ? 14'h7b : 14'h7e);
      narrow[9] = over & ~nan & ~inf;
      narrow[8] = (|x[30:0]) & ~nan & ~inf & code == 14'd0;
      if (nan) narrow[7:0] = e5m2 ? 8'h7e : 8'h7f;
      else if (~(over | inf)) narrow[7:0] = {x[31], code[6:0]};
      else if (saturate) narrow[7:0] = {x[31], e5m2 ? 7'h7b : 7'h7e};
      else narrow[7:0] = e5m2 ? {x[31], 7'h7c} : 8'h7f;
    end
  endfunction

  genvar i;
  for (i = 0; i < RESULTS; i = i + 1) begin : g_result
    assign {overflow_o[i], underflow_o[i], y_o[i*8+:8]} =
        narrow(x_i[i*32+:32], e5m2_i, saturate_i, scale_i);
  end
endmodule
`default_nettype wire
