# SPDX-License-Identifier: Apache-2.0
"""Proofs about a whole tile under any stalls: rows are offered and outputs accepted, or not, in any
clock, reset may come in any, and every stream has a mode of its own. Only the sums are cut away."""

from . import text, tile_text
from .proof import ALWAYS, Proof

# Output of the module `proof` -> what it states.
INTAKE = {
    "ok_fit": "no side holds more rows than its depth",
    "ok_promise": "ready: all the room that there is after this clock, and no more",
    "ok_whole": "steps only with the depth, or the rest of the stream, in every window",
    "ok_advance": "a step passes 1…depth rows, never the end of the stream; no step, none",
    "ok_prompt": "steps at once if rows are there and the pipeline moves",
    "ok_waiting": "a clock without a step though there are rows is told",
}
PAIR = {
    "ok_once": "a pair is taken at most once, by one lane, and only when both elements are there",
    "ok_stream": "a pair is never taken while an earlier stream is in use",
    "ok_effectual": "a pair is taken only if it is effectual or its stream is dense",
    "ok_kept": "no such pair leaves untaken",
    "ok_operand_a": "the lane that takes a pair gets its element of side A",
    "ok_operand_b": "the lane that takes a pair gets its element of side B",
}
DEFINITION = {
    "ok_choice": "every step chooses as the definition does, which knows the rows and no stalls",
    "ok_passed": "every step passes as many rows as the definition",
}
OUTPUT = {
    "ok_made": "an output is offered only if a step completed it, and once",
    "ok_delivered": "an output is offered within the latency of clocks in which it may leave",
    "ok_flags": "an output's flags are those of its own rows",
    "ok_stays": "an output stays until it is accepted",
}
PROGRESS = {
    "ok_unblocked": "with rows and room for outputs, no two clocks without a step",
    "ok_progress": "rows always offered, outputs always accepted: a step within depth + 2 clocks",
}

_INTAKE = """\
  // The first clock after reset accepts nothing.
  reg open_q;
  always @(posedge clk) open_q <= live;
  assign ok_fit = ~run | (a_held <= DEPTH & b_held <= DEPTH);
  assign ok_promise = ~run | (open_q
      ? a_ready == DEPTH - a_held + leave & b_ready == DEPTH - b_held + leave
      : a_ready == 0 & b_ready == 0);
  assign ok_whole = ~run | ~step | present;
  assign ok_advance = ~run | ((advance & (advance - 1'b1)) == 0
      & (step ? leave >= 1 & leave <= need : leave == 0));
  assign ok_prompt = ~run | (step == (enable & present));
  assign ok_waiting = ~run | (waiting == (~step & (a_held != 0 | b_held != 0)));
"""

# A pair is picked, before either element of it is accepted, by where its row will then stand: place 0
# is the row in use. One pair is watched after each reset, whichever.
_PAIR = """\
  reg spent_q, watched_q, a_got_q, b_got_q, taken_q, dense_q;
  reg [4:0] place_q;
  reg [3:0] lane_q, row_q, column_q;
  reg [WIDTH-1:0] a_element_q, b_element_q;
  wire [4:0] a_index = place_q - a_held;
  wire [4:0] b_index = place_q - b_held;
  wire [DEPTH*COLUMNS*LANES*WIDTH-1:0] a_moved =
      a_rows >> (((a_index * COLUMNS + column_q) * LANES + lane_q) * WIDTH);
  wire [DEPTH*ROWS*LANES*WIDTH-1:0] b_moved =
      b_rows >> (((b_index * ROWS + row_q) * LANES + lane_q) * WIDTH);
  wire [ROWS*LANES*PLACES-1:0] own_choices = choices >> (row_q * LANES * PLACES);
  wire [ROWS*LANES*WIDTH-1:0] own_b = b_operands >> (row_q * LANES * WIDTH);
  wire [ROWS*COLUMNS*LANES*WIDTH-1:0] own_a =
      a_operands >> ((row_q * COLUMNS + column_q) * LANES * WIDTH);
  reg [LANES-1:0] takes;
  integer l, p;
  always @* begin
    takes = {LANES{1'b0}};
    for (l = 0; l < LANES; l = l + 1) begin
      for (p = 0; p < PLACES; p = p + 1) begin
        if (watched_q & step & own_choices[l*PLACES+p] & reached(l, p) == place_q * LANES + lane_q)
          takes[l] = 1'b1;
      end
    end
  end
  wire a_comes = watched_q & ~a_got_q & place_q >= a_held & a_index < a_accepted;
  wire b_comes = watched_q & ~b_got_q & place_q >= b_held & b_index < b_accepted;
  wire effectual = dense_q | (|b_element_q[WIDTH-2:0]);
  wire leaves = watched_q & leave > place_q;
  wire [4:0] a_next = a_held + a_accepted - leave;
  wire [4:0] b_next = b_held + b_accepted - leave;
  wire watches = watch & watch_place >= a_next & watch_place >= b_next & watch_place < 2 * DEPTH
      & watch_lane < LANES & watch_row < ROWS & watch_column < COLUMNS;
  always @(posedge clk) begin
    if (!live) begin
      {spent_q, watched_q} <= 2'd0;
    end else if (!spent_q) begin
      {spent_q, watched_q} <= {2{watches}};
      {a_got_q, b_got_q, taken_q} <= 3'd0;
      place_q <= watch_place;
      {lane_q, row_q, column_q} <= {watch_lane, watch_row, watch_column};
    end else begin
      place_q <= place_q - leave;
      if (leaves) watched_q <= 1'b0;
      if (a_comes) begin
        a_got_q <= 1'b1;
        a_element_q <= a_moved[WIDTH-1:0];
      end
      if (b_comes) begin
        b_got_q <= 1'b1;
        b_element_q <= b_moved[WIDTH-1:0];
        dense_q <= mode[b_index];
      end
      if (|takes) taken_q <= 1'b1;
    end
  end
{arrival}
  assign ok_once = ~run | ~|takes
    | ((takes & (takes - 1'b1)) == 0 & ~taken_q & a_got_q & b_got_q);
  assign ok_stream = ~run | ~|takes | ~|(last & ~({DEPTH{1'b1}} << place_q));
  assign ok_effectual = ~run | ~|takes | effectual;
  assign ok_kept = ~run | ~leaves | (a_got_q & b_got_q & (taken_q | (|takes) | ~effectual));
"""

