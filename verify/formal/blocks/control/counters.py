# SPDX-License-Identifier: Apache-2.0
"""Proofs about the counters of a whole control, each by its name: what it adds, and where it reads."""

from .. import text
from ...proof import STEP, Proof

BLOCK = "control"
PROPERTIES = {
    "ok_counted": "each counter adds what it is named after, in every clock, or begins again at 0",
    "ok_read": "its two registers read as it, the low half first",
}

# What a clock adds to the counters from CYCLES_STEPPED on, in the order of the registers.
_ADDED = ("stepped", "waiting", "read_beat ? 64'd32 : 64'd0", "written", "results",
          "zeros", "nonfinite", "filling")
_FIRST, _TOTALS = 4, 12
_AT = 0x80        # offset of the first counter
_SPAN_AT = 0xe0

_MODULE = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire stepped,
    input wire waiting,
    input wire filling,
    input wire read_beat,
    input wire [7:0] written,
    input wire [7:0] results,
    input wire [7:0] zeros,
    input wire [6:0] nonfinite,
    input wire [3:0] fetched,
    input wire [8:0] engines,
    input wire [48:0] registers,
    {outputs}
);
  td1_control #(.LANES(16), .WIDTH(16), .STREAMS(2)) dut (
      .clk_i(clk), .rst_ni(rst_n),
      .aw_valid_i(registers[0]), .aw_addr_i(registers[12:1]), .w_valid_i(registers[13]),
      .w_data_i({{31'd0, registers[14]}}), .w_strb_i(4'hf), .b_ready_i(registers[15]),
      .ar_valid_i(registers[16]), .ar_addr_i(registers[28:17]), .r_ready_i(registers[29]),
      .fetch_ar_ready_i(fetched[0]), .fetch_r_valid_i(fetched[1]), .fetch_r_data_i(256'd0),
      .fetch_r_resp_i(fetched[3:2]), .load_quiet_i(engines[0]), .store_quiet_i(engines[1]),
      .load_ready_i(engines[2]), .load_done_i(engines[3]), .load_error_i(4'd0),
      .compute_ready_i(engines[4]), .compute_done_i(engines[5]), .compute_error_i(4'd0),
      .store_ready_i(engines[6]), .store_done_i(engines[7]), .store_error_i(4'd0),
      .stepped_i(stepped), .waiting_i(waiting), .filling_i(filling), .read_beat_i(read_beat),
      .written_i(written), .result_count_i(results), .zero_count_i(zeros),
      .nonfinite_i(nonfinite));
{probes}
  reg were_q;
  reg [{high}:0] demanded_q;
  always @(posedge clk) begin
    were_q <= rst_n;
{added}
  end
  assign ok_counted = ~(rst_n & were_q) | totals[{total_high}:{low}] == demanded_q;
  assign ok_read = {reads};
endmodule
"""


def _reads():
    places = {_AT + 8 * c: f"totals[{64 * c}+:64]" for c in range(_TOTALS)}
    places[_AT + 8 * _TOTALS] = "spanned"
    words = [(at + 4 * half, f"{counter} >> {32 * half}")
             for at, counter in places.items() for half in (0, 1)]
    return "\n    & ".join(f"(read_offset != {at} | read_data == (({word}) & 64'hffffffff))"
                           for at, word in words)


def proofs(design):
    """Of the modules as they are."""
    added = "\n".join(
        f"    demanded_q[{64 * k}+:64] <= cleared ? 64'd0 : totals[{64 * (k + _FIRST)}+:64] + ({one});"
        for k, one in enumerate(_ADDED))
    probes = "\n".join(text.probe(*one) for one in (
        ("totals", 64 * _TOTALS, "totals"), ("spanned", 64, "spanned"), ("cleared", 1, "clear_q"),
        ("read_offset", 12, "read_offset"), ("read_data", 32, "read_data")))
    module = _MODULE.format(head=text.head(design, "What is asked of the counters."), added=added,
                            probes=probes, outputs=text.outputs(PROPERTIES), reads=_reads(),
                            high=64 * len(_ADDED) - 1, low=64 * _FIRST, total_high=64 * _TOTALS - 1)
    blocks = (BLOCK, "axi_lite", "registers", "jobs", "fetch", "dispatch", "sort", "slot", "totals",
              "span", "ram")
    return [Proof(BLOCK, name, signal, design, "full", STEP, module, blocks)
            for signal, name in PROPERTIES.items()]
