# SPDX-License-Identifier: Apache-2.0
"""Proofs about the dispatch of jobs, in which a unit carries a bit beside its kind and waits. Units
come at any time; engines take and finish descriptors at any time.

That descriptors cannot wait for each other in a circle is `ok_moves`: where no engine is at work and
none is offered anything, the dispatch waits for memory, or goes on within a few clocks. So a job
ends if memory answers and engines finish what they take."""

from .. import text
from ...proof import ALWAYS, Proof

BLOCK = "dispatch"
PROPERTIES = {
    "ok_order": "each engine is offered its kind's descriptors in order, each once and whole",
    "ok_waits": "none is offered before as many have finished as it waits for",
    "ok_working": "load and store have two at most that are not done, compute three",
    "ok_done": "a job is done once all of its descriptors have finished, at once and only then",
    "ok_error": "what cannot run is an error with its index, and nothing else is",
    "ok_moves": "no job waits for ever: not for itself, nor for what comes after it",
}

_KIND = """\
  // {name}s: seen, finished, at work; what waits, and is to be offered next.
  reg [15:0] {name}_seen_q, {name}_finished_q;  // 65535: or more
  reg [2:0] {name}_working_q;
  reg {name}_held_q;
  reg [{tags}:0] {name}_tags_q;
  reg [5:0] {name}_waits_q;
  wire {name}_valid;
  wire {name}_done = try_{name}_done & {name}_working_q != 0;
  wire {name}_takes = goes & {name}_here;
  wire {name}_starts = {name}_valid & {name}_ready;
  always @(posedge clk) begin
    if (!rst_n) begin
      {{{name}_seen_q, {name}_finished_q, {name}_working_q, {name}_held_q}} <= 36'd0;
    end else begin
      if (start) {{{name}_seen_q, {name}_finished_q}} <= 32'd0;
      else begin
        if ({name}_takes & first & ~&{name}_seen_q) {name}_seen_q <= {name}_seen_q + 16'd1;
        if ({name}_done & ~&{name}_finished_q) {name}_finished_q <= {name}_finished_q + 16'd1;
      end
      {name}_working_q <= {name}_working_q + {name}_starts - {name}_done;
      {name}_held_q <= ({name}_takes & last) | ({name}_held_q & ~{name}_starts);
    end
    if ({name}_takes & first) {name}_waits_q <= waits_q;
    if ({name}_takes) {name}_tags_q <= {shifted};
  end
  wire {name}_in_order = ~({name}_takes & {name}_held_q) & (~{name}_valid | ({name}_held_q & {offered} == {name}_tags_q
    & {{{name}[65:64], {name}[49:48], {name}[33:32]}} == {name}_waits_q));
  wire {name}_in_time = ~{name}_valid | ({name}_waits_q[1:0] <= load_finished_q
    & {name}_waits_q[3:2] <= compute_finished_q & {name}_waits_q[5:4] <= store_finished_q);
"""

