// SPDX-License-Identifier: 0BSD
// Sum of a row's products as one integer: exact products are moved down to the largest exponent,
// cut off below its last place, and added. docs/microarchitecture.md has the rules.
`default_nettype none

module td1_fused_sum #(
    parameter LANES                = 16,  // 2..64
    parameter WIDTH                = 16,  // bits of an operand: 1 + EXP + fraction
    parameter EXP                  = 8,   // ... of which are the exponent, 2..8
    parameter GUARD                = 21,  // places kept below those of a product, 1 or more
    parameter MULTIPLIER_REGISTERS = 0,   // behind products, in the tree of the largest, 0..2
    parameter ADDER_REGISTERS      = 0,   // 1, 2: at the last carries; 3: and half the terms; 0..3
    parameter TREE_REGISTERS       = 1,   // before and behind the shifters, behind the sum, 0..2
    parameter CLOCKS               = 3    // registers from operands to the sum, by the above
) (
    input  wire                                       clk_i,       // clock
    input  wire [               LANES*(CLOCKS+1)-1:0] load_i,      // see td1_live
    input  wire [                           CLOCKS:0] row_load_i,
    input  wire [                    LANES*WIDTH-1:0] a_i,         // factors
    input  wire [                    LANES*WIDTH-1:0] b_i,         // factors
    // Behind all registers
    output wire                                       nan_o,       // the sum is no number
    output wire                                       inf_o,       // ... or infinite
    output wire                                       negative_o,  // ... and below zero
    output wire [                              EXP:0] exponent_o,  // of a place; 0: no products
    output wire [2*(WIDTH-EXP)+GUARD+$clog2(LANES):0] sum_o        // two's complement
);
  localparam FRAC = WIDTH - 1 - EXP;
  localparam PRODUCT = 2 * (FRAC + 1);
  localparam MAGNITUDE = PRODUCT + GUARD;
  localparam LEVELS = $clog2(LANES);
  localparam REACH = $clog2(MAGNITUDE);  // bits of a distance that leaves anything
  localparam SHIFT = (REACH < EXP + 1) ? REACH : EXP + 1;
  // Registers of the pipeline: how many of a kind, and the number of the first one.
  localparam MULTIPLIED = (MULTIPLIER_REGISTERS > 0) ? 1 : 0;
  localparam HALVED = MULTIPLIER_REGISTERS - MULTIPLIED;
  localparam TERM = MULTIPLIER_REGISTERS + TREE_REGISTERS;
  localparam CARRY = TERM + TREE_REGISTERS;
  localparam CARRIES = (ADDER_REGISTERS + 1) / 2;
  wire unused = &{1'b0, row_load_i};

  genvar level, i;
  // Sum of the factors' exponents. A zero, whatever its exponent, must not decide the largest.
  function automatic [EXP:0] add_exponents;  /*verilator no_inline_task*/
    input [WIDTH-2:0] a, b;
    begin
      add_exponents = {1'b0, a[FRAC+1+:EXP-1], a[FRAC] | ~(|a[FRAC+:EXP])}
                    + {1'b0, b[FRAC+1+:EXP-1], b[FRAC] | ~(|b[FRAC+:EXP])};
      if (~(|a) | ~(|b)) add_exponents = {EXP + 1{1'b0}};
    end
  endfunction

  wire [LANES-1:0] nan, infinite, negative;
  for (i = 0; i < LANES; i = i + 1) begin : g_lane
    wire [CLOCKS:0] load = load_i[i*(CLOCKS+1)+:CLOCKS+1];
    wire unused_load = &{1'b0, load};
    wire [EXP:0] early = add_exponents(a_i[i*WIDTH+:WIDTH-1], b_i[i*WIDTH+:WIDTH-1]);
    wire [EXP:0] exponent;
    wire [PRODUCT-1:0] factor, product;
    wire minus;
    td1_fused_product #(.WIDTH(WIDTH), .EXP(EXP), .REGISTERS(MULTIPLIED)) u_product (
        .clk_i(clk_i), .en_i(load[0]), .a_i(a_i[i*WIDTH+:WIDTH]), .b_i(b_i[i*WIDTH+:WIDTH]),
        .nan_o(nan[i]), .inf_o(infinite[i]), .negative_o(negative[i]), .product_o(factor)
    );
    td1_pipe #(.WIDTH(EXP + 1), .REGISTERS(MULTIPLIER_REGISTERS)) u_exponent (
        .clk_i(clk_i), .en_i(load[0+:MULTIPLIER_REGISTERS+1]), .x_i(early), .y_o(exponent)
    );
    td1_pipe #(.WIDTH(1 + PRODUCT), .REGISTERS(HALVED)) u_wait (
        .clk_i(clk_i), .en_i(load[MULTIPLIED+:HALVED+1]),
        .x_i({negative[i], factor}), .y_o({minus, product})
    );
  end

  // The largest exponent: the first half of its levels is beside the multipliers.
  for (level = 0; level <= LEVELS; level = level + 1) begin : g_level
    localparam BELOW = (level == 0) ? 2 * LANES : ((LANES - 1) >> (level - 1)) + 1;
    localparam FIRST = (level == LEVELS / 2) ? 0 : MULTIPLIED;
    localparam HELD = ((level == LEVELS / 2) ? MULTIPLIED : 0)
                    + ((level == LEVELS * 3 / 4) ? HALVED : 0);
    for (i = 0; i < (BELOW + 1) / 2; i = i + 1) begin : g_node
      wire [EXP:0] value, held;
      if (level == 0) begin : g_leaf
        assign value = g_lane[i].early;
      end else if (2 * i + 1 < BELOW) begin : g_pair
        assign value = (g_level[level-1].g_node[2*i].held > g_level[level-1].g_node[2*i+1].held)
                     ? g_level[level-1].g_node[2*i].held : g_level[level-1].g_node[2*i+1].held;
      end else begin : g_odd
        assign value = g_level[level-1].g_node[2*i].held;
      end
      td1_pipe #(.WIDTH(EXP + 1), .REGISTERS(HELD)) u_pipe (
          .clk_i(clk_i), .en_i(row_load_i[FIRST+:HELD+1]), .x_i(value), .y_o(held)
      );
    end
  end
  wire [EXP:0] largest = g_level[LEVELS].g_node[0].held;

  function automatic [MAGNITUDE-1:0] shift;  /*verilator no_inline_task*/
    input [PRODUCT-1:0] product;
    input [EXP:0] distance;
    reg [MAGNITUDE-1:0] field;
    begin
      field = {product, {GUARD{1'b0}}} >> distance[SHIFT-1:0];
      shift = (|(distance >> SHIFT)) ? {MAGNITUDE{1'b0}} : field;
    end
  endfunction

  wire [LANES*(MAGNITUDE+1)-1:0] terms;
  for (i = 0; i < LANES; i = i + 1) begin : g_aligned
    wire minus;
    wire [EXP:0] distance;
    wire [PRODUCT-1:0] product;
    td1_pipe #(.WIDTH(EXP + 2 + PRODUCT), .REGISTERS(TREE_REGISTERS)) u_distance (
        .clk_i(clk_i), .en_i(g_lane[i].load[MULTIPLIER_REGISTERS+:TREE_REGISTERS+1]),
        .x_i({g_lane[i].minus, largest - g_lane[i].exponent, g_lane[i].product}),
        .y_o({minus, distance, product})
    );
    td1_pipe #(.WIDTH(MAGNITUDE + 1), .REGISTERS(TREE_REGISTERS)) u_term (
        .clk_i(clk_i), .en_i(g_lane[i].load[TERM+:TREE_REGISTERS+1]),
        .x_i({1'b1, shift(product, distance)} ^ {MAGNITUDE + 1{minus}}),
        .y_o(terms[i*(MAGNITUDE+1)+:MAGNITUDE+1])
    );
    wire [LEVELS:0] minuses;  // of this lane and those before it
    if (i == 0) begin : g_first
      assign minuses = {{LEVELS{1'b0}}, minus};
    end else begin : g_next
      assign minuses = g_aligned[i-1].minuses + {{LEVELS{1'b0}}, minus};
    end
  end
  wire [LEVELS:0] ones;
  td1_pipe #(.WIDTH(LEVELS + 1), .REGISTERS(TREE_REGISTERS)) u_ones (
      .clk_i(clk_i), .en_i(row_load_i[TERM+:TREE_REGISTERS+1]),
      .x_i(g_aligned[LANES-1].minuses), .y_o(ones)
  );

  wire [MAGNITUDE+LEVELS:0] sum;
  td1_fused_terms #(.LANES(LANES), .WIDTH(MAGNITUDE + 1), .REGISTERS(CARRIES)) u_terms (
      .clk_i(clk_i), .en_i(row_load_i[CARRY+:CARRIES+1]), .terms_i(terms), .ones_i(ones),
      .sum_o(sum)
  );
  td1_pipe #(.WIDTH(MAGNITUDE + LEVELS + 1), .REGISTERS(TREE_REGISTERS)) u_sum (
      .clk_i(clk_i), .en_i(row_load_i[CARRY+CARRIES+:TREE_REGISTERS+1]), .x_i(sum), .y_o(sum_o)
  );

  // What goes beside it.
  wire plus_inf = |(infinite & ~negative);
  wire minus_inf = |(infinite & negative);
  td1_pipe #(.WIDTH(3), .REGISTERS(CLOCKS - MULTIPLIED)) u_special (
      .clk_i(clk_i), .en_i(row_load_i[CLOCKS:MULTIPLIED]),
      .x_i({(|nan) | (plus_inf & minus_inf), |infinite, minus_inf}),
      .y_o({nan_o, inf_o, negative_o})
  );
  td1_pipe #(.WIDTH(EXP + 1), .REGISTERS(CLOCKS - MULTIPLIER_REGISTERS)) u_exponent (
      .clk_i(clk_i), .en_i(row_load_i[CLOCKS:MULTIPLIER_REGISTERS]), .x_i(largest), .y_o(exponent_o)
  );
endmodule
`default_nettype wire
