# SPDX-License-Identifier: Apache-2.0
"""Proofs about one step of a tile row, whatever its window holds and waits to be taken. Which slots
are searched is the intake's to say, and proved of it."""

from . import staging, text
from ..proof import SAT, STEP, Proof

BLOCK = "row"

# A wider row rests on the proofs of its parts: Yosys reads the property of 64 lanes for minutes.
_MOST_LANES = 32

# Output of the module `proof` -> what it states, and what it takes.
CHOICES = {
    "ok_free": "lanes take elements that wait",
    "ok_once": "no element is taken twice",
    "ok_row_0": "row 0 is always emptied",
    "ok_definition": "lanes choose as the definition says",
    "ok_dense": "in dense mode, in which nothing waits, a lane takes its own element, "
                "if its product may be other than zero",
    "ok_live": "a lane is live if it takes an element, and used then, or in dense mode",
}
CLEAR = {"ok_clear": "clear: no effectual element is left up to that row"}
STATE = {"ok_waits": "what waits of a searched slot is what its row left untaken, or all of a row that "
                     "was not searched before, zeros left out",
         "ok_nonzero": "nonzero: the elements that were wanted when they came where they are",
         "ok_nonfinite": staging.ELEMENTS["ok_nonfinite"]}
LATE_CHOICE = {"ok_late_choice": "choices come into registers where these load"}
OPERAND = {"ok_operand": "an operand is the element that its lane takes, or +0: of a zero, too"}

# What lanes may take.
_WINDOW = """\
  reg [ELEMENTS-1:0] z;
  integer e;
  always @* for (e = 0; e < ELEMENTS; e = e + 1) z[e] = waits[e] & other_side[e];
"""

# In dense mode each lane takes option 0, which is its own element, unless the product is a zero.
_DENSE = """\
  reg own;
  integer d;
  always @* begin
    own = 1'b1;
    for (d = 0; d < LANES; d = d + 1) own = own
      & (choice[d*OPTIONS+:OPTIONS] == (special | (nonzero[d] & other_side[d])));
  end
"""

# What is taken of side B: of a dense stream no zeros.
_B_CHOICE = """\
  reg [LANES*OPTIONS-1:0] b_choice;
  integer b;
  always @* begin
    b_choice = expected;
    for (b = 0; b < LANES; b = b + 1) b_choice[b*OPTIONS] = b_choice[b*OPTIONS]
      | (dense & nonzero[b] & (special | other_side[b]));
  end
"""

_LIVE = """\
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

# What of the rows held is wanted when they move: the rest of a row that was searched, of others all but zeros.
_KEPT = """\
  reg [ELEMENTS-1:0] kept;
  integer k;
  always @* for (k = 0; k < ELEMENTS; k = k + 1) kept[k] = left[k] | (nonzero[k] & ~eligible[k/LANES]);
