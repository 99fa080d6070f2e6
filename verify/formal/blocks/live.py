# SPDX-License-Identifier: Apache-2.0
"""Proofs about registers that rest behind idle lanes: which they are, and that an array with them
gives the outputs of one in which all lanes always count. Numbers are of two bits there; of the
real arithmetic it takes no more than ZERO. Pipelines are proved, not designs: all are alike."""

from . import text
from ..proof import ALWAYS, SAT, Proof

LOAD = {
    "ok_load": "registers load that a lane reaches which is live, or was when they last moved on",
}
EQUAL = {
    "ok_equal": "outputs are those of an array whose registers load in every step",
}
ZERO = {
    "ok_product": ("multiplier", "a zero times what is neither Inf nor NaN is a zero; +0 of +0"),
    "ok_none": ("adder", "zeros add to a zero, -0 only of -0 alone, and change no other summand"),
}

# (lanes, accumulators, registers of operands, multiplier, adder and tree).
_PIPELINES = ((3, 2, 1, 1, 1, 1), (2, 3, 0, 2, 0, 1), (5, 1, 2, 0, 2, 0), (2, 2, 1, 0, 1, 2))

# The lanes that were live in the step that a register took last, all of them after a reset: by
# stage from the operands on, with the level that it belongs to.
_LOAD = """\
module proof (
    input wire clk, input wire rst_n, input wire enables, input wire [{clocks}:0] moves,
    input wire [{lanes}-1:0] live,
    {outputs}
);
  localparam LANES = {lanes}, CLOCKS = {clocks};
  localparam OPERAND = {operand}, SUM = CLOCKS - OPERAND;
  wire [LANES*(OPERAND+1)-1:0] operand_load;
  wire [LANES*(SUM+1)-1:0] load;
  wire [SUM:0] row_load;
  wire en;
  {module} #(
      .LANES(LANES), .FUSED({fused}), .OPERAND_REGISTERS(OPERAND),
      .MULTIPLIER_REGISTERS({multiplier}),
      .ADDER_REGISTERS({adder}), .TREE_REGISTERS({tree}), .CLOCKS(CLOCKS)
  ) dut (
      .clk_i(clk), .rst_ni(rst_n), .enables_i(enables), .moves_i(moves), .live_i(live),
      .en_o(en), .operand_load_o(operand_load), .load_o(load), .row_load_o(row_load)
  );
{seen}
  function automatic integer level(input integer stage);
    case (stage)
{levels}
      default: level = 0;
    endcase
  endfunction
  // What was told a clock ahead.
  reg enables_q;
  reg [CLOCKS:0] moves_q;
  always @(posedge clk) begin
    enables_q <= enables | ~rst_n;
    moves_q <= rst_n ? moves : {{CLOCKS + 1{{1'b0}}}};
  end
  reg [(CLOCKS+1)*LANES-1:0] taken_q;  // of stage k: from (k + 1) * LANES on
  wire [(CLOCKS+1)*LANES-1:0] come = {{taken_q[CLOCKS*LANES+LANES-1:LANES], live}};
  reg [LANES*(CLOCKS+1)-1:0] expected, found;
  reg [CLOCKS:0] row_expected;
  integer k, n;
  reg [LANES-1:0] under;  // lanes that reach a node
  always @* begin
    expected = 0;
    found = 0;
    row_expected = 0;
    for (k = 0; k < CLOCKS; k = k + 1) begin
      row_expected[k] = {fused} & moves_q[k]
          & (|(come[k*LANES+:LANES] | taken_q[(k+1)*LANES+:LANES]));
      for (n = 0; n < LANES; n = n + 1) begin
        under = ((1 << (1 << level(k))) - 1) << (n << level(k));
        expected[k*LANES+n] = moves_q[k]
            & (|(under & (come[k*LANES+:LANES] | taken_q[(k+1)*LANES+:LANES])));
        found[k*LANES+n] =
            k < OPERAND ? operand_load[n*(OPERAND+1)+k] : load[n*(SUM+1)+k-OPERAND];
      end
    end
  end
  always @(posedge clk) begin
    for (k = 0; k < CLOCKS; k = k + 1) begin
      if (!rst_n) taken_q[(k+1)*LANES+:LANES] <= {{LANES{{1'b1}}}};
      else if (moves_q[k]) taken_q[(k+1)*LANES+:LANES] <= come[k*LANES+:LANES];
    end
  end
  assign ok_load = ~run | (found == expected & row_load == row_expected[CLOCKS:OPERAND]
      & en == enables_q);
endmodule
"""

