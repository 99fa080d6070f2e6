# SPDX-License-Identifier: Apache-2.0
"""Proofs about the advance, at full size and from any state: what the proofs of the rows assume,
and that by their `clear` nothing effectual is passed."""

from . import text
from ..proof import SAT, Proof

BLOCK = "intake"

# Output of the module `proof` -> what it states.
PROPERTIES = {
    "ok_eligible": "eligible: the rows of the stream in use, of a dense one the first",
    "ok_advance": "a step passes one to depth rows, otherwise none leaves",
    "ok_stream": "an advance ends with the stream at the latest",
    "ok_empty": "an advance passes only rows that are clear, and one in dense mode",
    "ok_all": "an advance leaves no clear row of the stream at its front",
}


OUTPUTS = """\
  wire [$clog2(DEPTH+1)-1:0] a_ready, b_ready;
  wire [DEPTH:0] a_slots, b_slots;
  wire [DEPTH-1:0] eligible, advance;
  wire [DEPTH*(DEPTH+1)-1:0] a_next_load, b_next_load;
  wire [DEPTH:0] dense_next, steps_if;
  wire [DEPTH*(DEPTH+1)-1:0] of_stream;
  wire [DEPTH-1:0] follows;
  wire step, steps, final_step, waiting;"""
CONNECTED = """.clk_i(clk), .rst_ni(rst_n),
      .a_valid_i(a_valid), .a_ready_o(a_ready), .b_valid_i(b_valid), .b_ready_o(b_ready),
      .b_last_i(b_last), .b_last_of_output_i(b_last_of_output), .dense_i(dense),
      .a_held_o(a_slots), .b_held_o(b_slots), .a_loads_o(a_next_load), .b_loads_o(b_next_load),
      .eligible_o(eligible), .denses_o(dense_next), .clear_i(clear), .advance_o(advance),
      .own_o(of_stream), .follows_o(follows), .enable_i(enable), .enables_i(enables), .step_o(step), .steps_o(steps), .steps_if_o(steps_if),
      .final_o(final_step), .waiting_o(waiting)"""


def _module(design):
    depth = design.depth
    count = f"[{depth.bit_length() - 1}:0]"
    return f"""\
{text.head(design, "What the definition says of the advance.")}
module proof (
    input wire clk,
    input wire rst_n,
    input wire {count} a_valid,
    input wire {count} b_valid,
    input wire [{depth - 1}:0] b_last,
    input wire [{depth - 1}:0] b_last_of_output,
    input wire dense,
    input wire enable,
    input wire enables,
    input wire [{design.parameter("tile.rows") * depth - 1}:0] clear,
    {text.outputs(PROPERTIES)}
);
  localparam DEPTH = {depth}, ROWS = {design.parameter("tile.rows")};
{OUTPUTS}
  {design.instance(BLOCK, CONNECTED)}
{text.probe("last", depth, design.manifest.inside(BLOCK, "last"))}
{text.probe("dense_now", 1, design.manifest.inside(BLOCK, "dense"))}

  // Rows of the stream in use: up to the first that is its last. Rows that a step may empty, from
  // the front: the row in use always, those ahead while every tile row is clear, in dense mode none.
  reg [DEPTH-1:0] own, empty, emptied;
  reg [7:0] passed, own_rows, empty_rows;
  integer k, t;
  always @* begin
    emptied = {{DEPTH{{1'b1}}}};
    for (t = 0; t < ROWS; t = t + 1) emptied = emptied & clear[t*DEPTH+:DEPTH];
    emptied[0] = 1'b1;
    {{own, empty}} = {{2*DEPTH{{1'b1}}}};
    {{passed, own_rows, empty_rows}} = 24'd0;
    for (k = 0; k < DEPTH; k = k + 1) begin
      if (k > 0) begin
        own[k] = own[k-1] & ~last[k-1];
        empty[k] = empty[k-1] & emptied[k] & ~dense_now;
      end
      own_rows = own_rows + own[k];
      empty_rows = empty_rows + empty[k];
      if (advance[k]) passed = passed + k + 1;
    end
  end
  // The rows' `clear` has no gaps, as is proved of it.
  wire legal = (emptied & (emptied + 1'b1)) == 0;
  assign ok_eligible = eligible == (dense_now ? own & 1'b1 : own);
  assign ok_advance = ~legal | (((advance & (advance - 1'b1)) == 0)
    & (step ? passed >= 1 & passed <= DEPTH : passed == 0));
  assign ok_stream = ~legal | passed <= own_rows;
  assign ok_empty = ~legal | passed <= empty_rows;
  assign ok_all = ~legal | ~step | passed >= (own_rows < empty_rows ? own_rows : empty_rows);
endmodule
"""


def proofs(design):
    """Of one design."""
    if design.is_dense:
        return []
    module = _module(design)
    return [Proof(BLOCK, name, signal, design, "full", SAT, module, (BLOCK, "moves", "staging"))
            for signal, name in PROPERTIES.items()]
