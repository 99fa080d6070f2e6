// SPDX-License-Identifier: 0BSD
// What must hold of a tile row's choices: as many elements are taken as lanes take one, and all of
// row 0 is, which lets the windows advance.
`default_nettype none

module td1_row_assert #(
    parameter LANES  = 16,  // 2..64
    parameter DEPTH  = 3,   // rows of the window, 1..8
    parameter OPTIONS = 8    // 1..64
) (
    input wire                    clk_i,
    input wire                    dense_i,
    input wire [ DEPTH*LANES-1:0] free,     // elements that may be taken; none in dense mode
    input wire [ DEPTH*LANES-1:0] untaken,  // ... and were not
    input wire [LANES*OPTIONS-1:0] selects,
    input wire [       LANES-1:0] effectual,  // elements of row 0
    input wire                    special_i,
    input wire [       LANES-1:0] live_o
);
  wire [LANES-1:0] one_hot, own;  // the lane selects one option at most; option 0

  for (genvar i = 0; i < LANES; i++) begin : g_lane
    assign one_hot[i] = $onehot0(selects[i*OPTIONS+:OPTIONS]);
    wire wanted = effectual[i] | special_i;
    assign own[i] = (selects[i*OPTIONS+:OPTIONS] == {{OPTIONS - 1{1'b0}}, wanted});
  end

  // A reset may change the mode while elements of before wait: two clocks later they are gone.
  dense_none_waits: assert property (@(posedge clk_i)
      dense_i && $past(dense_i, 1) && $past(dense_i, 2) |-> free == '0)
    else $error("in dense mode, elements wait: %b", free);
  choice_one_hot: assert property (@(posedge clk_i) free == '0 || !dense_i |-> &one_hot)
    else $error("lanes select more than one option: %b", ~one_hot);
  dense_own_element: assert property (@(posedge clk_i) free == '0 && dense_i |-> &own)
    else $error("in dense mode, lanes do not take their own element: %b", ~own);
  taken_once: assert property (@(posedge clk_i)
      !dense_i |-> $countones(live_o) == $countones(free) - $countones(untaken))
    else $error("the lanes that take an element are not as many as the elements that are taken");
  rest_was_free: assert property (@(posedge clk_i) (untaken & ~free) == '0)
    else $error("an element is left that was not there");
  row_0_empties: assert property (@(posedge clk_i) untaken[LANES-1:0] == '0)
    else $error("an element of row 0 was not taken");
endmodule

bind td1_row td1_row_assert #(
    .LANES(LANES), .DEPTH(DEPTH), .OPTIONS(OPTIONS)
) u_assert (.effectual(effectual[LANES-1:0]), .*);
`default_nettype wire
