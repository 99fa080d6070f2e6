# SPDX-License-Identifier: Apache-2.0
"""Proofs about fused sums, in a format of four bits: what one row gives, by the definition, and that
registers which rest behind idle lanes change nothing. Pipelines are proved, not designs."""

from . import live, text
from ..proof import ALWAYS, SAT, Proof

SUM = {
    "ok_sum": "exact products, cut off below the largest exponent's last place, added",
    "ok_special": "Inf and NaN of the products, and the sign of an infinite one",
}
ADDER = {
    "ok_range": "beyond the range of binary32 there are infinities and the one NaN, nothing else",
    "ok_none": "no row leaves the accumulator as it is; of a zero it makes +0",
}
EQUAL = {
    "ok_equal": "a row's sum is that of registers that load in every step",
}

_SUM_LANES = (2, 3)
_GUARD = 2

# (lanes, registers of multiplier, adder and tree).
_PIPELINES = ((3, 1, 2, 1), (2, 2, 3, 0), (2, 0, 1, 2), (2, 2, 0, 1), (2, 0, 1, 1))

# Format of a sign, two bits of exponent and one of fraction; numbers count a quarter of the place
# of the smallest product's last bit. What is cut off is the rest of a division.
_SUM = """\
module proof (
    input wire [{lanes}*4-1:0] a, input wire [{lanes}*4-1:0] b,
    {outputs}
);
  localparam LANES = {lanes}, GUARD = {guard}, SUM = 4 + GUARD + {levels} + 1;
  wire nan, inf, negative;
  wire [2:0] exponent;
  wire signed [SUM-1:0] sum;
  {sum_module} #(
      .LANES(LANES), .WIDTH(4), .EXP(2), .GUARD(GUARD), .TREE_REGISTERS(0), .CLOCKS(0)
  ) dut (
      .clk_i(1'b0), .load_i({{LANES{{1'b0}}}}), .row_load_i(1'b0), .a_i(a), .b_i(b),
      .nan_o(nan), .inf_o(inf), .negative_o(negative), .exponent_o(exponent), .sum_o(sum)
  );
  reg [2:0] e, largest;
  reg [3:0] x, y;
  reg any_nan, plus, minus;
  reg signed [15:0] expected;
  reg [15:0] magnitude;
  integer n;
  // Significand of a finite operand, its exponent, and what it is.
  function automatic [1:0] significand(input [3:0] value);
    significand = {{value[2:1] != 2'd0, value[0]}};
  endfunction
  function automatic [2:0] place(input [3:0] value);
    place = value[2:1] == 2'd0 ? 3'd1 : {{1'b0, value[2:1]}};
  endfunction
  always @* begin
    {{any_nan, plus, minus}} = 3'd0;
    largest = 3'd0;
    for (n = 0; n < LANES; n = n + 1) begin
      x = a[n*4+:4];
      y = b[n*4+:4];
      if (x[2:1] == 2'd3 | y[2:1] == 2'd3) begin
        if (x[2:0] == 3'd7 | y[2:0] == 3'd7 | x[2:0] == 3'd0 | y[2:0] == 3'd0) any_nan = 1'b1;
        if (x[3] ^ y[3]) minus = 1'b1;
        else plus = 1'b1;
      end else if (x[2:0] != 3'd0 & y[2:0] != 3'd0) begin
        e = place(x) + place(y);
        if (e > largest) largest = e;
      end
    end
    expected = 16'sd0;
    for (n = 0; n < LANES; n = n + 1) begin
      x = a[n*4+:4];
      y = b[n*4+:4];
      e = place(x) + place(y);
      magnitude = (significand(x) * significand(y)) << GUARD;
      if (x[2:0] != 3'd0 & y[2:0] != 3'd0) magnitude = magnitude / (16'd1 << (largest - e));
      expected = (x[3] ^ y[3]) ? expected - magnitude : expected + magnitude;
    end
  end
  wire finite = ~plus & ~minus;
  assign ok_sum = ~finite | (sum == expected & exponent == largest);
  assign ok_special = (inf == (plus | minus)) & (nan == (any_nan | (plus & minus)))
      & (nan | ~inf | (negative == minus));
endmodule
"""

_ADDER = """\
module proof (
    input wire [31:0] x, input wire [{exponent}-1:0] place, input wire [{bits}-1:0] sum,
    input wire [2:0] kinds, input wire none,
    {outputs}
);
  wire [31:0] y;
  {adder_module} #(.SUM({bits}), .EXPONENT({exponent}), .OFFSET({offset})) dut (
      .clk_i(1'b0), .en_i(1'b0), .nan_i(kinds[0] & ~none), .inf_i(kinds[1] & ~none),
      .negative_i(kinds[2]), .exponent_i(none ? {exponent}'d0 : place),
      .sum_i(none ? {bits}'d0 : sum), .a_i(x), .y_o(y)
  );
  wire nan = (&x[30:23]) & (|x[22:0]);
  assign ok_range = ~(&y[30:23]) | (y[22:0] == 23'd0) | (y == 32'h7fc00000);
  assign ok_none = ~none | nan | (y == (x[30:0] == 31'd0 ? 32'd0 : x));
endmodule
"""

