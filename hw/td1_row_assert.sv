// SPDX-License-Identifier: 0BSD
// What must hold of a tile row's choices in each step: every element that is taken was free, and no
// two lanes take the same; row 0 is always emptied, which lets the windows advance.
`default_nettype none

module td1_row_assert #(
    parameter LANES  = 16,  // 2..64
    parameter DEPTH  = 3,   // rows of the window, 1..8
    parameter PLACES = 8    // 1..64
) (
    input wire                    clk_i,
    input wire                    dense_i,
    input wire [       DEPTH-1:0] advance_i,  // not zero: the tile steps
    input wire [ DEPTH*LANES-1:0] free,       // elements that may be taken
    input wire [ DEPTH*LANES-1:0] rest,       // ... and were not
    input wire [LANES*PLACES-1:0] select_o,
    input wire [       LANES-1:0] active_o
);
  wire step = |advance_i;

  for (genvar i = 0; i < LANES; i++) begin : g_lane
    wire [PLACES-1:0] select = select_o[i*PLACES+:PLACES];
    choice_one_hot: assert property (@(posedge clk_i) step |-> $onehot0(select))
      else $error("lane %0d selects %b", i, select);
    dense_own_element: assert property (@(posedge clk_i) step && dense_i |-> select == 1)
      else $error("in dense mode, lane %0d selects %b", i, select);
  end

  taken_once: assert property (@(posedge clk_i)
      step && !dense_i |-> $countones(active_o) == $countones(free) - $countones(rest))
    else $error("the lanes that take an element are not as many as the elements that are taken");
  rest_was_free: assert property (@(posedge clk_i) step |-> (rest & ~free) == '0)
    else $error("an element is left that was not there");
  row_0_empties: assert property (@(posedge clk_i) step |-> rest[LANES-1:0] == '0)
    else $error("an element of row 0 was not taken");
endmodule

bind td1_row td1_row_assert #(
    .LANES(LANES), .DEPTH(DEPTH), .PLACES(PLACES)
) u_assert (.*);
`default_nettype wire
