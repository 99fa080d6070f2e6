# SPDX-License-Identifier: Apache-2.0
"""Proofs about one step of a tile row, whatever its window holds and it took ahead before.

Assumed, and proved of the intake: nothing is searched in dense mode, otherwise the rows of the
stream in use; one advance at most.
"""

from . import staging, text
from .proof import SAT, STEP, Proof

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
AHEAD = {"ok_clear": "clear: no effectual element is left up to that row"}
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

# In dense mode each lane takes place 0, which is its own element.
_DENSE = """\
  reg own;
  integer d;
  always @* begin
    own = 1'b1;
    for (d = 0; d < LANES; d = d + 1) own = own & (choice[d*PLACES+:PLACES] == 1);
  end
"""

_ACTIVE = """\
  reg [LANES-1:0] takes;
  integer a;
  always @* for (a = 0; a < LANES; a = a + 1) takes[a] = |choice[a*PLACES+:PLACES];
"""

# Bit k of `clear`: nothing is left in rows 1..k + 1.
_CLEAR = """\
  reg [DEPTH-2:0] empty;
  integer c;
  always @* begin
    for (c = 0; c < DEPTH - 1; c = c + 1) begin
      empty[c] = left[LANES+:LANES] == {LANES{1'b0}};
      if (c > 0) empty[c] = empty[c-1] & (left[(c+1)*LANES+:LANES] == {LANES{1'b0}});
    end
  end
"""

# What the next clock must hold as taken: all that is and was taken, moved by the advance; none of
# it when all rows leave.
_TAKEN = """\
  reg [ELEMENTS-1:0] demanded;
  reg [(DEPTH-1)*LANES-1:0] demanded_q;
  integer k;
  always @* begin
    demanded = {ELEMENTS{1'b0}};
    for (k = 1; k < DEPTH; k = k + 1) begin
      if (advance[k-1]) demanded = (taken_before | picked) >> (k * LANES);
    end
  end
  always @(posedge clk) begin
    demanded_q <= taken_load ? demanded[(DEPTH-1)*LANES-1:0] : taken;
    legal_q <= legal;
  end
"""


def _ports(design):
    """Inputs of the row that are inputs of the module `proof`: name -> (width, port)."""
    ports = {**staging.ports(design), "en": (1, "en_i"), "dense": (1, "dense_i"),
             "eligible": (design.depth, "eligible_i"), "search": (design.depth, "search_i")}
    if design.depth > 1:
        ports["advance"] = (design.depth - 1, "advance_i")
        ports["taken_load"] = (1, "taken_load_i")
    if design.is_two_sided:
        ports["a_nonzero"] = (design.depth * design.lanes, "a_nonzero_i")
    return ports


def _properties(design):
    return {**CHOICES, **(AHEAD | STATE if design.depth > 1 else {}), **OPERAND, **staging.WINDOW}


def _ahead(design):
    """What only rows ahead of the one in use make necessary."""
    if design.depth == 1:
        return ("  wire [ELEMENTS-1:0] taken_before = {ELEMENTS{1'b0}};\n"
                "  wire one_advance = 1'b1;\n")
    return f"""\
{text.probe("taken", (design.depth - 1) * design.lanes, "taken_q")}
  wire [ELEMENTS-1:0] taken_before = {{{{LANES{{1'b0}}}}, taken}};
  wire one_advance = (advance & (advance - 1'b1)) == 0;
"""


def _module(design):
    ports = _ports(design)
    inputs = ",\n    ".join(f"input wire [{width - 1}:0] {name}"
                            for name, (width, _) in ports.items())
    connected = ", ".join(f".{port}({name})" for name, (_, port) in ports.items())
    windows = "\n".join(text.probe(f"window_{row}", design.lanes * design.width,
                                   f"staging.row_{row}_q") for row in range(design.depth))
    window = ", ".join(f"window_{row}" for row in reversed(range(design.depth)))
    other_side = "a_nonzero" if design.is_two_sided else "{ELEMENTS{1'b1}}"
    selects = text.per_lane(design, ".select_l{0}_o(choice[{0}*PLACES+:PLACES])")
    operands = text.per_lane(design, ".operand_l{0}_o(operand[{0}*WIDTH+:WIDTH])")
    ahead = design.depth > 1
    clocked = design.parameter("pipeline.interconnect") > 0
    return f"""\
{text.head(design, "What the definition says of a step of a tile row.")}
module proof (
    {inputs},
    {text.outputs(_properties(design))}
);
{text.pattern(design)}
  localparam WIDTH = {design.width}, EXPONENT = {design.exponent_bits};
  wire [LANES*PLACES-1:0] choice;
  wire [LANES*WIDTH-1:0] operand;
  wire [LANES-1:0] active;
  wire nonfinite_o;
{"  wire [DEPTH-2:0] clear;" if ahead else ""}
  {design.name}_row dut (
      {connected},
      .nonfinite_o(nonfinite_o), .active_o(active),{" .clear_o(clear)," if ahead else ""}
      {selects},
      {operands}
  );
{windows}
  wire [ELEMENTS*WIDTH-1:0] window = {{{window}}};
  wire [ELEMENTS-1:0] other_side = {other_side};
{_ahead(design)}
  wire legal = one_advance & (search == (dense ? {{DEPTH{{1'b0}}}} : eligible));
  reg legal_q;

{_WINDOW}
{staging.check(design)}
{text.PICKS}
{text.DEFINITION}
{text.arrival(design, "operand_multiplexers.")}
{_DENSE}
{_ACTIVE}
{_CLEAR + _TAKEN if ahead else "  always @(posedge clk) legal_q <= legal;"}
  assign ok_free = ~legal | dense | ~|(picked & ~z);
  assign ok_once = ~legal | ~twice;
  assign ok_row_0 = ~legal | ~|left[LANES-1:0];
  assign ok_definition = ~legal | dense | (choice == expected);
  assign ok_dense = ~legal | ~dense | own;
  assign ok_active = active == takes;
  assign ok_nonfinite = nonfinite_o == nonfinite;
{"  assign ok_clear = ~legal | dense | (clear == empty);" if ahead else ""}
{"  assign ok_taken = ~legal_q | (taken == demanded_q);" if ahead else ""}
  assign ok_operand = ~legal{"_q" if clocked else ""} | arrives;
endmodule
"""


def proofs(design):
    """Of one design."""
    if design.is_dense or design.lanes > _MOST_LANES:
        return []
    module = _module(design)
    clocked = {*STATE, *staging.WINDOW}
    if design.parameter("pipeline.interconnect"):
        clocked |= OPERAND.keys()
    return [Proof(BLOCK, name, signal, design, "full", STEP if signal in clocked else SAT, module,
                  (BLOCK, "staging", "scheduler", "interconnect", "pipe"))
            for signal, name in _properties(design).items()]
