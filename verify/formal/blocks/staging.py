# SPDX-License-Identifier: Apache-2.0
"""Proofs about the staging buffers, whatever they hold and are told, and about the windows on
them."""

from . import text
from ..proof import STEP, Proof

STAGING = {"ok_window": "a slot that loads takes what it is told, of the rows above it and of the "
                        "offered ones behind those that stay; else it holds still"}
ELEMENTS = {
    "ok_nonfinite": "nonfinite: any Inf or NaN of the stream in use, if slots with one were told so "
                    "a clock before",
    "ok_special": "special: any Inf or NaN in slot 0, if so",
    "ok_nonzero": "nonzero: the elements other than zero, where that is wanted, if they were so "
                  "a clock before",
}


def ports(design):
    """Inputs of a staging buffer that are inputs of the module `proof`: name -> bits."""
    depth = design.depth
    return {"clk": 1, "load": depth, "stay": depth, "shift": depth * depth,
            "rows": depth * design.lanes * design.width}


CONNECTED = ".clk_i(clk), .moves_i({shift, stay, load}), .rows_i(rows)"


def check(design):
    """`ok_window`, of `window` and the inputs, in the module `proof`: what a clock must do from any
    state. What a slot is told stands in the module's order, which Yosys needs to be quick."""
    depth, bits = design.depth, design.lanes * design.width

    def row(vector, number):
        return f"{vector}[{number * bits}+:{bits}]"

    lines = []
    for slot in range(depth):
        told = [(f"stay[{slot - offered}]", row("rows", offered)) for offered in range(slot + 1)]
        told += [(f"shift[{slot * depth + held}]", row("window", held))
                 for held in range(slot + 1, depth)]
        chosen = "\n      | ".join(f"({{{bits}{{{bit}}}}} & {what})" for bit, what in told)
        lines += [f"  wire [{bits - 1}:0] told_{slot} = {chosen};",
                  f"  wire [{bits - 1}:0] next_{slot} =",
                  f"      load[{slot}] ? told_{slot} : {row('window', slot)};"]
    demanded = ", ".join(f"next_{slot}" for slot in reversed(range(depth)))
    return "\n".join([*lines, f"""\
  reg [{depth * bits - 1}:0] demanded_window_q;
  always @(posedge clk) demanded_window_q <= {{{demanded}}};
  assign ok_window = window == demanded_window_q;
"""])


# `found`: slots with an Inf or NaN, and whether `special_slots` had them in the last clock, in which
# no slot was told of two rows, as is proved of the intake.
FOUND = """\
  reg [DEPTH-1:0] found;
  reg told_q, single;
  always @(posedge clk) told_q <= single & special_slots == found;
  reg [DEPTH-1:0] sources;
  integer f, taker;
  always @* begin
    single = 1'b1;
    for (taker = 0; taker < DEPTH; taker = taker + 1) begin
      sources = (shift[taker*DEPTH+:DEPTH] >> (taker + 1)) << (taker + 1);
      for (f = 0; f <= taker; f = f + 1) sources[f] = stay[f];
      single = single & (sources & (sources - 1'b1)) == {DEPTH{1'b0}};
    end
    found = {DEPTH{1'b0}};
    for (f = 0; f < ELEMENTS; f = f + 1) found[f/LANES] = found[f/LANES]
      | (window[f*WIDTH+WIDTH-1-EXPONENT+:EXPONENT] == {EXPONENT{1'b1}});
  end
"""

# Of each element of the window what it is.
_ELEMENTS = """\
  wire nonfinite;
  wire [ELEMENTS-1:0] nonzero;
  reg [ELEMENTS-1:0] effectual;
  wire special;
  integer e;
  always @* begin
    for (e = 0; e < ELEMENTS; e = e + 1)
      effectual[e] = WANTED & window[e*WIDTH+:WIDTH-1] != {WIDTH-1{1'b0}};
  end
  assign ok_nonfinite = ~told_q | (nonfinite == |(eligible & found));
  assign ok_special = ~told_q | (special == found[0]);
  reg were_q;
  always @(posedge clk) were_q <= nonzero == effectual;
  assign ok_nonzero = ~were_q | (nonzero == effectual);
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
    dut = design.instance("staging", f"{CONNECTED}, .window_o(window)",
                          BITS=design.lanes * design.width)
    module = _module(design, dut, ports(design), STAGING)
    return [Proof("staging", name, signal, design, "full", STEP, module, ("staging",))
            for signal, name in STAGING.items()]


def _window(design, wanted):
    """wanted: whether the window is asked for zeros, as those of tile rows are."""
    dut = design.instance(
        "window", f"{CONNECTED}, .window_o(window), .offered_o(), .nonzero_o(nonzero), "
        ".eligible_i(eligible), .nonfinite_o(nonfinite), .special_o(special)", NONZERO=int(wanted))
    inputs = {**ports(design), "eligible": design.depth}
    properties = STAGING | ELEMENTS
    told = text.probe("special_slots", design.depth, design.manifest.inside("row_window", "special"))
    body = f"  localparam WANTED = 1'b{int(wanted)};\n{told}\n{FOUND}{_ELEMENTS}"
    module = _module(design, dut, inputs, properties, body)
    return [Proof("window", name, signal, design, "full", STEP, module, ("window", "staging"))
            for signal, name in properties.items()]


def proofs(design):
    """Of one design."""
    if design.is_dense:
        return []
    columns = [] if design.is_two_sided else _window(design, False)
    return [*_staging(design), *_window(design, True), *columns]
