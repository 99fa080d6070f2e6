// SPDX-License-Identifier: 0BSD
// Processing element: a multiplier for each lane, the tree that adds their products, and partial
// accumulators that take the sums in turn and are added up at the end of an output.
`default_nettype none

module td1_pe #(
    parameter LANES                = 16,  // 2..64
    parameter WIDTH                = 16,  // bits of an operand: 1 + EXP + fraction
    parameter EXP                  = 8,   // ... of which are the exponent
    parameter ACCUMULATORS         = 1,   // 1..8
    parameter MULTIPLIER_REGISTERS = 0,   // inside each multiplier, 0..2
    parameter ADDER_REGISTERS      = 0,   // inside each adder of the trees, 0..3
    parameter TREE_REGISTERS       = 1,   // in front of each adder, 0..2
    parameter ACCUMULATE_REGISTERS = 0    // inside the accumulators' adder, 0..3, < ACCUMULATORS
) (
    input  wire                    clk_i,    // clock
    input  wire                    en_i,     // the pipeline moves
    // Operands of the lanes
    input  wire [ LANES*WIDTH-1:0] a_i,
    input  wire [ LANES*WIDTH-1:0] b_i,
    // Accumulators, see td1_sequencer
    input  wire [ACCUMULATORS-1:0] turn_i,   // that the arriving sum adds to, one-hot
    input  wire                    fresh_i,  // ... holds nothing of this output yet
    input  wire [ACCUMULATORS-1:0] load_i,   // that loads, one-hot or none
    input  wire                    first_i,  // ... with the first sum of an output
    output wire [            31:0] result_o  // the output, binary32
);
  wire [LANES*32-1:0] products;
  genvar i;
  for (i = 0; i < LANES; i = i + 1) begin : g_lane
    td1_multiplier #(.WIDTH(WIDTH), .EXP(EXP), .REGISTERS(MULTIPLIER_REGISTERS)) u_multiplier (
        .clk_i(clk_i),
        .en_i (en_i),
        .a_i  (a_i[i*WIDTH+:WIDTH]),
        .b_i  (b_i[i*WIDTH+:WIDTH]),
        .y_o  (products[i*32+:32])
    );
  end

  wire [31:0] addend;
  td1_adder_tree #(
      .LEAVES(LANES), .ADDER_REGISTERS(ADDER_REGISTERS), .LEVEL_REGISTERS(TREE_REGISTERS),
      .SUM_REGISTERS(TREE_REGISTERS)
  ) u_sum (
      .clk_i(clk_i),
      .en_i (en_i),
      .x_i  (products),
      .sum_o(addend)
  );

  // A fresh accumulator starts at +0. The first sum of an output clears all others: what the output
  // before left in them does not belong to this one.
  wire [31:0] augend, accumulated;
  wire [ACCUMULATORS*32-1:0] held;
  for (i = 0; i < ACCUMULATORS; i = i + 1) begin : g_accumulator
    reg  [31:0] value_q;
    wire [31:0] chosen;  // by turn_i, of this accumulator and those before it
    always @(posedge clk_i) begin
      if (en_i) begin
        if (load_i[i]) value_q <= accumulated;
        else if (i > 0 && load_i[0] & first_i) value_q <= 32'd0;
      end
    end
    assign held[i*32+:32] = value_q;
    if (i == 0) begin : g_first
      assign chosen = {32{turn_i[i] & ~fresh_i}} & value_q;
    end else begin : g_next
      assign chosen = g_accumulator[i-1].chosen | ({32{turn_i[i] & ~fresh_i}} & value_q);
    end
  end
  assign augend = g_accumulator[ACCUMULATORS-1].chosen;
  td1_adder #(.REGISTERS(ACCUMULATE_REGISTERS)) u_accumulate (
      .clk_i(clk_i),
      .en_i (en_i),
      .a_i  (augend),
      .b_i  (addend),
      .y_o  (accumulated)
  );
  td1_adder_tree #(
      .LEAVES(ACCUMULATORS), .ADDER_REGISTERS(ADDER_REGISTERS), .LEVEL_REGISTERS(TREE_REGISTERS)
  ) u_merge (
      .clk_i(clk_i),
      .en_i (en_i),
      .x_i  (held),
      .sum_o(result_o)
  );
endmodule
`default_nettype wire
