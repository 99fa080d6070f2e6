# SPDX-License-Identifier: Apache-2.0
"""Proofs about an operand memory: whatever the interleaving, rows of a beat lie in different banks,
and each is found again. Of each row one bit is followed; a side's loads and fills agree on the
interleaving."""

from .. import text
from ...proof import ALWAYS, Proof

BLOCK = "operands"
PROPERTIES = {
    "ok_row": "a row that a fill reads is what a load wrote there last, if no two are in one bank",
    "ok_clash": "rows behind each other, as many as a beat has, never clash",
}

_MODULE = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire pick,
    input wire [3:0] which,
    input wire [4:0] interleave,
    input wire [BEAT-1:0] write_en,
    input wire [3:0] write_row,
    input wire [BEAT-1:0] bits,
    input wire [3:0] read_en,
    input wire [15:0] read_row,
    {outputs}
);
  localparam BEAT = {beat}, BANKS = 4, MOST = 2;  // 16 rows of 4 banks
{seen}
  // One row, whichever, and an interleaving.
  reg picked_q, known_q, bit_q, was_q, clash_q;
  reg [3:0] which_q;
  reg [4:0] interleave_q;
  wire [4:0] legal = interleave > MOST ? MOST : interleave;
  wire [BEAT-1:0] writes, hits;
  wire [BANKS-1:0] data;
  wire clash;
  genvar k;
  for (k = 0; k < BEAT; k = k + 1) begin : g_write
    wire [4:0] row = write_row + k;
    assign writes[k] = write_en[k] & picked_q & ~row[4];
    assign hits[k] = writes[k] & row[3:0] == which_q;
  end
  td1_operands #(.ROW(1), .OPERAND_ROWS(16), .FILL_ROWS(BANKS), .WRITE_ROWS(BEAT)) dut (
      .clk_i(clk), .write_en_i(writes), .write_interleave_i(interleave_q), .write_row_i(write_row),
      .write_data_i(bits), .read_en_i(read_en), .read_interleave_i(interleave_q),
      .read_row_i(read_row), .read_data_o(data), .clash_o(clash));
  always @(posedge clk) begin
    picked_q <= rst_n & (picked_q | pick);
    if (!picked_q) {{which_q, interleave_q}} <= {{which, legal}};
    known_q <= rst_n & (known_q | |hits);
    if (|hits) bit_q <= |(hits & bits);
    was_q <= bit_q;
    clash_q <= clash;
  end
  wire [BANKS-1:0] wrong;
  for (k = 0; k < BANKS; k = k + 1) begin : g_read
    reg read_q;
    always @(posedge clk) begin
      read_q <= rst_n & known_q & read_en[k] & read_row[k*4+:4] == which_q;
    end
    assign wrong[k] = read_q & data[k] != was_q;
  end
  assign ok_row = ~run | clash_q | ~|wrong;

  // The first rows that are read follow each other.
  wire [BANKS-1:0] follows;
  for (k = 0; k < BANKS; k = k + 1) begin : g_follows
    wire [4:0] row = read_row[3:0] + k;
    assign follows[k] = k < BEAT ? ~row[4] & read_row[k*4+:4] == row[3:0] : ~read_en[k];
  end
  assign ok_clash = ~run | ~&follows | ~clash;
endmodule
"""


def _proofs(design, beat):
    module = _MODULE.format(head=text.head(design, "A row of an operand memory."), seen=text.SEEN,
                            outputs=text.outputs(PROPERTIES), beat=beat)
    return [Proof(BLOCK, name, signal, design, f"{beat} rows a beat", ALWAYS, module,
                  (BLOCK, "interleave", "ram", "select")) for signal, name in PROPERTIES.items()]


def proofs(design):
    """Of beats of one row, and of two."""
    return [*_proofs(design, 1), *_proofs(design, 2)]
