# SPDX-License-Identifier: Apache-2.0
"""Proofs about one step of a tile row, whatever its window holds and it took ahead before.

Assumed, and proved of the intake: one advance at most.
"""

from . import staging, text
from ..proof import SAT, STEP, Proof

BLOCK = "row"

# A wider row rests on the proofs of its parts: Yosys reads the property of 64 lanes for minutes.
_MOST_LANES = 32

# Output of the module `proof` -> what it states, and what it takes.
CHOICES = {
    "ok_free": "lanes take effectual, untaken elements of the stream in use",
    "ok_once": "no element is taken twice",
    "ok_row_0": "row 0 is always emptied",
    "ok_definition": "lanes choose as the definition says",
    "ok_dense": "in dense mode a lane takes its own element",
    "ok_active": "a lane is active if it takes an element",
    "ok_nonfinite": "nonfinite: any Inf or NaN of the stream in use",
}
CLEAR = {"ok_clear": "clear: no effectual element is left up to that row"}
STATE = {"ok_taken": "what is taken ahead moves with its row and leaves with it"}
OPERAND = {"ok_operand": "an operand is the element that its lane takes, or +0"}

# What the window holds: which elements are effectual, which the lanes may take, and whether any is
# Inf or NaN.
_WINDOW = """\
  reg [ELEMENTS-1:0] effectual, z;
  reg nonfinite;
  integer e;
  always @* begin
    nonfinite = 1'b0;
    for (e = 0; e < ELEMENTS; e = e + 1) begin
      effectual[e] = window[e*WIDTH+:WIDTH-1] != {WIDTH-1{1'b0}} & other_side[e];
      z[e] = effectual[e] & eligible[e/LANES] & ~dense & ~taken_before[e];
      nonfinite = nonfinite
        | (eligible[e/LANES] & (window[e*WIDTH+WIDTH-1-EXPONENT+:EXPONENT] == {EXPONENT{1'b1}}));
    end
  end
"""

# In dense mode each lane takes option 0, which is its own element.
_DENSE = """\
  reg own;
  integer d;
  always @* begin
    own = 1'b1;
    for (d = 0; d < LANES; d = d + 1) own = own & (choice[d*OPTIONS+:OPTIONS] == 1);
  end
"""

_ACTIVE = """\
  reg [LANES-1:0] takes;
  integer a;
  always @* for (a = 0; a < LANES; a = a + 1) takes[a] = |choice[a*OPTIONS+:OPTIONS];
"""

# Bit r of `clear`: nothing is left in rows 0..r.
_CLEAR = """\
  reg [DEPTH-1:0] empty;
  integer c;
  always @* begin
    for (c = 0; c < DEPTH; c = c + 1) begin
      empty[c] = left[c*LANES+:LANES] == {LANES{1'b0}};
      if (c > 0) empty[c] = empty[c] & empty[c-1];
    end
  end
"""

# What the next clock must hold as taken: all that is and was taken, moved by the advance; none of
# it when all rows leave.
_TAKEN = """\
  reg [ELEMENTS-1:0] demanded;
  reg [(DEPTH-1)*LANES-1:0] demanded_q;
  reg legal_q;
  integer k;
  always @* begin
    demanded = {ELEMENTS{1'b0}};
    for (k = 1; k < DEPTH; k = k + 1) begin
      if (advance[k-1]) demanded = (taken_before | picked) >> (k * LANES);
    end
  end
  always @(posedge clk) begin
    demanded_q <= taken_load ? demanded[(DEPTH-1)*LANES-1:0] : taken;
    legal_q <= (advance & (advance - 1'b1)) == 0;
  end
  assign ok_taken = ~legal_q | (taken == demanded_q);
"""


def _inputs(design):
    """Of the module `proof`: name -> bits."""
    return {**staging.ports(design), "en": 1, "dense": 1, "eligible": design.depth,
            "advance": design.depth, "taken_load": 1, "a_nonzero": design.depth * design.lanes}


_CONNECTED = f"""{staging.CONNECTED},
      .a_nonzero_i(a_nonzero), .eligible_i(eligible), .dense_i(dense), .clear_o(clear),
      .advance_i(advance), .taken_load_i(taken_load), .nonfinite_o(nonfinite_o), .en_i(en),
      .select_o(choice), .active_o(active), .operand_o(operand)"""


def _properties(design):
    return {**CHOICES, **CLEAR, **(STATE if design.depth > 1 else {}), **OPERAND,
            **staging.STAGING}


def _taken_before(design):
    if design.depth == 1:
        return "  wire [ELEMENTS-1:0] taken_before = {ELEMENTS{1'b0}};"
    return f"""\
{text.probe("taken", (design.depth - 1) * design.lanes, design.manifest.inside("row", "taken"))}
  wire [ELEMENTS-1:0] taken_before = {{{{LANES{{1'b0}}}}, taken}};"""


def _module(design):
    inputs = ",\n    ".join(f"input wire [{bits - 1}:0] {name}"
                            for name, bits in _inputs(design).items())
    window = text.vector("window", [
        (design.manifest.inside("row", "row_slot", slot=slot), design.lanes * design.width)
        for slot in range(design.depth)])
    other_side = "a_nonzero" if design.is_two_sided else "{ELEMENTS{1'b1}}"
    return f"""\
{text.head(design, "What the definition says of a step of a tile row.")}
module proof (
    {inputs},
    {text.outputs(_properties(design))}
);
{text.pattern(design)}
  localparam WIDTH = {design.width}, EXPONENT = {design.exponent_bits};
  wire [LANES*OPTIONS-1:0] choice;
  wire [LANES*WIDTH-1:0] operand;
  wire [LANES-1:0] active;
  wire nonfinite_o;
  wire [DEPTH-1:0] clear;
  {design.instance(BLOCK, _CONNECTED)}
{window}
  wire [ELEMENTS-1:0] other_side = {other_side};
{_taken_before(design)}

{_WINDOW}
{staging.check(design)}
{text.PICKS}
{text.DEFINITION}
{text.arrival(design, "row")}
{_DENSE}
{_ACTIVE}
{_CLEAR}
{_TAKEN if design.depth > 1 else ""}
  assign ok_free = dense | ~|(picked & ~z);
  assign ok_once = ~twice;
  assign ok_row_0 = ~|left[LANES-1:0];
  assign ok_definition = dense | (choice == expected);
  assign ok_dense = ~dense | own;
  assign ok_active = active == takes;
  assign ok_nonfinite = nonfinite_o == nonfinite;
  assign ok_clear = dense | (clear == empty);
  assign ok_operand = arrives;
endmodule
"""


def proofs(design):
    """Of one design."""
    if design.is_dense or design.lanes > _MOST_LANES:
        return []
    module = _module(design)
    clocked = {*STATE, *staging.STAGING}
    if design.parameter("tile.pipeline.interconnect"):
        clocked |= OPERAND.keys()
    return [Proof(BLOCK, name, signal, design, "full", STEP if signal in clocked else SAT, module,
                  (BLOCK, "window", "staging", "scheduler", "interconnect", "pipe"))
            for signal, name in _properties(design).items()]