# In a step, an idle lane has a zero on one side, and a finite number on the other, which a sparse tile's multiplexers
# make +0, too. Without a step,
# anything may be there. Registers of the first sum load as td1_live says, of the second with every step.
_EQUAL = """\
module proof (
    input wire clk, input wire rst_n, input wire enables, input wire try_step,
    input wire [{lanes}-1:0] live,
    input wire [{lanes}*4-1:0] a, input wire [{lanes}*4-1:0] b,
    {outputs}
);
  localparam LANES = {lanes}, CLOCKS = {clocks}, BITS = 4 + {guard} + {levels} + 1 + 6;
  reg en_q, step;
  reg [CLOCKS-1:0] steps_q;
  wire told = try_step & enables;  // a step in the next clock
  wire [CLOCKS:0] steps = {{steps_q, step}};
  wire [CLOCKS:0] next = en_q ? steps << 1 : steps & ~1'b1;
  wire [CLOCKS:0] moves = ({{CLOCKS + 1{{enables}}}} & next) | told;
  always @(posedge clk) begin
    en_q <= enables | ~rst_n;
    step <= told & rst_n;
    if (!rst_n) steps_q <= 0;
    else if (en_q) steps_q <= steps[CLOCKS-1:0];
  end
  wire [LANES*4-1:0] x, y;
  wire [2*LANES*(CLOCKS+1)-1:0] load;
  wire [2*(CLOCKS+1)-1:0] row_load;
  wire [2*BITS-1:0] found;
  genvar n;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : gen_lane
      wire idle = step & ~live[n];
      assign x[n*4+:4] = (idle & (&a[n*4+1+:2])) ? 4'd1 : a[n*4+:4];
      assign y[n*4+:4] = idle ? 4'd0 : b[n*4+:4];
    end
    for (n = 0; n < 2; n = n + 1) begin : gen_sum
      {live_module} #(
          .LANES(LANES), .RESTS(1 - n), .FUSED(1), .MULTIPLIER_REGISTERS({multiplier}),
          .ADDER_REGISTERS({adder}), .TREE_REGISTERS({tree}), .CLOCKS(CLOCKS)
      ) rest (
          .clk_i(clk), .rst_ni(rst_n), .enables_i(enables), .moves_i(moves), .live_i(live),
          .load_o(load[n*LANES*(CLOCKS+1)+:LANES*(CLOCKS+1)]),
          .row_load_o(row_load[n*(CLOCKS+1)+:CLOCKS+1])
      );
      {sum_module} #(
          .LANES(LANES), .WIDTH(4), .EXP(2), .GUARD({guard}), .MULTIPLIER_REGISTERS({multiplier}),
          .ADDER_REGISTERS({adder}), .TREE_REGISTERS({tree}), .CLOCKS(CLOCKS)
      ) dut (
          .clk_i(clk), .load_i(load[n*LANES*(CLOCKS+1)+:LANES*(CLOCKS+1)]),
          .row_load_i(row_load[n*(CLOCKS+1)+:CLOCKS+1]), .a_i(x), .b_i(y),
          .nan_o(found[n*BITS]), .inf_o(found[n*BITS+1]), .negative_o(found[n*BITS+2]),
          .exponent_o(found[n*BITS+3+:3]), .sum_o(found[n*BITS+6+:BITS-6])
      );
    end
  endgenerate
{seen}
  assign ok_equal = ~run | ~steps[CLOCKS] | (found[0+:BITS] == found[BITS+:BITS]);
endmodule
"""


def _stages(lanes, multiplier, adder, tree):
    """Level of each register between a lane and the sum: behind the lanes one node has them all."""
    return [0] * (multiplier + 2 * tree) + [(lanes - 1).bit_length()] * ((adder + 1) // 2 + tree)


def _of_pipeline(design, lanes, multiplier, adder, tree):
    sizes = {"lanes": lanes, "multiplier": multiplier, "adder": adder, "tree": tree}
    stages = _stages(**sizes)
    head = text.head(design, "What is asked of a fused sum's registers that rest.")
    equal = head + _EQUAL.format(
        **sizes, clocks=len(stages), guard=_GUARD, levels=(lanes - 1).bit_length(), seen=text.SEEN,
        live_module=design.module("live"), sum_module=design.module("fused_sum"),
        outputs=text.outputs(EQUAL))
    size = ", ".join(f"{name} {number}" for name, number in sizes.items())
    return [*live.loads(design, head, stages, 1, {**sizes, "operand": 0}),
            *(Proof("fused_sum", name, signal, design, f"four bits, {size}", ALWAYS, equal,
                    ("fused_sum", "fused_product", "fused_terms", "pipe", "live"))
              for signal, name in EQUAL.items())]


def _of_row(design, lanes):
    verilog = text.head(design, "What is asked of a fused sum.") + _SUM.format(
        lanes=lanes, guard=_GUARD, levels=(lanes - 1).bit_length(), outputs=text.outputs(SUM),
        sum_module=design.module("fused_sum"))
    return [Proof("fused_sum", name, signal, design, f"four bits, lanes {lanes}", SAT, verilog,
                  ("fused_sum", "fused_product", "fused_terms", "pipe"))
            for signal, name in SUM.items()]


def _of_adder(design):
    """Of the design's own sizes: see td1_pe."""
    levels, fraction = (design.lanes - 1).bit_length(), design.width - 1 - design.exponent_bits
    verilog = text.head(design, "What is asked of the one rounding.") + _ADDER.format(
        bits=fraction + 27 + 2 * levels, exponent=design.exponent_bits + 1,
        offset=131 - 2**design.exponent_bits - fraction - levels,
        adder_module=design.module("fused_adder"), outputs=text.outputs(ADDER))
    return [Proof("fused_adder", name, signal, design, "full", SAT, verilog,
                  ("fused_adder", "pipe")) for signal, name in ADDER.items()]


def proofs(design):
    """Of all designs with fused sums: asked for once."""
    if design.name != "fused_lanes6":
        return []
    return [*_of_adder(design), *(proof for lanes in _SUM_LANES for proof in _of_row(design, lanes)),
            *(proof for pipeline in _PIPELINES for proof in _of_pipeline(design, *pipeline))]
