// SPDX-License-Identifier: 0BSD
// Sequencer: follows each step down the pipeline, from its operands to the output it completes. It
// holds the whole pipeline while a complete output finds no room. That is known a clock ahead, so
// that what holds registers across the tile is a register beside them.
`default_nettype none

module td1_sequencer #(
    parameter FLAGS        = 8,  // sources of nonfinite operands: columns and rows, 2..32
    parameter ACCUMULATORS = 1,  // that take the sums in turn, 1..8
    parameter SUM_CLOCKS   = 6,  // from a step to the accumulators' adder, 0 or more
    parameter ADD_CLOCKS   = 0,  // through that adder, 0 or more
    parameter MERGE_CLOCKS = 0   // from the accumulators to the output, 0 or more
) (
    input  wire                    clk_i,           // clock
    input  wire                    rst_ni,          // asynchronous reset, active low
    // Step
    input  wire                    step_i,          // the tile steps
    input  wire                    steps_i,         // ... in the next clock
    input  wire                    final_i,         // step_i completes an output
    input  wire [       FLAGS-1:0] nonfinite_i,     // Inf or NaN in the eligible rows
    output wire                    enable_o,        // the pipeline moves
    output wire                    enables_o,       // ... in the next clock
    // In the next clock: bit 0, the tile steps; bit k, a step taken k enabled clocks ago moves on.
    output wire [    SUM_CLOCKS:0] moves_o,
    // Accumulators
    output wire [ACCUMULATORS-1:0] adds_o,          // see td1_pe
    output wire [ACCUMULATORS-1:0] load_o,          // that loads, one-hot or none
    output wire                    first_o,         // ... with the first sum of an output
    output wire [  MERGE_CLOCKS:0] merge_o,         // bit k: register k behind them, if enabled
    // Output
    output wire                    out_valid_o,     // an output is complete
    input  wire                    out_room_i,      // ... and may leave in the next clock
    output wire [       FLAGS-1:0] out_nonfinite_o  // any nonfinite_i in the steps of the output
);
  // Clocks from a step until its sum is added, loaded, and in the output.
  localparam ADDS = SUM_CLOCKS;
  localparam LOADS = ADDS + ADD_CLOCKS;
  localparam LEAVES = LOADS + 1 + MERGE_CLOCKS;
  localparam [ACCUMULATORS-1:0] FIRST_TURN = 1;

  // Where steps are, and those that complete an output; bit k of the wires: k enabled clocks ago.
  reg  [LEAVES-1:0] steps_q, finals_q;
  wire [  LEAVES:0] steps = {steps_q, step_i};
  wire [  LEAVES:0] finals = {finals_q, final_i};
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {steps_q, finals_q} <= {2 * LEAVES{1'b0}};
    else if (enable_o) {steps_q, finals_q} <= {steps[LEAVES-1:0], finals[LEAVES-1:0]};
  end
  wire unused = &{1'b0, steps, finals};
  assign out_valid_o = finals_q[LEAVES-1];

  // What is told a clock ahead.
  reg  enable_q;
  wire completes = enable_q ? finals[LEAVES-1] : finals[LEAVES];
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) enable_q <= 1'b1;
    else enable_q <= enables_o;
  end
  assign enable_o = enable_q;
  assign enables_o = out_room_i | ~completes;
  assign moves_o[0] = steps_i;
  genvar k;
  for (k = 1; k <= ADDS; k = k + 1) begin : g_moves
    assign moves_o[k] = enables_o & (enable_q ? steps[k-1] : steps[k]);
  end

  // Whose turn it is, and whether all accumulators hold something of this output.
  reg held_q, held;
  reg [ACCUMULATORS-1:0] turn_q, turn;
  always @* begin
    {held, turn} = {held_q, turn_q};
    if (enable_o & steps[ADDS]) begin
      held = ~finals[ADDS] & (held_q | turn_q[ACCUMULATORS-1]);
      turn = finals[ADDS] ? FIRST_TURN : (turn_q << 1) | (turn_q >> (ACCUMULATORS - 1));
    end
  end
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {held_q, turn_q} <= {1'b0, FIRST_TURN};
    else {held_q, turn_q} <= {held, turn};
  end
  assign adds_o = {ACCUMULATORS{held}} & turn;

  // Behind their adder.
  wire [ACCUMULATORS-1:0] load_turn;
  td1_pipe #(.WIDTH(ACCUMULATORS + 1), .REGISTERS(ADD_CLOCKS)) u_turn (
      .clk_i(clk_i), .en_i({ADD_CLOCKS + 1{enable_o}}), .x_i({~held_q & turn_q[0], turn_q}),
      .y_o({first_o, load_turn})
  );
  assign load_o = {ACCUMULATORS{steps[LOADS]}} & load_turn;

  // What merges the accumulators rests until they hold an output.
  assign merge_o = finals[LEAVES:LOADS+1];

  // An Inf or NaN anywhere in the streams of an output goes with it.
  reg  [FLAGS-1:0] nonfinite_q;
  wire [FLAGS-1:0] nonfinite = nonfinite_q | nonfinite_i;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) nonfinite_q <= {FLAGS{1'b0}};
    else if (step_i) nonfinite_q <= final_i ? {FLAGS{1'b0}} : nonfinite;
  end
  td1_pipe #(.WIDTH(FLAGS), .REGISTERS(LEAVES)) u_nonfinite (
      .clk_i(clk_i), .en_i({LEAVES + 1{enable_o}}), .x_i(nonfinite), .y_o(out_nonfinite_o)
  );
endmodule
`default_nettype wire
