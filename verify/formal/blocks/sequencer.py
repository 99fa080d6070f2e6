# SPDX-License-Identifier: Apache-2.0
"""Proofs about what follows a step down the pipeline: the sequencer alone, and with a PE, whose
registers rest behind idle lanes, in which a token takes the place of numbers. Steps, ends of
outputs, stalls and idle lanes come in any clock."""

from . import text
from ..proof import ALWAYS, Proof

SEQUENCER = {
    "ok_enable": "the pipeline waits exactly while a complete output finds no room, which is told a "
                 "clock ahead",
    "ok_turn": "step c of an output adds to accumulator c mod L, to +0 in the first L, which is told "
               "a clock ahead",
    "ok_load": "that accumulator loads its sum, and no other; the first sum of an output is told",
    "ok_moves": "a clock ahead, steps are told to the registers that they come to",
    "ok_merge": "behind the accumulators registers load the sums of outputs, and no other",
    "ok_valid": "each output is offered once, its latency after the step that completes it",
    "ok_flags": "with the Inf and NaN of all its steps, and of no other",
}
PE = {
    "ok_sum": "what a step multiplies reaches the output of that step once, and no other",
}

# What the definition says of each step when it is taken, and where that is now.
_STEPS = """\
  localparam TURNS = {turns}, FLAGS = {flags}, BITS = 4 + TURNS + FLAGS;
  localparam ADDS = {adds}, LOADS = {loads}, LEAVES = {leaves}, MERGES = LEAVES - LOADS - 1;
  wire enable, enables, first, out_valid;
  wire [ADDS:0] moves;
  wire [MERGES:0] merge;
  wire [TURNS-1:0] add_ahead, load;
  wire [FLAGS-1:0] out_flags;
  wire steps = try_step & enables;
  reg step;
  always @(posedge clk) step <= steps & rst_n;
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
      .step_i(step), .steps_i(steps), .final_i(ends), .nonfinite_i(nonfinite),
      .out_room_i(out_room), .enable_o(enable), .enables_o(enables), .adds_o(add_ahead),
      .load_o(load), .first_o(first), .moves_o(moves), .merge_o(merge), .out_valid_o(out_valid),
      .out_nonfinite_o(out_flags)"""

_SEQUENCER = """\
  reg room_q, enables_q;
  reg [ADDS:0] moves_q;
  reg [TURNS-1:0] add_q;
  always @(posedge clk) begin
    room_q <= out_room | ~rst_n;
    enables_q <= enables | ~rst_n;
    add_q <= add_ahead;
    moves_q <= rst_n ? moves : {ADDS + 1{1'b0}};
  end
  wire [ADDS:0] right_moves;
  wire [MERGES:0] right_merges;
  genvar n;
  generate
    for (n = 0; n <= ADDS; n = n + 1) begin : gen_moves
      assign right_moves[n] = moves_q[n] == (enable & way[n*BITS]);
    end
    for (n = 0; n <= MERGES; n = n + 1) begin : gen_merges
      assign right_merges[n] = merge[n] == way[(LOADS+1+n)*BITS+1];
    end
  endgenerate
  assign ok_moves = ~run | (&right_moves);
  assign ok_merge = ~run | (&right_merges);
  assign ok_enable = ~run | (enable == (room_q | ~out_valid) & enable == enables_q);
  assign ok_turn = ~run | ~adds | (add_q == (adds_fresh ? 0 : adds_turn));
  assign ok_load = ~run | (loads ? load == loads_turn & first == loads_first : load == 0);
  assign ok_valid = ~run | (out_valid == (leaves & leaves_final));
  assign ok_flags = ~run | ~out_valid | (out_flags == leaves_flags);
"""

# Stand-ins with the registers of the real ones. Bit 0: has the token; bit 1: more than once. A
# product has that of side A.
_TOKENS = """\
module {multiplier_module} #(parameter WIDTH = 1, EXP = 0, REGISTERS = 0) (
    input wire clk_i, input wire [REGISTERS:0] en_i, input wire [WIDTH-1:0] a_i,
    input wire [WIDTH-1:0] b_i, output wire [31:0] y_o
);
  wire [2:0] en = en_i;
  reg [1:0] first_q, second_q;
  always @(posedge clk_i) if (en[0]) first_q <= a_i[1:0];
  always @(posedge clk_i) if (en[1]) second_q <= first_q;
  wire [1:0] y = REGISTERS == 0 ? a_i[1:0] : REGISTERS == 1 ? first_q : second_q;
  assign y_o = {{30'd0, y}};
endmodule

module {adder_module} #(parameter REGISTERS = 0) (
    input wire clk_i, input wire [REGISTERS:0] en_i, input wire [31:0] a_i, input wire [31:0] b_i,
    output wire [31:0] y_o
);
  wire [3:0] en = en_i;
  wire [1:0] sum = {{a_i[1] | b_i[1] | (a_i[0] & b_i[0]), a_i[0] | b_i[0]}};
  reg [1:0] first_q, second_q, third_q;
  always @(posedge clk_i) if (en[0]) first_q <= sum;
  always @(posedge clk_i) if (en[1]) second_q <= first_q;
  always @(posedge clk_i) if (en[2]) third_q <= second_q;
  wire [1:0] y =
      REGISTERS == 0 ? sum : REGISTERS == 1 ? first_q : REGISTERS == 2 ? second_q : third_q;
  assign y_o = {{30'd0, y}};
endmodule
"""

