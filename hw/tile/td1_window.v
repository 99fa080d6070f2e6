// SPDX-License-Identifier: 0BSD
// Window on one stream: a staging buffer, what is offered to it, and whether it has an Inf or NaN.
// A tile has one for each column (side A) and one in each tile row (side B).
`default_nettype none

module td1_window #(
    parameter LANES   = 16,  // elements of a row, 2..64
    parameter WIDTH   = 16,  // bits of an element: 1 + EXP + fraction
    parameter EXP     = 8,   // ... of which are the exponent
    parameter DEPTH   = 3,   // rows, 1..8
    parameter NONZERO = 1,   // 1: zeros are looked for; 0: offered_o is 0
    parameter LATE    = 0    // 1: elements come and move a clock later than moves_i says
) (
    input  wire                         clk_i,       // clock
    input  wire [  DEPTH*(DEPTH+2)-1:0] moves_i,     // see td1_staging
    // Slot * LANES + lane: takes what enters it; if LATE, what was to enter it a clock ago
    input  wire [      DEPTH*LANES-1:0] loads_i,
    input  wire [DEPTH*LANES*WIDTH-1:0] rows_i,      // offered: element row * LANES + lane
    // For LATE only
    input  wire                         enables_i,   // the pipeline moves in the next clock
    input  wire [      DEPTH*LANES-1:0] wants_i,     // offered elements that may be taken
    output wire [DEPTH*LANES*WIDTH-1:0] window_o,    // held; where none loaded, an earlier one
    output wire [      DEPTH*LANES-1:0] offered_o,   // the offered element is neither +0 nor -0
    input  wire [            DEPTH-1:0] eligible_i,  // a step looks at the slot, row or not
    output wire                         nonfinite_o, // an Inf or NaN in an eligible row
    output wire                         special_o    // ... in slot 0, row or not
);
  // How many rows leave settles last in a clock, and goes to each bit of the window. With a clock
  // for that alone, rows come into registers first, and wait there while the pipeline holds.
  wire [DEPTH*(DEPTH+2)-1:0] moves;
  wire [DEPTH*LANES*WIDTH-1:0] rows;
  genvar row, lane;
  if (LATE != 0) begin : g_late
    reg enable_q;
    reg [DEPTH*(DEPTH+2)-1:0] moves_q;
    always @(posedge clk_i) begin
      enable_q <= enables_i;
      if (enable_q) moves_q <= moves_i;
    end
    assign moves = {moves_q[DEPTH*(DEPTH+2)-1:DEPTH], moves_q[DEPTH-1:0] & {DEPTH{enable_q}}};
    for (row = 0; row < DEPTH; row = row + 1) begin : g_row
      wire load = enable_q & (|moves_i[DEPTH-1:row]);  // as a slot does that the row may enter
      for (lane = 0; lane < LANES; lane = lane + 1) begin : g_lane
        localparam ELEMENT = row * LANES + lane;
        reg [WIDTH-1:0] element_q;
        always @(posedge clk_i) begin
          if (load & wants_i[ELEMENT]) element_q <= rows_i[ELEMENT*WIDTH+:WIDTH];
        end
        assign rows[ELEMENT*WIDTH+:WIDTH] = element_q;
      end
    end
  end else begin : g_now
    assign {moves, rows} = {moves_i, rows_i};
    wire unused = &{1'b0, enables_i, wants_i};
  end
  td1_staging #(.DEPTH(DEPTH), .PARTS(LANES), .BITS(WIDTH)) u_staging (
      .clk_i(clk_i), .moves_i(moves), .loads_i(loads_i), .rows_i(rows), .window_o(window_o)
  );

  // Found on entry: of what is held it is known at once.
  wire [DEPTH-1:0] offered_special, special;  // the row has an Inf or NaN
  td1_staging #(.DEPTH(DEPTH), .BITS(1)) u_special (
      .clk_i(clk_i), .moves_i(moves_i), .loads_i({DEPTH{1'b1}}), .rows_i(offered_special),
      .window_o(special)
  );
  assign nonfinite_o = |(eligible_i & special);
  assign special_o = special[0];
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
