# SPDX-License-Identifier: Apache-2.0
"""Proofs about the staging buffers, whatever they hold and are told, and about the windows on
them."""

from . import text
from ..proof import STEP, Proof

STAGING = {"ok_window": "a slot that loads takes what it is told, of the rows above it and of the "
                        "offered ones behind those that stay; else, and where a part does not load, "
                        "it holds still"}
LATE = {
    "ok_late": "rows, and what moves, come into registers first, which the pipeline holds",
}
ELEMENTS = {
    "ok_nonfinite": "nonfinite: a row of the stream in use was offered with an Inf or NaN",
    "ok_special": "special: the row in slot 0 was",
    "ok_offered": "offered: the offered elements that are other than zero, where that is asked for",
}


def ports(design):
    """Inputs of a staging buffer that are inputs of the module `proof`: name -> bits."""
    depth = design.depth
    return {"clk": 1, "load": depth, "stay": depth, "shift": depth * depth,
            "rows": depth * design.lanes * design.width}


CONNECTED = ".clk_i(clk), .moves_i({shift, stay, load}), .rows_i(rows)"

# What a staging buffer is told, and what is offered to it.
_NOW = """\
  wire [DEPTH-1:0] acts_load = load, acts_stay = stay;
  wire [DEPTH*DEPTH-1:0] acts_shift = shift;
  wire [ELEMENTS*WIDTH-1:0] acts_rows = rows;
"""
_LATE = """\
  reg late_enabled_q;
  reg [DEPTH*(DEPTH+2)-1:0] late_told_q;
  reg [ELEMENTS*WIDTH-1:0] late_came_q;
  reg [DEPTH-1:0] may_enter;
  integer load_of, row_of;
  always @* for (row_of = 0; row_of < DEPTH; row_of = row_of + 1) begin
    may_enter[row_of] = 1'b0;
    for (load_of = row_of; load_of < DEPTH; load_of = load_of + 1)
      may_enter[row_of] = may_enter[row_of] | load[load_of];
  end
  integer came;
  always @(posedge clk) begin
    late_enabled_q <= enables;
    late_told_q <= late_enable ? {shift, stay, load} : late_moves;
    for (came = 0; came < ELEMENTS; came = came + 1)
      late_came_q[came*WIDTH+:WIDTH] <= late_enable & may_enter[came/LANES] & wants[came]
          ? rows[came*WIDTH+:WIDTH] : acts_rows[came*WIDTH+:WIDTH];
  end
  assign ok_late = late_enable == late_enabled_q & late_moves == late_told_q & acts_rows == late_came_q;
  wire [DEPTH-1:0] acts_load = late_moves[0+:DEPTH] & {DEPTH{late_enable}};
  wire [DEPTH-1:0] acts_stay = late_moves[DEPTH+:DEPTH];
  wire [DEPTH*DEPTH-1:0] acts_shift = late_moves[2*DEPTH+:DEPTH*DEPTH];
"""


def acts(design, dut):
    """What the staging buffer of a window gets: `acts_load`, `acts_stay`, `acts_shift` and `acts_rows`, of
    the inputs; in a late design behind registers, as `ok_late` says, of `enables` and `wants`, the offered
    elements that come. dut: the instance, by the manifest, that the window is in, or is."""
    if not design.is_late:
        return _NOW
    inside, depth = design.manifest.inside, design.depth
    elements = [(inside(dut, "late_element", slot=slot, lane=lane), design.width)
                for slot in range(depth) for lane in range(design.lanes)]
    return "\n".join([text.probe("late_enable", 1, inside(dut, "late_enable")),
                      text.probe("late_moves", depth * (depth + 2), inside(dut, "late_moves")),
                      text.vector("acts_rows", elements), _LATE])


def _told(design, name, bits, offered, held, told=""):
    """`name`: what slots take if they load, of the vectors of offered rows and of those held, of so many
    bits each. It stands in the module's order, which Yosys needs to be quick. told: in front of `stay`
    and `shift`."""
    depth = design.depth

    def row(vector, number):
        return f"{vector}[{number * bits}+:{bits}]"

    lines = []
    for slot in range(depth):
        takes = [(f"{told}stay[{slot - one}]", row(offered, one)) for one in range(slot + 1)]
        takes += [(f"{told}shift[{slot * depth + one}]", row(held, one)) for one in range(slot + 1, depth)]
        chosen = "\n      | ".join(f"({{{bits}{{{bit}}}}} & {what})" for bit, what in takes)
        lines.append(f"  wire [{bits - 1}:0] {name}_{slot} = {chosen};")
    slots = ", ".join(f"{name}_{slot}" for slot in reversed(range(depth)))
    return "\n".join([*lines, f"  wire [{depth * bits - 1}:0] {name} = {{{slots}}};\n"])