_STAND_INS = """\
module {multiplier_module} #(parameter WIDTH = 1, EXP = 0, REGISTERS = 0) (
    input wire clk_i, input wire [REGISTERS:0] en_i, input wire [WIDTH-1:0] a_i,
    input wire [WIDTH-1:0] b_i, output wire [31:0] y_o
);
  wire [2:0] en = en_i;
  wire [1:0] y = a_i[1:0] & b_i[1:0];
  reg [1:0] first_q, second_q;
  always @(posedge clk_i) if (en[0]) first_q <= y;
  always @(posedge clk_i) if (en[1]) second_q <= first_q;
  assign y_o = {{30'd0, REGISTERS == 0 ? y : REGISTERS == 1 ? first_q : second_q}};
endmodule

module {adder_module} #(parameter REGISTERS = 0) (
    input wire clk_i, input wire [REGISTERS:0] en_i, input wire [31:0] a_i, input wire [31:0] b_i,
    output wire [31:0] y_o
);
  wire [3:0] en = en_i;
  wire [1:0] y = a_i[1:0] + b_i[1:0];
  reg [1:0] first_q, second_q, third_q;
  always @(posedge clk_i) if (en[0]) first_q <= y;
  always @(posedge clk_i) if (en[1]) second_q <= first_q;
  always @(posedge clk_i) if (en[2]) third_q <= second_q;
  wire [1:0] held =
      REGISTERS == 0 ? y : REGISTERS == 1 ? first_q : REGISTERS == 2 ? second_q : third_q;
  assign y_o = {{30'd0, held}};
endmodule
"""

_EQUAL = """\
module proof (
    input wire clk, input wire rst_n, input wire try_step, input wire final_step,
    input wire [{lanes}-1:0] live, input wire [{lanes}*16-1:0] a, input wire [{lanes}*16-1:0] b,
    input wire out_ready,
    {outputs}
);
  // One side of an idle lane is zero.
  wire [1:0] enable, enables, valid;
  wire [63:0] data;
  wire steps = try_step & (&enables);
  reg step;
  always @(posedge clk) step <= steps & rst_n;
  wire [{lanes}*16-1:0] chosen;
  genvar n, m;
  generate
    for (n = 0; n < {lanes}; n = n + 1) begin : gen_lane
      assign chosen[n*16+:16] = ~live[n] ? 16'd0 : b[n*16+:16];
    end
    for (n = 0; n < 2; n = n + 1) begin : gen_array
      wire [1:0] nonfinite;
      wire [{lanes}*({operand}+1)-1:0] load;
      wire [{lanes}*16-1:0] a_operands, b_operands;
      for (m = 0; m < {lanes}; m = m + 1) begin : gen_operand
        {pipe_module} #(.WIDTH(32), .REGISTERS({operand})) operand (
            .clk_i(clk), .en_i(load[m*({operand}+1)+:{operand}+1]),
            .x_i({{a[m*16+:16], chosen[m*16+:16]}}),
            .y_o({{a_operands[m*16+:16], b_operands[m*16+:16]}})
        );
      end
      {array_module} #(
          .ROWS(1), .COLUMNS(1), .LANES({lanes}), .ACCUMULATORS({turns}),
          .OPERAND_REGISTERS({operand}),
          .MULTIPLIER_REGISTERS({multiplier}), .ADDER_REGISTERS({adder}), .TREE_REGISTERS({tree})
      ) dut (
          .clk_i(clk), .rst_ni(rst_n), .step_i(step), .steps_i(steps), .row_steps_i(steps),
          .final_i(step & final_step),
          .nonfinite_i(2'd0), .enable_o(enable[n]), .enables_o(enables[n]), .a_i(a_operands), .b_i(b_operands),
          .live_i(n == 0 ? live : {{{lanes}{{1'b1}}}}), .load_o(load), .out_valid_o(valid[n]),
          .out_ready_i(out_ready), .out_data_o(data[n*32+:32]), .out_nonfinite_o(nonfinite[0])
      );
    end
  endgenerate
{seen}
  assign ok_equal = ~run | (valid[0] == valid[1] & enable[0] == enable[1]
      & (~valid[0] | data[31:0] == data[63:32]));
endmodule
"""

