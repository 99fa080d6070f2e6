# SPDX-License-Identifier: Apache-2.0
"""Proofs about the intake under any stalls, at full size: rows are offered or not, the pipeline
moves or waits, and reset may come, in any clock."""

from . import intake, rows_text, text
from ..proof import ALWAYS, Proof

PROPERTIES = {
    "ok_fit": "no side holds more rows than its depth",
    "ok_promise": "ready: all the room that there is after this clock, and no more; within a dense "
                  "stream one row, if none is held then; while the pipeline holds none, if elements move "
                  "later",
    "ok_step": "steps exactly if the depth, or the rest of the stream, is there, of a dense stream "
               "one row, and the pipeline moves; told a clock ahead",
    "ok_waiting": "a clock without a step though there are rows is told",
    "ok_mode": "a step is in the mode, told a clock ahead, and looks at the rows, of the stream in use",
    "ok_final": "a step completes an output if it passes the end of one",
    "ok_search": "searched are the slots of the stream in use, none in dense mode, with what they "
                 "were told to load",
    "ok_load": "every slot loads when the tile steps, and while it is free; within a dense stream "
               "none behind the first that is free",
    "ok_stay": "offered rows go behind those that stay",
    "ok_shift": "a row that stays moves up by as many slots as rows leave",
}

# Of the windows of a side.
_MOVES = """.clk_i(clk), .loads_i({side}_next_load), .step_i(step), .eligible_i(eligible), .clear_i(clear),
      .held_i({side}_slots), .leave_o({side}_left), .moves_o({side}_moves)"""
_SEARCH = """.leave_i(b_left), .held_i(b_slots), .own_i(of_stream), .follows_i(follows),
      .search_o(search)"""