# `offers`: offered elements that are not zero.
OFFERS = """\
  reg [ELEMENTS-1:0] offers;
  integer o;
  always @* for (o = 0; o < ELEMENTS; o = o + 1) offers[o] = rows[o*WIDTH+:WIDTH-1] != {WIDTH-1{1'b0}};
"""


def special(design):
    """`demanded_special_q`, of `special_slots` and the inputs: slots whose row has an Inf or NaN, as a clock
    must find them from any state."""
    return f"""\
  reg [DEPTH-1:0] offers_special;
  integer f;
  always @* begin
    offers_special = {{DEPTH{{1'b0}}}};
    for (f = 0; f < ELEMENTS; f = f + 1) offers_special[f/LANES] = offers_special[f/LANES]
      | rows[f*WIDTH+WIDTH-1-EXPONENT+:EXPONENT] == {{EXPONENT{{1'b1}}}};
  end
{_told(design, "entering_special", 1, "offers_special", "special_slots")}
  reg [DEPTH-1:0] demanded_special_q;
  always @(posedge clk) demanded_special_q <= (load & entering_special) | (~load & special_slots);
"""


def wanted(design):
    """`loads`, of `offers`, of `kept`, what is wanted of the rows held, and the inputs: elements that enter and
    are wanted."""
    return _told(design, "loads", design.lanes, "offers", "kept")


def check(design, loads="loads"):
    """`ok_window`, of `window`, what acts() has, and `loads`, the elements that load with their slot, in the
    module `proof`: what a clock must do from any state."""
    bits = design.lanes * design.width
    return f"""\
{_told(design, "told", bits, "acts_rows", "window", "acts_")}
  reg [{design.depth * bits - 1}:0] demanded_window_q;
  integer w;
  always @(posedge clk) for (w = 0; w < {design.depth * design.lanes}; w = w + 1)
    demanded_window_q[w*{design.width}+:{design.width}] <= acts_load[w/{design.lanes}] & {loads}[w]
        ? told[w*{design.width}+:{design.width}] : window[w*{design.width}+:{design.width}];
  assign ok_window = window == demanded_window_q;
"""


# Of each element of the window what it is.
_ELEMENTS = """\
  wire nonfinite, special;
  assign ok_nonfinite = special_slots == demanded_special_q & nonfinite == |(eligible & special_slots);
  assign ok_special = special == special_slots[0];
  assign ok_offered = offered == (ASKED == 0 ? {ELEMENTS{1'b0}} : offers);
"""


def _module(design, dut, inputs, properties, body=""):
    declared = ",\n    ".join(f"input wire [{bits - 1}:0] {name}" for name, bits in inputs.items())
    return f"""\
{text.head(design, "What is asked of a staging buffer.")}
module proof (
    {declared},
    {text.outputs(properties)}
);
  localparam LANES = {design.lanes}, DEPTH = {design.depth}, ELEMENTS = DEPTH * LANES;
  localparam WIDTH = {design.width}, EXPONENT = {design.exponent_bits};
  wire [ELEMENTS*WIDTH-1:0] window;
{body}
  {dut}
{check(design)}
endmodule
"""


def _staging(design):
    dut = design.instance("staging", f"{CONNECTED}, .loads_i(loads), .window_o(window)",
                          PARTS=design.lanes, BITS=design.width)
    module = _module(design, dut, {**ports(design), "loads": design.depth * design.lanes}, STAGING, _NOW)
    return [Proof("staging", name, signal, design, "full", STEP, module, ("staging",))
            for signal, name in STAGING.items()]


def _window(design, asked):
    """asked: whether the window is asked for zeros, 1 or 0."""
    dut = design.instance(
        "window", f"{CONNECTED}, .loads_i(loads), .window_o(window), .offered_o(offered), "
        ".eligible_i(eligible), .nonfinite_o(nonfinite), .special_o(special), .enables_i(enables), "
        ".wants_i(wants)", NONZERO=asked)
    elements = design.depth * design.lanes
    inputs = {**ports(design), "loads": elements, "eligible": design.depth, "enables": 1, "wants": elements}
    properties = STAGING | ELEMENTS | (LATE if design.is_late else {})
    told = text.probe("special_slots", design.depth, design.manifest.inside("row_window", "special"))
    body = f"""\
  localparam ASKED = {asked};
  wire [ELEMENTS-1:0] offered;
{told}
{acts(design, "row_window")}{OFFERS}{special(design)}{_ELEMENTS}"""
    module = _module(design, dut, inputs, properties, body)
    return [Proof("window", name, signal, design, "full", STEP, module, ("window", "staging"))
            for signal, name in properties.items()]


def proofs(design):
    """Of one design."""
    if design.is_dense:
        return []
    return [*_staging(design), *_window(design, 1), *([] if design.is_two_sided else _window(design, 0))]
