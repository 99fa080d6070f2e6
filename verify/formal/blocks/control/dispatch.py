# SPDX-License-Identifier: Apache-2.0
"""Proofs about the dispatch of jobs of up to 15 descriptors, with units of any contents. Units come at
any time; engines take and finish descriptors at any time. Beside it a model counts and remembers what
has come and what is done. That both agree, and what the properties say, is shown to outlive each clock
from any state, and to hold after reset.

That descriptors cannot wait for each other in a circle is `ok_moves`. Where no engine works and none is
offered anything, dispatch waits for memory or goes on within three clocks. The reason is an order: what
a descriptor waits for stood before it. So of those that are held, the oldest waits only for what
engines work on; and a job ends if memory answers and engines finish what they take."""

from .. import text
from ...proof import STEP, Proof

BLOCK = "dispatch"
PROPERTIES = {
    "ok_order": "each engine is offered its kind's descriptors in order, each once and whole",
    "ok_waits": "none is offered before as many have finished as it waits for",
    "ok_working": "load and store have seven at most that are not done, compute three",
    "ok_done": "a job is done once all of its descriptors have finished, at once and only then",
    "ok_error": "what cannot run is an error with its index, and nothing else is",
    "ok_moves": "no job waits for ever: not for itself, nor for what comes after it",
}

_UNITS = {"load": 1, "compute": 4, "store": 1}   # of a descriptor, by kind

_KIND = """\
  // {name}s: seen, finished, at work; the one that waits, and how many of each kind came before it.
  reg [15:0] {name}_seen_q, {name}_finished_q;  // 65535: or more
  reg [5:0] {name}_came_q, {name}_ended_q;
  reg [2:0] {name}_working_q;
  reg {name}_held_q;
  reg [{high}:0] {name}_desc_q;
  reg [17:0] {name}_before_q;
  wire [{high}:0] {name};
  wire {name}_valid;
  wire {name}_done = try_{name}_done & {name}_working_q != 0;
  wire {name}_takes = goes & {name}_here;
  wire {name}_starts = {name}_valid & {name}_ready;
  always @(posedge clk) begin
    if (!rst_n) begin
      {{{name}_seen_q, {name}_finished_q, {name}_working_q, {name}_held_q}} <= 36'd0;
      {{{name}_came_q, {name}_ended_q}} <= 12'd0;
    end else begin
      if (start) begin
        {{{name}_seen_q, {name}_finished_q}} <= 32'd0;
        {{{name}_came_q, {name}_ended_q}} <= 12'd0;
      end else begin
        if ({name}_takes & first & ~&{name}_seen_q) {name}_seen_q <= {name}_seen_q + 16'd1;
        if ({name}_done & ~&{name}_finished_q) {name}_finished_q <= {name}_finished_q + 16'd1;
        {name}_came_q <= {name}_came_q + ({name}_takes & first);
        {name}_ended_q <= {name}_ended_q + {name}_done;
      end
      {name}_working_q <= {name}_working_q + {name}_starts - {name}_done;
      {name}_held_q <= ({name}_takes & last) | ({name}_held_q & ~{name}_starts);
    end
    if ({name}_takes & first) {name}_before_q <= {{store_came_q, compute_came_q, load_came_q}};
    if ({name}_takes) {name}_desc_q[512*{place}+:512] <= unit_q;
  end
{probes}
  wire [47:0] {name}_waits = {name}_desc_q[32+:48];
  wire {name}_over = {name}_waits[15:0] <= load_finished_q & {name}_waits[31:16] <= compute_finished_q
    & {name}_waits[47:32] <= store_finished_q;
  // It is as in the slot, whole where it is held.
  wire {name}_same = {name}_held == {name}_held_q & {name}_seen == {name}_seen_q
    & {name}_finished == {name}_finished_q & (~{name}_held_q | {name} == {name}_desc_q);
  // As many have come as are done, at work and held, but for a compute whose units arrive.
  wire {name}_all = {name}_came_q == {name}_ended_q + {name}_working_q + ({name}_held_q | {arriving})
    & {name}_ended_q <= {name}_came_q & {name}_seen_q == {name}_came_q & {name}_finished_q == {name}_ended_q;
  // What it waits for came before it; and what came before it has ended, is at work, or is held.
  wire {name}_fair = ~({name}_held_q | {arriving}) | (
    {name}_waits[15:0] <= {name}_before_q[5:0]
    & {name}_waits[31:16] <= {name}_before_q[11:6]
    & {name}_waits[47:32] <= {name}_before_q[17:12]
    & {name}_before_q[5:0] <= load_ended_q + load_working_q + (load_held_q & {load_older})
    & {name}_before_q[11:6] <= compute_ended_q + compute_working_q + (compute_held_q & {compute_older})
    & {name}_before_q[17:12] <= store_ended_q + store_working_q + (store_held_q & {store_older}));
"""

