# SPDX-License-Identifier: Apache-2.0
"""Proofs about the counters of a whole control, each by its name: what it adds, and where it reads."""

from .. import text
from ...proof import STEP, Proof

BLOCK = "control"
PROPERTIES = {
    "ok_counted": "each counter adds what it is named after, in every clock, or begins again at 0",
    "ok_read": "its two registers read as it, the low half first",
}

# All counters in the order of their registers, and what a clock adds to those that only add.
_COUNTERS = {
    "cycles_busy": None, "cycles_load": None, "cycles_compute": None, "cycles_store": None,
    "cycles_stepped": "stepped", "cycles_waiting": "waiting",
    "bytes_read": "read_beat ? 64'd32 : 64'd0", "bytes_written": "written", "results": "results",
    "zero_results": "zeros", "nonfinite_results": "nonfinite", "cycles_filling": "filling",
    "cycles_spanned": None,
}
_ADDED = {name: added for name, added in _COUNTERS.items() if added}
_AT = 0x80   # offset of the first counter

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
  assign ok_counted = ~(rst_n & were_q) | {{{counted}}} == demanded_q;
  assign ok_read = {reads};
endmodule
"""


def _reads():
    words = [(_AT + 8 * place + 4 * half, f"total_{name} >> {32 * half}")
             for place, name in enumerate(_COUNTERS) for half in (0, 1)]
    return "\n    & ".join(f"(read_offset != {at} | read_data == (({word}) & 64'hffffffff))"
                           for at, word in words)


def proofs(design):
    """Of the modules as they are."""
    added = "\n".join(
        f"    demanded_q[{64 * k}+:64] <= cleared ? 64'd0 : total_{name} + ({one});"
        for k, (name, one) in enumerate(_ADDED.items()))
    probes = "\n".join(text.probe(*one) for one in (
        *((f"total_{name}", 64, name) for name in _COUNTERS),
        ("cleared", 1, "clear_q"), ("read_offset", 12, "read_offset"),
        ("read_data", 32, "read_data")))
    module = _MODULE.format(head=text.head(design, "What is asked of the counters."), added=added,
                            probes=probes, outputs=text.outputs(PROPERTIES), reads=_reads(),
                            high=64 * len(_ADDED) - 1,
                            counted=", ".join(f"total_{name}" for name in reversed(_ADDED)))
    blocks = (BLOCK, "axi_lite", "registers", "jobs", "fetch", "dispatch", "sort", "slot", "totals",
              "span", "ram")
    return [Proof(BLOCK, name, signal, design, "full", STEP, module, blocks)
            for signal, name in PROPERTIES.items()]
