// SPDX-License-Identifier: 0BSD
// Floating-point adder: binary32 summands and sum. IEEE-754, rounding to nearest even; subnormals,
// infinities and signed zeros are kept; every NaN is 0x7FC00000.
`default_nettype none

module td1_adder #(
    parameter REGISTERS = 0  // pipeline registers between summands and sum, 0..3
) (
    input  wire               clk_i,  // clock; unused without registers
    input  wire [REGISTERS:0] en_i,   // register k loads; the last bit is unused
    input  wire [       31:0] a_i,    // summand
    input  wire [       31:0] b_i,    // summand
    output wire [       31:0] y_o     // sum, behind the registers
);
  localparam ORDERED_BITS = 63;     // nan, subtract, distance (5), smaller (24), larger (32)
  localparam SUM_BITS = 39;         // nan, subtract, sign, exponent (8), sum (28)
  localparam NORMALISED_BITS = 36;  // nan, sign, exponent (8), hidden, fraction, 2 below

  // Stage 1: put the larger magnitude first and find how far apart the exponents are.
  function automatic [ORDERED_BITS-1:0] order;  /*verilator no_inline_task*/
    input [31:0] a, b;
    reg swap, subtract, nan, larger_normal, smaller_normal;
    reg [31:0] larger, smaller;
    reg [7:0] difference;
    reg [4:0] distance;
    begin
      swap = (a[30:0] < b[30:0]);
      larger = swap ? b : a;
      smaller = swap ? a : b;
      subtract = larger[31] ^ smaller[31];
      // NaN is the largest magnitude; only infinity and NaN are not below infinity.
      nan = (&larger[30:23]) & ((|larger[22:0]) | ((&smaller[30:23]) & subtract));
      larger_normal = |larger[30:23];
      smaller_normal = |smaller[30:23];
      difference = {larger[30:24], larger[23] | ~larger_normal}
                 - {smaller[30:24], smaller[23] | ~smaller_normal};
      distance = difference[4:0] | {5{|difference[7:5]}};  // 31 is as good as more
      order = {nan, subtract, distance, smaller_normal, smaller[22:0], larger};
    end
  endfunction

  // Stage 2: align the smaller significand, keeping two more places and whether anything was lost
  // below them; then add or subtract it.
  function automatic [SUM_BITS-1:0] add;  /*verilator no_inline_task*/
    input [ORDERED_BITS-1:0] s;
    reg normal, lost;
    reg [4:0] distance;
    reg [25:0] smaller, coarse, aligned;
    reg [27:0] sum;
    begin
      normal = |s[30:23];
      smaller = {s[55:32], 2'd0};
      distance = s[60:56];
      coarse = smaller >> {distance[4:3], 3'd0};
      aligned = coarse >> distance[2:0];
      lost = (|(smaller & ~(26'h3ffffff << {distance[4:3], 3'd0})))
           | (|(coarse[6:0] & ~(7'h7f << distance[2:0])));
      sum = {1'b0, normal, s[22:0], 3'd0} + ({1'b0, aligned, lost} ^ {28{s[61]}}) + {27'd0, s[61]};
      add = {s[62:61], s[31:24], s[23] | ~normal, sum};
    end
  endfunction

  // Stage 3: bring the first one to the top, though only as far as the exponent allows.
  function automatic [NORMALISED_BITS-1:0] normalise;  /*verilator no_inline_task*/
    input [SUM_BITS-1:0] s;
    reg nan, subtract, sign;
    reg [7:0] exponent, biased;
    reg [27:0] sum, shifted;
    reg [4:0] distance;
    reg [15:1] x16;
    reg [7:1] x8;
    reg [3:1] x4;
    begin
      {nan, subtract, sign, exponent, sum} = s;
      x16 = (|sum[27:12]) ? sum[27:13] : {sum[11:0], 3'd0};
      x8 = (|x16[15:8]) ? x16[15:9] : x16[7:1];
      x4 = (|x8[7:4]) ? x8[7:5] : x8[3:1];
      distance = {~|sum[27:12], ~|x16[15:8], ~|x8[7:4], ~|x4[3:2],
                  ~((|x4[3:2]) ? x4[3] : x4[1])};
      if ({3'd0, distance} > exponent) distance = exponent[4:0];
      shifted = sum << distance;
      biased = exponent - {3'd0, distance};
      if (~shifted[27]) biased = 8'd0;
      biased = biased | {8{&exponent}};  // infinity stays, whatever was subtracted
      sign = sign & ~(subtract & (sum == 28'd0));  // equal magnitudes cancel to +0
      normalise = {nan, sign, biased, shifted[27:3], |shifted[2:0]};
    end
  endfunction

  // Stage 4: round to nearest even. The hidden one counts as one more of the exponent, and a carry
  // out of the fraction moves on into it, up to infinity.
  function automatic [31:0] round;  /*verilator no_inline_task*/
    input [NORMALISED_BITS-1:0] s;
    reg nan, sign, hidden, guard, sticky;
    reg [7:0] exponent;
    reg [22:0] fraction;
    reg [30:0] rounded;
    begin
      {nan, sign, exponent, hidden, fraction, guard, sticky} = s;
      rounded = {exponent, fraction} + {7'd0, hidden, 22'd0, guard & (sticky | fraction[0])};
      round = nan ? 32'h7fc00000
            : (exponent >= 8'd254) ? {sign, 8'hff, 23'd0}
            : {sign, rounded};
    end
  endfunction

  wire unused_enables = &{1'b0, en_i};

  // The sum ends the first half of the path: the only cut of one register follows it.
  if (REGISTERS == 0) begin : g_combinational
    wire unused = &{1'b0, clk_i};
    assign y_o = round(normalise(add(order(a_i, b_i))));
  end else begin : g_pipelined
    reg [SUM_BITS-1:0] sum_q;
    if (REGISTERS == 1) begin : g_one
      always @(posedge clk_i) if (en_i[0]) sum_q <= add(order(a_i, b_i));
    end else begin : g_more
      reg [ORDERED_BITS-1:0] ordered_q;
      always @(posedge clk_i) if (en_i[0]) ordered_q <= order(a_i, b_i);
      always @(posedge clk_i) if (en_i[1]) sum_q <= add(ordered_q);
    end
    if (REGISTERS <= 2) begin : g_two
      assign y_o = round(normalise(sum_q));
    end else begin : g_three
      reg [NORMALISED_BITS-1:0] normalised_q;
      always @(posedge clk_i) if (en_i[2]) normalised_q <= normalise(sum_q);
      assign y_o = round(normalised_q);
    end
  end
endmodule
`default_nettype wire
