# SPDX-License-Identifier: Apache-2.0
"""Proofs about a whole tile under any stalls: rows are offered and outputs accepted, or not, in any
clock, reset may come in any, and every stream has a mode of its own. Only the sums are cut away."""

from .. import designs
from . import pair, text, tile_text, wiring
from ..proof import ALWAYS, Proof

# Output of the module `proof` -> what it states.
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

# The rows as they were told, what was taken of them, and the definition; no port, no stall.
_DEFINITION = """\
  wire [ROWS*LANES*OPTIONS-1:0] defined;
  wire [ROWS*ELEMENTS-1:0] left;
  reg [ROWS*ELEMENTS-1:0] z, taken_before_q;
  integer e, r;
  always @* begin
    for (r = 0; r < ROWS; r = r + 1) begin
      for (e = 0; e < ELEMENTS; e = e + 1)
        z[r*ELEMENTS+e] = b_told[(e/LANES)*B_BITS+3+ROWS+r*LANES+e%LANES] & e / LANES < need
          & (~TWO_SIDED | a_told[(e/LANES)*A_BITS+COLUMNS+e%LANES])
          & ~dense_row[0] & ~taken_before_q[r*ELEMENTS+e];
    end
  end
  genvar g;
  generate
    for (g = 0; g < ROWS; g = g + 1) begin : gen_row
      proof_definition definition (
          .z(z[g*ELEMENTS+:ELEMENTS]), .choice(defined[g*LANES*OPTIONS+:LANES*OPTIONS]),
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
  reg [ROWS*LANES*OPTIONS-1:0] own_elements;
  reg [4:0] passed;
  reg empty;
  integer s, t;
  always @* begin
    own_elements = {ROWS*LANES*OPTIONS{1'b0}};
    for (s = 0; s < ROWS * LANES; s = s + 1)
      own_elements[s*OPTIONS] = (b_told[3+ROWS+s] & (~TWO_SIDED | a_told[COLUMNS+s%LANES]))
        | (TWO_SIDED & |b_told[3+:ROWS]) | (|a_told[0+:COLUMNS]);
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
            flags[o*COLUMNS+c] = flags[o*COLUMNS+c] | a_told[f*A_BITS+c] | b_told[f*B_BITS+3+o];
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


def _sides(design):
    """Whether zeros of side A are dropped, too; there is one column then."""
    return f"  localparam TWO_SIDED = 1'b{int(design.is_two_sided)};\n"


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
    parts = [(wiring.PROPERTIES, wiring.body(design)),
             (pair.PROPERTIES, f"{_sides(design)}{pair.body(design)}"),
             (DEFINITION, f"{_sides(design)}{_DEFINITION}"),
             (OUTPUT, f"  localparam LATENCY = {design.latency};\n{_OUTPUT}"),
             (PROGRESS, _PROGRESS)]
    blocks = (designs.TOP, "tile", "reset", "intake", "moves", "search", "window", "staging", "row", "scheduler",
              "interconnect", "array", "live", "pipe", "sequencer", "skid", "counters")
    return [Proof("tile", name, signal, design, size, ALWAYS, module, blocks, limit=1200)
            for properties, body in parts
            for module in [_module(design, properties, body)]
            for signal, name in properties.items()]