# What a lane takes arrives as many enabled clocks later as there are registers.
_ARRIVAL = """\
  reg [LANES-1:0] arrives;
  integer n;
  reg a_fed, b_fed;
  always @* begin
    {a_fed, b_fed} = 2'b11;
    for (n = 0; n < LANES; n = n + 1) begin
      if (arrives[n]) begin
        a_fed = a_fed & own_a[n*WIDTH+:WIDTH] == a_element_q;
        b_fed = b_fed & own_b[n*WIDTH+:WIDTH] == b_element_q;
      end
    end
  end
  assign ok_operand_a = ~run | a_fed;
  assign ok_operand_b = ~run | b_fed;
"""

# The rows as they were told, what was taken of them, and the definition; no port, no stall.
_DEFINITION = """\
  wire [ROWS*LANES*PLACES-1:0] defined;
  wire [ROWS*ELEMENTS-1:0] left;
  reg [ROWS*ELEMENTS-1:0] z, taken_before_q;
  integer e, r;
  always @* begin
    for (r = 0; r < ROWS; r = r + 1) begin
      for (e = 0; e < ELEMENTS; e = e + 1)
        z[r*ELEMENTS+e] = b_told[(e/LANES)*B_BITS+3+ROWS+r*LANES+e%LANES] & e / LANES < need
          & ~dense_row[0] & ~taken_before_q[r*ELEMENTS+e];
    end
  end
  genvar g;
  generate
    for (g = 0; g < ROWS; g = g + 1) begin : gen_row
      proof_definition definition (
          .z(z[g*ELEMENTS+:ELEMENTS]), .choice(defined[g*LANES*PLACES+:LANES*PLACES]),
          .left(left[g*ELEMENTS+:ELEMENTS])
      );
      always @(posedge clk) begin
        if (!live) taken_before_q[g*ELEMENTS+:ELEMENTS] <= {ELEMENTS{1'b0}};
        else if (step)
          taken_before_q[g*ELEMENTS+:ELEMENTS] <= (taken_before_q[g*ELEMENTS+:ELEMENTS]
            | (z[g*ELEMENTS+:ELEMENTS] & ~left[g*ELEMENTS+:ELEMENTS])) >> (passed * LANES);
      end
    end
  endgenerate
  reg [ROWS*LANES*PLACES-1:0] own_elements;
  reg [4:0] passed;
  reg empty;
  integer s, t;
  always @* begin
    own_elements = {ROWS*LANES*PLACES{1'b0}};
    for (s = 0; s < ROWS * LANES; s = s + 1) own_elements[s*PLACES] = 1'b1;
    passed = 5'd1;
    empty = ~dense_row[0];
    for (s = 1; s < DEPTH; s = s + 1) begin
      for (t = 0; t < ROWS; t = t + 1) empty = empty & ~|left[t*ELEMENTS+s*LANES+:LANES];
      if (empty & s < need) passed = s + 1;
    end
  end
  assign ok_choice = ~run | ~step | (choices == (dense_row[0] ? own_elements : defined));
  assign ok_passed = ~run | ~step | (leave == passed);
"""

