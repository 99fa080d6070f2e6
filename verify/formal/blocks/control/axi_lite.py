# SPDX-License-Identifier: Apache-2.0
"""Proofs about AXI4-Lite: every access is answered once, in order, as the registers say."""

from .. import text
from ...proof import ALWAYS, Proof

BLOCK = "axi_lite"
PROPERTIES = {
    "ok_write": "an answer to a write has an address and data that were taken before it",
    "ok_write_soon": "a write is answered two clocks after its address and data, if it can be",
    "ok_write_once": "the registers see each whole write once, with its own address and data",
    "ok_write_answer": "SLVERR is for what the registers do not know, and for parts of 32 bits",
    "ok_read": "an answer to a read has an address that was taken before it",
    "ok_read_soon": "a read is answered two clocks after its address, if it can be",
    "ok_read_answer": "... with what the registers said of that address",
    "ok_stays": "an answer stays until it is taken",
}

_MODULE = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire aw_valid,
    input wire [3:0] aw_addr,
    input wire w_valid,
    input wire [31:0] w_data,
    input wire [3:0] w_strb,
    input wire b_ready,
    input wire ar_valid,
    input wire [3:0] ar_addr,
    input wire r_ready,
    input wire write_known,
    input wire [31:0] read_data,
    input wire read_known,
    {outputs}
);
  wire aw_ready, w_ready, b_valid, ar_ready, r_valid, write;
  wire [1:0] b_resp, r_resp;
  wire [3:0] write_offset, read_offset;
  wire [31:0] write_data, r_data;
  td1_axi_lite #(.ADDRESS_BITS(4)) dut (
      .clk_i(clk), .rst_ni(rst_n), .aw_valid_i(aw_valid), .aw_ready_o(aw_ready),
      .aw_addr_i(aw_addr), .w_valid_i(w_valid), .w_ready_o(w_ready), .w_data_i(w_data),
      .w_strb_i(w_strb), .b_valid_o(b_valid), .b_ready_i(b_ready), .b_resp_o(b_resp),
      .ar_valid_i(ar_valid), .ar_ready_o(ar_ready), .ar_addr_i(ar_addr), .r_valid_o(r_valid),
      .r_ready_i(r_ready), .r_data_o(r_data), .r_resp_o(r_resp), .write_o(write),
      .write_offset_o(write_offset), .write_data_o(write_data), .write_known_i(write_known),
      .read_offset_o(read_offset), .read_data_i(read_data), .read_known_i(read_known));
{seen}
  // Taken and not answered: addresses, data, reads.
  reg [3:0] addresses_q, data_q, reads_q;
  wire answers = b_valid & b_ready, reads = r_valid & r_ready;
  always @(posedge clk) begin
    if (!rst_n) {{addresses_q, data_q, reads_q}} <= 12'd0;
    else begin
      addresses_q <= addresses_q + (aw_valid & aw_ready) - answers;
      data_q <= data_q + (w_valid & w_ready) - answers;
      reads_q <= reads_q + (ar_valid & ar_ready) - reads;
    end
  end
  assign ok_write = ~run | ~b_valid | (addresses_q != 0 & data_q != 0);
  assign ok_read = ~run | ~r_valid | (reads_q != 0);
  assign ok_stays = ~run | ~were_q
    | (~(b_waits_q & ~(b_valid & b_resp == b_resp_q))
       & ~(r_waits_q & ~(r_valid & r_resp == r_resp_q & r_data == r_data_q)));
  reg were_q, b_waits_q, r_waits_q;
  reg [1:0] b_resp_q, r_resp_q;
  reg [31:0] r_data_q;
  always @(posedge clk) begin
    were_q <= run;
    b_waits_q <= b_valid & ~b_ready;
    r_waits_q <= r_valid & ~r_ready;
    {{b_resp_q, r_resp_q, r_data_q}} <= {{b_resp, r_resp, r_data}};
  end

  // Clocks in which an access waits although the channel of its answer is free.
  reg [1:0] write_late_q, read_late_q;
  always @(posedge clk) begin
    if (!rst_n | b_valid | addresses_q == 0 | data_q == 0) write_late_q <= 2'd0;
    else if (write_late_q != 2'd3) write_late_q <= write_late_q + 2'd1;
    if (!rst_n | r_valid | reads_q == 0) read_late_q <= 2'd0;
    else if (read_late_q != 2'd3) read_late_q <= read_late_q + 2'd1;
  end
  assign ok_write_soon = ~run | (write_late_q < 2'd2);
  assign ok_read_soon = ~run | (read_late_q < 2'd2);

  // The last address and data that were taken are those of the access that is done.
  reg [3:0] aw_addr_q, ar_addr_q, w_strb_q;
  reg [31:0] w_data_q, said_q;
  reg done_q, known_q, said_known_q;  // the access in turn was done, as the registers said
  always @(posedge clk) begin
    if (aw_valid & aw_ready) aw_addr_q <= aw_addr;
    if (w_valid & w_ready) {{w_data_q, w_strb_q}} <= {{w_data, w_strb}};
    if (ar_valid & ar_ready) ar_addr_q <= ar_addr;
    if (!rst_n | answers) {{done_q, known_q}} <= 2'd0;
    else if (write) {{done_q, known_q}} <= {{1'b1, write_known}};
    if (!r_valid) {{said_q, said_known_q}} <= {{read_data, read_known}};
  end
  assign ok_write_once = ~run | ~write | (~done_q & ~b_valid & w_strb_q == 4'hf
    & write_offset == aw_addr_q & write_data == w_data_q & addresses_q != 0 & data_q != 0);
  assign ok_write_answer = ~run | ~b_valid | (b_resp == (done_q & known_q ? 2'b00 : 2'b10));
  reg asked_q;  // the read's own address was there when the registers answered
  always @(posedge clk) if (!r_valid) asked_q <= read_offset == ar_addr_q;
  assign ok_read_answer = ~run | ~r_valid | ~first_q
    | (asked_q & r_data == said_q & r_resp == (said_known_q ? 2'b00 : 2'b10));
  reg first_q;
  always @(posedge clk) first_q <= ~r_valid;
endmodule
"""


def proofs(design):
    """Of the modules as they are."""
    module = _MODULE.format(head=text.head(design, "What AXI4-Lite asks."), seen=text.SEEN,
                            outputs=text.outputs(PROPERTIES))
    return [Proof(BLOCK, name, signal, design, "4 bits of address", ALWAYS, module, (BLOCK,))
            for signal, name in PROPERTIES.items()]
