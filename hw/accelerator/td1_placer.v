// SPDX-License-Identifier: 0BSD
// Placer: where in the scratchpads the rows of a fill go. Streams come one after the other, or
// 2^fan of them at once, or LANES of them side by side, row by row, where they were transposed:
// FILL_ROWS of those at once.
`default_nettype none

module td1_placer #(
    parameter LANES     = 16,  // streams side by side when transposed, 2..64
    parameter STREAMS   = 4,   // of a group; divides LANES
    parameter FILL_ROWS = 1,   // rows at once, at most; divides STREAMS
    parameter DEPTH     = 3,   // banks of a scratchpad, 1..8
    parameter BANK_ROWS = 16   // rows of a bank that a fill may use, 2 or more
) (
    input  wire                         clk_i,          // clock
    input  wire                         start_i,        // begin; the next six stay
    input  wire                         transpose_i,
    input  wire [                  2:0] fan_i,
    input  wire [                 15:0] chunk_rows_i,   // rows of a stream, 1 or more
    input  wire [                 15:0] group_pitch_i,  // bank rows from group to group
    input  wire [                 15:0] groups_i,       // of a line, 1 or more
    input  wire [                 15:0] lines_i,        // 1 or more
    input  wire                         valid_i,        // rows
    // Its place
    output wire                         write_o,        // it has one: lines are not full
    output wire [          STREAMS-1:0] stream_o,       // one bit for each of them
    output wire [            DEPTH-1:0] bank_o,         // one-hot
    output wire [$clog2(BANK_ROWS)-1:0] bank_row_o,
    output wire [                 15:0] line_o,
    output wire                         error_o         // the bank has no such row, or the group
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

  // Stream: its place in the group, the group and its first bank row, the line
  reg [STREAMS-1:0] stream_q;
  reg [15:0] group_q, line_q;  // groups of the line that are left, with this one
  reg [16:0] base_q;
  wire group_ends = stream_q[STREAMS-1];
  wire line_ends = group_ends & (group_q == 16'd1);
  wire [4:0] at_once = transpose_i ? FILL_ROWS[4:0] : 5'd1 << fan_i;
  wire [STREAMS-1:0] first_stream = ~({STREAMS{1'b1}} << at_once);
  wire [STREAMS-1:0] next_stream = (stream_q << at_once) | (stream_q >> (STREAMS[4:0] - at_once));
  wire [15:0] next_group = line_ends ? groups_i : group_q - {15'd0, group_ends};
  wire [15:0] next_line = line_q + {15'd0, line_ends};
  wire [16:0] next_base = line_ends ? 17'd0 : base_q + ({17{group_ends}} & {1'b0, group_pitch_i});

  // Where the streams side by side begin
  reg [15:0] first_group_q, first_line_q;
  reg [16:0] first_base_q;

  always @(posedge clk_i) begin
    if (start_i) begin
      left_q <= chunk_rows_i;
      index_q <= 16'd0;
      bank_q <= {{DEPTH - 1{1'b0}}, 1'b1};
      side_q <= {LANE_BITS{1'b0}};
      stream_q <= first_stream;
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
        stream_q <= first_stream;
      end else if (transpose_i | chunk_ends) begin
        {group_q, line_q, base_q} <= {next_group, next_line, next_base};
        stream_q <= next_stream;
      end
      if (side_ends & chunk_ends) begin
        {first_group_q, first_line_q, first_base_q} <= {next_group, next_line, next_base};
      end
    end
  end

  wire [16:0] bank_row = base_q + {1'b0, index_q};
  assign write_o = valid_i & (line_q < lines_i);
  assign stream_o = stream_q;
  assign bank_o = bank_q;
  assign bank_row_o = bank_row[ROW_BITS-1:0];
  assign line_o = line_q;
  assign error_o = write_o & ((index_q >= group_pitch_i) | (bank_row >= BANK_ROWS));
endmodule
`default_nettype wire
