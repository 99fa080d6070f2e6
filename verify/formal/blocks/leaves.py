# SPDX-License-Identifier: Apache-2.0
"""Proofs about the small sequential cells: output buffer, reset synchroniser, delay line, counters,
and the registers of the arithmetic ones. Reset may come in any clock. What comes and goes within
one is beyond the model."""

from . import text
from ..proof import ALWAYS, STEP, Proof

SKID = {
    "ok_order": "what leaves is what came, in its order",
    "ok_count": "offers what it holds, and only that: nothing is lost or made twice",
    "ok_room": "ready exactly while one of two places is free",
    "ok_stays": "what is offered stays until it is accepted",
    "ok_reset": "in reset it offers and accepts nothing",
}
RESET = {
    "ok_at_once": "asserts at once",
    "ok_release": "releases two clock edges after the input",
}
PIPE = {
    "ok_delay": "the value as many enabled clocks ago as there are registers",
    "ok_hold": "holds still when not enabled",
}
COUNTERS = {
    "ok_cycles": "cycles counts steps, a clock late",
    "ok_stalls": "stalls counts clocks waited, a clock late",
    "ok_skipped": "skipped counts pairs that left without a lane, two clocks late",
}

HOLD = {
    "ok_hold": "a result holds still when not enabled, whatever the operands",
}

_SKID = """\
module proof (
    input wire clk, input wire rst_n, input wire in_valid, input wire [{width}-1:0] in_data,
    input wire out_ready, input wire watch,
    {outputs}
);
  wire in_ready, out_valid;
  wire [{width}-1:0] out_data;
  {module} #(.WIDTH({width})) dut (
      .clk_i(clk), .rst_ni(rst_n), .in_valid_i(in_valid), .in_ready_o(in_ready),
      .in_data_i(in_data), .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o(out_data)
  );
{seen}
  // Items held, and one that is watched: how many are ahead of it.
  wire comes = in_valid & in_ready;
  wire goes = out_valid & out_ready;
  reg [2:0] held_q, ahead_q;
  reg watched_q, open_q, offered_q;
  reg [{width}-1:0] item_q, data_q;
  always @(posedge clk) begin
    open_q <= rst_n;
    offered_q <= rst_n & out_valid & ~out_ready;
    data_q <= out_data;
    if (!rst_n) begin
      held_q <= 3'd0;
      watched_q <= 1'b0;
    end else begin
      held_q <= held_q + {{2'd0, comes}} - {{2'd0, goes}};
      if (watched_q) begin
        ahead_q <= ahead_q - {{2'd0, goes}};
        if (goes & ahead_q == 3'd0) watched_q <= 1'b0;
      end else if (comes & watch) begin
        watched_q <= 1'b1;
        item_q <= in_data;
        ahead_q <= held_q - {{2'd0, goes}};
      end
    end
  end
  assign ok_order = ~run | ~(watched_q & out_valid & ahead_q == 3'd0) | (out_data == item_q);
  assign ok_count = ~run | ((out_valid == (held_q != 3'd0)) & (held_q <= 3'd2));
  assign ok_room = ~run | (open_q ? in_ready == (held_q < 3'd2) : ~in_ready);
  assign ok_stays = ~run | ~offered_q | (out_valid & (out_data == data_q));
  assign ok_reset = rst_n | (~out_valid & ~in_ready);
endmodule
"""

_RESET = """\
module proof (
    input wire clk, input wire rst_n,
    {outputs}
);
  wire released;
  {module} dut (.clk_i(clk), .rst_ni(rst_n), .rst_no(released));
{seen}
  reg [1:0] edges_q;  // without reset, since the last one; not beyond 2
  always @(posedge clk) begin
    if (!rst_n) edges_q <= 2'd0;
    else if (edges_q != 2'd2) edges_q <= edges_q + 2'd1;
  end
  assign ok_at_once = rst_n | ~released;
  assign ok_release = ~run | (released == (edges_q == 2'd2));
endmodule
"""

_PIPE = """\
module proof (
    input wire clk, input wire en, input wire [1:0] x, input wire watch,
    {outputs}
);
  wire [4:0] delays, holds;
  genvar n;
  generate
    for (n = 0; n < 5; n = n + 1) begin : gen_length
      wire [1:0] y;
      {module} #(.WIDTH(2), .REGISTERS(n)) dut (.clk_i(clk), .en_i({{(n + 1){{en}}}}), .x_i(x), .y_o(y));
      // A value that is watched, the enabled clocks since it came, and what was there a clock ago.
      reg watched_q = 1'b0, held_q = 1'b0;
      reg [2:0] age_q;
      reg [1:0] value_q, y_q;
      always @(posedge clk) begin
        held_q <= ~en;
        y_q <= y;
        if (en & watch & ~watched_q) begin
          watched_q <= 1'b1;
          value_q <= x;
          age_q <= 3'd1;
        end else if (en) begin
          age_q <= age_q + 3'd1;
          if (age_q == n) watched_q <= 1'b0;
        end
      end
      assign delays[n] = n == 0 ? y == x : ~(watched_q & age_q == n) | (y == value_q);
      assign holds[n] = n == 0 | ~held_q | (y == y_q);
    end
  endgenerate
  assign ok_delay = &delays;
  assign ok_hold = &holds;
endmodule
"""

