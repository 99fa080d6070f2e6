// SPDX-License-Identifier: 0BSD
// What moves where in the staging buffers of a window. Each window has its own, and the intake two:
// how many rows leave settles last in the clock, and so comes from the tile rows at once.
`default_nettype none

module td1_moves #(
    parameter ROWS  = 4,  // tile rows, 1..16
    parameter DEPTH = 3   // rows of the staging buffer, 1..8
) (
    input  wire                       clk_i,       // clock
    // Slots that load in the next clock, bit m * DEPTH + p, if m rows leave
    input  wire [DEPTH*(DEPTH+1)-1:0] loads_i,
    input  wire                       step_i,      // the tile steps
    input  wire [          DEPTH-1:0] eligible_i,  // ... and looks at the slot
    input  wire [     ROWS*DEPTH-1:0] clear_i,     // tile row * DEPTH + r, see td1_row
    input  wire [            DEPTH:0] held_i,      // rows held: how many, one-hot
    output wire [            DEPTH:0] leave_o,     // ... of them leave, one-hot
    output wire [DEPTH*(DEPTH+2)-1:0] moves_o      // see td1_staging
);
  // Tile rows share the columns, so the slowest of them decides. Row 0 always is empty: each lane's
  // first choice is its own element of it.
  wire [DEPTH:0] empty;  // rows 0..r of the stream
  assign empty[DEPTH] = 1'b0;
  genvar m, p, r, t;
  for (r = 0; r < DEPTH; r = r + 1) begin : g_row
    wire [ROWS-1:0] clear;
    for (t = 0; t < ROWS; t = t + 1) begin : g_tile_row
      assign clear[t] = clear_i[t*DEPTH+r];
    end
    assign empty[r] = eligible_i[r] & (&clear | (r == 0));
    assign leave_o[r+1] = step_i & empty[r] & ~empty[r+1];
  end
  assign leave_o[0] = ~step_i;

  reg [DEPTH-1:0] load_q;
  wire [DEPTH-1:0] stay;
  wire [DEPTH*DEPTH-1:0] shift;
  assign moves_o = {shift, stay, load_q};
  for (m = 0; m < DEPTH; m = m + 1) begin : g_stay
    assign stay[m] = |(held_i[DEPTH:m] & leave_o[DEPTH-m:0]);
  end
  for (p = 0; p < DEPTH; p = p + 1) begin : g_slot
    wire [DEPTH:0] loads;
    for (m = 0; m <= DEPTH; m = m + 1) begin : g_loads
      assign loads[m] = leave_o[m] & loads_i[m*DEPTH+p];
    end
    always @(posedge clk_i) load_q[p] <= |loads;
    for (r = 0; r < DEPTH; r = r + 1) begin : g_from
      localparam ROWS_UP = (r > p) ? r - p : 0;
      assign shift[p*DEPTH+r] = (r > p) & (|held_i[DEPTH:r+1]) & leave_o[ROWS_UP];
    end
  end
endmodule
`default_nettype wire