_MODULE = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire try_start,
    input wire [3:0] job_count,
    input wire try_unit,
    input wire [511:0] unit,
    input wire load_ready,
    input wire compute_ready,
    input wire store_ready,
    input wire try_load_done,
    input wire try_compute_done,
    input wire try_store_done,
    {outputs}
);
  reg active_q, failed_q, over_q;
  reg [31:0] count_q, index_q, arrived_q;
  wire unit_ready, job_done;
  wire [3:0] error;
  wire [31:0] error_descriptor;
  wire start = try_start & ~active_q & ~failed_q;
  // There are no more units than the job has.
  wire unit_valid = try_unit & arrived_q != count_q;
  wire arrives = unit_valid & unit_ready;
  reg [1:0] arriving_q;  // units of the descriptor that have arrived
  wire ends = arriving_q == 3 | (arriving_q == 0 & unit[7:0] != 2);

  // The unit that arrived last, until it goes to a slot.
  reg here_q;
  reg [511:0] unit_q;
  reg [1:0] place_q;
  wire [2:0] takes;
  wire goes = takes != 0;
  wire first = place_q == 0;
  wire [7:0] kind = unit_q[7:0];
  wire load_here = first & kind == 1, store_here = first & kind == 3;
  wire compute_here = ~first | kind == 2;
  wire last = ~compute_here | place_q == 3;
  wire [2:0] whose = {{store_here, compute_here, load_here}};
{kinds}
  td1_dispatch dut (
      .clk_i(clk), .rst_ni(rst_n), .job_start_i(start), .job_count_i({{28'd0, job_count}}),
      .job_done_o(job_done), .error_o(error), .error_descriptor_o(error_descriptor),
      .halt_i(1'b0), .unit_valid_i(unit_valid), .unit_ready_o(unit_ready), .unit_i(unit),
      .fetch_error_i(4'd0), .load_valid_o(load_valid), .load_ready_i(load_ready),
      .load_o(load), .load_done_i(load_done), .load_error_i(4'd0), .load_busy_o(),
      .compute_valid_o(compute_valid), .compute_ready_i(compute_ready), .compute_o(compute),
      .compute_done_i(compute_done), .compute_error_i(4'd0), .compute_busy_o(),
      .store_valid_o(store_valid), .store_ready_i(store_ready), .store_o(store),
      .store_done_i(store_done), .store_error_i(4'd0), .store_busy_o());
{probes}
  assign takes = takes_inside;

  wire working = load_working_q != 0 | compute_working_q != 0 | store_working_q != 0;
  wire held = load_held_q | compute_held_q | store_held_q;
  wire over = active_q & count_q != 0 & index_q == count_q & ~held & ~working;
  wire never = unit_q[47:32] > load_seen_q | unit_q[63:48] > compute_seen_q
    | unit_q[79:64] > store_seen_q | (kind == 2 & |unit_q[105:104] & compute_seen_q == 0);
  wire [3:0] refused = ~here_q | ~first ? 4'd0 : kind == 0 | kind > 3 ? 4'd1 : never ? 4'd5 : 4'd0;
  reg [3:0] refusal_q, expected_q;
  // Of two that are held, which came first.
  reg load_compute_q, load_store_q, compute_store_q;
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
    if (arrives) unit_q <= unit;
    if (!rst_n) {{count_q, index_q, arrived_q}} <= 96'd0;
    else if (start) {{count_q, index_q, arrived_q}} <= {{28'd0, job_count, 64'd0}};
    else begin
      index_q <= index_q + (goes & last);
      arrived_q <= arrived_q + (arrives & ends);
    end
    refusal_q <= rst_n ? refused : 4'd0;
    expected_q <= ~rst_n | ~active_q ? 4'd0 : count_q == 0 ? 4'd2 : here_q ? refusal_q : 4'd0;
    if (load_takes) {{load_compute_q, load_store_q}} <= 2'b00;
    else if (compute_takes & first) {{load_compute_q, compute_store_q}} <= 2'b10;
    else if (store_takes) {{load_store_q, compute_store_q}} <= 2'b11;
  end

  // Nothing is under way: no engine works or is offered anything, and no unit is missing.
  wire offered = load_valid | compute_valid | store_valid;
  wire idle = active_q & count_q != 0 & ~working & ~offered & ~goes & ~arrives
    & (unit_valid | arrived_q == count_q) & ~over & error == 0;
  reg [1:0] idle_q;
  always @(posedge clk) idle_q <= ~(rst_n & idle) ? 2'd0 : idle_q + (idle_q != 3);

  // Both agree.
  wire order = load_same & compute_same & store_same & here == here_q & (~here_q | sorted == unit_q)
    & part == 4'd1 << place_q & (whose_inside == 0 | (here_q & whose_inside == whose & refused == 0))
    & (place_q < 1 | compute[511:0] == compute_desc_q[511:0])
    & (place_q < 2 | compute[1023:512] == compute_desc_q[1023:512])
    & (place_q < 3 | compute[1535:1024] == compute_desc_q[1535:1024])
    & ~(place_q != 0 & compute_held_q);
  wire waits = (~load_met | (load_held_q & load_over)) & (~compute_met | (compute_held_q & compute_over))
    & (~store_met | (store_held_q & store_over));
  wire at_work = load_working == load_working_q & compute_working == compute_working_q
    & store_working == store_working_q & compute_working_q <= 3;
  wire counted = active == active_q & count == count_q & index == index_q & told == over_q
    & count_q < 16 & index_q <= count_q & arrived_q == index_q + (here_q & last) & arrived_q <= count_q
    & (arriving_q == 0 | arrived_q != count_q) & arriving_q == (here_q ? (last ? 2'd0 : place_q + 2'd1) : place_q)
    & (active_q | (~here_q & ~held & ~working & place_q == 0));
  wire refuses = refusal == refusal_q & (refusal_q == 0 | refusal_q == refused)
    & error == expected_q & (error == 0 | failed_q | error_descriptor == index_q);
  wire [5:0] came = index_q + (place_q != 0);
  wire fair = load_all & compute_all & store_all & load_fair & compute_fair & store_fair
    & load_came_q <= came & compute_came_q <= came & store_came_q <= came
    & load_came_q + compute_came_q + store_came_q == came
    & ~(load_held_q & (compute_held_q | place_q != 0) & store_held_q
        & (load_compute_q & compute_store_q & ~load_store_q
           | ~load_compute_q & ~compute_store_q & load_store_q))
    & (idle_q == 0 | offered | (here_q & ~held & (whose_inside != 0 | refusal_q != 0)))
    & (idle_q < 2 | error != 0);
  reg agreed_q, reset_q;
  always @(posedge clk) begin
    reset_q <= ~rst_n;
    agreed_q <= order & waits & at_work & counted & refuses & fair;
  end
  wire sound = rst_n & (reset_q | agreed_q);

  assign ok_order = ~sound | order;
  assign ok_waits = ~sound | (waits & (~load_valid | load_over) & (~compute_valid | compute_over)
    & (~store_valid | store_over));
  assign ok_working = ~sound | at_work;
  assign ok_done = ~sound | (counted & job_done == over_q);
  assign ok_error = ~sound | refuses;
  assign ok_moves = ~sound | (fair & idle_q < 3);
endmodule
"""

# Inside of the dispatch.
_PROBES = (("takes_inside", 3, "takes"), ("here", 1, "here"), ("sorted", 512, "unit"),
           ("part", 4, "part"), ("whose_inside", 3, "u_sort.whose_q"), ("refusal", 4, "refusal"),
           ("active", 1, "active_q"), ("count", 32, "count_q"), ("index", 32, "index_q"),
           ("told", 1, "over_q"))
_SLOT_PROBES = (("held", 1, "held_q"), ("met", 1, "met_q"), ("seen", 16, "seen_q"),
                ("finished", 16, "finished_q"))

# Whether the first of two kinds came before the second.
_OLDER = {("load", "compute"): "load_compute_q", ("load", "store"): "load_store_q",
          ("compute", "store"): "compute_store_q"}


def _older(one, other):
    if one == other:
        return "1'b0"
    return _OLDER[one, other] if (one, other) in _OLDER else f"~{_OLDER[other, one]}"


def _kind(name, units):
    several = units > 1
    working = ("working", 2 if several else 3, "working_q")
    probes = "\n".join(text.probe(f"{name}_{what}", bits, f"u_{name}.{path}")
                       for what, bits, path in (*_SLOT_PROBES, working))
    return _KIND.format(name=name, high=512 * units - 1, place="place_q" if several else "0",
                        arriving="place_q != 0" if several else "1'b0", probes=probes,
                        **{f"{one}_older": _older(one, name) for one in _UNITS})


def proofs(design):
    """Of the modules as they are."""
    module = _MODULE.format(head=text.head(design, "What is asked of the dispatch."),
                            outputs=text.outputs(PROPERTIES),
                            kinds="\n".join(_kind(*one) for one in _UNITS.items()),
                            probes="\n".join(text.probe(*one) for one in _PROBES))
    return [Proof(BLOCK, name, signal, design, "jobs of 0 to 15", STEP, module, (BLOCK, "sort", "slot"))
            for signal, name in PROPERTIES.items()]
