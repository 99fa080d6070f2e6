# SPDX-License-Identifier: Apache-2.0
"""Proofs about what follows a step down the pipeline: the sequencer alone, and with a PE in which a
token takes the place of numbers. Steps, ends of outputs and stalls come in any clock."""

from . import text
from ..proof import ALWAYS, Proof

SEQUENCER = {
    "ok_enable": "the pipeline waits exactly while a complete output finds no room",
    "ok_turn": "step c of an output adds to accumulator c mod L, to +0 in the first L",
    "ok_load": "that accumulator loads its sum, and no other; the first sum of an output is told",
    "ok_valid": "each output is offered once, its latency after the step that completes it",
    "ok_flags": "with the Inf and NaN of all its steps, and of no other",
}
PE = {
    "ok_sum": "what a step multiplies reaches the output of that step once, and no other",
}

# What the definition says of each step when it is taken, and where that is now.
_STEPS = """\
  localparam TURNS = {turns}, FLAGS = {flags}, BITS = 4 + TURNS + FLAGS;
  localparam ADDS = {adds}, LOADS = {loads}, LEAVES = {leaves};
  wire enable, fresh, first, out_valid;
  wire [TURNS-1:0] turn, load;
  wire [FLAGS-1:0] out_flags;
  wire step = try_step & enable;
  wire ends = step & try_final;
  {dut}
{seen}
  reg [3:0] turn_q;  // c mod L
  reg begun_q, all_begun_q;
  reg [FLAGS-1:0] flags_q;
  wire [TURNS-1:0] own_turn = 1'b1 << turn_q;
  wire [FLAGS-1:0] own_flags = flags_q | nonfinite;
  always @(posedge clk) begin
    if (!rst_n | (ends & step)) begin
      turn_q <= 4'd0;
      {{begun_q, all_begun_q}} <= 2'd0;
      flags_q <= {{FLAGS{{1'b0}}}};
    end else if (step) begin
      turn_q <= (turn_q == TURNS - 1) ? 4'd0 : turn_q + 4'd1;
      begun_q <= 1'b1;
      if (turn_q == TURNS - 1) all_begun_q <= 1'b1;
      flags_q <= own_flags;
    end
  end
  reg [LEAVES*BITS-1:0] way_q;
  wire [(LEAVES+1)*BITS-1:0] way =
      {{way_q, own_flags, own_turn, ~begun_q, ~all_begun_q, ends, step}};
  always @(posedge clk) begin
    if (!rst_n) way_q <= {{LEAVES*BITS{{1'b0}}}};
    else if (enable) way_q <= way[LEAVES*BITS-1:0];
  end
  wire adds, loads, leaves, adds_fresh, loads_first, leaves_final;
  wire [TURNS-1:0] adds_turn, loads_turn;
  wire [FLAGS-1:0] leaves_flags;
  assign adds = way[ADDS*BITS];
  assign adds_fresh = way[ADDS*BITS+2];
  assign adds_turn = way[ADDS*BITS+4+:TURNS];
  assign loads = way[LOADS*BITS];
  assign loads_first = way[LOADS*BITS+3];
  assign loads_turn = way[LOADS*BITS+4+:TURNS];
  assign leaves = way[LEAVES*BITS];
  assign leaves_final = way[LEAVES*BITS+1];
  assign leaves_flags = way[LEAVES*BITS+4+TURNS+:FLAGS];
"""

_CONNECTED = """.clk_i(clk), .rst_ni(rst_n),
      .step_i(step), .final_i(ends), .nonfinite_i(nonfinite),
      .out_ready_i(out_ready), .enable_o(enable), .turn_o(turn), .fresh_o(fresh), .load_o(load),
      .first_o(first), .out_valid_o(out_valid), .out_nonfinite_o(out_flags)"""

_SEQUENCER = """\
  assign ok_enable = ~run | (enable == (out_ready | ~out_valid));
  assign ok_turn = ~run | ~adds | (turn == adds_turn & fresh == adds_fresh);
  assign ok_load = ~run | (loads ? load == loads_turn & first == loads_first : load == 0);
  assign ok_valid = ~run | (out_valid == (leaves & leaves_final));
  assign ok_flags = ~run | ~out_valid | (out_flags == leaves_flags);
"""