"""

# What must wait in the next clock.
_WAITS = """\
  reg [ELEMENTS-1:0] demanded, demanded_q;
  integer to, from, of, slot;
  always @* begin
    demanded = {ELEMENTS{1'b0}};
    for (to = 0; to < DEPTH; to = to + 1)
      for (from = 0; from < DEPTH; from = from + 1)
        for (of = 0; of < LANES; of = of + 1)
          demanded[to*LANES+of] = demanded[to*LANES+of] | (search[to*DEPTH+from]
            & (from > to ? kept[from*LANES+of] : offers[from*LANES+of]));
  end
  always @(posedge clk) begin
    for (slot = 0; slot < DEPTH; slot = slot + 1)
      demanded_q[slot*LANES+:LANES] <=
          load[slot] ? demanded[slot*LANES+:LANES] : waits[slot*LANES+:LANES];
  end
  assign ok_waits = waits == demanded_q;
"""


# What slots hold in the next clock, of what is wanted.
_HELD = """\
  reg [ELEMENTS-1:0] demanded_held_q;
  integer held;
  always @(posedge clk) for (held = 0; held < ELEMENTS; held = held + 1)
    demanded_held_q[held] <= load[held/LANES] ? loads[held] : nonzero[held];
  assign ok_nonzero = nonzero == demanded_held_q;
"""


def _inputs(design):
    """Of the module `proof`: name -> bits."""
    return {**staging.ports(design), "operand_load": text.operand_loads(design), "dense": 1, "special": 1,
            "eligible": design.depth, "enables": 1, "search": design.depth * design.depth,
            "a_nonzero": design.depth * design.lanes}


_CONNECTED = f"""{staging.CONNECTED},
      .a_nonzero_i(a_nonzero), .eligible_i(eligible), .dense_i(dense), .special_i(special), .clear_o(clear),
      .search_i(search), .nonfinite_o(nonfinite), .load_i(operand_load), .select_o(selects),
      .enables_i(enables), .live_o(live), .used_o(used), .operand_o(operand)"""


def _properties(design):
    late = {**staging.LATE, **LATE_CHOICE} if design.is_late else {}
    return {**CHOICES, **CLEAR, **STATE, **OPERAND, **staging.STAGING, **late}


def _late_choice(design):
    """`arriving`: side B's choices in front of the multiplexers, of `choice` and `b_choice`; and that the other
    side's are there, too."""
    if not design.is_late:
        return "  wire [LANES*OPTIONS-1:0] arriving = b_choice;\n"
    options = len(design.options)
    kept = text.vector("late_choice", [
        (design.manifest.inside("row", "late_choice", lane=lane), 2 * (options + 1))
        for lane in range(design.lanes)])
    return f"""\
{kept}
  localparam KEPT = OPTIONS + 1, LOADS = {text.operand_loads(design) // design.lanes};
  reg [LANES*KEPT-1:0] demanded_choice_q, kept_choice;
  reg [LANES*OPTIONS-1:0] arriving, a_arriving;
  integer late_of;
  always @* for (late_of = 0; late_of < LANES; late_of = late_of + 1) begin
    kept_choice[late_of*KEPT+:KEPT] = late_choice[(2*late_of+1)*KEPT+:KEPT];
    a_arriving[late_of*OPTIONS+:OPTIONS] = kept_choice[late_of*KEPT+:OPTIONS];
    arriving[late_of*OPTIONS+:OPTIONS] = a_arriving[late_of*OPTIONS+:OPTIONS];
    arriving[late_of*OPTIONS] = kept_choice[late_of*KEPT+OPTIONS];
  end
  integer kept_of;
  always @(posedge clk) for (kept_of = 0; kept_of < LANES; kept_of = kept_of + 1)
    demanded_choice_q[kept_of*KEPT+:KEPT] <= operand_load[kept_of*LOADS]
        ? {{b_choice[kept_of*OPTIONS], choice[kept_of*OPTIONS+:OPTIONS]}} : kept_choice[kept_of*KEPT+:KEPT];
  assign ok_late_choice = selects == a_arriving & kept_choice == demanded_choice_q;
"""


def _module(design):
    inputs = ",\n    ".join(f"input wire [{bits - 1}:0] {name}"
                            for name, bits in _inputs(design).items())
    window = text.vector("window", [
        (design.manifest.inside("row", "row_slot", slot=slot), design.lanes * design.width)
        for slot in range(design.depth)])
    waits = text.vector("waits", [(design.manifest.inside("row", "waits", slot=slot), design.lanes)
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
  wire [LANES*OPTIONS-1:0] selects;
  wire [LANES*WIDTH-1:0] operand;
  wire [LANES-1:0] live, used;
  wire nonfinite;
  wire [DEPTH-1:0] clear;
  {design.instance(BLOCK, _CONNECTED)}
{window}
  wire [ELEMENTS-1:0] other_side = {other_side};
{waits}
{text.probe("choice", design.lanes * len(design.options), design.manifest.inside("row", "select"))}
{text.probe("nonzero", design.depth * design.lanes, design.manifest.inside("row", "nonzero"))}
{text.probe("special_slots", design.depth, design.manifest.inside("row", "special"))}

{staging.OFFERS}{staging.special(design)}{_WINDOW}
{text.PICKS}
{text.DEFINITION}
{_KEPT}{staging.wanted(design)}
  wire [ELEMENTS-1:0] wants = offers;
{staging.acts(design, "row")}
{staging.check(design, "nonzero" if design.is_late else "loads")}
{_DENSE}
{_B_CHOICE}
{_late_choice(design)}
{text.arrival(design, "row", "arriving")}
{_LIVE}
{_CLEAR}
{_WAITS}
{_HELD}
  assign ok_free = dense | ~|(picked & ~z);
  assign ok_once = ~twice;
  assign ok_row_0 = ~|left[LANES-1:0];
  assign ok_definition = dense | (choice == expected);
  assign ok_dense = ~dense | (|waits) | own;
  assign ok_live = live == takes & used == (takes | {{LANES{{dense}}}});
  assign ok_nonfinite = special_slots == demanded_special_q & nonfinite == |(eligible & special_slots);
  assign ok_clear = dense | (clear == empty);
  assign ok_operand = arrives;
endmodule
"""


def proofs(design):
    """Of one design."""
    if design.is_dense or design.lanes > _MOST_LANES:
        return []
    module = _module(design)
    clocked = {*STATE, *staging.STAGING, *staging.LATE, *LATE_CHOICE}
    if design.parameter("tile.pipeline.interconnect"):
        clocked |= OPERAND.keys()
    return [Proof(BLOCK, name, signal, design, "full", STEP if signal in clocked else SAT, module,
                  (BLOCK, "window", "staging", "scheduler", "interconnect", "pipe"))
            for signal, name in _properties(design).items()]
