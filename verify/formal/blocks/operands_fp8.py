# SPDX-License-Identifier: Apache-2.0
"""Proofs about operands of OFP8: what they become, by the definition of both formats as integers
times 2^-17, the smallest number of the format that holds both."""

from . import text
from ..proof import SAT, Proof

PROPERTIES = {
    "ok_value": "a finite code keeps its sign and value, in either format",
    "ok_special": "NaN stays NaN, and Inf is Inf: in E5M2 alone",
}

# Two rows of two elements, so that a row's format is its own.
_VERILOG = """\
module proof (
    input wire [1:0] e5m2, input wire [31:0] x,
    {outputs}
);
  wire [35:0] y;
  {module} #(.ROWS(2), .ELEMENTS(2)) dut (.e5m2_i(e5m2), .x_i(x), .y_o(y));

  function automatic [39:0] scaled(input [39:0] significand, input [5:0] places);
    scaled = significand << places;
  endfunction
  function automatic [39:0] of_code(input [7:0] code, input is_e5m2);
    if (is_e5m2)
      of_code = code[6:2] == 5'd0 ? scaled(code[1:0], 1) : scaled(4 + code[1:0], code[6:2]);
    else
      of_code = code[6:3] == 4'd0 ? scaled(code[2:0], 8) : scaled(8 + code[2:0], code[6:3] + 7);
  endfunction
  function automatic [39:0] of_operand(input [8:0] operand);
    of_operand = operand[7:3] == 5'd0 ? scaled(operand[2:0], 0)
                                      : scaled(8 + operand[2:0], operand[7:3] - 1);
  endfunction

  reg [7:0] code;
  reg [8:0] operand;
  reg is_e5m2, nan, inf;
  reg [3:0] value, special;
  integer i;
  always @* begin
    for (i = 0; i < 4; i = i + 1) begin
      code = x[i*8+:8];
      operand = y[i*9+:9];
      is_e5m2 = e5m2[i/2];
      nan = is_e5m2 ? code[6:0] > 7'h7c : code[6:0] == 7'h7f;
      inf = is_e5m2 & code[6:0] == 7'h7c;
      value[i] = nan | (operand[8] == code[7]
                        & (inf | (operand[7:3] != 5'd31
                                  & of_operand(operand) == of_code(code, is_e5m2))));
      special[i] = (operand[7:0] > 8'hf8) == nan & (operand[7:0] == 8'hf8) == inf;
    end
  end
  assign ok_value = &value;
  assign ok_special = &special;
endmodule
"""


def proofs(design):
    """Of all designs with such operands: asked for once."""
    if design.name != "fp8_lanes5":
        return []
    verilog = text.head(design, "What is asked of operands of OFP8.") + _VERILOG.format(
        module=design.module("from_fp8"), outputs=text.outputs(PROPERTIES))
    return [Proof("from_fp8", name, signal, design, "full", SAT, verilog, ("from_fp8",))
            for signal, name in PROPERTIES.items()]
