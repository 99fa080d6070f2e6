# SPDX-License-Identifier: Apache-2.0
"""That every pair of a stream is used once, in its own stream: one pair, whichever, is watched from
before it is accepted until its row has left."""

from . import text

PROPERTIES = {
    "ok_once": "a pair is taken at most once, by one lane, and only when both elements are there",
    "ok_stream": "a pair is never taken while an earlier stream is in use",
    "ok_effectual": "a pair is taken only if it is effectual or its stream is dense",
    "ok_kept": "no effectual pair leaves untaken",
    "ok_operand_a": "the PE's lane that takes a pair gets its element of side A",
    "ok_operand_b": "the PE's lane that takes a pair gets its element of side B, +0 for a zero",
}

# A pair is picked, before either element of it is accepted, by where its row will then stand: place
# 0 is the row in use. One pair is watched after each reset, whichever.
_WATCH = """\
  reg spent_q, watched_q, a_got_q, b_got_q, taken_q, dense_q;
  reg [4:0] slot_q;
  reg [3:0] lane_q, row_q, column_q;
  reg [WIDTH-1:0] a_element_q, b_element_q;
  wire [4:0] a_index = slot_q - a_held;
  wire [4:0] b_index = slot_q - b_held;
  wire [DEPTH*COLUMNS*LANES*WIDTH-1:0] a_moved =
      a_rows >> (((a_index * COLUMNS + column_q) * LANES + lane_q) * WIDTH);
  wire [DEPTH*ROWS*LANES*WIDTH-1:0] b_moved =
      b_rows >> (((b_index * ROWS + row_q) * LANES + lane_q) * WIDTH);
  wire [ROWS*LANES*OPTIONS-1:0] own_choices = choices >> (row_q * LANES * OPTIONS);
  wire [ROWS*COLUMNS*LANES*WIDTH-1:0] own_a =
      a_operands >> ((row_q * COLUMNS + column_q) * LANES * WIDTH);
  wire [ROWS*COLUMNS*LANES*WIDTH-1:0] own_b =
      b_operands >> ((row_q * COLUMNS + column_q) * LANES * WIDTH);
  reg [LANES-1:0] takes;
  integer l, p;
  always @* begin
    takes = {LANES{1'b0}};
    for (l = 0; l < LANES; l = l + 1) begin
      for (p = 0; p < OPTIONS; p = p + 1) begin
        if (watched_q & step & own_choices[l*OPTIONS+p] & reached(l, p) == slot_q * LANES + lane_q)
          takes[l] = 1'b1;
      end
    end
  end
  wire a_comes = watched_q & ~a_got_q & slot_q >= a_held & a_index < a_accepted;
  wire b_comes = watched_q & ~b_got_q & slot_q >= b_held & b_index < b_accepted;
  wire effectual = (|b_element_q[WIDTH-2:0]) & (~TWO_SIDED | (|a_element_q[WIDTH-2:0]));
  wire leaves = watched_q & leave > slot_q;
  wire [4:0] a_next = a_held + a_accepted - leave;
  wire [4:0] b_next = b_held + b_accepted - leave;
  wire watches = watch & watch_slot >= a_next & watch_slot >= b_next & watch_slot < 2 * DEPTH
      & watch_lane < LANES & watch_row < ROWS & watch_column < COLUMNS;
  always @(posedge clk) begin
    if (!live) begin
      {spent_q, watched_q} <= 2'd0;
    end else if (!spent_q) begin
      {spent_q, watched_q} <= {2{watches}};
      {a_got_q, b_got_q, taken_q} <= 3'd0;
      slot_q <= watch_slot;
      {lane_q, row_q, column_q} <= {watch_lane, watch_row, watch_column};
    end else begin
      slot_q <= slot_q - leave;
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
  assign ok_stream = ~run | ~|takes | ~|(last & ~({DEPTH{1'b1}} << slot_q));
  assign ok_effectual = ~run | ~|takes | effectual | dense_q;
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
        b_fed = b_fed & own_b[n*WIDTH+:WIDTH]
          == ({WIDTH{|b_element_q[WIDTH-2:0]}} & b_element_q);
      end
    end
  end
  assign ok_operand_a = ~run | a_fed;
  assign ok_operand_b = ~run | b_fed;
"""


def _arrival(design):
    registers = text.operand_registers(design)
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


def body(design):
    """For the module `proof` around a tile."""
    return _WATCH.replace("{arrival}", _arrival(design))