_MODULE = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire try_start,
    input wire [2:0] job_count,
    input wire try_unit,
    input wire [7:0] kind,
    input wire [5:0] waits,  // two bits of each
    input wire tag,
    input wire load_ready,
    input wire compute_ready,
    input wire store_ready,
    input wire try_load_done,
    input wire try_compute_done,
    input wire try_store_done,
    {outputs}
);
{seen}
  reg active_q, failed_q, over_q;
  reg [2:0] count_q, index_q, arrived_q;
  wire unit_ready, job_done;
  wire [3:0] error;
  wire [31:0] error_descriptor;
  wire [511:0] load, store;
  wire [2047:0] compute;
  wire start = try_start & ~active_q & ~failed_q;
  // There are no more units than the job has.
  wire unit_valid = try_unit & arrived_q != count_q;
  wire arrives = unit_valid & unit_ready;
  reg [1:0] arriving_q;  // units of the descriptor that have arrived
  wire ends = arriving_q == 3 | (arriving_q == 0 & kind != 2);

  // The unit that arrived last, until it goes to a slot: which does so, is seen inside.
{probe}
  reg here_q, tag_q;
  reg [7:0] kind_q;
  reg [5:0] waits_q;
  reg [1:0] place_q;
  wire goes = takes != 0;
  wire first = place_q == 0;
  wire load_here = first & kind_q == 1, store_here = first & kind_q == 3;
  wire compute_here = ~first | kind_q == 2;
  wire last = ~compute_here | place_q == 3;
  wire [2:0] whose = {{store_here, compute_here, load_here}};
{kinds}
  td1_dispatch dut (
      .clk_i(clk), .rst_ni(rst_n), .job_start_i(start), .job_count_i({{29'd0, job_count}}),
      .job_done_o(job_done), .error_o(error), .error_descriptor_o(error_descriptor),
      .halt_i(1'b0), .unit_valid_i(unit_valid), .unit_ready_o(unit_ready),
      .unit_i({{tag, 445'd0, waits[5:4], 14'd0, waits[3:2], 14'd0, waits[1:0], 24'd0, kind}}),
      .fetch_error_i(4'd0), .load_valid_o(load_valid), .load_ready_i(load_ready),
      .load_o(load), .load_done_i(load_done), .load_error_i(4'd0), .load_busy_o(),
      .compute_valid_o(compute_valid), .compute_ready_i(compute_ready), .compute_o(compute),
      .compute_done_i(compute_done), .compute_error_i(4'd0), .compute_busy_o(),
      .store_valid_o(store_valid), .store_ready_i(store_ready), .store_o(store),
      .store_done_i(store_done), .store_error_i(4'd0), .store_busy_o());

  wire working = load_working_q != 0 | compute_working_q != 0 | store_working_q != 0;
  wire held = load_held_q | compute_held_q | store_held_q;
  wire over = active_q & count_q != 0 & index_q == count_q & ~held & ~working;
  always @(posedge clk) begin
    if (!rst_n) {{active_q, failed_q, over_q, here_q, place_q, arriving_q}} <= 8'd0;
    else begin
      active_q <= start | (active_q & ~over);
      failed_q <= failed_q | error != 0;
      over_q <= over;
      here_q <= arrives | (here_q & ~goes);
      if (goes & compute_here) place_q <= place_q + 2'd1;
      if (arrives) arriving_q <= ends ? 2'd0 : arriving_q + 2'd1;
    end
    if (arrives) {{kind_q, waits_q, tag_q}} <= {{kind, waits, tag}};
    if (!rst_n) {{count_q, index_q, arrived_q}} <= 9'd0;
    else if (start) {{count_q, index_q, arrived_q}} <= {{job_count, 6'd0}};
    else begin
      index_q <= index_q + (goes & last);
      arrived_q <= arrived_q + (arrives & ends);
    end
  end
  wire judged = run & ~failed_q;
  assign ok_order = ~judged | (load_in_order & compute_in_order & store_in_order
    & (~goes | (here_q & takes == whose)) & ~(arrives & here_q & ~goes));
  assign ok_waits = ~judged | (load_in_time & compute_in_time & store_in_time);
  assign ok_working = ~judged
    | (load_working_q <= 2 & compute_working_q <= 3 & store_working_q <= 2);
  assign ok_done = ~judged | job_done == over_q;

  // An error is told two clocks after its unit could be judged.
  wire never = waits_q[1:0] > load_seen_q | waits_q[3:2] > compute_seen_q
    | waits_q[5:4] > store_seen_q;
  wire unknown = kind_q == 0 | kind_q > 3;
  reg [3:0] refusal_q, expected_q;
  always @(posedge clk) begin
    refusal_q <= ~here_q | ~first ? 4'd0 : unknown ? 4'd1 : never ? 4'd5 : 4'd0;
    expected_q <= ~rst_n | ~active_q ? 4'd0 : count_q == 0 ? 4'd2 : here_q ? refusal_q : 4'd0;
  end
  assign ok_error = ~judged
    | (error == expected_q & (error == 0 | error_descriptor == {{29'd0, index_q}}));

  // Nothing is under way: no engine works or is offered anything, and no unit is missing.
  wire idle = active_q & count_q != 0 & ~working & ~load_valid & ~compute_valid & ~store_valid
    & ~goes & ~arrives & (unit_valid | arrived_q == count_q) & ~over & error == 0;
  reg [2:0] idle_q;
  always @(posedge clk) idle_q <= ~(rst_n & idle) ? 3'd0 : idle_q + (idle_q != 7);
  assign ok_moves = ~judged | idle_q < 4;
endmodule
"""


def _kinds():
    offered = ", ".join(f"compute[{512 * unit + 511}]" for unit in reversed(range(4)))
    kinds = (("load", 0, "tag_q", "load[511]"), ("store", 0, "tag_q", "store[511]"),
             ("compute", 3, "{tag_q, compute_tags_q[3:1]}", f"{{{offered}}}"))
    return "\n".join(_KIND.format(name=name, tags=tags, shifted=shifted, offered=bits)
                     for name, tags, shifted, bits in kinds)


def proofs(design):
    """Of the modules as they are."""
    module = _MODULE.format(head=text.head(design, "What is asked of the dispatch."),
                            seen=text.SEEN, outputs=text.outputs(PROPERTIES), kinds=_kinds(),
                            probe=text.probe("takes", 3, "takes"))
    return [Proof(BLOCK, name, signal, design, "jobs of 0 to 7", ALWAYS, module, (BLOCK, "sort", "slot"))
            for signal, name in PROPERTIES.items()]
