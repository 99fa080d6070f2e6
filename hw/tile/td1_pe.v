// SPDX-License-Identifier: 0BSD
// Processing element: a multiplier for each lane, the tree that adds their products, and partial
// accumulators that take the sums in turn and are added up at the end of an output. If FUSED, the
// products are added as integers, and rounded once, together with the accumulator.
`default_nettype none

module td1_pe #(
    parameter LANES                = 16,  // 2..64
    parameter RESTS                = 1,   // 0: registers of all lanes load alike
    parameter WIDTH                = 16,  // bits of an operand: 1 + EXP + fraction
    parameter EXP                  = 8,   // ... of which are the exponent
    parameter FUSED                = 0,   // 1: see td1_fused_sum, also for where registers stand
    parameter ACCUMULATORS         = 1,   // 1..8
    parameter MULTIPLIER_REGISTERS = 0,   // inside each multiplier, 0..2
    parameter ADDER_REGISTERS      = 0,   // inside each adder of the trees, 0..3
    parameter TREE_REGISTERS       = 1,   // in front of each adder, 0..2
    parameter ACCUMULATE_REGISTERS = 0,   // inside the accumulators' adder, 0..3, < ACCUMULATORS
    parameter SUM_CLOCKS           = 5,   // registers from operands to the sum, by the above
    parameter MERGE_CLOCKS         = 0    // ... from accumulators to the output
) (
    input  wire                            clk_i,       // clock
    input  wire                            en_i,        // the pipeline moves
    // Operands of the lanes, and the registers between them and the accumulators that load
    input  wire [         LANES*WIDTH-1:0] a_i,
    input  wire [         LANES*WIDTH-1:0] b_i,
    input  wire [LANES*(SUM_CLOCKS+1)-1:0] sum_load_i,  // see td1_live
    input  wire [            SUM_CLOCKS:0] row_load_i,
    // Accumulators, see td1_sequencer
    input  wire [        ACCUMULATORS-1:0] adds_i,      // that a sum adds to in the next clock:
                                                        // one-hot, or none, and +0 is added
    input  wire [        ACCUMULATORS-1:0] load_i,      // that loads, one-hot or none
    input  wire                            first_i,     // ... with the first sum of an output
    // Output
    input  wire [          MERGE_CLOCKS:0] merge_i,     // those in front of it load, if en_i
    output wire [                    31:0] result_o     // binary32
);
  localparam LOADS = SUM_CLOCKS + 1;  // of a lane
  wire [LANES*LOADS-1:0] sum_load = (RESTS != 0) ? sum_load_i : {LANES{sum_load_i[0+:LOADS]}};
  wire unused = &{1'b0, sum_load_i, row_load_i};  // of a tree; of lanes that load alike
  genvar i;

  // What tells it to all PEs is far away, and the adder has no time for that.
  reg [ACCUMULATORS-1:0] adds_q;
  always @(posedge clk_i) adds_q <= adds_i;

  // An accumulator starts at +0. The first sum of an output clears all others: what the output
  // before left in them does not belong to this one.
  wire [31:0] accumulated;
  wire [ACCUMULATORS*32-1:0] held;
  for (i = 0; i < ACCUMULATORS; i = i + 1) begin : g_accumulator
    localparam BEFORE = (i > 0) ? i - 1 : 0;
    reg [31:0] value_q;
    always @(posedge clk_i) begin
      if (en_i) begin
        if (load_i[i]) value_q <= accumulated;
        else if (i > 0 && load_i[0] & first_i) value_q <= 32'd0;
      end
    end
    assign held[i*32+:32] = value_q;
    // By adds_q, of this accumulator and those before it.
    wire [31:0] chosen = (i > 0 ? g_accumulator[BEFORE].chosen : 32'd0)
                       | ({32{adds_q[i]}} & value_q);
  end
  wire [31:0] augend = g_accumulator[ACCUMULATORS-1].chosen;

  // The sum of a step's products, and the accumulator with it.
  if (FUSED != 0) begin : g_fused
    td1_fused #(
        .LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS),
        .ADDER_REGISTERS(ADDER_REGISTERS), .TREE_REGISTERS(TREE_REGISTERS), .CLOCKS(SUM_CLOCKS),
        .ACCUMULATE_REGISTERS(ACCUMULATE_REGISTERS)
    ) u_fused (
        .clk_i(clk_i), .en_i(en_i), .load_i(sum_load), .row_load_i(row_load_i), .a_i(a_i),
        .b_i(b_i), .augend_i(augend), .y_o(accumulated)
    );
  end else begin : g_tree
    localparam TREE_CLOCKS = SUM_CLOCKS - MULTIPLIER_REGISTERS;
    wire [LANES*32-1:0] products;
    wire [LANES*(TREE_CLOCKS+1)-1:0] tree_load;
    wire [31:0] addend;
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      td1_multiplier #(.WIDTH(WIDTH), .EXP(EXP), .REGISTERS(MULTIPLIER_REGISTERS)) u_multiplier (
          .clk_i(clk_i), .en_i(sum_load[i*LOADS+:MULTIPLIER_REGISTERS+1]),
          .a_i(a_i[i*WIDTH+:WIDTH]), .b_i(b_i[i*WIDTH+:WIDTH]), .y_o(products[i*32+:32])
      );
      assign tree_load[i*(TREE_CLOCKS+1)+:TREE_CLOCKS+1] =
          sum_load[i*LOADS+MULTIPLIER_REGISTERS+:TREE_CLOCKS+1];
    end
    td1_adder_tree #(
        .LEAVES(LANES), .ADDER_REGISTERS(ADDER_REGISTERS), .LEVEL_REGISTERS(TREE_REGISTERS),
        .SUM_REGISTERS(TREE_REGISTERS), .CLOCKS(TREE_CLOCKS)
    ) u_sum (
        .clk_i(clk_i), .load_i(tree_load), .x_i(products), .sum_o(addend)
    );
    td1_adder #(.REGISTERS(ACCUMULATE_REGISTERS)) u_accumulate (
        .clk_i(clk_i), .en_i({ACCUMULATE_REGISTERS + 1{en_i}}), .a_i(augend), .b_i(addend),
        .y_o(accumulated)
    );
  end

  td1_adder_tree #(
      .LEAVES(ACCUMULATORS), .ADDER_REGISTERS(ADDER_REGISTERS), .LEVEL_REGISTERS(TREE_REGISTERS),
      .CLOCKS(MERGE_CLOCKS)
  ) u_merge (
      .clk_i(clk_i), .load_i({ACCUMULATORS{{MERGE_CLOCKS + 1{en_i}} & merge_i}}), .x_i(held),
      .sum_o(result_o)
  );
endmodule
`default_nettype wire
