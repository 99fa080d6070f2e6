// SPDX-License-Identifier: 0BSD
// What must hold at the row handshakes of a sparse tile and in its intake: of the sources, that
// they keep the protocol of td1_tile; of the intake, that it steps with full windows only, and
// holds as many rows as came in and did not leave.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_intake_assert #(
    parameter DEPTH = 3  // rows of a staging buffer, 1..8
) (
    input wire                       clk_i,
    input wire                       rst_ni,
    input wire [$clog2(DEPTH+1)-1:0] a_valid_i,
    input wire [$clog2(DEPTH+1)-1:0] a_ready_o,
    input wire [$clog2(DEPTH+1)-1:0] b_valid_i,
    input wire [$clog2(DEPTH+1)-1:0] b_ready_o,
    input wire [          DEPTH-1:0] b_last_i,
    input wire [          DEPTH-1:0] b_last_of_output_i,
    input wire [          DEPTH-1:0] a_present,   // slots of side A's window that hold a row
    input wire [          DEPTH-1:0] b_present,   // ... of side B's
    input wire [          DEPTH-1:0] eligible_o,
    input wire                       dense_q,
    input wire [DEPTH*(DEPTH+2)-1:0] b_moves,
    input wire [            DEPTH:0] leave,
    input wire [            DEPTH:0] b_held_o,
    input wire [DEPTH*(DEPTH+1)-1:0] own_o,
    input wire [          DEPTH-1:0] follows_o,
    input wire [          DEPTH-1:0] advance_o,
    input wire [          DEPTH-1:0] ends,        // the last of the rows that leave ends a stream
    input wire                       enables_i,
    input wire                       step_o
);
  // Rows held after a clock: those before, less those that leave, and those that move in.
  function automatic int kept(int held, logic [DEPTH-1:0] advance, integer valid,
                                integer ready);
    kept = held + ((valid < ready) ? valid : ready);
    for (int k = 0; k < DEPTH; k++) if (advance[k]) kept = kept - (k + 1);
  endfunction

  for (genvar s = 0; s < 2; s++) begin : g_side
    localparam SIDE = (s == 0) ? "A" : "B";
    wire [DEPTH-1:0] present = (s == 0) ? a_present : b_present;
    wire integer valid = (s == 0) ? integer'(a_valid_i) : integer'(b_valid_i);
    wire integer ready = (s == 0) ? integer'(a_ready_o) : integer'(b_ready_o);
    rows_within_depth: assert property (@(posedge clk_i) disable iff (!rst_ni) valid <= DEPTH)
      else $error("side %s offers %0d rows, more than DEPTH", SIDE, valid);
    front_first: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (present & (present + 1'b1)) == '0)
      else $error("side %s's window has a gap: %b", SIDE, present);
    no_row_lost: assert property (@(posedge clk_i) disable iff (!rst_ni)
        1 |=> $countones(present) == kept($past($countones(present)), $past(advance_o),
                                          $past(valid), $past(ready)))
      else $error("side %s's window lost or doubled a row", SIDE);
  end
  for (genvar r = 0; r < DEPTH; r++) begin : g_row
    output_ends_with_stream: assert property (@(posedge clk_i) disable iff (!rst_ni)
        int'(b_valid_i) > r && b_last_of_output_i[r] |-> b_last_i[r])
      else $error("offered row %0d has last_of_output without last", r);
  end

  // Slots that are searched, as they were told when they loaded.
  wire [DEPTH*DEPTH-1:0] search;
  td1_search #(.DEPTH(DEPTH)) u_search (
      .leave_i(leave), .held_i(b_held_o), .own_i(own_o), .follows_i(follows_o), .search_o(search)
  );
  logic [DEPTH-1:0] searched;
  always @(posedge clk_i) begin
    for (int s = 0; s < DEPTH; s++) if (b_moves[s]) searched[s] <= |search[s*DEPTH+:DEPTH];
  end
  stream_searched: assert property (@(posedge clk_i) disable iff (!rst_ni)
      step_o |-> searched == (dense_q ? '0 : eligible_o))
    else $error("slots %b are searched, of %b", searched, eligible_o);

  windows_full: assert property (@(posedge clk_i) disable iff (!rst_ni)
      step_o |-> (eligible_o & ~(a_present & b_present)) == '0)
    else $error("a step without all rows of the stream that the window reaches");
  step_enabled: assert property (@(posedge clk_i) disable iff (!rst_ni)
      step_o |-> $past(enables_i))
    else $error("a step while the pipeline holds");
  step_advances: assert property (@(posedge clk_i) disable iff (!rst_ni) step_o == |advance_o)
    else $error("rows leave in each step, and in no other clock");
  advance_one_hot: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(advance_o))
    else $error("advance is %b", advance_o);
  advance_in_stream: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (advance_o & ~eligible_o) == '0)
    else $error("an advance beyond the end of the stream: %b", advance_o);
  dense_advances_one: assert property (@(posedge clk_i) disable iff (!rst_ni)
      step_o && dense_q |-> advance_o == 1)
    else $error("in dense mode, advance is %b", advance_o);
  mode_holds: assert property (@(posedge clk_i) disable iff (!rst_ni)
      step_o && ends == '0 |=> dense_q == $past(dense_q))
    else $error("the mode changed within a stream");
endmodule

bind td1_intake td1_intake_assert #(.DEPTH(DEPTH)) u_assert (.*);
`default_nettype wire
