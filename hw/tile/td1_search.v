// SPDX-License-Identifier: 0BSD
// Which slots of a tile row's window are searched in the next clock: those of the stream then in
// use, unless it is dense. It stands beside the window, as td1_moves does, and for the same reason.
`default_nettype none

module td1_search #(
    parameter DEPTH = 3  // rows of the window, 1..8
) (
    input  wire [            DEPTH:0] leave_i,    // rows that leave, see td1_moves
    input  wire [            DEPTH:0] held_i,     // rows held, see td1_moves
    input  wire [DEPTH*(DEPTH+1)-1:0] own_i,      // see td1_intake
    input  wire [          DEPTH-1:0] follows_i,  // ... likewise
    // Bit p * DEPTH + r: slot p is, and takes row r, a held one if r > p, else an offered one.
    output wire [    DEPTH*DEPTH-1:0] search_o
);
  wire unused = &{1'b0, own_i};  // more rows cannot leave
  genvar m, r;
  for (m = 0; m < DEPTH; m = m + 1) begin : g_slot
    wire [DEPTH-m:0] own = own_i[m*(DEPTH+1)+:DEPTH-m+1];
    wire stays = |(held_i[DEPTH:m] & leave_i[DEPTH-m:0] & own);  // m rows do
    for (r = 0; r < DEPTH - m; r = r + 1) begin : g_offered
      assign search_o[(m+r)*DEPTH+r] = stays & follows_i[r];
    end
    for (r = m + 1; r < DEPTH; r = r + 1) begin : g_held
      assign search_o[m*DEPTH+r] = (|held_i[DEPTH:r+1]) & leave_i[r-m] & own[r-m];
    end
  end
endmodule
`default_nettype wire