def _module(design):
    depth = design.depth
    count = f"[{depth.bit_length() - 1}:0]"
    dut = design.instance("intake", intake.CONNECTED)
    windows = "\n  ".join(design.instance("moves", _MOVES.format(side=side), f"{side}_window")
                         for side in "ab")
    searched = design.instance("search", _SEARCH, "row")
    return f"""\
{text.head(design, "What is asked of the intake under any stalls.")}
{rows_text.SIDE}
module proof (
    input wire clk, input wire rst_n, input wire dense, input wire {count} a_offers,
    input wire {count} b_offers, input wire [{depth - 1}:0] b_last,
    input wire [{depth - 1}:0] b_ends_output, input wire [{design.parameter("tile.rows") * depth - 1}:0] empty,
    input wire enables,
    {text.outputs(PROPERTIES)}
);
  localparam DEPTH = {depth}, ROWS = {design.parameter("tile.rows")}, A_BITS = 1, B_BITS = 3;
{intake.OUTPUTS}
  wire [DEPTH*(DEPTH+2)-1:0] a_moves, b_moves;
  wire [DEPTH:0] a_left, b_left;
  wire [DEPTH*DEPTH-1:0] search;
  wire [DEPTH-1:0] a_load, b_load, a_stay, b_stay;
  wire [DEPTH*DEPTH-1:0] a_shift, b_shift;
  assign {{a_shift, a_stay, a_load}} = a_moves;
  assign {{b_shift, b_stay, b_load}} = b_moves;
{rows_text.COUNTS}
  wire {count} a_valid = a_count{count};
  wire {count} b_valid = b_count{count};
  wire [DEPTH-1:0] b_last_of_output = b_last & b_ends_output;
  // In each tile row, rows are clear up to the first that is not.
  wire [ROWS*DEPTH-1:0] clear;
  genvar g;
  generate
    for (g = 0; g < ROWS*DEPTH; g = g + 1) begin : gen_clear
      if (g % DEPTH == 0) assign clear[g] = empty[g];
      else assign clear[g] = clear[g-1] & empty[g];
    end
  endgenerate
  {dut}
  {windows}
  {searched}
  wire live = rst_n;
{text.SEEN}
  // What was told a clock ahead.
  reg enable, told_step, dense_now;
  always @(posedge clk) {{enable, told_step, dense_now}} <= {{enables, steps & rst_n, |(b_left & dense_next)}};
{rows_text.MODES}
  wire [DEPTH-1:0] a_offered = {{DEPTH{{1'b0}}}};
  reg [DEPTH*B_BITS-1:0] b_offered;
  integer d;
  always @* begin
    for (d = 0; d < DEPTH; d = d + 1)
      b_offered[d*B_BITS+:3] = {{mode[d], b_last_of_output[d], b_last[d]}};
  end
{rows_text.HELD}
  // The first clock after reset accepts nothing; all slots load in it.
  reg open_q;
  always @(posedge clk) open_q <= live;
  wire [DEPTH-1:0] own = ~({{DEPTH{{1'b1}}}} << need);
  wire completes = |(last_of_output & ~({{DEPTH{{1'b1}}}} << leave));

  // Slots that are searched, as they were told when they loaded; a slot is told of what it takes.
  reg [DEPTH-1:0] searched_q, told;
  integer s, t;
  always @* begin
    for (s = 0; s < DEPTH; s = s + 1) begin
      told[s] = 1'b1;
      for (t = 0; t < DEPTH; t = t + 1)
        told[s] = told[s] & (~search[s*DEPTH+t] | (t > s ? b_shift[s*DEPTH+t] : b_stay[s-t]));
    end
  end
  always @(posedge clk) begin
    for (s = 0; s < DEPTH; s = s + 1) if (b_load[s]) searched_q[s] <= |search[s*DEPTH+:DEPTH];
  end

  // Where rows must go; when all of them stay there is no slot behind.
  wire [DEPTH-1:0] a_stays = {{{{DEPTH{{1'b0}}}}, 1'b1}} << (a_held - leave);
  wire [DEPTH-1:0] b_stays = {{{{DEPTH{{1'b0}}}}, 1'b1}} << (b_held - leave);
  reg [DEPTH-1:0] a_loads, b_loads;
  reg [DEPTH*DEPTH-1:0] a_shifts, b_shifts;
  integer p, r;
  always @* begin
    {{a_shifts, b_shifts}} = {{2*DEPTH*DEPTH{{1'b0}}}};
    for (p = 0; p < DEPTH; p = p + 1) begin
      a_loads[p] = (dense_runs & p != 0) ? step & p < a_held : step | p >= a_held;
      b_loads[p] = (dense_runs & p != 0) ? step & p < b_held : step | p >= b_held;
      for (r = p + 1; r < DEPTH; r = r + 1) begin
        a_shifts[p*DEPTH+r] = r < a_held & r == p + leave;
        b_shifts[p*DEPTH+r] = r < b_held & r == p + leave;
      end
    end
  end
  assign ok_fit = ~run | (a_held <= DEPTH & b_held <= DEPTH);
  assign ok_promise = ~run | (open_q{" & enable" if design.is_late else ""}
      ? a_ready == (dense_runs ? a_held == leave : DEPTH - a_held + leave)
        & b_ready == (dense_runs ? b_held == leave : DEPTH - b_held + leave)
      : a_ready == 0 & b_ready == 0);
  assign ok_step = ~run | (step == (enable & present) & step == told_step
                         & steps == |(b_left & steps_if));
  assign ok_waiting = ~run | (waiting == (~step & (a_held != 0 | b_held != 0)));
  assign ok_mode = ~run | ~step | (dense_now == dense_row[0] & eligible == own);
  assign ok_final = ~run | (final_step == (step & completes));
  assign ok_search = ~run | ~open_q | (searched_q == (eligible & ~{{DEPTH{{dense_now}}}})
                             & told == {{DEPTH{{1'b1}}}});
  assign ok_load = ~run | (a_load == a_loads & b_load == b_loads);
  assign ok_stay = ~run | (a_stay == a_stays & b_stay == b_stays);
  assign ok_shift = ~run | (a_shift == a_shifts & b_shift == b_shifts);
endmodule
"""


def proofs(design):
    """Of one design."""
    if design.is_dense:
        return []
    module = _module(design)
    return [Proof("intake", name, signal, design, "full", ALWAYS, module, ("intake", "moves", "search", "staging"))
            for signal, name in PROPERTIES.items() if design.depth > 1 or signal != "ok_shift"]
