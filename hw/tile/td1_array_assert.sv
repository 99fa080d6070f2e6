// SPDX-License-Identifier: 0BSD
// What must hold around the PEs: steps come only while the pipeline moves, one accumulator has its
// turn, and an output that is offered stays as it is until it is accepted.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_array_assert #(
    parameter PES          = 16,  // ROWS * COLUMNS
    parameter OUTPUT_WIDTH = 32,  // bits of an output: 32, or 16 for bfloat16
    parameter ACCUMULATORS = 1    // 1..8
) (
    input wire                        clk_i,
    input wire                        rst_ni,
    input wire                        step_i,
    input wire                        final_i,
    input wire                        enable_o,
    input wire [    ACCUMULATORS-1:0] turn,  // accumulator that the arriving sum adds to
    input wire                        out_valid_o,
    input wire                        out_ready_i,
    input wire [PES*OUTPUT_WIDTH-1:0] out_data_o,
    input wire [             PES-1:0] out_nonfinite_o
);
  step_enabled: assert property (@(posedge clk_i) disable iff (!rst_ni) step_i |-> enable_o)
    else $error("a step while the pipeline holds");
  final_is_step: assert property (@(posedge clk_i) disable iff (!rst_ni) final_i |-> step_i)
    else $error("an output is completed without a step");
  turn_one_hot: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot(turn))
    else $error("turn is %b", turn);
  output_stays: assert property (@(posedge clk_i) disable iff (!rst_ni)
      out_valid_o && !out_ready_i |=> out_valid_o && $stable({out_data_o, out_nonfinite_o}))
    else $error("an output changed before it was accepted");
endmodule

bind td1_array td1_array_assert #(
    .PES(PES), .OUTPUT_WIDTH(OUTPUT_WIDTH), .ACCUMULATORS(ACCUMULATORS)
) u_assert (.*);
`default_nettype wire
