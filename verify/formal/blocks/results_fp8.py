# SPDX-License-Identifier: Apache-2.0
"""Proofs about results in OFP8: of all binary32 values and powers of two, the code is that of the
nearest number. Magnitudes count 2^-43, less than which decides no rounding but by being there."""

from . import text
from ..proof import SAT, Proof

PROPERTIES = {
    "ok_nearest": "a code is that of the nearest number, of an even one where two are as near",
    "ok_beyond": "beyond the largest number stands what the mode says, and a flag for finite values",
    "ok_zero": "a flag says where what is not zero became zero; a NaN is the one of the format",
}

_VERILOG = """\
module proof (
    input wire e5m2, input wire saturate, input wire [8:0] scale, input wire [31:0] x,
    {outputs}
);
  wire [7:0] y;
  wire overflow, underflow;
  {module} #(.RESULTS(1)) dut (
      .e5m2_i(e5m2), .saturate_i(saturate), .scale_i(scale), .x_i(x), .y_o(y),
      .overflow_o(overflow), .underflow_o(underflow)
  );

  // The magnitude of a code, and of what would follow the largest one.
  function automatic [127:0] of_code(input [7:0] code, input is_e5m2);
    reg [127:0] significand;
    begin
      significand = is_e5m2 ? {{code[6:2] != 5'd0, code[1:0]}} : {{code[6:3] != 4'd0, code[2:0]}};
      if (is_e5m2) of_code = significand << (code[6:2] == 5'd0 ? 6'd27 : code[6:2] + 6'd26);
      else of_code = significand << (code[6:3] == 4'd0 ? 6'd34 : code[6:3] + 6'd33);
    end
  endfunction

  wire nan = x[30:23] == 8'hff & x[22:0] != 23'd0;
  wire inf = x[30:23] == 8'hff & x[22:0] == 23'd0;
  wire signed [11:0] exponent = $signed({{4'd0, x[30:23] == 8'd0 ? 8'd1 : x[30:23]}});
  // Places that the significand moves up.
  wire signed [11:0] places = exponent - 12'sd107 + $signed({{{{3{{scale[8]}}}}, scale}});
  wire [23:0] significand = {{x[30:23] != 8'd0, x[22:0]}};
  wire huge = places > 12'sd100 & significand != 24'd0;
  wire [6:0] up = places < 12'sd0 | places > 12'sd100 ? 7'd0 : places[6:0];
  wire [4:0] down = places >= 12'sd0 ? 5'd0 : places < -12'sd24 ? 5'd24 : -places;
  wire [127:0] magnitude = places < 12'sd0 ? {{104'd0, significand}} >> down
                                           : {{104'd0, significand}} << up;
  wire below = places < 12'sd0 & (significand & ~(24'hffffff << down)) != 24'd0;
  wire [7:0] largest = e5m2 ? 8'h7b : 8'h7e;
  wire [127:0] middle = of_code(largest, e5m2) + of_code(largest + 8'd1, e5m2);
  // Half way to what would follow counts as beyond it where the largest code is odd.
  wire beyond = huge | 2 * magnitude > middle
              | (2 * magnitude == middle & (below | largest[0]));
  wire [7:0] code = {{1'b0, y[6:0]}};
  wire [127:0] lower = code == 8'd0 ? 128'd0 : of_code(code - 8'd1, e5m2) + of_code(code, e5m2);
  wire [127:0] upper = of_code(code, e5m2) + of_code(code + 8'd1, e5m2);
  wire above_lower = code == 8'd0 | 2 * magnitude > lower
                   | (2 * magnitude == lower & (below | ~code[0]));
  wire under_upper = 2 * magnitude < upper | (2 * magnitude == upper & ~below & ~code[0]);
  assign ok_nearest = nan | inf | beyond
                    | (code <= largest & y[7] == x[31] & above_lower & under_upper);
  assign ok_beyond = nan | (overflow == (beyond & ~inf)
                    & (~(beyond | inf) | (saturate ? y == {{x[31], largest[6:0]}}
                                                   : e5m2 ? y == {{x[31], 7'h7c}} : y == 8'h7f)));
  assign ok_zero = (underflow == (~nan & ~inf & x[30:0] != 31'd0 & y[6:0] == 7'd0))
                 & (~nan | y == (e5m2 ? 8'h7e : 8'h7f));
endmodule
"""


def proofs(design):
    """Of all designs with such results: asked for once."""
    if design.name != "fp8_results":
        return []
    verilog = text.head(design, "What is asked of results of OFP8.") + _VERILOG.format(
        module=design.module("to_fp8"), outputs=text.outputs(PROPERTIES))
    return [Proof("to_fp8", name, signal, design, "full", SAT, verilog, ("to_fp8",))
            for signal, name in PROPERTIES.items()]
