// SPDX-License-Identifier: 0BSD
// Intake of a dense tile: row handshakes, one row of each side at a time, and the decision to step.
`default_nettype none

module td1_dense_intake #(
    parameter DEPTH = 3  // rows that a source may offer, 1..8; only the first can be accepted
) (
    input  wire                       clk_i,               // clock
    input  wire                       rst_ni,              // asynchronous reset, active low
    // Row handshakes: the smaller count moves, see td1_tile
    input  wire [$clog2(DEPTH+1)-1:0] a_valid_i,           // rows offered
    output wire [$clog2(DEPTH+1)-1:0] a_ready_o,           // rows accepted, at most one
    input  wire [$clog2(DEPTH+1)-1:0] b_valid_i,           // rows offered
    output wire [$clog2(DEPTH+1)-1:0] b_ready_o,           // rows accepted, at most one
    input  wire                       b_last_i,            // the first row ends its stream
    input  wire                       b_last_of_output_i,  // ... and that stream ends the output
    // To lines, which register it
    output wire                       a_loads_o,           // ready for a row in the next clock
    output wire                       b_loads_o,           // the same of side B
    // Pipeline
    input  wire                       enables_i,           // it moves in the next clock
    output wire                       step_o,              // the tile steps
    output wire                       steps_o,             // ... in the next clock
    output wire                       final_o,             // step_o completes an output
    output wire                       waiting_o            // it does not, though a row waits
);
  localparam COUNT = $clog2(DEPTH + 1);
  localparam [COUNT-1:0] ONE = 1;

  // A row accepted while reset lasts would be lost, so none is until the first clock after it.
  reg open_q;
  reg step_q, b_final_q;   // b_final_q: of the row in use
  reg a_load_q, b_load_q;  // the row is used up, or there is none
  wire a_presents = a_load_q ? open_q & (|a_valid_i) : 1'b1;  // in the next clock
  wire b_presents = b_load_q ? open_q & (|b_valid_i) : 1'b1;
  assign steps_o = enables_i & a_presents & b_presents;
  assign a_loads_o = steps_o | ~a_presents;
  assign b_loads_o = steps_o | ~b_presents;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {open_q, step_q, a_load_q, b_load_q} <= 4'b0011;
    else {open_q, step_q, a_load_q, b_load_q} <= {1'b1, steps_o, a_loads_o, b_loads_o};
  end
  always @(posedge clk_i) if (b_load_q) b_final_q <= b_last_i & b_last_of_output_i;
  wire a_present = step_q | ~a_load_q;
  wire b_present = step_q | ~b_load_q;

  assign step_o = step_q;
  assign final_o = step_o & b_final_q;
  assign waiting_o = ~step_o & (a_present | b_present);
  assign a_ready_o = {COUNT{open_q & a_load_q}} & ONE;
  assign b_ready_o = {COUNT{open_q & b_load_q}} & ONE;
endmodule
`default_nettype wire
