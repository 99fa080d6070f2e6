// SPDX-License-Identifier: 0BSD
// Floating-point multiplier: factors of one format, product in binary32. IEEE-754, rounding to
// nearest even; subnormals, infinities and signed zeros are kept; every NaN is 0x7FC00000.
`default_nettype none

module td1_multiplier #(
    parameter WIDTH     = 16,  // bits of a factor: 1 + EXP + fraction
    parameter EXP       = 8,   // ... of which are the exponent: 8 (fp32, bf16) or 5 (fp16)
    parameter REGISTERS = 0    // pipeline registers between factors and product, 0..2
) (
    input  wire               clk_i,  // clock; unused without registers
    input  wire [REGISTERS:0] en_i,   // register k loads; the last bit is unused
    input  wire [  WIDTH-1:0] a_i,    // factor
    input  wire [  WIDTH-1:0] b_i,    // factor
    output wire [       31:0] y_o     // product, behind the registers
);
  localparam FRAC = WIDTH - 1 - EXP;            // bits of the fraction
  localparam SIGNIFICAND = 1 + FRAC;            // the fraction and its hidden bit
  localparam PRODUCT = 2 * SIGNIFICAND;         // an exact product of them: two integer bits
  localparam UNDERFLOWS = (EXP >= 8);           // smaller formats' products are normal in binary32
  localparam [8:0] REBIAS = 254 - 2 * ((1 << (EXP - 1)) - 1);  // from two biases to binary32's
  localparam PRODUCT_BITS = 12 + PRODUCT;       // nan, inf, sign, exponent (9), product
  localparam NORMALISED_BITS = 38;  // nan, inf, sign, exponent (9), hidden, fraction, 2 below

  // Stage 1: take the factors apart and multiply their significands exactly.
  function automatic [PRODUCT_BITS-1:0] multiply;  /*verilator no_inline_task*/
    input [WIDTH-1:0] a, b;
    reg a_normal, b_normal, a_special, b_special, a_zero, b_zero, nan, inf;
    reg [8:0] exponent;
    reg [PRODUCT-1:0] product;
    begin
      a_normal = |a[FRAC+:EXP];
      b_normal = |b[FRAC+:EXP];
      a_special = &a[FRAC+:EXP];
      b_special = &b[FRAC+:EXP];
      a_zero = ~|a[WIDTH-2:0];
      b_zero = ~|b[WIDTH-2:0];
      nan = (a_special & ((|a[FRAC-1:0]) | b_zero)) | (b_special & ((|b[FRAC-1:0]) | a_zero));
      inf = a_special | b_special;
      // A subnormal has the exponent of the smallest normal number, and no hidden one. a - ~b is
      // a + b + 1: 128 stands for the smallest normal exponent of a product, and 0 for a zero.
      exponent = {{9 - EXP{1'b0}}, a[FRAC+1+:EXP-1], a[FRAC] | ~a_normal}
               - ~{{9 - EXP{1'b0}}, b[FRAC+1+:EXP-1], b[FRAC] | ~b_normal} + REBIAS;
      if (a_zero | b_zero) exponent = 9'd0;
      product = {{SIGNIFICAND{1'b0}}, a_normal, a[FRAC-1:0]}
              * {{SIGNIFICAND{1'b0}}, b_normal, b[FRAC-1:0]};
      multiply = {nan, inf, a[WIDTH-1] ^ b[WIDTH-1], exponent, product};
    end
  endfunction

  // Stage 2: bring the first one to the top, though only as far as the exponent allows. A product
  // below the normal range moves down instead. One shifter does both: down is down by 32, then up
  // by the rest.
  function automatic [NORMALISED_BITS-1:0] normalise;  /*verilator no_inline_task*/
    input [PRODUCT_BITS-1:0] s;
    reg [2:0] flags;
    reg [8:0] exponent, biased;
    reg [47:0] product;
    reg [57:0] field;
    reg [15:1] x16;  // from the first one on, as far as it is known: in 16, 8, 4 places
    reg [7:1] x8;
    reg [3:1] x4;
    reg [4:0] distance;
    reg lost;
    begin
      flags = s[PRODUCT+9+:3];
      exponent = s[PRODUCT+:9];
      product = {s[PRODUCT-1:0], {48 - PRODUCT{1'b0}}};
      field = {product, 10'd0};
      lost = 1'b0;
      // More than 24 zeros are a product of subnormals, which moves down where it can underflow.
      x16 = (|product[47:32]) ? product[47:33] : {product[31:23], 6'd0};
      x8 = (|x16[15:8]) ? x16[15:9] : x16[7:1];
      x4 = (|x8[7:4]) ? x8[7:5] : x8[3:1];
      distance = {~|product[47:32], ~|x16[15:8], ~|x8[7:4], ~|x4[3:2],
                  ~((|x4[3:2]) ? x4[3] : x4[1])};
      biased = {exponent[8:7] - 2'd1, exponent[6:0]};
      if (UNDERFLOWS & exponent >= 9'd128 & {4'd0, distance} > biased) distance = biased[4:0];
      biased = biased - {4'd0, distance};
      if (exponent < 9'd128) begin
        biased = 9'd0;
        if (UNDERFLOWS) begin
          // More than 32 places are as good as 32: both leave less than half of the last place.
          distance = exponent[4:0] & {5{&exponent[6:5]}};
          field = {32'd0, product[47:22]};
          lost = |product[21:0];
        end
      end
      // Bits that stay below the result; the coarse half of the shift first needs fewest cells.
      lost = lost | (|(field[31:0] & (32'hffffffff >> distance)));
      field = (field << {distance[4:3], 3'd0}) << distance[2:0];
      normalise = {flags, biased, field[57:33], field[32] | lost};
    end
  endfunction

  // Stage 3: round to nearest even. The hidden one counts as one more of the exponent, and a carry
  // out of the fraction moves on into it, up to infinity.
  function automatic [31:0] round;  /*verilator no_inline_task*/
    input [NORMALISED_BITS-1:0] s;
    reg nan, inf, sign, hidden, guard, sticky;
    reg [8:0] exponent;
    reg [22:0] fraction;
    reg [30:0] rounded;
    begin
      {nan, inf, sign, exponent, hidden, fraction, guard, sticky} = s;
      rounded = {exponent[7:0], fraction} + {7'd0, hidden, 22'd0, guard & (sticky | fraction[0])};
      round = nan ? 32'h7fc00000
            : (inf | exponent >= 9'd254) ? {sign, 8'hff, 23'd0}
            : {sign, rounded};
    end
  endfunction

  wire unused_enables = &{1'b0, en_i};

  // The first cut follows the array of partial products, the longest stage. The second halves the
  // rest, which helps bf16; in fp32 and fp16 the array still sets the clock.
  if (REGISTERS == 0) begin : g_combinational
    wire unused = &{1'b0, clk_i};
    assign y_o = round(normalise(multiply(a_i, b_i)));
  end else begin : g_pipelined
    reg [PRODUCT_BITS-1:0] product_q;
    always @(posedge clk_i) if (en_i[0]) product_q <= multiply(a_i, b_i);
    if (REGISTERS == 1) begin : g_one
      assign y_o = round(normalise(product_q));
    end else begin : g_two
      reg [NORMALISED_BITS-1:0] normalised_q;
      always @(posedge clk_i) if (en_i[1]) normalised_q <= normalise(product_q);
      assign y_o = round(normalised_q);
    end
  end
endmodule
`default_nettype wire
