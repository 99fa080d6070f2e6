# SPDX-License-Identifier: Apache-2.0
"""Proofs about the advance, at full size and from any state: what the proofs of the rows assume,
and that by their `clear` nothing effectual is passed."""

from . import text
from .proof import SAT, Proof

BLOCK = "intake"

# Output of the module `proof` -> what it states.
PROPERTIES = {
    "ok_search": "rows are searched if they are of the stream in use, and none in dense mode",
    "ok_advance": "a step passes one to depth rows, otherwise none leaves",
    "ok_stream": "an advance ends with the stream at the latest",
    "ok_empty": "an advance passes only rows that are clear, and one in dense mode",
    "ok_all": "an advance leaves no clear row of the stream at its front",
}


def _module(design):
    depth = design.depth
    count = f"[{depth.bit_length() - 1}:0]"
    clear = "" if depth == 1 else "\n      .clear_i(clear),"
    last = text.probe("last", depth, "last_q")
    return f"""\
{text.head(design, "What the definition says of the advance.")}
module proof (
    input wire clk,
    input wire rst_n,
    input wire {count} a_valid,
    input wire {count} b_valid,
    input wire [{depth - 1}:0] b_last,
    input wire [{depth - 1}:0] b_last_of_output,
    input wire dense_mode,
    input wire enable,
    input wire [{max(depth - 2, 0)}:0] clear,  // bit k: rows 1..k + 1
    {text.outputs(PROPERTIES)}
);
  localparam DEPTH = {depth};
  wire step, dense;
  wire [DEPTH-1:0] eligible, search, advance;
  {design.name}_intake dut (
      .clk_i(clk), .rst_ni(rst_n), .a_valid_i(a_valid), .b_valid_i(b_valid),
      .b_last_i(b_last), .b_last_of_output_i(b_last_of_output), .dense_i(dense_mode),{clear}
      .enable_i(enable), .eligible_o(eligible), .search_o(search), .dense_o(dense),
      .step_o(step), .advance_o(advance)
  );
{last}

  // Rows of the stream in use: up to the first that is its last. Rows that a step may empty, from
  // the front: the row in use always, those ahead while they are clear, in dense mode none.
  wire [DEPTH-1:0] emptied = {"1'b1" if depth == 1 else "{clear, 1'b1}"};
  reg [DEPTH-1:0] own, empty;
  reg [7:0] passed, own_rows, empty_rows;
  integer k;
  always @* begin
    {{own, empty}} = {{2*DEPTH{{1'b1}}}};
    {{passed, own_rows, empty_rows}} = 24'd0;
    for (k = 0; k < DEPTH; k = k + 1) begin
      if (k > 0) begin
        own[k] = own[k-1] & ~last[k-1];
        empty[k] = empty[k-1] & emptied[k] & ~dense;
      end
      own_rows = own_rows + own[k];
      empty_rows = empty_rows + empty[k];
      if (advance[k]) passed = passed + k + 1;
    end
  end
  // The rows' `clear` has no gaps when they search, as is proved of it.
  wire legal = {"1'b1" if depth < 3 else "dense | ~|(clear[DEPTH-2:1] & ~clear[DEPTH-3:0])"};
  assign ok_search = (eligible == own) & (search == (dense ? {{DEPTH{{1'b0}}}} : own));
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
    return [Proof(BLOCK, name, signal, design, "full", SAT, module, (BLOCK,))
            for signal, name in PROPERTIES.items()]
