// SPDX-License-Identifier: 0BSD
// Staging buffer: the next DEPTH rows of one tile row or column, all of them in sight. Rows leave
// at the front, and offered rows follow in the same clock. What moves where is td1_moves' to say.
// A part of a row that nobody wants may be left out; its slot then holds what it had.
`default_nettype none

module td1_staging #(
    parameter DEPTH = 3,  // slots, 1..8
    parameter PARTS = 1,  // of a row
    parameter BITS  = 16  // of a part
) (
    input  wire                        clk_i,     // clock
    input  wire [ DEPTH*(DEPTH+2)-1:0] moves_i,   // {shift, stay, load}, see below
    input  wire [     DEPTH*PARTS-1:0] loads_i,   // slot * PARTS + part: it loads with its slot
    input  wire [DEPTH*PARTS*BITS-1:0] rows_i,    // offered rows, the first in the low bits
    output wire [DEPTH*PARTS*BITS-1:0] window_o   // rows held, the one in use in the low bits
);
  localparam ROW = PARTS * BITS;
  wire [      DEPTH-1:0] load;   // bit p: slot p loads
  wire [      DEPTH-1:0] stay;   // bit m: m rows stay, and offered rows go behind them
  wire [DEPTH*DEPTH-1:0] shift;  // bit p*DEPTH+r: slot p takes the row in slot r > p
  assign {shift, stay, load} = moves_i;
  wire unused = &{1'b0, shift};  // no row moves back

  genvar p, r, k;
  for (p = 0; p < DEPTH; p = p + 1) begin : g_slot
    reg [ROW-1:0] row_q;
    // For each r either a held row moves up or an offered one enters; one select is high at most.
    for (r = 0; r < DEPTH; r = r + 1) begin : g_from
      localparam BEFORE = (r > 0) ? r - 1 : 0, BEHIND = (r > p) ? 0 : p - r;
      wire [ROW-1:0] row = (r > p) ? {ROW{shift[p*DEPTH+r]}} & g_slot[r].row_q
                                   : {ROW{stay[BEHIND]}} & rows_i[r*ROW+:ROW];
      wire [ROW-1:0] rows = (r > 0 ? g_from[BEFORE].rows : {ROW{1'b0}}) | row;
    end
    for (k = 0; k < PARTS; k = k + 1) begin : g_part
      wire [BITS-1:0] part = g_from[DEPTH-1].rows[k*BITS+:BITS];
      always @(posedge clk_i) if (load[p] & loads_i[p*PARTS+k]) row_q[k*BITS+:BITS] <= part;
    end
    assign window_o[p*ROW+:ROW] = row_q;
  end
endmodule
`default_nettype wire
