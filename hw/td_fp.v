// SPDX-License-Identifier: Apache-2.0
// Floating point operators as functions: multiply, add and conversion, cut into pipeline stages.
//
// IEEE-754 throughout: round to nearest even; subnormals, infinities and signed zeros kept; every
// NaN result is the canonical 0x7FC00000 (0x7FC0 in bfloat16). Products and sums are binary32.
// The two numbers below are the operand format: fp32 (8, 23), bf16 (8, 7) or fp16 (5, 10); work
// that a format cannot need disappears by conditions on them that are constant.
//
// In simulation a function is called, not copied into every place of use. A stage also has a
// form that is copied, named ..._inline, so that a whole operator is one call.
package td_fp;
  localparam EXP  = 8;  // bits of an operand's exponent
  localparam FRAC = 7;  // bits of an operand's fraction

  localparam WIDTH = 1 + EXP + FRAC;  // bits of an operand

`ifdef TD_FUNCTIONAL
  // Simulation only: the first stage has the whole result from C, verify/functional.hpp, and the
  // later stages pass it on.
  localparam MUL_PRODUCT_BITS = 32;
  localparam MUL_NORMALISE_BITS = 32;
  localparam ADD_ORDER_BITS = 32;
  localparam ADD_SUM_BITS = 32;
  localparam ADD_NORMALISE_BITS = 32;

  function automatic [MUL_PRODUCT_BITS-1:0] mul_product;
    input [WIDTH-1:0] a, b;
    mul_product = $c32("td::functional::mul(", a, ",", b, ",", EXP, ",", FRAC, ")");
  endfunction

  function automatic [ADD_ORDER_BITS-1:0] add_order;
    input [31:0] a, b;
    add_order = $c32("td::functional::add(", a, ",", b, ")");
  endfunction

  function automatic [15:0] to_bf16;
    input [31:0] x;
    to_bf16 = $c32("td::functional::to_bf16(", x, ")");
  endfunction

  function automatic [MUL_NORMALISE_BITS-1:0] mul_normalise;
    input [MUL_PRODUCT_BITS-1:0] s; mul_normalise = s;
  endfunction
  function automatic [31:0] mul_round;
    input [MUL_NORMALISE_BITS-1:0] s; mul_round = s;
  endfunction
  function automatic [ADD_SUM_BITS-1:0] add_sum;
    input [ADD_ORDER_BITS-1:0] s; add_sum = s;
  endfunction
  function automatic [ADD_NORMALISE_BITS-1:0] add_normalise;
    input [ADD_SUM_BITS-1:0] s; add_normalise = s;
  endfunction
  function automatic [31:0] add_round;
    input [ADD_NORMALISE_BITS-1:0] s; add_round = s;
  endfunction
  function automatic [31:0] mul;
    input [WIDTH-1:0] a, b;
    mul = mul_product(a, b);
  endfunction
  function automatic [31:0] add;
    input [31:0] a, b;
    add = add_order(a, b);
  endfunction
`else
  localparam SIGNIFICAND = 1 + FRAC;     // the fraction and its hidden bit
  localparam PRODUCT = 2 * SIGNIFICAND;  // an exact product of significands: two integer bits
  localparam UNDERFLOWS = (EXP >= 8);    // products of smaller formats are normal in binary32
  localparam [8:0] REBIAS = 254 - 2 * ((1 << (EXP - 1)) - 1);  // from two biases to binary32's

  localparam MUL_PRODUCT_BITS = 12 + PRODUCT;  // nan, inf, sign, exponent (9), product
  localparam MUL_NORMALISE_BITS = 38;  // nan, inf, sign, exponent (9), hidden, fraction, 2 below
  localparam ADD_ORDER_BITS = 63;      // nan, subtract, distance (5), smaller (24), larger (32)
  localparam ADD_SUM_BITS = 39;        // nan, subtract, sign, exponent (8), sum (28)
  localparam ADD_NORMALISE_BITS = 36;  // nan, sign, exponent (8), hidden, fraction, 2 below

  // Zeros in front of the first one of x; its last place decides nothing and is left out.
  function automatic [4:0] leading_zeros;
    input [31:1] x;
    reg [15:1] half;
    reg [7:1] quarter;
    reg [3:1] nibble;
    begin
      leading_zeros[4] = (x[31:16] == 16'd0);
      half = leading_zeros[4] ? x[15:1] : x[31:17];
      leading_zeros[3] = (half[15:8] == 8'd0);
      quarter = leading_zeros[3] ? half[7:1] : half[15:9];
      leading_zeros[2] = (quarter[7:4] == 4'd0);
      nibble = leading_zeros[2] ? quarter[3:1] : quarter[7:5];
      leading_zeros[1] = (nibble[3:2] == 2'd0);
      leading_zeros[0] = ~(leading_zeros[1] ? nibble[1] : nibble[3]);
    end
  endfunction

  // Exact product of two significands.
  function automatic [PRODUCT-1:0] significand_product;
    input [SIGNIFICAND-1:0] a, b;
`ifdef YOSYS
    // Yosys adds one row of partial products for each bit of b. One row for each radix-4 Booth
    // digit takes less area, except for short significands. Other tools choose by themselves.
    localparam [PRODUCT+1:0] EVEN = {(SIGNIFICAND + 1) {2'b01}};  // where rows begin
    integer i;
    reg once, twice;
    reg [SIGNIFICAND+2:0] digits;
    reg [SIGNIFICAND:0] row;
    reg [PRODUCT+1:0] negative, signs, sum;
    begin
      digits = {2'd0, b, 1'b0};
      negative = {{(SIGNIFICAND + 1) {1'b0}}, digits[SIGNIFICAND+2:2]} & EVEN;
      signs = EVEN << (SIGNIFICAND + 1);
      sum = 0;
      for (i = 0; i <= SIGNIFICAND; i = i + 2) begin
        once = digits[i] ^ digits[i+1];
        twice = (digits[i+1] ^ digits[i+2]) & ~once;
        row = ({1'b0, a} & {(SIGNIFICAND + 1) {once}}) | ({a, 1'b0} & {(SIGNIFICAND + 1) {twice}});
        // A negative row is its complement and one; -sign is ~sign - 1, for all rows one constant.
        sum = sum + ({{SIGNIFICAND{1'b0}}, ~digits[i+2],
                      row ^ {(SIGNIFICAND + 1) {digits[i+2]}}} << i);
      end
      sum = sum + negative - signs;
      significand_product = (SIGNIFICAND > 8) ? sum[PRODUCT-1:0]
                          : {{SIGNIFICAND{1'b0}}, a} * {{SIGNIFICAND{1'b0}}, b};
    end
`else
    significand_product = {{SIGNIFICAND{1'b0}}, a} * {{SIGNIFICAND{1'b0}}, b};
`endif
  endfunction

  // Multiplier, stage 1: take the operands apart and multiply their significands exactly.
  function automatic [MUL_PRODUCT_BITS-1:0] mul_product_inline;
    input [WIDTH-1:0] a, b;
    reg a_normal, b_normal, a_special, b_special, a_zero, b_zero, nan, inf;
    reg [8:0] exponent;
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
      exponent = {{(9 - EXP) {1'b0}}, a[FRAC+1+:EXP-1], a[FRAC] | ~a_normal}
               - ~{{(9 - EXP) {1'b0}}, b[FRAC+1+:EXP-1], b[FRAC] | ~b_normal} + REBIAS;
      if (a_zero | b_zero) exponent = 9'd0;
      mul_product_inline = {nan, inf, a[WIDTH-1] ^ b[WIDTH-1], exponent,
                            significand_product({a_normal, a[FRAC-1:0]}, {b_normal, b[FRAC-1:0]})};
    end
  endfunction

  // Multiplier, stage 2: bring the first one to the top, though only as far as the exponent
  // allows. A product below the normal range moves down instead. One shifter does both: down is
  // down by 32, then up by the rest.
  function automatic [MUL_NORMALISE_BITS-1:0] mul_normalise_inline;
    input [MUL_PRODUCT_BITS-1:0] s;
    reg [2:0] flags;
    reg [8:0] exponent, biased;
    reg [47:0] product;
    reg [57:0] field;
    reg [4:0] distance;
    reg lost;
    begin
      flags = s[PRODUCT+9+:3];
      exponent = s[PRODUCT+:9];
      product = {s[PRODUCT-1:0], {(48 - PRODUCT) {1'b0}}};
      field = {product, 10'd0};
      lost = 1'b0;
      // More than 24 zeros are a product of subnormals, which moves down where it can underflow.
      distance = leading_zeros({product[47:23], 6'd0});
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
      mul_normalise_inline = {flags, biased, field[57:33], field[32] | lost};
    end
  endfunction

  // Multiplier, stage 3: round to nearest even. The hidden one counts as one more of the
  // exponent, and a carry out of the fraction moves on into it, up to infinity.
  function automatic [31:0] mul_round_inline;
    input [MUL_NORMALISE_BITS-1:0] s;
    reg nan, inf, sign, hidden, guard, rest;
    reg [8:0] exponent;
    reg [22:0] fraction;
    reg [30:0] rounded;
    begin
      {nan, inf, sign, exponent, hidden, fraction, guard, rest} = s;
      rounded = {exponent[7:0], fraction}
              + {7'd0, hidden, 22'd0, guard & (rest | fraction[0])};
      mul_round_inline = nan ? 32'h7fc00000
                       : (inf | exponent >= 9'd254) ? {sign, 8'hff, 23'd0}
                       : {sign, rounded};
    end
  endfunction

  // Adder, stage 1: put the larger magnitude first and find how far apart the exponents are.
  function automatic [ADD_ORDER_BITS-1:0] add_order_inline;
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
      add_order_inline = {nan, subtract, distance, smaller_normal, smaller[22:0], larger};
    end
  endfunction

  // Adder, stage 2: align the smaller significand, keeping two more places and whether anything
  // was lost below them; then add or subtract it.
  function automatic [ADD_SUM_BITS-1:0] add_sum_inline;
    input [ADD_ORDER_BITS-1:0] s;
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
      add_sum_inline = {s[62:61], s[31:24], s[23] | ~normal, sum};
    end
  endfunction

  // Adder, stage 3: bring the first one to the top, though only as far as the exponent allows.
  function automatic [ADD_NORMALISE_BITS-1:0] add_normalise_inline;
    input [ADD_SUM_BITS-1:0] s;
    reg nan, subtract, sign;
    reg [7:0] exponent, biased;
    reg [27:0] sum, shifted;
    reg [4:0] distance;
    begin
      {nan, subtract, sign, exponent, sum} = s;
      distance = leading_zeros({sum, 3'd0});
      if ({3'd0, distance} > exponent) distance = exponent[4:0];
      shifted = sum << distance;
      biased = exponent - {3'd0, distance};
      if (~shifted[27]) biased = 8'd0;
      biased = biased | {8{&exponent}};  // infinity stays, whatever was subtracted
      sign = sign & ~(subtract & (sum == 28'd0));  // equal magnitudes cancel to +0
      add_normalise_inline = {nan, sign, biased, shifted[27:3], |shifted[2:0]};
    end
  endfunction

  // Adder, stage 4: round to nearest even, as the multiplier does.
  function automatic [31:0] add_round_inline;
    input [ADD_NORMALISE_BITS-1:0] s;
    reg nan, sign, hidden, guard, rest;
    reg [7:0] exponent;
    reg [22:0] fraction;
    reg [30:0] rounded;
    begin
      {nan, sign, exponent, hidden, fraction, guard, rest} = s;
      rounded = {exponent, fraction} + {7'd0, hidden, 22'd0, guard & (rest | fraction[0])};
      add_round_inline = nan ? 32'h7fc00000
                       : (exponent >= 8'd254) ? {sign, 8'hff, 23'd0}
                       : {sign, rounded};
    end
  endfunction

  // The stages as calls, for pipelines.
  function automatic [MUL_PRODUCT_BITS-1:0] mul_product;
    /*verilator no_inline_task*/
    input [WIDTH-1:0] a, b; mul_product = mul_product_inline(a, b);
  endfunction
  function automatic [MUL_NORMALISE_BITS-1:0] mul_normalise;
    /*verilator no_inline_task*/
    input [MUL_PRODUCT_BITS-1:0] s; mul_normalise = mul_normalise_inline(s);
  endfunction
  function automatic [31:0] mul_round;
    /*verilator no_inline_task*/
    input [MUL_NORMALISE_BITS-1:0] s; mul_round = mul_round_inline(s);
  endfunction
  function automatic [ADD_ORDER_BITS-1:0] add_order;
    /*verilator no_inline_task*/
    input [31:0] a, b; add_order = add_order_inline(a, b);
  endfunction
  function automatic [ADD_SUM_BITS-1:0] add_sum;
    /*verilator no_inline_task*/
    input [ADD_ORDER_BITS-1:0] s; add_sum = add_sum_inline(s);
  endfunction
  function automatic [ADD_NORMALISE_BITS-1:0] add_normalise;
    /*verilator no_inline_task*/
    input [ADD_SUM_BITS-1:0] s; add_normalise = add_normalise_inline(s);
  endfunction
  function automatic [31:0] add_round;
    /*verilator no_inline_task*/
    input [ADD_NORMALISE_BITS-1:0] s; add_round = add_round_inline(s);
  endfunction

  // a * b, rounded to binary32.
  function automatic [31:0] mul;
    /*verilator no_inline_task*/
    input [WIDTH-1:0] a, b;
    mul = mul_round_inline(mul_normalise_inline(mul_product_inline(a, b)));
  endfunction

  // a + b in binary32.
  function automatic [31:0] add;
    /*verilator no_inline_task*/
    input [31:0] a, b;
    add = add_round_inline(add_normalise_inline(add_sum_inline(add_order_inline(a, b))));
  endfunction

  // x rounded to bfloat16, to nearest even; overflow becomes infinity by carry.
  function automatic [15:0] to_bf16;
    /*verilator no_inline_task*/
    input [31:0] x;
    reg nan, up;
    begin
      nan = (&x[30:23]) & (|x[22:0]);
      up = x[15] & (x[16] | (|x[14:0]));
      to_bf16 = nan ? 16'h7fc0 : x[31:16] + {15'd0, up};
    end
  endfunction
`endif
endpackage
