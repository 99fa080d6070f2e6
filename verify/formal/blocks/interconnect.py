# SPDX-License-Identifier: Apache-2.0
"""Proofs about the operand multiplexers, for all windows and choices."""

from . import text
from ..proof import SAT, STEP, Proof

BLOCK = "interconnect"


def _module(design):
    bits = design.lanes * design.width
    dut = design.instance(BLOCK, ".clk_i(clk), .load_i(operand_load), .window_i(window), .select_i(choice), "
                          ".operand_o(operand)")
    return f"""\
{text.head(design, "What the definition says of the operand multiplexers.")}
module proof (
    input wire clk,
    input wire [{text.operand_loads(design) - 1}:0] operand_load,
    input wire [{design.depth * bits - 1}:0] window,  // element: row * lanes + lane
    input wire [{design.lanes * len(design.options) - 1}:0] choice,
    output wire ok_operand
);
{text.pattern(design)}
  localparam WIDTH = {design.width};
  wire [LANES*WIDTH-1:0] operand;
  {dut}

{text.arrival(design, "row_interconnect")}
{_ONE_OPTION[design.parameter("tile.pipeline.interconnect") > 0]}
  assign ok_operand = ~one_option | arrives;
endmodule
"""


# Choices of more than one option have no meaning; a register shows it a clock later.
_LEGAL = """\
  reg legal;
  integer n;
  always @* begin
    legal = 1'b1;
    for (n = 0; n < LANES; n = n + 1) begin
      legal = legal & ~(|(choice[n*OPTIONS+:OPTIONS] & (choice[n*OPTIONS+:OPTIONS] - 1'b1)));
    end
  end
"""
_ONE_OPTION = {
    False: f"{_LEGAL}  wire one_option = legal;\n",
    True: f"{_LEGAL}  reg one_option;\n  always @(posedge clk) one_option <= legal;\n",
}


def proofs(design):
    """Of one design."""
    if design.is_dense:
        return []
    method = STEP if design.parameter("tile.pipeline.interconnect") else SAT
    return [Proof(BLOCK, "an operand is the element of the chosen option, or +0", "ok_operand",
                  design, "full", method, _module(design), (BLOCK, "pipe"))]
