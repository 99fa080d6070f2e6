# SPDX-License-Identifier: Apache-2.0
"""Proofs about the span: clocks from a job's first step to its last, both included, of all jobs."""

from .. import text
from ...proof import STEP, Proof

BLOCK = "span"
PROPERTIES = {
    "ok_span": "a step adds itself and the clocks since the job's step before it; nothing else adds",
    "ok_clear": "it begins again at 0",
}

_MODULE = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire clear,
    input wire start,
    input wire step,
    {outputs}
);
  wire [63:0] clocks;
  td1_span dut (.clk_i(clk), .rst_ni(rst_n), .clear_i(clear), .start_i(start), .step_i(step),
                .clocks_o(clocks));
{probes}
  // Clocks since the last step, of this job; there was one.
  reg [63:0] since_q, demanded_q;
  reg stepped_q, clear_q, fresh_q;
  always @(posedge clk) begin
    fresh_q <= ~rst_n;
    clear_q <= rst_n & clear;
    if (!rst_n | clear | start) {{stepped_q, since_q}} <= 65'd0;
    else if (step) {{stepped_q, since_q}} <= {{1'b1, 64'd0}};
    else since_q <= since_q + stepped_q;
    demanded_q <= !rst_n | clear ? 64'd0
      : step & ~start ? clocks + (stepped_q ? since_q : 64'd0) + 64'd1 : clocks;
  end
  wire agree = begun == stepped_q & up_to_now == clocks + since_q & (stepped_q | since_q == 0);
  reg agreed_q;
  always @(posedge clk) agreed_q <= agree;
  wire sound = rst_n & (fresh_q | agreed_q);
  assign ok_span = ~sound | (agree & clocks == demanded_q);
  assign ok_clear = ~(rst_n & (clear_q | fresh_q)) | (clocks == 0 & agree);
endmodule
"""


def proofs(design):
    """Of the module as it is."""
    probes = "\n".join([text.probe("begun", 1, "begun_q"),
                        text.probe("up_to_now", 64, "up_to_now_q")])
    module = _MODULE.format(head=text.head(design, "What is asked of the span."), probes=probes,
                            outputs=text.outputs(PROPERTIES))
    return [Proof(BLOCK, name, signal, design, "full", STEP, module, (BLOCK,))
            for signal, name in PROPERTIES.items()]