# A completed output is watched until it is accepted: how many are ahead of it.
_OUTPUT = """\
  reg [ROWS*COLUMNS-1:0] flags_q, flags, watched_flags_q, offered_flags_q;
  reg [7:0] under_way_q, ahead_q, waited_q;
  reg output_watched_q, offered_q, completes;
  integer f, c, o;
  always @* begin
    flags = flags_q;
    completes = 1'b0;
    for (f = 0; f < DEPTH; f = f + 1) begin
      if (f < leave) begin
        completes = completes | last_of_output[f];
        for (o = 0; o < ROWS; o = o + 1)
          for (c = 0; c < COLUMNS; c = c + 1)
            flags[o*COLUMNS+c] = flags[o*COLUMNS+c] | a_told[f*COLUMNS+c] | b_told[f*B_BITS+3+o];
      end
    end
  end
  wire accepted = out_valid & out_ready;
  always @(posedge clk) begin
    offered_q <= live & out_valid & ~out_ready;
    offered_flags_q <= out_nonfinite;
    if (!live) begin
      flags_q <= {ROWS*COLUMNS{1'b0}};
      under_way_q <= 8'd0;
      waited_q <= 8'd0;
      output_watched_q <= 1'b0;
    end else begin
      flags_q <= completes ? {ROWS*COLUMNS{1'b0}} : flags;
      under_way_q <= under_way_q + completes - accepted;
      waited_q <= (under_way_q == 0 | out_valid | ~out_ready) ? 8'd0 : waited_q + 8'd1;
      if (output_watched_q) begin
        ahead_q <= ahead_q - accepted;
        if (accepted & ahead_q == 0) output_watched_q <= 1'b0;
      end else if (completes & watch) begin
        output_watched_q <= 1'b1;
        watched_flags_q <= flags;
        ahead_q <= under_way_q - accepted;
      end
    end
  end
  assign ok_made = ~run | (out_valid ? under_way_q != 0 : 1'b1) & under_way_q <= LATENCY + 2;
  assign ok_delivered = ~run | waited_q < LATENCY;
  assign ok_flags = ~run | ~(output_watched_q & out_valid & ahead_q == 0)
    | (out_nonfinite == watched_flags_q);
  assign ok_stays = ~run | ~offered_q | (out_valid & out_nonfinite == offered_flags_q);
"""

_PROGRESS = """\
  reg [7:0] blocked_q, idle_q;
  always @(posedge clk) begin
    blocked_q <= (live & present & out_ready & ~step) ? blocked_q + 8'd1 : 8'd0;
    idle_q <= (live & a_count != 0 & b_count != 0 & out_ready & ~step) ? idle_q + 8'd1 : 8'd0;
  end
  assign ok_unblocked = ~run | blocked_q < 2;
  assign ok_progress = ~run | idle_q <= DEPTH + 2;
"""


def _arrival(design):
    registers = design.parameter("pipeline.interconnect")
    if registers == 0:
        stages = "  always @* arrives = takes;\n"
    else:
        bits = f"{registers}*LANES"
        stages = f"""\
  reg [{bits}-1:0] stages_q;
  always @(posedge clk) begin
    if (!live) stages_q <= {{{bits}{{1'b0}}}};
    else if (enable) stages_q <= {{stages_q, takes}};
  end
  always @* arrives = stages_q[{bits}-1-:LANES];
"""
    return f"{_ARRIVAL}{stages}"


def _module(design, properties, body):
    declared = ",\n    ".join(f"input wire [{bits - 1}:0] {name}"
                              for name, bits in tile_text.inputs(design).items())
    return f"""\
{text.head(design, "What is asked of a whole tile.")}
{tile_text.before(design)}
module proof (
    {declared},
    {text.outputs(properties)}
);
{tile_text.environment(design)}
{body}
endmodule
"""


def proofs(design):
    """Of one design that is small enough."""
    if not design.is_cut:
        return []
    size = (f"{design.parameter('tile.rows')}x{design.parameter('tile.columns')} PEs, "
            f"{design.lanes} lanes, no sums")
    parts = [("intake", INTAKE, _INTAKE), ("tile", PAIR, _PAIR.replace("{arrival}", _arrival(design))),
             ("tile", DEFINITION, _DEFINITION),
             ("tile", OUTPUT, f"  localparam LATENCY = {design.latency};\n{_OUTPUT}"),
             ("tile", PROGRESS, _PROGRESS)]
    blocks = ("tile", "reset", "intake", "staging", "column", "row", "scheduler", "interconnect",
              "pipe", "sequencer", "skid", "counters")
    return [Proof(block, name, signal, design, size, ALWAYS, module, blocks, limit=1200)
            for block, properties, body in parts
            for module in [_module(design, properties, body)]
            for signal, name in properties.items()]
