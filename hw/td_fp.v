// SPDX-License-Identifier: Apache-2.0
// Floating point operators as functions: multiply, add and conversion, cut into pipeline stages.
//
// IEEE-754 throughout: round to nearest even, subnormals, infinities and signed zeros kept; every
// NaN result is the canonical 0x7FC00000 (0x7FC0 in bfloat16). Products and sums are binary32.
// The two numbers below are the operand format: fp32 (8, 23), bf16 (8, 7) or fp16 (5, 10); work
// that a format cannot need disappears by conditions on them that are constant.
//
// With TD_FUNCTIONAL defined, simulation computes each operator in C (verify/functional.hpp): its
// first stage yields the result, which the later stages pass on.
package td_fp;
  localparam EXP  = 8;  // bits of an operand's exponent
  localparam FRAC = 7;  // bits of an operand's fraction

  localparam WIDTH = 1 + EXP + FRAC;  // bits of an operand

`ifdef TD_FUNCTIONAL
  // What passes from stage to stage is the result.
  localparam MUL_PRODUCT_BITS = 32;
  localparam MUL_NORMALISE_BITS = 32;
  localparam ADD_ORDER_BITS = 32;
  localparam ADD_SUM_BITS = 32;
  localparam ADD_NORMALISE_BITS = 32;

  function automatic [MUL_PRODUCT_BITS-1:0] mul_product;
    /*verilator no_inline_task*/
    input [WIDTH-1:0] a;
    input [WIDTH-1:0] b;
    mul_product = $c32("td::functional::mul(", a, ",", b, ",", EXP, ",", FRAC, ")");
  endfunction

  function automatic [MUL_NORMALISE_BITS-1:0] mul_normalise;
    /*verilator no_inline_task*/
    input [MUL_PRODUCT_BITS-1:0] product;
    mul_normalise = product;
  endfunction

  function automatic [31:0] mul_round;
    /*verilator no_inline_task*/
    input [MUL_NORMALISE_BITS-1:0] product;
    mul_round = product;
  endfunction

  function automatic [ADD_ORDER_BITS-1:0] add_order;
    /*verilator no_inline_task*/
    input [31:0] a;
    input [31:0] b;
    add_order = $c32("td::functional::add(", a, ",", b, ")");
  endfunction

  function automatic [ADD_SUM_BITS-1:0] add_sum;
    /*verilator no_inline_task*/
    input [ADD_ORDER_BITS-1:0] sum;
    add_sum = sum;
  endfunction

  function automatic [ADD_NORMALISE_BITS-1:0] add_normalise;
    /*verilator no_inline_task*/
    input [ADD_SUM_BITS-1:0] sum;
    add_normalise = sum;
  endfunction

  function automatic [31:0] add_round;
    /*verilator no_inline_task*/
    input [ADD_NORMALISE_BITS-1:0] sum;
    add_round = sum;
  endfunction

  function automatic [15:0] to_bf16;
    /*verilator no_inline_task*/
    input [31:0] x;
    to_bf16 = $c32("td::functional::to_bf16(", x, ")");
  endfunction
`else
  localparam SIGNIFICAND = 1 + FRAC;   // the fraction and its hidden bit
  localparam PRODUCT = 2 * SIGNIFICAND;  // an exact product of significands: 2 integer bits
  localparam UNDERFLOWS = (EXP >= 8);  // products of smaller formats are normal in binary32
  localparam [9:0] REBIAS = 127 - 2 * ((1 << (EXP - 1)) - 1);  // two operand biases to binary32's

  localparam MUL_PRODUCT_BITS = 13 + PRODUCT;  // sign, nan, inf, exponent (10), product
  localparam MUL_NORMALISE_BITS = 37;  // sign, nan, inf, exponent (9), fraction, guard, rest
  localparam ADD_ORDER_BITS = 63;      // nan, subtract, distance (5), smaller (24), larger
  localparam ADD_SUM_BITS = 40;        // sign, nan, inf, subtract, exponent (8), sum (28)
  localparam ADD_NORMALISE_BITS = 36;  // sign, nan, inf, exponent (8), fraction, guard, rest

  // Zeros in front of the first one of x; its last place decides nothing and is left out.
  function automatic [4:0] leading_zeros;
    /*verilator no_inline_task*/
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

  // Multiplier, stage 1: take the operands apart and multiply the significands exactly.
  function automatic [MUL_PRODUCT_BITS-1:0] mul_product;
    /*verilator no_inline_task*/
    input [WIDTH-1:0] a;
    input [WIDTH-1:0] b;
    reg a_normal, b_normal, a_zero, b_zero, a_special, b_special, a_nan, b_nan;
    reg nan, inf;
    reg [9:0] exponent;
    reg [PRODUCT-1:0] product;
    begin
      a_normal = |a[FRAC+:EXP];
      b_normal = |b[FRAC+:EXP];
      a_special = &a[FRAC+:EXP];
      b_special = &b[FRAC+:EXP];
      a_zero = ~|a[WIDTH-2:0];
      b_zero = ~|b[WIDTH-2:0];
      a_nan = a_special & |a[FRAC-1:0];
      b_nan = b_special & |b[FRAC-1:0];
      nan = a_nan | b_nan | (a_special & b_zero) | (b_special & a_zero);
      inf = a_special | b_special;
      // A subnormal has the exponent of the smallest normal number, and no hidden one.
      exponent = {{(10 - EXP) {1'b0}}, a[FRAC+1+:EXP-1], a[FRAC] | ~a_normal}
               + {{(10 - EXP) {1'b0}}, b[FRAC+1+:EXP-1], b[FRAC] | ~b_normal} + REBIAS;
      product = {{SIGNIFICAND{1'b0}}, a_normal, a[FRAC-1:0]}
              * {{SIGNIFICAND{1'b0}}, b_normal, b[FRAC-1:0]};
      mul_product = {a[WIDTH-1] ^ b[WIDTH-1], nan, inf, exponent, product};
    end
  endfunction

  // Multiplier, stage 2: bring the first one to the top, but only as far as the exponent allows;
  // a product below the normal range moves down instead. One shifter does both: down is down by
  // 32, then up by the rest.
  function automatic [MUL_NORMALISE_BITS-1:0] mul_normalise;
    /*verilator no_inline_task*/
    input [MUL_PRODUCT_BITS-1:0] s;
    reg [9:0] exponent;  // of a one in the product's second bit; negative: below the normal range
    reg [63:0] field;
    reg [63:0] shifted;
    reg [4:0] distance;
    reg [8:0] biased;
    begin
      exponent = s[PRODUCT+:10];
      field = {s[PRODUCT-1:0], {(64 - PRODUCT) {1'b0}}};
      distance = leading_zeros(field[63:33]);
      if (UNDERFLOWS) begin
        if (exponent[9]) begin
          // More than 32 places are as good as 32: less than half of the last place.
          distance = (&exponent[8:5]) ? exponent[4:0] : 5'd0;
          field = {32'd0, field[63:40], |field[39:0], 7'd0};
        end else if ({5'd0, distance} > exponent) distance = exponent[4:0];
      end
      shifted = field << distance;
      biased = shifted[63] ? exponent[8:0] + 9'd1 - {4'd0, distance} : 9'd0;
      mul_normalise = {s[PRODUCT+10+:3], biased, shifted[62:39], |shifted[38:0]};
    end
  endfunction

  // Multiplier, stage 3: round to nearest even; a carry out of the fraction moves on into the
  // exponent, up to infinity, by itself.
  function automatic [31:0] mul_round;
    /*verilator no_inline_task*/
    input [MUL_NORMALISE_BITS-1:0] s;
    reg [30:0] rounded;
    begin
      rounded = s[32:2] + {30'd0, s[1] & (s[0] | s[2])};
      mul_round = s[35] ? 32'h7fc00000
                : (s[34] | s[33] | &s[32:25]) ? {s[36], 8'hff, 23'd0}
                : {s[36], rounded};
    end
  endfunction

  // Adder, stage 1: put the larger magnitude first.
  function automatic [ADD_ORDER_BITS-1:0] add_order;
    /*verilator no_inline_task*/
    input [31:0] a;
    input [31:0] b;
    reg swap, subtract, nan, larger_subnormal, smaller_subnormal;
    reg [31:0] larger;
    reg [30:0] smaller;
    reg [7:0] difference;
    reg [4:0] distance;
    begin
      swap = (a[30:0] < b[30:0]);
      larger = swap ? b : a;
      smaller = swap ? a[30:0] : b[30:0];
      subtract = a[31] ^ b[31];
      // A NaN is larger than an infinity, and only an infinity or a NaN is not smaller than one.
      nan = (&larger[30:23]) & ((|larger[22:0]) | ((&smaller[30:23]) & subtract));
      larger_subnormal = ~|larger[30:23];
      smaller_subnormal = ~|smaller[30:23];
      difference = {larger[30:24], larger[23] | larger_subnormal}
                 - {smaller[30:24], smaller[23] | smaller_subnormal};
      distance = difference[4:0] | {5{|difference[7:5]}};  // 31 is as good as any more
      add_order = {nan, subtract, distance, ~smaller_subnormal, smaller[22:0], larger};
    end
  endfunction

  // Adder, stage 2: align the smaller significand with the larger one, keep two more bits and
  // whether anything was lost, and add or subtract.
  function automatic [ADD_SUM_BITS-1:0] add_sum;
    /*verilator no_inline_task*/
    input [ADD_ORDER_BITS-1:0] s;
    reg subnormal, inf, lost;
    reg [25:0] smaller;
    reg [25:0] aligned;
    reg [27:0] larger;
    reg [27:0] sum;
    begin
      subnormal = ~|s[30:23];
      inf = &s[30:23];
      smaller = {s[55:32], 2'd0};
      aligned = smaller >> s[60:56];
      lost = |(smaller & ~(26'h3ffffff << s[60:56]));
      larger = {1'b0, ~subnormal, s[22:0], 3'd0};
      sum = s[61] ? larger - {1'b0, aligned, lost} : larger + {1'b0, aligned, lost};
      add_sum = {s[31], s[62], inf, s[61], s[30:24], s[23] | subnormal, sum};
    end
  endfunction

  // Adder, stage 3: bring the first one to the top, as far as the exponent allows.
  function automatic [ADD_NORMALISE_BITS-1:0] add_normalise;
    /*verilator no_inline_task*/
    input [ADD_SUM_BITS-1:0] s;
    reg sign;
    reg [4:0] zeros;
    reg [4:0] distance;
    reg [27:0] shifted;
    reg [7:0] biased;
    begin
      // Equal magnitudes cancel to +0.
      sign = s[39] & ~(s[36] & (s[27:0] == 28'd0));
      zeros = leading_zeros({s[27:0], 3'd0});
      distance = ({3'd0, zeros} > s[35:28]) ? s[32:28] : zeros;
      shifted = s[27:0] << distance;
      biased = shifted[27] ? s[35:28] + 8'd1 - {3'd0, distance} : 8'd0;
      add_normalise = {sign, s[38:37], biased, shifted[26:3], |shifted[2:0]};
    end
  endfunction

  // Adder, stage 4: round to nearest even, as the multiplier does.
  function automatic [31:0] add_round;
    /*verilator no_inline_task*/
    input [ADD_NORMALISE_BITS-1:0] s;
    reg [30:0] rounded;
    begin
      rounded = s[32:2] + {30'd0, s[1] & (s[0] | s[2])};
      add_round = s[34] ? 32'h7fc00000
                : (s[33] | &s[32:25]) ? {s[35], 8'hff, 23'd0}
                : {s[35], rounded};
    end
  endfunction

  // binary32 to bfloat16: round to nearest even, overflow to infinity by carry.
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

  // a * b, rounded to binary32.
  function automatic [31:0] mul;
    /*verilator no_inline_task*/
    input [WIDTH-1:0] a;
    input [WIDTH-1:0] b;
    mul = mul_round(mul_normalise(mul_product(a, b)));
  endfunction

  // a + b in binary32.
  function automatic [31:0] add;
    /*verilator no_inline_task*/
    input [31:0] a;
    input [31:0] b;
    add = add_round(add_normalise(add_sum(add_order(a, b))));
  endfunction
endpackage
