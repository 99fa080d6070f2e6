# SPDX-License-Identifier: Apache-2.0
"""Proofs about the turns that the halves of a double buffer take. A half stays full until it is done;
work takes any time."""

from .. import text
from ...proof import ALWAYS, Proof

BLOCK = "turns"
PROPERTIES = {
    "ok_once": "a half is begun once for each time it is full, and only if there is something to do",
    "ok_turn": "halves take turns, whether there is something to do or not",
    "ok_soon": "a half whose turn it is begins at once",
    "ok_done": "a half is done once its work is, at once, until it is no longer full",
}

_MODULE = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire [1:0] fills,
    input wire [1:0] empties,
    input wire [1:0] part,
    input wire busy,
    {outputs}
);
{seen}
  wire start, half;
  wire [1:0] done;
  reg [1:0] full_q, part_q;  // what there is to do is known when a half becomes full
  td1_turns dut (.clk_i(clk), .rst_ni(rst_n), .full_i(full_q), .part_i(part_q), .start_o(start),
                 .half_o(half), .busy_i(busy), .done_o(done));

  reg turn_q, works_q;
  reg [1:0] begun_q, ended_q;
  wire [1:0] mine = turn_q ? 2'b10 : 2'b01;
  wire idle = ~works_q & |(full_q & mine & ~ended_q);
  wire ends = works_q ? ~busy : idle & ~|(part_q & mine);
  always @(posedge clk) begin
    if (!rst_n) {{full_q, turn_q, works_q, begun_q, ended_q}} <= 8'd0;
    else begin
      full_q <= (full_q & ~(done & empties)) | (~full_q & fills);
      turn_q <= turn_q ^ ends;
      works_q <= (works_q & busy) | start;
      begun_q <= full_q & (begun_q | (mine & {{2{{start}}}}));
      ended_q <= full_q & (ended_q | (mine & {{2{{ends}}}}));
    end
    part_q <= (part_q & full_q) | (part & ~full_q);
  end
  assign ok_once = ~run | ~start | (|(mine & full_q & part_q & ~begun_q) & ~works_q);
  assign ok_turn = ~run | half == turn_q;
  assign ok_soon = ~run | ~(idle & |(part_q & mine)) | start;
  assign ok_done = ~run | done == ended_q;
endmodule
"""


def proofs(design):
    """Of the module as it is."""
    module = _MODULE.format(head=text.head(design, "What is asked of the turns."), seen=text.SEEN,
                            outputs=text.outputs(PROPERTIES))
    return [Proof(BLOCK, name, signal, design, "full", ALWAYS, module, (BLOCK,))
            for signal, name in PROPERTIES.items()]
