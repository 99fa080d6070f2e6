// SPDX-License-Identifier: 0BSD
// What must hold around the PEs: steps come only while the pipeline moves, lanes that rest multiply
// by zero, one accumulator has its turn, and an output that is offered stays until it is accepted.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_array_assert #(
    parameter ROWS         = 4,   // 1..16
    parameter COLUMNS      = 4,   // 1..16
    parameter LANES        = 16,  // 2..64
    parameter WIDTH        = 16,  // bits of an operand: 1 + EXP + fraction
    parameter EXP          = 8,   // ... of which are the exponent
    parameter OUTPUT_WIDTH = 32,  // bits of an output: 32, or 16 for bfloat16
    parameter ACCUMULATORS = 1,   // 1..8
    parameter OPERAND_REGISTERS = 0  // between step_i and a_i, b_i, 0..2
) (
    input wire                                 clk_i,
    input wire                                 rst_ni,
    input wire                                 step_i,
    input wire                                 final_i,
    input wire                                 enable_o,
    input wire                                 complete,   // an output leaves the PEs
    input wire                                 out_ready,  // ... and the buffer takes it
    input wire                                 arrives,  // the operands of a step are in the lanes
    input wire [ ROWS*COLUMNS*LANES*WIDTH-1:0] a_i,
    input wire [         ROWS*LANES*WIDTH-1:0] b_i,
    input wire [               ROWS*LANES-1:0] live_i,
    input wire [             ACCUMULATORS-1:0] turn,     // accumulator that the sum adds to
    input wire                                 out_valid_o,
    input wire                                 out_ready_i,
    input wire [ROWS*COLUMNS*OUTPUT_WIDTH-1:0] out_data_o,
    input wire [             ROWS*COLUMNS-1:0] out_nonfinite_o
);
  holds_without_room: assert property (@(posedge clk_i) disable iff (!rst_ni)
      enable_o == (out_ready || !complete))
    else $error("the pipeline %s", enable_o ? "moves without room" : "holds though there is room");
  step_enabled: assert property (@(posedge clk_i) disable iff (!rst_ni) step_i |-> enable_o)
    else $error("a step while the pipeline holds");
  final_is_step: assert property (@(posedge clk_i) disable iff (!rst_ni) final_i |-> step_i)
    else $error("an output is completed without a step");
  wire [ROWS*LANES-1:0] lanes;  // that work on the operands
  td1_pipe #(.WIDTH(ROWS * LANES), .REGISTERS(OPERAND_REGISTERS)) u_lanes (
      .clk_i(clk_i),
      .en_i ({OPERAND_REGISTERS + 1{enable_o}}),
      .x_i  (live_i),
      .y_o  (lanes)
  );
  wire [ROWS*COLUMNS*LANES-1:0] harmless;  // live, or a zero times what is neither Inf nor NaN
  for (genvar i = 0; i < ROWS * COLUMNS * LANES; i++) begin : g_lane
    localparam B = i / (COLUMNS * LANES) * LANES + i % LANES;
    wire [WIDTH-1:0] a = a_i[i*WIDTH+:WIDTH] << 1;  // without sign
    wire [WIDTH-1:0] b = b_i[B*WIDTH+:WIDTH] << 1;
    assign harmless[i] = lanes[B] || ((a == '0 || b == '0) && !(&a[WIDTH-1-:EXP])
                                       && !(&b[WIDTH-1-:EXP]));
  end
  idle_is_zero: assert property (@(posedge clk_i) disable iff (!rst_ni) arrives |-> &harmless)
    else $error("a lane that rests multiplies what is not zero: %b", ~harmless);
  turn_one_hot: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot(turn))
    else $error("turn is %b", turn);
  output_stays: assert property (@(posedge clk_i) disable iff (!rst_ni)
      out_valid_o && !out_ready_i |=> out_valid_o && $stable({out_data_o, out_nonfinite_o}))
    else $error("an output changed before it was accepted");
endmodule

bind td1_array td1_array_assert #(
    .ROWS(ROWS), .COLUMNS(COLUMNS), .LANES(LANES), .WIDTH(WIDTH), .EXP(EXP),
    .OUTPUT_WIDTH(OUTPUT_WIDTH), .ACCUMULATORS(ACCUMULATORS),
    .OPERAND_REGISTERS(OPERAND_REGISTERS)
) u_assert (
    .arrives(u_sequencer.steps[OPERAND_REGISTERS]), .turn(u_sequencer.turn_q), .*
);
`default_nettype wire
