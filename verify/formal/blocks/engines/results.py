# SPDX-License-Identifier: Apache-2.0
"""Proofs about a tile's result memory: wherever its banks put a word, it is found again, by the
collector and in the rows that the store engine reads. Of each word one bit is followed."""

from .. import text
from ...proof import ALWAYS, Proof

BLOCK = "results"
PROPERTIES = {
    "word": "a word that is read is what was written there last, and 0 where none is",
    "row": "a row that is read has its words beside each other, the first in the low bits",
}

_MODULE = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire pick,
    input wire [3:0] which,
    input wire [COLLECT-1:0] write_en,
    input wire [COLLECT*4-1:0] write_word,
    input wire [COLLECT-1:0] bits,
    input wire [SETS-1:0] row_en,
    input wire [SETS*PLACE-1:0] row,
    input wire [COLLECT-1:0] word_en,
    input wire [COLLECT*4-1:0] word,
    {outputs}
);
  localparam COLLECT = {collect}, BANKS = {banks}, SETS = {sets}, LOW = $clog2(BANKS), WORD = 64;
  localparam PLACE = 4 - LOW - $clog2(SETS);
{seen}
  // Of two words at once the second is an odd number of rows behind the first.
  function automatic apart(input [7:0] two);
    apart = two[4+:LOW] == two[0+:LOW] & (two[4+LOW] ^ two[LOW]);
  endfunction
  wire [COLLECT-1:0] writes = write_en & ({legal_write} ? {{COLLECT{{1'b1}}}} : 1);
  wire [COLLECT-1:0] reads = word_en & ({legal_read} ? {{COLLECT{{1'b1}}}} : 1) & {{COLLECT{{~|row_en}}}};
  wire [COLLECT*WORD-1:0] data, words;
  wire [SETS*BANKS*WORD-1:0] whole;
  genvar k;
  for (k = 0; k < COLLECT; k = k + 1) begin : g_data
    assign data[k*WORD+:WORD] = {{63'd0, bits[k]}};
  end
  td1_results #(.STREAMS(2), .LANES(2 * BANKS), .RESULT_WORDS(16), .COLLECT_WORDS(COLLECT),
      .STORE_ROWS(SETS)) dut (
      .clk_i(clk), .write_en_i(writes), .write_word_i(write_word), .write_data_i(data),
      .row_en_i(row_en), .row_i(row), .word_en_i(reads), .word_i(word),
      .row_o(whole), .word_o(words));

  // One word, whichever, from when it is first written on.
  reg picked_q, known_q, bit_q;
  reg [3:0] which_q;
  reg [COLLECT-1:0] read_q, none_q;
  reg row_q, was_q;
  // Of its row, among all and among those of its set.
  wire [3:0] row_of = which_q >> LOW, set = row_of % SETS, place = row_of / SETS;
  always @(posedge clk) begin
    picked_q <= rst_n & (picked_q | pick);
    if (!picked_q) which_q <= which;
    known_q <= rst_n & (known_q | (picked_q & |hits));
    if (hits[0]) bit_q <= bits[0];
    else if (|hits) bit_q <= bits[COLLECT-1];
    was_q <= bit_q;
    row_q <= rst_n & known_q & row_en[set] & row[set*PLACE+:PLACE] == place;
    none_q <= ~reads;
  end
  wire [COLLECT-1:0] hits, wrong;
  for (k = 0; k < COLLECT; k = k + 1) begin : g_word
    assign hits[k] = writes[k] & write_word[k*4+:4] == which_q;
    always @(posedge clk) read_q[k] <= rst_n & known_q & reads[k] & word[k*4+:4] == which_q;
    assign wrong[k] = (read_q[k] & words[k*WORD] != was_q) | (none_q[k] & words[k*WORD]);
  end
  assign {kind}_word = ~run | ~|wrong;
  assign {kind}_row = ~run | ~row_q | whole[(set * BANKS + which_q[LOW-1:0]) * WORD] == was_q;
endmodule
"""


def _proofs(design, collect, banks, sets):
    kind = "ok" if sets == 1 else "ok_sets"
    properties = {f"{kind}_{what}": name for what, name in PROPERTIES.items()}
    module = _MODULE.format(
        head=text.head(design, "A word of the result memory."), seen=text.SEEN, collect=collect,
        banks=banks, sets=sets, kind=kind, outputs=text.outputs(properties),
        legal_write="apart(write_word)" if collect == 2 else "1'b1",
        legal_read="apart(word)" if collect == 2 else "1'b1")
    return [Proof(BLOCK, name, signal, design, f"{collect} at once, {banks} banks, {sets} rows",
                  ALWAYS, module,
                  (BLOCK, "ram", "select")) for signal, name in properties.items()]


def proofs(design):
    """Of one word in a clock, and of two; of one row, and of two."""
    return [proof for sizes in ((1, 4, 1), (2, 4, 1), (2, 2, 1), (1, 2, 4), (2, 2, 2))
            for proof in _proofs(design, *sizes)]