# One step after each reset has the token, in one lane, and any other lanes are live; what comes
# without a step is anything.
_PE = """\
  wire [31:0] result;
  reg spent_q, has_q;
  wire starts = step & watch & ~spent_q & watch_lane < {lanes};
  wire [{lanes}-1:0] tokens = step ? starts << watch_lane : noise;
  wire [{lanes}-1:0] fed, live;
  {pipe_module} #(.WIDTH(2 * {lanes}), .REGISTERS({interconnect})) operands (
      .clk_i(clk), .en_i({{{interconnect} + 1{{enable}}}}), .x_i({{tokens, try_live | tokens}}),
      .y_o({{fed, live}})
  );
  localparam SUM_CLOCKS = ADDS - {interconnect};
  wire [{lanes}*(SUM_CLOCKS+1)-1:0] sum_load;
  wire en;
  wire [SUM_CLOCKS:0] told = moves >> {interconnect};
  {live_module} #(
      .LANES({lanes}), .MULTIPLIER_REGISTERS({multiplier}), .ADDER_REGISTERS({adder}),
      .TREE_REGISTERS({tree}), .CLOCKS(SUM_CLOCKS)
  ) rest (
      .clk_i(clk), .rst_ni(rst_n), .enables_i(enables), .moves_i(told), .en_o(en), .live_i(live),
      .load_o(sum_load)
  );
  wire [{lanes}*{width}-1:0] a;
  genvar l;
  generate
    for (l = 0; l < {lanes}; l = l + 1) begin : gen_lane
      assign a[l*{width}+:{width}] = fed[l];
    end
  endgenerate
  {pe_module} #(
      .LANES({lanes}), .WIDTH({width}), .ACCUMULATORS(TURNS), .MULTIPLIER_REGISTERS({multiplier}),
      .ADDER_REGISTERS({adder}), .TREE_REGISTERS({tree}), .ACCUMULATE_REGISTERS(LOADS - ADDS),
      .SUM_CLOCKS(SUM_CLOCKS), .MERGE_CLOCKS(MERGES)
  ) pe (
      .clk_i(clk), .en_i(en), .sum_load_i(sum_load), .row_load_i({{SUM_CLOCKS + 1{{1'b0}}}}),
      .merge_i(merge), .a_i(a),
      .b_i({{{lanes} * {width}{{1'b0}}}}), .adds_i(add_ahead), .load_i(load),
      .first_i(first), .result_o(result)
  );
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


# A pipeline beside that of the design, which may have none, in the order of _pipelines().
_MORE = ((3, 2, 1, 1, 0, 1),)


def _pipelines(design):
    """Those to be proved: lanes, accumulators, and the registers of operands, multiplier, adder
    and tree. The more are the same for all designs."""
    value = design.parameter
    own = (design.lanes, value("tile.numerics.accumulators"),
           *(value(f"tile.pipeline.{stage}")
             for stage in ("interconnect", "multiplier", "adder", "tree")))
    names = ("lanes", "turns", "interconnect", "multiplier", "adder", "tree")
    return [dict(zip(names, one)) for one in (own, *(_MORE if design.name == "cut" else ()))]


def _sizes(lanes, turns, interconnect, multiplier, adder, tree):
    """Enabled clocks from a step to the accumulator's adder, to its load, and to the output."""
    adds = interconnect + multiplier + tree + (lanes - 1).bit_length() * (adder + tree)
    loads = adds + min(turns, 4) - 1
    return {"adds": adds, "loads": loads,
            "leaves": loads + 1 + (turns - 1).bit_length() * (adder + tree)}


_DUT = """{module} #(
      .FLAGS(FLAGS), .ACCUMULATORS(TURNS), .SUM_CLOCKS(ADDS), .ADD_CLOCKS(LOADS - ADDS),
      .MERGE_CLOCKS(MERGES)
  ) dut ({connected});"""


def _of_pipeline(design, pipeline):
    sizes = {**pipeline, **_sizes(**pipeline),
             "flags": design.parameter("tile.rows") + design.parameter("tile.columns")}
    steps = _STEPS.format(
        dut=_DUT.format(module=design.module("sequencer"), connected=_CONNECTED), seen=text.SEEN,
        **sizes)
    inputs = f"""\
    input wire clk, input wire rst_n, input wire try_step, input wire try_final,
    input wire [{sizes["flags"] - 1}:0] nonfinite, input wire out_room"""
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
    names = {f"{block}_module": design.module(block)
             for block in ("multiplier", "adder", "pipe", "live", "pe")}
    pe = f"""\
{head}
{_TOKENS.format(**names)}
module proof (
{inputs}, input wire watch, input wire [3:0] watch_lane,
    input wire [{pipeline["lanes"] - 1}:0] noise, input wire [{pipeline["lanes"] - 1}:0] try_live,
    {text.outputs(PE)}
);
{steps}
{_PE.format(width=design.width, **sizes, **names)}
endmodule
"""
    size = ", ".join(f"{name} {number}" for name, number in pipeline.items())
    return [*(Proof("sequencer", name, signal, design, size, ALWAYS, sequencer,
                    ("sequencer", "pipe")) for signal, name in SEQUENCER.items()),
            *(Proof("pe", name, signal, design, f"tokens for sums, {size}", ALWAYS, pe,
                    ("pe", "live", "adder_tree", "sequencer", "pipe"))
              for signal, name in PE.items())]


def proofs(design):
    """Of one design."""
    if not design.is_cut:
        return []
    return [proof for pipeline in _pipelines(design) for proof in _of_pipeline(design, pipeline)]
