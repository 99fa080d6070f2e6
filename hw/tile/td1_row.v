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
    parameter LATE      = 0,   // 1: a register behind the scheduler; elements move a clock later
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
    // Step, see td1_intake and td1_tile
    input  wire                         enables_i,     // the pipeline moves in the next clock
    input  wire [            DEPTH-1:0] eligible_i,    // a step looks at the slot, row or not
    input  wire                         dense_i,       // the stream in use runs dense
    input  wire                         special_i,     // an Inf or NaN in slot 0 may meet a zero
    output wire [            DEPTH-1:0] clear_o,       // bit r: rows 0..r are empty, if eligible
    input  wire [      DEPTH*DEPTH-1:0] search_i,      // see td1_search
    output wire                         nonfinite_o,   // an Inf or NaN in an eligible row
    output wire                         special_o,     // ... in slot 0, row or not
    // Choices
    input  wire [LANES*(LATE+REGISTERS+1)-1:0] load_i,  // see td1_interconnect
    output wire [    LANES*OPTIONS-1:0] select_o,      // lane * OPTIONS + option: one-hot, or none
    output wire [            LANES-1:0] live_o,        // the lane takes an element
    output wire [            LANES-1:0] used_o,        // ... or has a dense stream's zero
    output wire [      LANES*WIDTH-1:0] operand_o      // side B's operands; +0 for a zero
);
  localparam ELEMENTS = DEPTH * LANES;

  wire [ELEMENTS*WIDTH-1:0] window;
  wire [      ELEMENTS-1:0] offered, loads;
  wire [      ELEMENTS-1:0] nonzero;  // the slot holds the element: it was wanted as it came there
  td1_window #(
      .LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .DEPTH(DEPTH), .NONZERO(1), .LATE(LATE)
  ) u_window (
      .clk_i(clk_i), .moves_i(moves_i), .loads_i(loads), .rows_i(rows_i), .enables_i(enables_i),
      .wants_i(offered), .window_o(window), .offered_o(offered), .eligible_i(eligible_i),
      .nonfinite_o(nonfinite_o), .special_o(special_o)
  );

  // An element may be taken if its pair matters, its row is searched, and no lane has had it. In
  // dense mode no row is searched: every lane takes its own element, unless its product is a zero.
  wire [    ELEMENTS-1:0] effectual, waits, free, untaken, left;
  wire [LANES*OPTIONS-1:0] choice, selects, b_select;
  wire [        LANES-1:0] takes;
  td1_scheduler #(
      .LANES(LANES), .DEPTH(DEPTH), .OPTIONS(OPTIONS), .LEVELS(LEVELS),
      .STEP(STEP), .OFFSET(OFFSET), .LEVEL(LEVEL)
  ) u_scheduler (.z_i(free), .select_o(choice), .live_o(takes), .untaken_o(untaken));

  assign effectual = (TWO_SIDED != 0) ? nonzero & a_nonzero_i : nonzero;
  assign free = (TWO_SIDED != 0) ? waits & a_nonzero_i : waits;
  genvar i, p, r;
  for (i = 0; i < DEPTH; i = i + 1) begin : g_row
    localparam BEFORE = (i > 0) ? i - 1 : 0;
    assign left[i*LANES+:LANES] =
        untaken[i*LANES+:LANES] | (nonzero[i*LANES+:LANES] & {LANES{~eligible_i[i]}});
    // Row 0 always is: each lane's first choice is its own element of it.
    wire clear = (i == 0) | (g_row[BEFORE].clear & ~(|untaken[i*LANES+:LANES]));
    assign clear_o[i] = clear;
  end
  for (i = 0; i < LANES; i = i + 1) begin : g_select
    wire own = dense_i & (effectual[i] | special_i);  // the lane takes option 0
    wire [OPTIONS-1:0] select = choice[i*OPTIONS+:OPTIONS] | {{OPTIONS - 1{1'b0}}, own};
    assign selects[i*OPTIONS+:OPTIONS] = select;
    // +0 stands for a zero of side B, which did not load. Only in dense mode one is taken.
    wire b_first = choice[i*OPTIONS] | (own & nonzero[i]);
    wire b_first_late;
    td1_pipe #(.WIDTH(OPTIONS + 1), .REGISTERS(LATE)) u_choice (
        .clk_i(clk_i), .en_i(load_i[i*(LATE+REGISTERS+1)+:LATE+1]),
        .x_i({b_first, selects[i*OPTIONS+:OPTIONS]}),
        .y_o({b_first_late, select_o[i*OPTIONS+:OPTIONS]})
    );
    localparam [OPTIONS-1:0] FIRST = 1;
    assign b_select[i*OPTIONS+:OPTIONS] =
        (select_o[i*OPTIONS+:OPTIONS] & ~FIRST) | (FIRST & {OPTIONS{b_first_late}});
    assign live_o[i] = takes[i] | own;
    assign used_o[i] = takes[i] | dense_i;
  end

  // What is wanted of a row that moves is found on the way: of one that was searched the rest, of
  // others all but zeros. No other element loads, and those of slots that are searched next wait to
  // be taken. So the scheduler begins with registers.
  // Unused: side A's zeros unless TWO_SIDED, and what is left of row 0, which leaves.
  wire unused = &{1'b0, moves_i, effectual, left, a_nonzero_i};
  for (p = 0; p < DEPTH; p = p + 1) begin : g_waits
    reg [LANES-1:0] wanted_q, waits_q;
    for (r = 0; r < DEPTH; r = r + 1) begin : g_from
      localparam BEFORE = (r > 0) ? r - 1 : 0, BEHIND = (r > p) ? 0 : p - r;
      wire enters = moves_i[(r > p) ? (p + 2) * DEPTH + r : DEPTH + BEHIND];  // see td1_staging
      wire [LANES-1:0] from = (r > p) ? left[r*LANES+:LANES] : offered[r*LANES+:LANES];
      wire [LANES-1:0] wanted = (r > 0 ? g_from[BEFORE].wanted : {LANES{1'b0}})
                              | ({LANES{enters}} & from);
      wire [LANES-1:0] any = (r > 0 ? g_from[BEFORE].any : {LANES{1'b0}})
                           | ({LANES{search_i[p*DEPTH+r]}} & from);
    end
    always @(posedge clk_i) begin
      if (moves_i[p]) begin
        wanted_q <= g_from[DEPTH-1].wanted;
        waits_q <= g_from[DEPTH-1].any;
      end
    end
    assign loads[p*LANES+:LANES] = (LATE != 0) ? wanted_q : g_from[DEPTH-1].wanted;
    assign nonzero[p*LANES+:LANES] = wanted_q;
    assign waits[p*LANES+:LANES] = waits_q;
  end

  td1_interconnect #(
      .LANES(LANES), .WIDTH(WIDTH), .DEPTH(DEPTH), .OPTIONS(OPTIONS), .LATE(LATE),
      .REGISTERS(REGISTERS), .STEP(STEP), .OFFSET(OFFSET)
  ) u_interconnect (
      .clk_i(clk_i), .load_i(load_i), .window_i(window), .select_i(b_select), .operand_o(operand_o)
  );
endmodule
`default_nettype wire
