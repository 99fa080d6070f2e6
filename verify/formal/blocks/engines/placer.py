# SPDX-License-Identifier: Apache-2.0
"""Proofs about where the rows of a fill go: their streams are counted one by one, and each has its
place by division. Sizes are small; steps may have any number of rows."""

from .. import text
from ...proof import ALWAYS, Proof

BLOCK = "placer"
PROPERTIES = {
    "ok_place": "each row goes to the place of its stream, and nothing else is written",
    "ok_error": "places that are not there, and streams too many or too few, are told of, no others",
}

_MODULE = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire start,
    input wire transpose,
    input wire [1:0] rows,
    input wire [1:0] pitch,
    input wire two_groups,
    input wire two_lines,
    input wire comes,
    input wire two,
    input wire ends,
    {outputs}
);
{seen}
  localparam LANES = 4, STREAMS = 2, FILL_ROWS = 2, DEPTH = 2, BANK_ROWS = 4, LINES = 2;
  localparam PLACES = LINES * STREAMS * DEPTH * BANK_ROWS;
  // A fill: what is said of it stays, rows come at any time, until the last or an error.
  reg begun_q, over_q, transpose_q, two_q;
  reg [1:0] chunk_rows_q, pitch_q, groups_q, lines_q;
  reg [1:0] row_q;      // of the chunk
  reg side_q;           // which of the streams beside each other, two at once
  reg [3:0] streams_q;  // that are placed
  wire starts = start & ~begun_q;
  wire [1:0] chunk_rows = rows == 2'd0 ? 2'd1 : rows;
  wire [1:0] groups = two_groups ? 2'd2 : 2'd1, lines = two_lines ? 2'd2 : 2'd1;
  wire valid = comes & begun_q & ~over_q & ~starts;
  wire block_begins = row_q == 2'd0 & ~side_q;
  wire is_two = transpose_q | (block_begins ? two : two_q);  // the same for all rows of a block
  wire row_ends = ~transpose_q | side_q;
  wire block_ends = row_ends & (row_q + 2'd1 == chunk_rows_q);
  wire last = valid & block_ends & ends;
  wire [1:0] write;
  wire [2*STREAMS-1:0] stream;
  wire [1:0] set;
  wire [DEPTH-1:0] bank;
  wire [2*2-1:0] bank_row;
  wire [31:0] line;
  wire error;
  td1_placer #(.LANES(LANES), .STREAMS(STREAMS), .FILL_ROWS(FILL_ROWS), .DEPTH(DEPTH),
               .SETS(1), .SET_ROWS(BANK_ROWS)) dut (
      .clk_i(clk), .start_i(starts), .transpose_i(starts ? transpose : transpose_q),
      .chunk_rows_i({{14'd0, starts ? chunk_rows : chunk_rows_q}}),
      .group_pitch_i({{14'd0, starts ? pitch : pitch_q}}),
      .groups_i({{14'd0, starts ? groups : groups_q}}),
      .lines_i({{14'd0, starts ? lines : lines_q}}), .valid_i(valid),
      .count_i(is_two ? 5'd2 : 5'd1), .surplus_i(transpose_q), .last_i(last), .write_o(write), .stream_o(stream),
      .set_o(set), .bank_o(bank), .bank_row_o(bank_row), .line_o(line), .error_o(error));
  wire [3:0] all = {{1'b0, lines_q, 1'b0}} << (groups_q == 2'd2);
  wire [3:0] made = streams_q + (transpose_q ? 4'd4 : is_two ? 4'd2 : 4'd1);
  reg [PLACES-1:0] expected, written;
  reg misplaced, too_many;
  integer r, s;
  reg [3:0] number, group, line_of, at;
  always @* begin
    expected = {{PLACES{{1'b0}}}};
    misplaced = 1'b0;
    too_many = transpose_q & (streams_q >= all);
    for (r = 0; r < 2; r = r + 1) begin
      number = streams_q + {{2'd0, side_q & transpose_q, 1'b0}} + r;
      group = (number / STREAMS) % groups_q;
      line_of = number / STREAMS / groups_q;
      at = group * pitch_q + row_q / DEPTH;
      if (r == 0 | is_two) begin
        if (number < all) begin
          misplaced = misplaced | (row_q / DEPTH >= pitch_q) | (at >= BANK_ROWS);
          expected[((line_of[0] * STREAMS + number[0]) * DEPTH + row_q[0]) * BANK_ROWS + at[1:0]] = 1'b1;
        end else too_many = too_many | ~transpose_q;
      end
    end
    written = {{PLACES{{1'b0}}}};
    for (s = 0; s < 2 * STREAMS; s = s + 1) begin
      if (write[s/STREAMS] & stream[s]) begin
        written[((line[s/STREAMS*16+:1] * STREAMS + s % STREAMS) * DEPTH + bank[1]) * BANK_ROWS
                + bank_row[s/STREAMS*2+:2]] = 1'b1;
      end
    end
  end
  wire wrong = misplaced | too_many | (last & (made < all));
  wire no_line = |({{write[1], write[0]}} & {{|line[31:17], |line[15:1]}});
  wire is_bank = bank == 2'b01 | bank == 2'b10;
  always @(posedge clk) begin
    if (!rst_n) {{begun_q, over_q}} <= 2'b00;
    else begin
      begun_q <= (begun_q | start) & ~over_q;
      over_q <= valid & (last | wrong);
    end
    if (starts) begin
      {{transpose_q, chunk_rows_q, pitch_q, groups_q, lines_q}} <= {{transpose, chunk_rows, pitch, groups, lines}};
      {{row_q, side_q, streams_q}} <= 7'd0;
    end else if (valid) begin
      two_q <= is_two;
      side_q <= transpose_q & ~side_q;
      if (row_ends) row_q <= block_ends ? 2'd0 : row_q + 2'd1;
      if (block_ends) streams_q <= made;
    end
  end
  assign ok_place = ~run | (valid ? wrong | (written == expected & ~no_line & is_bank)
                                  : ~begun_q | over_q | starts | write == 2'b00);
  assign ok_error = ~run | ~valid | error == wrong;
endmodule
"""


def proofs(design):
    """Of the module as it is."""
    module = _MODULE.format(head=text.head(design, "What is asked of the placer."), seen=text.SEEN,
                            outputs=text.outputs(PROPERTIES))
    return [Proof(BLOCK, name, signal, design, "cut", ALWAYS, module, (BLOCK,))
            for signal, name in PROPERTIES.items()]
