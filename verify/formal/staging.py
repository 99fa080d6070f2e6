# SPDX-License-Identifier: Apache-2.0
"""Proofs about the staging buffers, whatever they hold and are told, and about a tile column."""

from . import text
from .proof import SAT, STEP, Proof

WINDOW = {"ok_window": "a place that loads takes what it is told, of the rows above it and of the "
                       "offered ones behind those that stay; else it holds still"}
COLUMN = {"ok_nonfinite": "nonfinite: any Inf or NaN of the stream in use"}
TWO_SIDED = {"ok_nonzero": "nonzero: the elements other than zero"}


def ports(design):
    """Inputs of a staging buffer that are inputs of the module `proof`: name -> (bits, port)."""
    depth, bits = design.depth, design.lanes * design.width
    result = {"clk": (1, "clk_i"), "load": (depth, "load_i"), "stay": (depth, "stay_i")}
    for place in range(depth - 1):
        result[f"shift_{place}"] = (depth - 1 - place, f"shift_{place}_i")
    for row in range(depth):
        result[f"row_{row}"] = (bits, f"row_{row}_i")
    return result


def check(design):
    """`ok_window`, of `window` and the inputs, in the module `proof`: what a clock must do from any
    state. What a place is told stands in the emitter's order, which Yosys needs to be quick."""
    depth, bits = design.depth, design.lanes * design.width

    def window(row):
        return f"window[{row * bits}+:{bits}]"

    lines = []
    for place in range(depth):
        told = [(f"shift_{place}[{row - place - 1}]", window(row))
                for row in range(place + 1, depth)]
        told += [(f"stay[{place - row}]", f"row_{row}") for row in range(place + 1)]
        chosen = "\n      | ".join(f"({{{bits}{{{bit}}}}} & {what})" for bit, what in told)
        lines += [f"  wire [{bits - 1}:0] told_{place} = {chosen};",
                  f"  wire [{bits - 1}:0] next_{place} =",
                  f"      load[{place}] ? told_{place} : {window(place)};"]
    demanded = ", ".join(f"next_{place}" for place in reversed(range(depth)))
    return "\n".join([*lines, f"""\
  reg [{depth * bits - 1}:0] demanded_window_q;
  always @(posedge clk) demanded_window_q <= {{{demanded}}};
  assign ok_window = window == demanded_window_q;
"""])


# Of each element of the window what it is.
_ELEMENTS = """\
  reg [ELEMENTS-1:0] effectual;
  reg any;
  integer e;
  always @* begin
    any = 1'b0;
    for (e = 0; e < ELEMENTS; e = e + 1) begin
      effectual[e] = window[e*WIDTH+:WIDTH-1] != {WIDTH-1{1'b0}};
      any = any
        | (eligible[e/LANES] & (window[e*WIDTH+WIDTH-1-EXPONENT+:EXPONENT] == {EXPONENT{1'b1}}));
    end
  end
  assign ok_nonfinite = nonfinite == any;
"""


def _module(design, block, inputs, properties, more, body):
    declared = ",\n    ".join(f"input wire [{bits - 1}:0] {name}"
                              for name, (bits, _) in inputs.items())
    connected = ", ".join(f".{port}({name})" for name, (_, port) in inputs.items())
    windows = ", ".join(f".window_{row}_o(window[{row}*BITS+:BITS])"
                        for row in range(design.depth))
    return f"""\
{text.head(design, f"What is asked of {block}.")}
module proof (
    {declared},
    {text.outputs(properties)}
);
  localparam LANES = {design.lanes}, ELEMENTS = {design.depth} * LANES;
  localparam WIDTH = {design.width}, EXPONENT = {design.exponent_bits}, BITS = LANES * WIDTH;
  wire [ELEMENTS*WIDTH-1:0] window;
  wire nonfinite;
  wire [ELEMENTS-1:0] nonzero;
  {design.name}_{block} dut ({connected}, {windows}{more});
{check(design)}
{body}
endmodule
"""


def proofs(design):
    """Of one design."""
    if design.is_dense:
        return []
    inputs = ports(design)
    alone = _module(design, "staging", inputs, WINDOW, "", "")
    properties, more, body = {**WINDOW, **COLUMN}, ", .nonfinite_o(nonfinite)", _ELEMENTS
    if design.is_two_sided:
        properties |= TWO_SIDED
        more += ", .nonzero_o(nonzero)"
        body += "  assign ok_nonzero = nonzero == effectual;\n"
    column = _module(design, "column", {**inputs, "eligible": (design.depth, "eligible_i")},
                     properties, more, body)
    return [*(Proof("staging", name, signal, design, "full", STEP, alone, ("staging",))
              for signal, name in WINDOW.items()),
            *(Proof("column", name, signal, design, "full", STEP if signal in WINDOW else SAT,
                    column, ("column", "staging")) for signal, name in properties.items())]
