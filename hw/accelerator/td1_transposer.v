// SPDX-License-Identifier: 0BSD
// Transposer of blocks of LANES rows. One array of elements does it at full rate, as it shifts
// the block before out in the direction across the one in which it came in:
//
//   block          rows come in        leave, as columns
//   even           downwards           to the left
//   odd            to the left         downwards
//
// SHIFT rows come in and as many leave with each shift; the first block's rows leave with the
// second's.
`default_nettype none

module td1_transposer #(
    parameter LANES = 16,  // rows of a block, and elements of a row
    parameter WIDTH = 16,  // bits of an element
    parameter SHIFT = 1    // rows of a shift; divides LANES
) (
    input  wire                         clk_i,    // clock
    input  wire                         shift_i,
    input  wire                         odd_i,    // the block that comes in is odd
    input  wire [SHIFT*LANES*WIDTH-1:0] row_i,    // rows of the block that comes in
    output wire [SHIFT*LANES*WIDTH-1:0] row_o     // elements of each row of the block before
);
  localparam ROW = LANES * WIDTH;
  // Place (i, j) is i down and j to the right. Lane l comes in from above at (0, l), and from the
  // right at (LANES-1-l, LANES-1); so blocks lie alike, whichever way they came. Of several rows
  // the last one comes in at the edge, and the first one leaves there.
  genvar i, j;
  for (i = 0; i < LANES; i = i + 1) begin : g_down
    for (j = 0; j < LANES; j = j + 1) begin : g_right
      reg  [WIDTH-1:0] element_q;
      wire [WIDTH-1:0] above, right;
      if (i < SHIFT) begin : g_top
        assign above = row_i[(SHIFT-1-i)*ROW+j*WIDTH+:WIDTH];
      end else begin : g_inside
        assign above = g_down[i-SHIFT].g_right[j].element_q;
      end
      if (j >= LANES - SHIFT) begin : g_edge
        assign right = row_i[(SHIFT+j-LANES)*ROW+(LANES-1-i)*WIDTH+:WIDTH];
      end else begin : g_beside
        assign right = g_down[i].g_right[j+SHIFT].element_q;
      end
      always @(posedge clk_i) if (shift_i) element_q <= odd_i ? right : above;
    end
    // What leaves: downwards from the last rows, or to the left from the first columns.
    for (j = 0; j < SHIFT; j = j + 1) begin : g_leaves
      assign row_o[j*ROW+i*WIDTH+:WIDTH] = odd_i ? g_down[LANES-1-i].g_right[j].element_q
                                                 : g_down[LANES-1-j].g_right[i].element_q;
    end
  end
endmodule
`default_nettype wire