# What each clock adds, from zero in reset.
_COUNTERS = """\
module proof (
    input wire clk, input wire rst_n, input wire step, input wire waiting,
    input wire [{depth}-1:0] rows, input wire [{lanes}-1:0] active,
    {outputs}
);
  localparam WIDTH = {width}, LANES = {lanes}, DEPTH = {depth};
  wire [WIDTH-1:0] cycles, stalls, skipped;
  // The tile advances when it steps, by one number of rows.
  reg [WIDTH:0] leave, taken;
  integer i;
  always @* begin
    leave = step;
    taken = 0;
    for (i = 1; i < DEPTH; i = i + 1) if (step & rows[i]) leave = i + 1;
    for (i = 0; i < LANES; i = i + 1) taken = taken + active[i];
  end
  wire [DEPTH-1:0] advance = step << (leave - step);
  {dut}
{seen}
  function automatic [WIDTH-1:0] sum(input [WIDTH-1:0] total, input [WIDTH:0] more);
    reg [WIDTH+1:0] exact;
    begin
      exact = total + more;
      sum = ({saturates} & (exact >> WIDTH) != 0) ? {{WIDTH{{1'b1}}}} : exact[WIDTH-1:0];
    end
  endfunction
  reg step_0_q, step_1_q, waiting_0_q, waiting_1_q;
  reg [WIDTH:0] dropped_0_q, dropped_1_q, dropped_2_q;
  reg [WIDTH-1:0] cycles_q, stalls_q, skipped_q;
  always @(posedge clk) begin
    {{cycles_q, stalls_q, skipped_q}} <= rst_n ? {{cycles, stalls, skipped}} : 0;
    {{step_0_q, waiting_0_q}} <= rst_n ? {{step, waiting}} : 2'd0;
    {{step_1_q, waiting_1_q}} <= rst_n ? {{step_0_q, waiting_0_q}} : 2'd0;
    dropped_0_q <= rst_n & step ? leave * LANES - taken : 0;
    {{dropped_1_q, dropped_2_q}} <= rst_n ? {{dropped_0_q, dropped_1_q}} : 0;
  end
  assign ok_cycles{wide} = rst_n ? ~run | (cycles == sum(cycles_q, step_1_q)) : cycles == 0;
  assign ok_stalls{wide} = rst_n ? ~run | (stalls == sum(stalls_q, waiting_1_q)) : stalls == 0;
  assign ok_skipped{wide} = rst_n ? ~run | (skipped == sum(skipped_q, dropped_2_q)) : skipped == 0;
endmodule
"""


_HOLD = """\
module proof (
    input wire clk, input wire en, input wire [{width}-1:0] a, input wire [{width}-1:0] b,
    {outputs}
);
  wire [{registers}:1] holds;
  reg en_q;
  always @(posedge clk) en_q <= en;
  genvar n;
  generate
    for (n = 1; n <= {registers}; n = n + 1) begin : gen_length
      wire [31:0] y;
      reg [31:0] y_q;
      {module} #({format}.REGISTERS(n)) dut (
          .clk_i(clk), .en_i({{(n + 1){{en}}}}), .a_i(a), .b_i(b), .y_o(y)
      );
      always @(posedge clk) y_q <= y;
      assign holds[n] = en_q | (y == y_q);
    end
  endgenerate
  assign ok_hold = &holds;
endmodule
"""


_COUNTERS_CONNECTED = """.clk_i(clk), .rst_ni(rst_n), .step_i(step), .waiting_i(waiting),
      .advance_i(advance), .active_i(active), .cycles_o(cycles), .stalls_o(stalls),
      .skipped_o(skipped)"""


def _hold(design, block, width, registers, operand_format=""):
    verilog = text.head(design, f"What is asked of {block}.") + _HOLD.format(
        module=design.module(block), format=operand_format, width=width, registers=registers,
        outputs=text.outputs(HOLD))
    return [Proof(block, name, signal, design, f"1…{registers} registers", STEP, verilog,
                  (block,)) for signal, name in HOLD.items()]


def _proofs(design, block, properties, module, size, **more):
    body = module.format(module=design.module(block), outputs=text.outputs(properties),
                         seen=text.SEEN, **more)
    verilog = text.head(design, f"What is asked of {block}.") + body
    return [Proof(block, name, signal, design, size, ALWAYS, verilog, (block,))
            for signal, name in properties.items()]


def _counters(design, width, wide=""):
    """Of counters of so many bits. wide: behind the properties' names, of those that count their
    carries apart."""
    parameters = ", ".join(f".{name}({value})" for name, value in (
        ("DEPTH", design.depth), ("LANES", design.lanes * design.parameter("tile.rows")),
        ("WIDTH", width), ("WRAP", int(design.parameter("tile.counters.wrap")))))
    return _proofs(
        design, "counters", {f"{signal}{wide}": name for signal, name in COUNTERS.items()},
        _COUNTERS, f"{width} bits", depth=design.depth, wide=wide,
        dut=f"{design.module('counters')} #({parameters}) dut ({_COUNTERS_CONNECTED});",
        lanes=design.lanes * design.parameter("tile.rows"), width=width,
        saturates="1'b0" if design.parameter("tile.counters.wrap") else "1'b1")


def proofs(design):
    """Of one design. The cells are the same in all; of a counter's width a part that adds and two
    bytes of carries are enough, the last of one bit."""
    if not design.is_cut:
        return []
    outputs = design.parameter("tile.rows") * design.parameter("tile.columns")
    return [*_proofs(design, "skid", SKID, _SKID, "full", width=33 * outputs),
            *_proofs(design, "reset", RESET, _RESET, "full"),
            *_proofs(design, "pipe", PIPE, _PIPE, "2 bits, 0…4 registers"),
            *_hold(design, "multiplier", design.width, 2,
                   f".WIDTH({design.width}), .EXP({design.exponent_bits}), "),
            *_hold(design, "adder", 32, 3),
            *_counters(design, 8), *_counters(design, 17, "_wide")]
