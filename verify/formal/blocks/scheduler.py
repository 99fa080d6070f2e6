# SPDX-License-Identifier: Apache-2.0
"""Proofs about the scheduler, for all effectual bits Z."""

from . import text
from ..proof import SAT, Proof

BLOCK = "scheduler"

# Output of the module `proof` -> what it states.
PROPERTIES = {
    "ok_one_option": "a lane takes from one option or from none",
    "ok_effectual": "no lane takes an ineffectual element",
    "ok_once": "no element is taken twice",
    "ok_rest": "no effectual element is lost: it is taken or left",
    "ok_row_0": "row 0 is always emptied",
    "ok_busy": "a lane is idle only if nothing it reaches is left",
    "ok_live": "a lane is live if it takes an element",
    "ok_definition": "levels choose as one lane at a time would",
}


def _module(design):
    dut = design.instance(BLOCK, ".z_i(z), .select_o(choice), .live_o(live), .untaken_o(rest)")
    return f"""\
{text.head(design, "What the definition says of the scheduler's choices.")}
module proof (
    input wire [{design.depth * design.lanes - 1}:0] z,  // effectual elements
    {text.outputs(PROPERTIES)}
);
{text.pattern(design)}
  wire [LANES*OPTIONS-1:0] choice;
  wire [ELEMENTS-1:0] rest;
  wire [LANES-1:0] live;
  reg [LANES-1:0] takes;
  integer n;
  always @* for (n = 0; n < LANES; n = n + 1) takes[n] = |choice[n*OPTIONS+:OPTIONS];
  {dut}

{text.PICKS}
{text.DEFINITION}
  assign ok_one_option = ~two_options;
  assign ok_effectual = ~|(picked & ~z);
  assign ok_once = ~twice;
  assign ok_rest = rest == left;
  assign ok_row_0 = ~|left[LANES-1:0];
  assign ok_busy = ~idle_beside_work;
  assign ok_live = live == takes;
  assign ok_definition = choice == expected;
endmodule
"""


def proofs(design):
    """Of one design."""
    if design.is_dense:
        return []
    module = _module(design)
    return [Proof(BLOCK, name, signal, design, "full", SAT, module, (BLOCK,))
            for signal, name in PROPERTIES.items()]