_ZERO = """\
module proof (
    input wire [{width}-1:0] a, input wire [{width}-1:0] b, input wire [31:0] x,
    input wire [31:0] y,
    output wire ok_product, output wire ok_none
);
  localparam WIDTH = {width}, EXP = {exponent};
  wire [31:0] product, sum;
  {multiplier_module} #(.WIDTH(WIDTH), .EXP(EXP)) multiplier (
      .clk_i(1'b0), .en_i(1'b0), .a_i(a), .b_i(b), .y_o(product)
  );
  {adder_module} adder (.clk_i(1'b0), .en_i(1'b0), .a_i(x), .b_i(y), .y_o(sum));
  wire zero = ~(|a[WIDTH-2:0]) | ~(|b[WIDTH-2:0]);
  wire special = (&a[WIDTH-2-:EXP]) | (&b[WIDTH-2-:EXP]);
  assign ok_product = ~zero | special
      | (product[30:0] == 31'd0 & (product[31] == (a[WIDTH-1] ^ b[WIDTH-1])));
  wire nan = (&x[30:23]) & (|x[22:0]);
  wire x_zero = x[30:0] == 31'd0, y_zero = y[30:0] == 31'd0;
  assign ok_none = (~y_zero | x_zero | nan | (sum == x))
      & (~(x_zero & y_zero) | (sum == {{x[31] & y[31], 31'd0}}))
      & ((sum != 32'h80000000) | (x == sum & y == sum));
endmodule
"""


def loads(design, head, stages, fused, sizes):
    """Which registers load. stages: level of each register between live lanes and the sum; fused: 1
    for those of a fused sum."""
    verilog = head + _LOAD.format(
        **sizes, fused=fused, module=design.module("live"), clocks=len(stages), seen=text.SEEN,
        outputs=text.outputs(LOAD),
        levels="\n".join(f"      {stage}: level = {level};" for stage, level in enumerate(stages)))
    size = ", ".join(f"{name} {number}" for name, number in sizes.items())
    return [Proof("live", name, signal, design, f"fused, {size}" if fused else size, ALWAYS, verilog,
                  ("live",)) for signal, name in LOAD.items()]


def _clocks(lanes, operand, multiplier, adder, tree):
    """Level of each register between a lane and the sum."""
    levels = (lanes - 1).bit_length()
    return [0] * (operand + multiplier + tree) + [level for level in range(1, levels + 1)
                                        for _ in range(adder + tree)]


def _of_pipeline(design, lanes, turns, operand, multiplier, adder, tree):
    sizes = {"lanes": lanes, "turns": turns, "operand": operand, "multiplier": multiplier,
             "adder": adder, "tree": tree}
    names = {f"{block}_module": design.module(block)
             for block in ("multiplier", "adder", "array", "pipe")}
    head = text.head(design, "What is asked of registers that rest.")
    equal = head + _STAND_INS.format(**names) + _EQUAL.format(
        **sizes, **names, seen=text.SEEN, outputs=text.outputs(EQUAL))
    size = ", ".join(f"{name} {number}" for name, number in sizes.items())
    return [*loads(design, head, _clocks(lanes, operand, multiplier, adder, tree), 0,
                   sizes),
            *(Proof("array", name, signal, design, f"two bits, {size}", ALWAYS, equal,
                    ("array", "live", "sequencer", "pe", "adder_tree", "pipe", "skid"))
              for signal, name in EQUAL.items())]


def proofs(design):
    """Of all designs: asked for once."""
    if design.name != "cut":
        return []
    zero = text.head(design, "What is asked of zeros.") + _ZERO.format(
        width=design.width, exponent=design.exponent_bits,
        **{f"{block}_module": design.module(block) for block in ("multiplier", "adder")})
    return [*(proof for pipeline in _PIPELINES for proof in _of_pipeline(design, *pipeline)),
            *(Proof(block, name, signal, design, "full", SAT, zero, ("multiplier", "adder"))
              for signal, (block, name) in ZERO.items())]
