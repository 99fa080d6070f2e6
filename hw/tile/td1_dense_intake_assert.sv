// SPDX-License-Identifier: 0BSD
// What must hold at the row handshakes of a dense tile and in its intake.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_dense_intake_assert #(
    parameter DEPTH = 3  // rows that a source may offer, 1..8
) (
    input wire                       clk_i,
    input wire                       rst_ni,
    input wire [$clog2(DEPTH+1)-1:0] a_valid_i,
    input wire [$clog2(DEPTH+1)-1:0] a_ready_o,
    input wire [$clog2(DEPTH+1)-1:0] b_valid_i,
    input wire [$clog2(DEPTH+1)-1:0] b_ready_o,
    input wire                       b_last_i,
    input wire                       b_last_of_output_i,
    input wire                       a_load_q,
    input wire                       b_load_q,
    input wire                       enables_i,
    input wire                       step_o
);
  for (genvar s = 0; s < 2; s++) begin : g_side
    localparam SIDE = (s == 0) ? "A" : "B";
    wire load = (s == 0) ? a_load_q : b_load_q;
    wire integer valid = (s == 0) ? integer'(a_valid_i) : integer'(b_valid_i);
    wire integer ready = (s == 0) ? integer'(a_ready_o) : integer'(b_ready_o);
    bit held;  // a row
    always @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) held <= 1'b0;
      else held <= (held && !step_o) || (valid > 0 && ready > 0);
    end
    rows_within_depth: assert property (@(posedge clk_i) disable iff (!rst_ni) valid <= DEPTH)
      else $error("side %s offers %0d rows, more than DEPTH", SIDE, valid);
    one_row_at_most: assert property (@(posedge clk_i) disable iff (!rst_ni) ready <= 1)
      else $error("side %s takes %0d rows", SIDE, ready);
    no_row_lost: assert property (@(posedge clk_i) disable iff (!rst_ni)
        load == (step_o || !held))
      else $error("side %s's line lost or doubled a row", SIDE);
  end
  output_ends_with_stream: assert property (@(posedge clk_i) disable iff (!rst_ni)
      b_valid_i > 0 && b_last_of_output_i |-> b_last_i)
    else $error("the offered row has last_of_output without last");
  windows_full: assert property (@(posedge clk_i) disable iff (!rst_ni)
      step_o |-> g_side[0].held && g_side[1].held)
    else $error("a step without a row on both sides");
  step_enabled: assert property (@(posedge clk_i) disable iff (!rst_ni)
      step_o |-> $past(enables_i))
    else $error("a step while the pipeline holds");
endmodule

bind td1_dense_intake td1_dense_intake_assert #(.DEPTH(DEPTH)) u_assert (.*);
`default_nettype wire
