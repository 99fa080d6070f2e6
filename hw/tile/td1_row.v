// SPDX-License-Identifier: 0BSD
// Tile row: the window on its side B stream, the scheduler that searches it, and side B's operand
// multiplexers. Its choices also drive the side A multiplexers of its PEs.
`default_nettype none

module td1_row #(
    parameter LANES     = 16,  // 2..64
    parameter WIDTH     = 16,  // bits of an element: 1 + EXP + fraction
    parameter EXP       = 8,   // ... of which are the exponent
    parameter DEPTH     = 3,   // rows of the window, 1..8
    parameter OPTIONS   = 8,   // 1..64
    parameter LEVELS    = 6,   // 1..LANES
    parameter TWO_SIDED = 0,   // 1: a pair is dropped for a zero on side A, too
    parameter REGISTERS = 1,   // behind the multiplexers, 0..2
    parameter [8*OPTIONS-1:0] STEP   = 0,  // see td1_scheduler
    parameter [8*OPTIONS-1:0] OFFSET = 0,
    parameter [ 8*LANES-1:0] LEVEL  = 0
) (
    input  wire                         clk_i,         // clock
    // Rows
    input  wire [  DEPTH*(DEPTH+2)-1:0] moves_i,       // see td1_staging
    input  wire [DEPTH*LANES*WIDTH-1:0] rows_i,        // offered: element row * LANES + lane
    input  wire [      DEPTH*LANES-1:0] a_nonzero_i,   // side A's elements; for TWO_SIDED only
    // Step, see td1_intake
    input  wire [            DEPTH-1:0] eligible_i,    // the slot is the stream's, row or not
    input  wire                         dense_i,       // the stream in use runs dense
    output wire [            DEPTH-1:0] clear_o,       // bit r: rows 0..r are empty, if eligible
    input  wire [            DEPTH-1:0] advance_i,     // bit k: k + 1 rows leave
    input  wire                         taken_load_i,  // what is taken ahead moves, or clears
    output wire                         nonfinite_o,   // an Inf or NaN in an eligible row
    // Choices
    input  wire                         en_i,          // the pipeline moves
    output wire [    LANES*OPTIONS-1:0] select_o,      // lane * OPTIONS + option: one-hot, or none
    output wire [            LANES-1:0] active_o,      // the lane has a pair
    output wire [      LANES*WIDTH-1:0] operand_o      // side B's operands
);
  localparam ELEMENTS = DEPTH * LANES;
  localparam AHEAD = ELEMENTS - LANES;    // elements of all rows but one
  localparam [OPTIONS-1:0] OWN_OPTION = 1;  // a choice of option 0

  wire [ELEMENTS*WIDTH-1:0] window;
  wire [      ELEMENTS-1:0] nonzero;
  td1_window #(
      .LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .DEPTH(DEPTH), .NONZERO(1)
  ) u_window (
      .clk_i      (clk_i),
      .moves_i    (moves_i),
      .rows_i     (rows_i),
      .window_o   (window),
      .nonzero_o  (nonzero),
      .eligible_i (eligible_i),
      .nonfinite_o(nonfinite_o)
  );

  // An element may be taken if its pair matters, its row is searched, and no lane has had it. In
  // dense mode no row is searched, and every lane takes its own element, zero or not.
  wire [    ELEMENTS-1:0] effectual, searched, taken_before, rest;
  wire [    ELEMENTS-1:0] free = effectual & searched & ~taken_before;
  wire [LANES*OPTIONS-1:0] choice;
  td1_scheduler #(
      .LANES(LANES), .DEPTH(DEPTH), .OPTIONS(OPTIONS), .LEVELS(LEVELS),
      .STEP(STEP), .OFFSET(OFFSET), .LEVEL(LEVEL)
  ) u_scheduler (
      .z_i     (free),
      .select_o(choice),
      .rest_o  (rest)
  );

  genvar i;
  if (TWO_SIDED != 0) begin : g_two_sided
    assign effectual = nonzero & a_nonzero_i;
  end else begin : g_one_sided
    wire unused = &{1'b0, a_nonzero_i};
    assign effectual = nonzero;
  end
  for (i = 0; i < DEPTH; i = i + 1) begin : g_search
    assign searched[i*LANES+:LANES] = {LANES{eligible_i[i] & ~dense_i}};
    assign clear_o[i] = ~(|rest[0+:(i+1)*LANES]);
  end
  for (i = 0; i < LANES; i = i + 1) begin : g_select
    wire [OPTIONS-1:0] select = choice[i*OPTIONS+:OPTIONS] | ({OPTIONS{dense_i}} & OWN_OPTION);
    assign select_o[i*OPTIONS+:OPTIONS] = select;
    assign active_o[i] = |select;
  end

  // What is taken ahead of its row moves up with it. The last row of the window has not been taken
  // from: it was out of sight before this step.
  if (DEPTH == 1) begin : g_none_ahead
    wire unused = &{1'b0, advance_i, taken_load_i};
    assign taken_before = {ELEMENTS{1'b0}};
  end else begin : g_ahead
    reg  [   AHEAD-1:0] taken_q;
    wire [ELEMENTS-1:0] taken = taken_before | (free & ~rest);
    wire unused = &{1'b0, taken, advance_i};  // of row 0; and when all rows leave, none is left
    assign taken_before = {{LANES{1'b0}}, taken_q};
    for (i = 1; i < DEPTH; i = i + 1) begin : g_advance
      wire [AHEAD-1:0] moved, taken_d;  // if i rows leave; if i or fewer do
      assign moved = {AHEAD{advance_i[i-1]}} & (taken[ELEMENTS-1:LANES] >> ((i - 1) * LANES));
      if (i == 1) begin : g_first
        assign taken_d = moved;
      end else begin : g_next
        assign taken_d = g_advance[i-1].taken_d | moved;
      end
    end
    always @(posedge clk_i) if (taken_load_i) taken_q <= g_advance[DEPTH-1].taken_d;
  end

  td1_interconnect #(
      .LANES(LANES), .WIDTH(WIDTH), .DEPTH(DEPTH), .OPTIONS(OPTIONS), .REGISTERS(REGISTERS),
      .STEP(STEP), .OFFSET(OFFSET)
  ) u_interconnect (
      .clk_i    (clk_i),
      .en_i     (en_i),
      .window_i (window),
      .select_i (select_o),
      .operand_o(operand_o)
  );
endmodule
`default_nettype wire
