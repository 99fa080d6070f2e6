// SPDX-License-Identifier: 0BSD
// Placer: where in the scratchpads the rows of a fill go. Streams come one after the other, or
// several of them at once, which may be the last of a group and the first of those behind it; or
// LANES of them beside each other, row by row, where they were transposed: FILL_ROWS at once.
// Groups take turns in the sets of the scratchpads, those of all lines together.
`default_nettype none

module td1_placer #(
    parameter LANES     = 16,  // streams beside each other when transposed, 2..64
    parameter STREAMS   = 4,   // of a group; divides LANES
    parameter FILL_ROWS = 1,   // rows at once, at most: a power of two that divides LANES
    parameter DEPTH     = 3,   // banks of a scratchpad, 1..8
    parameter SETS      = 1,   // see td1_scratchpad
    parameter SET_ROWS  = 16   // rows of a set of a bank that a fill may use, 2 or more
) (
    input  wire                           clk_i,          // clock
    input  wire                           start_i,        // begin; the next four stay
    input  wire                           transpose_i,
    input  wire [                   15:0] chunk_rows_i,   // rows of a stream, 1 or more
    input  wire [                   15:0] group_pitch_i,  // bank rows from group to group
    input  wire [                   15:0] groups_i,       // of a line, 1 or more
    input  wire [                   15:0] lines_i,        // 1 or more
    input  wire                           valid_i,        // rows
    input  wire [                    4:0] count_i,        // ... so many, 1..FILL_ROWS
    input  wire                           surplus_i,      // ... of which some may be too many
    input  wire                           last_i,         // ... which are the last ones
    // Their places: in this group, and in the SETS behind it
    output wire [                 SETS:0] write_o,        // there are such, and not all lines full
    output wire [   (SETS+1)*STREAMS-1:0] stream_o,       // one bit for each of them
    output wire [      (SETS+1)*SETS-1:0] set_o,          // one-hot
    output wire [              DEPTH-1:0] bank_o,         // one-hot
    output wire [(SETS+1)*$clog2(SET_ROWS)-1:0] bank_row_o,
    output wire [        (SETS+1)*16-1:0] line_o,
    output wire                           error_o         // a bank has no such row, or a group; or
                                                          // there are too many streams, or too few
);
  localparam LANE_BITS = $clog2(LANES);
  localparam LAST_SIDE = LANES / FILL_ROWS - 1;
  localparam ROW_BITS = $clog2(SET_ROWS), GROUPS = SETS + 1;
  localparam PLACE = 49 + SETS;  // bits of a group's: see place_q

  // Row of the chunk: bank, and bank row within the group
  reg [15:0] left_q, index_q;  // rows of the chunk that are left, with this one
  reg [DEPTH-1:0] bank_q;
  reg [LANE_BITS-1:0] side_q;  // which of the streams beside each other, FILL_ROWS at once
  wire chunk_ends = left_q == 16'd1;
  wire side_ends = ~transpose_i | (side_q == LAST_SIDE[LANE_BITS-1:0]);

  // First stream: its place in the group, and that group's: the set, the groups of the line that
  // are left, with this one, the line, the first bank row
  reg [STREAMS-1:0] stream_q;
  reg [PLACE-1:0] place_q;
  wire [GROUPS*STREAMS-1:0] behind = {{SETS * STREAMS{1'b0}}, stream_q} << count_i;  // all of them

  // Where the streams beside each other begin
  reg [PLACE-1:0] first_q;
  wire [15:0] first_line = first_q[17+:16];

  // Streams that get a row: the first one and those behind it
  genvar r;
  for (r = 0; r < FILL_ROWS; r = r + 1) begin : g_row
    localparam [4:0] NUMBER = r;
    wire [GROUPS*STREAMS-1:0] one =
        {{SETS * STREAMS{1'b0}}, stream_q & {STREAMS{NUMBER < count_i}}} << r;
    wire [GROUPS*STREAMS-1:0] some;  // up to this one
    if (r == 0) begin : g_first
      assign some = one;
    end else begin : g_next
      assign some = g_row[r-1].some | one;
    end
  end
  assign stream_o = g_row[FILL_ROWS-1].some;

  // Places of that group and those behind it; where the next stream is
  wire [SETS:0] misplaced, too_many;
  genvar k;
  for (k = 0; k < GROUPS; k = k + 1) begin : g_group
    wire [PLACE-1:0] place, next;  // up to this one
    wire [SETS-1:0] set;
    wire [15:0] group, line;
    wire [16:0] base;
    if (k == 0) begin : g_first
      assign place = place_q;
      assign next = place;
    end else begin : g_behind
      wire last_group = g_group[k-1].group == 16'd1;
      wire [SETS-1:0] earlier = g_group[k-1].set;
      wire [16:0] next_base = g_group[k-1].base + ({17{earlier[SETS-1]}} & {1'b0, group_pitch_i});
      assign place = {(earlier << 1) | (earlier >> (SETS - 1)),
                      last_group ? groups_i : g_group[k-1].group - 16'd1,
                      g_group[k-1].line + {15'd0, last_group}, last_group ? 17'd0 : next_base};
      assign next = |behind[k*STREAMS+:STREAMS] ? place : g_group[k-1].next;
    end
    assign {set, group, line, base} = place;
    wire unused = &{1'b0, group};  // of the last one
    wire [STREAMS-1:0] folded;  // the stream behind all, in the groups up to this one
    if (k == 0) begin : g_fold
      assign folded = behind[0+:STREAMS];
    end else begin : g_folds
      assign folded = g_group[k-1].folded | behind[k*STREAMS+:STREAMS];
    end

    wire [16:0] bank_row = base + {1'b0, index_q};
    wire touched = |stream_o[k*STREAMS+:STREAMS];
    wire full = line >= lines_i;
    assign write_o[k] = valid_i & touched & ~full;
    assign set_o[k*SETS+:SETS] = set;
    assign bank_row_o[k*ROW_BITS+:ROW_BITS] = bank_row[ROW_BITS-1:0];
    assign line_o[k*16+:16] = line;
    assign misplaced[k] = write_o[k] & ((index_q >= group_pitch_i) | (bank_row >= SET_ROWS[16:0]));
    assign too_many[k] = touched & (k == 0 ? first_line >= lines_i : full & ~surplus_i);
  end
  wire [PLACE-1:0] place = g_group[SETS].next;

  localparam [SETS-1:0] FIRST_SET = 1;
  wire [PLACE-1:0] begin_place = {FIRST_SET, groups_i, 33'd0};

  always @(posedge clk_i) begin
    if (start_i) begin
      left_q <= chunk_rows_i;
      index_q <= 16'd0;
      bank_q <= {{DEPTH - 1{1'b0}}, 1'b1};
      side_q <= {LANE_BITS{1'b0}};
      stream_q <= {{STREAMS - 1{1'b0}}, 1'b1};
      place_q <= begin_place;
      first_q <= begin_place;
    end else if (valid_i) begin
      side_q <= side_ends ? {LANE_BITS{1'b0}} : side_q + 1'b1;
      if (side_ends) begin
        left_q <= chunk_ends ? chunk_rows_i : left_q - 16'd1;
        index_q <= chunk_ends ? 16'd0 : index_q + {15'd0, bank_q[DEPTH-1]};
        bank_q <= chunk_ends ? {{DEPTH - 1{1'b0}}, 1'b1}
                             : (bank_q << 1) | (bank_q >> (DEPTH - 1));
      end
      if (transpose_i & side_ends & ~chunk_ends) begin
        place_q <= first_q;
      end else if (transpose_i | chunk_ends) begin
        place_q <= place;
      end
      // Streams beside each other are whole groups.
      if (transpose_i | chunk_ends) begin
        stream_q <= g_group[SETS].folded;
      end
      if (side_ends & chunk_ends) first_q <= place;
    end
  end

  wire [15:0] last_line = place[17+:16];  // of the stream behind all
  assign bank_o = bank_q;
  assign error_o = (|misplaced) | (valid_i & (|too_many)) | (last_i & (last_line < lines_i));
endmodule
`default_nettype wire
