// SPDX-License-Identifier: 0BSD
// Window on one stream: a staging buffer, what is offered to it, and whether it has an Inf or NaN.
// A tile has one for each column (side A) and one in each tile row (side B).
`default_nettype none

module td1_window #(
    parameter LANES   = 16,  // elements of a row, 2..64
    parameter WIDTH   = 16,  // bits of an element: 1 + EXP + fraction
    parameter EXP     = 8,   // ... of which are the exponent
    parameter DEPTH   = 3,   // rows, 1..8
    parameter NONZERO = 1    // 1: zeros are looked for; 0: offered_o is 0
) (
    input  wire                         clk_i,       // clock
    input  wire [  DEPTH*(DEPTH+2)-1:0] moves_i,     // see td1_staging
    input  wire [      DEPTH*LANES-1:0] loads_i,     // slot * LANES + lane: takes what enters it
    input  wire [DEPTH*LANES*WIDTH-1:0] rows_i,      // offered: element row * LANES + lane
    output wire [DEPTH*LANES*WIDTH-1:0] window_o,    // held; where none loaded, an earlier one
    output wire [      DEPTH*LANES-1:0] offered_o,   // the offered element is neither +0 nor -0
    input  wire [            DEPTH-1:0] eligible_i,  // a step looks at the slot, row or not
    output wire                         nonfinite_o, // an Inf or NaN in an eligible row
    output wire                         special_o    // ... in slot 0, row or not
);
  td1_staging #(.DEPTH(DEPTH), .PARTS(LANES), .BITS(WIDTH)) u_staging (
      .clk_i(clk_i), .moves_i(moves_i), .loads_i(loads_i), .rows_i(rows_i), .window_o(window_o)
  );

  // Found on entry: of what is held it is known at once.
  wire [DEPTH-1:0] offered_special, special;  // the row has an Inf or NaN
  td1_staging #(.DEPTH(DEPTH), .BITS(1)) u_special (
      .clk_i(clk_i), .moves_i(moves_i), .loads_i({DEPTH{1'b1}}), .rows_i(offered_special),
      .window_o(special)
  );
  assign nonfinite_o = |(eligible_i & special);
  assign special_o = special[0];
  genvar row, lane;
  for (row = 0; row < DEPTH; row = row + 1) begin : g_row
    wire [LANES-1:0] specials;  // Inf or NaN
    assign offered_special[row] = |specials;
    for (lane = 0; lane < LANES; lane = lane + 1) begin : g_lane
      localparam LOW = (row * LANES + lane) * WIDTH;
      assign specials[lane] = &rows_i[LOW+WIDTH-1-EXP+:EXP];
      assign offered_o[row*LANES+lane] = (NONZERO != 0) & (|rows_i[LOW+:WIDTH-1]);
    end
  end
endmodule
`default_nettype wire
