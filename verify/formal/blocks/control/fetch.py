# SPDX-License-Identifier: Apache-2.0
"""Proofs about the reading of descriptors, of two beats a unit, in which a unit carries a bit that
memory chose. Whoever takes the units may wait for ever; memory answers what was asked."""

from .. import text
from ...proof import ALWAYS, STEP, Proof

BLOCK = "fetch"
PROPERTIES = {
    "ok_room": "what is asked for has room: units that are on their way and that are here",
    "ok_order": "units leave in the order in which they were asked for, with their own bits",
    "ok_window": "bursts lie in the window, one behind the other, and begin at the job's address",
    "ok_exact": "a job's units are asked for once, no more than its descriptors have",
    "ok_stays": "a burst stays until it is taken, and none begins after a halt",
    "ok_error": "an error is told, or a job begins, once all units before it have left; errors stay",
}

_MODULE = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire job_valid,
    input wire [9:0] job_address,
    input wire [2:0] job_count,
    input wire unit_ready,
    input wire halt,
    input wire ar_ready,
    input wire answer,
    input wire [8:0] data,
    input wire broken,
    input wire [9:0] window_begin,
    input wire [9:0] window_end,
    {outputs}
);
  wire job_ready, unit_valid, quiet, ar_valid, r_ready;
  wire [511:0] unit;
  wire [3:0] error;
  wire [9:0] ar_addr;
  wire [7:0] ar_len;
{seen}
  // Memory: bursts that are asked for, and the beat of the first of them.
  reg [1:0] asked_q;
  reg beat_q;
  wire r_valid = answer & asked_q != 0;
  wire taken = ar_valid & ar_ready, ends = r_valid & beat_q;
  always @(posedge clk) begin
    if (!rst_n) {{asked_q, beat_q}} <= 3'd0;
    else begin
      asked_q <= asked_q + taken - ends;
      beat_q <= beat_q ^ r_valid;
    end
  end
  wire [255:0] r_data = {{data[8], 247'd0, data[7:0]}};
  td1_fetch #(.BEAT_BYTES(32), .ADDRESS_WIDTH(10), .UNITS(2)) dut (
      .clk_i(clk), .rst_ni(rst_n), .job_valid_i(job_valid), .job_ready_o(job_ready),
      .job_address_i(job_address), .job_count_i({{29'd0, job_count}}),
      .unit_valid_o(unit_valid), .unit_ready_i(unit_ready), .unit_o(unit), .error_o(error),
      .halt_i(halt), .quiet_o(quiet), .window_begin_i(window_begin), .window_end_i(window_end),
      .ar_valid_o(ar_valid), .ar_ready_i(ar_ready), .ar_addr_o(ar_addr), .ar_len_o(ar_len),
      .r_valid_i(r_valid), .r_ready_o(r_ready), .r_data_i(r_data), .r_resp_i({{broken, 1'b0}}));

  // Units that are here, in the ring or offered: the bits of their two beats, the oldest first.
  reg [1:0] count_q;
  reg offered_q;
  reg [5:0] bits_q;
  reg first_q, failed_q;  // the bit of the first beat, and whether a unit was broken
  wire leaves = unit_valid & unit_ready;
  wire bad = r_valid & broken;
  wire arrives = ends & ~broken & ~failed_q;
  wire [1:0] left = count_q - leaves;
  wire [5:0] stay = leaves ? bits_q >> 2 : bits_q;
  always @(posedge clk) begin
    if (!rst_n) {{count_q, failed_q, offered_q}} <= 4'd0;
    else begin
      if (r_valid & ~beat_q) first_q <= data[8];
      failed_q <= failed_q | bad;
      count_q <= left + arrives;
      offered_q <= left != 0;
      bits_q <= !arrives ? stay : left == 0 ? {{4'd0, data[8], first_q}}
              : left == 1 ? {{2'd0, data[8], first_q, stay[1:0]}} : {{data[8], first_q, stay[3:0]}};
    end
  end
  assign ok_room = ~run | ({{1'b0, asked_q}} + {{1'b0, count_q}} - offered_q + ar_valid <= 3'd2
    & r_ready);
  assign ok_order = ~run | (unit_valid == offered_q
    & (~unit_valid | (unit[255] == bits_q[0] & unit[511] == bits_q[1])));

  // Where the next burst begins.
  reg [9:0] next_q;
  wire start = job_valid & job_ready;
  always @(posedge clk) begin
    if (start) next_q <= job_address;
    else if (taken) next_q <= next_q + 10'd64;
  end
  reg opened_q;  // a burst was offered already: the window may have moved since
  reg ar_valid_q, ar_ready_q, halt_q, were_q;
  reg [9:0] ar_addr_q, window_begin_q, window_end_q;
  always @(posedge clk) begin
    were_q <= run;
    {{ar_valid_q, ar_ready_q, halt_q}} <= {{ar_valid, ar_ready, halt}};
    {{ar_addr_q, window_begin_q, window_end_q}} <= {{ar_addr, window_begin, window_end}};
    opened_q <= ar_valid & ~ar_ready;
  end
  assign ok_window = ~run | ~were_q | ~ar_valid | (ar_addr == next_q & ar_addr[5:0] == 0
    & ar_len == 8'd1
    & (opened_q | (ar_addr >= window_begin_q & ar_addr[9:6] < window_end_q[9:6])));
{probes}
  // Of what is not asked for yet, from any state: a descriptor has a unit, a compute three more.
  wire begins = r_valid & ~beat_in_unit[0];
  wire compute = begins & rest == 0 & data[7:0] == 8'd2;
  reg [32:0] demanded_q;
  reg [1:0] demanded_rest_q;
  reg reset_q, asked_now_q;
  always @(posedge clk) begin
    reset_q <= ~rst_n;
    demanded_q <= (start ? {{30'd0, job_count}} : known + (compute ? 33'd3 : 33'd0))
      + ar_valid - taken;
    demanded_rest_q <= !begins ? rest : rest != 0 ? rest - 2'd1 : compute ? 2'd3 : 2'd0;
    asked_now_q <= known != 0 | (ar_valid & ~ar_ready);
  end
  assign ok_exact = ~rst_n | reset_q | (known + ar_valid == demanded_q & rest == demanded_rest_q
    & (~ar_valid | asked_now_q) & (~job_ready | known == 0));
  assign ok_stays = ~run | ~were_q | (opened_q ? ar_valid & ar_addr == ar_addr_q
                                               : ~(ar_valid & halt_q));
  reg told_q;
  always @(posedge clk) told_q <= run & error != 0;
  assign ok_error = ~run | ((error == 0 | (asked_q == 0 & ~ar_valid & count_q == 0 & quiet))
    & (~job_ready | count_q == 0) & (~told_q | error != 0));
endmodule
"""


# Inside of the reader: units not asked for, units of a descriptor not begun, number of a beat.
_PROBES = (("known", 33, "known_q"), ("rest", 2, "units_q"), ("beat_in_unit", 2, "beat_q"))


def proofs(design):
    """Of the modules as they are."""
    probes = "\n".join(text.probe(*one) for one in _PROBES)
    module = _MODULE.format(head=text.head(design, "What is asked of the reader of descriptors."),
                            seen=text.SEEN, outputs=text.outputs(PROPERTIES), probes=probes)
    return [Proof(BLOCK, name, signal, design, "10 bits of address",
                  STEP if signal == "ok_exact" else ALWAYS, module, (BLOCK, "ram"))
            for signal, name in PROPERTIES.items()]