# Stand-ins with the registers of the real ones. Bit 0: has the token; bit 1: more than once. A
# product has that of side A.
_TOKENS = """\
module {multiplier} #(parameter WIDTH = 1, EXP = 0, REGISTERS = 0) (
    input wire clk_i, input wire en_i, input wire [WIDTH-1:0] a_i, input wire [WIDTH-1:0] b_i,
    output wire [31:0] y_o
);
  wire [1:0] y;
  {pipe} #(.WIDTH(2), .REGISTERS(REGISTERS)) pipe (
      .clk_i(clk_i), .en_i(en_i), .x_i(a_i[1:0]), .y_o(y)
  );
  assign y_o = {{30'd0, y}};
endmodule

module {adder} #(parameter REGISTERS = 0) (
    input wire clk_i, input wire en_i, input wire [31:0] a_i, input wire [31:0] b_i,
    output wire [31:0] y_o
);
  wire [1:0] sum = {{a_i[1] | b_i[1] | (a_i[0] & b_i[0]), a_i[0] | b_i[0]}};
  wire [1:0] y;
  {pipe} #(.WIDTH(2), .REGISTERS(REGISTERS)) pipe (
      .clk_i(clk_i), .en_i(en_i), .x_i(sum), .y_o(y)
  );
  assign y_o = {{30'd0, y}};
endmodule
"""

# One step after each reset has the token, in one lane; what comes without a step is anything.
_PE = """\
  wire [31:0] result;
  reg spent_q, has_q;
  wire starts = step & watch & ~spent_q & watch_lane < {lanes};
  wire [{lanes}-1:0] tokens = step ? starts << watch_lane : noise;
  wire [{lanes}-1:0] fed;
  {pipe} #(.WIDTH({lanes}), .REGISTERS({interconnect})) operands (
      .clk_i(clk), .en_i(enable), .x_i(tokens), .y_o(fed)
  );
  wire [{lanes}*{width}-1:0] a;
  genvar l;
  generate
    for (l = 0; l < {lanes}; l = l + 1) begin : gen_lane
      assign a[l*{width}+:{width}] = fed[l];
    end
  endgenerate
  {dut}
  // Whether the output that is being formed has the token, and where that is then.
  wire has = has_q | starts;
  reg [LEAVES-1:0] has_way_q;
  wire [LEAVES:0] has_way = {{has_way_q, ends & has}};
  always @(posedge clk) begin
    if (!rst_n) begin
      {{spent_q, has_q}} <= 2'd0;
      has_way_q <= {{LEAVES{{1'b0}}}};
    end else begin
      spent_q <= spent_q | starts;
      if (step) has_q <= has & ~ends;
      if (enable) has_way_q <= has_way[LEAVES-1:0];
    end
  end
  assign ok_sum = ~run | ~(leaves & leaves_final) | (result[1:0] == {{1'b0, has_way[LEAVES]}});
"""


_PE_CONNECTED = """.clk_i(clk), .en_i(enable), .a_i(a), .b_i({zeros}),
      .turn_i(turn), .fresh_i(fresh), .load_i(load), .first_i(first), .result_o(result)"""


def _sizes(design):
    """Enabled clocks from a step to the accumulator's adder, to its load, and to the output."""
    value = design.parameter
    turns = value("tile.numerics.accumulators")
    per_level = value("tile.pipeline.adder") + value("tile.pipeline.tree")
    adds = (value("tile.pipeline.interconnect") + value("tile.pipeline.multiplier")
            + value("tile.pipeline.tree")
            + (design.lanes - 1).bit_length() * per_level)
    loads = adds + min(turns, 4) - 1
    return {"turns": turns, "flags": value("tile.rows") + value("tile.columns"), "adds": adds,
            "loads": loads, "leaves": loads + 1 + (turns - 1).bit_length() * per_level}


def proofs(design):
    """Of one design."""
    if not design.is_cut:
        return []
    sizes = _sizes(design)
    steps = _STEPS.format(dut=design.instance("sequencer", _CONNECTED), seen=text.SEEN, **sizes)
    inputs = f"""\
    input wire clk, input wire rst_n, input wire try_step, input wire try_final,
    input wire [{sizes["flags"] - 1}:0] nonfinite, input wire out_ready"""
    head = text.head(design, "What is asked of all that follows a step.")
    sequencer = f"""\
{head}
module proof (
{inputs},
    {text.outputs(SEQUENCER)}
);
{steps}
{_SEQUENCER}
endmodule
"""
    zeros = f"{design.lanes * design.width}'d0"
    names = {block: design.module(block) for block in ("multiplier", "adder", "pipe")}
    instance = design.instance("pe", _PE_CONNECTED.format(zeros=zeros), "pe")
    pe = f"""\
{head}
{_TOKENS.format(**names)}
module proof (
{inputs}, input wire watch, input wire [3:0] watch_lane,
    input wire [{design.lanes - 1}:0] noise,
    {text.outputs(PE)}
);
{steps}
{_PE.format(dut=instance, pipe=names["pipe"], lanes=design.lanes, width=design.width,
            interconnect=design.parameter("tile.pipeline.interconnect"))}
endmodule
"""
    return [*(Proof("sequencer", name, signal, design, "full", ALWAYS, sequencer,
                    ("sequencer", "pipe")) for signal, name in SEQUENCER.items()),
            *(Proof("pe", name, signal, design, "tokens for sums", ALWAYS, pe,
                    ("pe", "adder_tree", "sequencer", "pipe")) for signal, name in PE.items())]
