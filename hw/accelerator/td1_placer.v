// SPDX-License-Identifier: 0BSD
// Placer: where in the scratchpads the rows of a fill go. Streams come one after the other, or
// several of them at once, which may be the last of a group and the first of the next; or LANES of
// them side by side, row by row, where they were transposed: FILL_ROWS of those at once.
`default_nettype none

module td1_placer #(
    parameter LANES     = 16,  // streams side by side when transposed, 2..64
    parameter STREAMS   = 4,   // of a group; divides LANES
    parameter FILL_ROWS = 1,   // rows at once, at most; divides STREAMS
    parameter DEPTH     = 3,   // banks of a scratchpad, 1..8
    parameter BANK_ROWS = 16   // rows of a bank that a fill may use, 2 or more
) (
    input  wire                           clk_i,          // clock
    input  wire                           start_i,        // begin; the next five stay
    input  wire                           transpose_i,
    input  wire [                   15:0] chunk_rows_i,   // rows of a stream, 1 or more
    input  wire [                   15:0] group_pitch_i,  // bank rows from group to group
    input  wire [                   15:0] groups_i,       // of a line, 1 or more
    input  wire [                   15:0] lines_i,        // 1 or more
    input  wire                           valid_i,        // rows
    input  wire [                    4:0] count_i,        // ... so many, 1..FILL_ROWS
    input  wire                           last_i,         // ... which are the last ones
    // Their places: in this group, and in the one behind it
    output wire [                    1:0] write_o,        // there are such, and not all lines full
    output wire [          2*STREAMS-1:0] stream_o,       // one bit for each of them
    output wire [              DEPTH-1:0] bank_o,         // one-hot
    output wire [2*$clog2(BANK_ROWS)-1:0] bank_row_o,
    output wire [                   31:0] line_o,
    output wire                           error_o         // a bank has no such row, or a group; or
                                                          // there are too many streams, or too few
);
  localparam LANE_BITS = $clog2(LANES);
  localparam LAST_SIDE = LANES / FILL_ROWS - 1;
  localparam ROW_BITS = $clog2(BANK_ROWS);

  // Row of the chunk: bank, and bank row within the group
  reg [15:0] left_q, index_q;  // rows of the chunk that are left, with this one
  reg [DEPTH-1:0] bank_q;
  reg [LANE_BITS-1:0] side_q;  // which of the streams side by side, FILL_ROWS at once
  wire chunk_ends = left_q == 16'd1;
  wire side_ends = ~transpose_i | (side_q == LAST_SIDE[LANE_BITS-1:0]);

  // First stream: its place in the group, the group and its first bank row, the line
  reg [STREAMS-1:0] stream_q;
  reg [15:0] group_q, line_q;  // groups of the line that are left, with this one
  reg [16:0] base_q;
  wire [2*STREAMS-1:0] behind = {{STREAMS{1'b0}}, stream_q} << count_i;  // the one behind all
  wire group_ends = |behind[STREAMS+:STREAMS];
  wire last_group = group_q == 16'd1;

  // The group behind this one
  wire [15:0] next_group = last_group ? groups_i : group_q - 16'd1;
  wire [15:0] next_line = line_q + {15'd0, last_group};
  wire [16:0] next_base = last_group ? 17'd0 : base_q + {1'b0, group_pitch_i};

  // Where the streams side by side begin
  reg [15:0] first_group_q, first_line_q;
  reg [16:0] first_base_q;

  wire [48:0] place = group_ends ? {next_group, next_line, next_base} : {group_q, line_q, base_q};
  always @(posedge clk_i) begin
    if (start_i) begin
      left_q <= chunk_rows_i;
      index_q <= 16'd0;
      bank_q <= {{DEPTH - 1{1'b0}}, 1'b1};
      side_q <= {LANE_BITS{1'b0}};
      stream_q <= {{STREAMS - 1{1'b0}}, 1'b1};
      {group_q, line_q, base_q} <= {groups_i, 33'd0};
      {first_group_q, first_line_q, first_base_q} <= {groups_i, 33'd0};
    end else if (valid_i) begin
      side_q <= side_ends ? {LANE_BITS{1'b0}} : side_q + 1'b1;
      if (side_ends) begin
        left_q <= chunk_ends ? chunk_rows_i : left_q - 16'd1;
        index_q <= chunk_ends ? 16'd0 : index_q + {15'd0, bank_q[DEPTH-1]};
        bank_q <= chunk_ends ? {{DEPTH - 1{1'b0}}, 1'b1}
                             : (bank_q << 1) | (bank_q >> (DEPTH - 1));
      end
      if (transpose_i & side_ends & ~chunk_ends) begin
        {group_q, line_q, base_q} <= {first_group_q, first_line_q, first_base_q};
      end else if (transpose_i | chunk_ends) begin
        {group_q, line_q, base_q} <= place;
      end
      // Streams side by side are whole groups.
      if (transpose_i | chunk_ends) begin
        stream_q <= behind[0+:STREAMS] | behind[STREAMS+:STREAMS];
      end
      if (side_ends & chunk_ends) {first_group_q, first_line_q, first_base_q} <= place;
    end
  end

  // Streams that get a row: the first one and those behind it
  genvar r;
  for (r = 0; r < FILL_ROWS; r = r + 1) begin : g_row
    localparam [4:0] NUMBER = r;
    wire [2*STREAMS-1:0] one = {{STREAMS{1'b0}}, stream_q & {STREAMS{NUMBER < count_i}}} << r;
    wire [2*STREAMS-1:0] some;  // up to this one
    if (r == 0) begin : g_first
      assign some = one;
    end else begin : g_next
      assign some = g_row[r-1].some | one;
    end
  end
  assign stream_o = g_row[FILL_ROWS-1].some;
  wire crosses = |stream_o[STREAMS+:STREAMS];

  wire [16:0] bank_row = base_q + {1'b0, index_q}, next_bank_row = next_base + {1'b0, index_q};
  wire [15:0] last_line = place[17+:16];  // of the stream behind all
  wire misplaced = (index_q >= group_pitch_i) | (bank_row >= BANK_ROWS)
                 | (crosses & (next_bank_row >= BANK_ROWS));
  wire too_many = (first_line_q >= lines_i) | (crosses & (next_line >= lines_i));
  assign write_o = {valid_i & crosses & (next_line < lines_i), valid_i & (line_q < lines_i)};
  assign bank_o = bank_q;
  assign bank_row_o = {next_bank_row[ROW_BITS-1:0], bank_row[ROW_BITS-1:0]};
  assign line_o = {next_line, line_q};
  assign error_o = ((|write_o) & misplaced) | (valid_i & too_many)
                 | (last_i & (last_line < lines_i));
endmodule
`default_nettype wire
