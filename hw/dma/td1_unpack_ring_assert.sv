// SPDX-License-Identifier: 0BSD
// What must hold of beats that wait to be unpacked: there is room for all of them.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_unpack_ring_assert #(
    parameter BLOCKS = 4,   // see td1_unpack_ring
    parameter WORDS  = 128
) (
    input wire                    clk_i,
    input wire                    rst_ni,
    input wire [ $clog2(WORDS):0] used_q,
    input wire [$clog2(BLOCKS):0] blocks_q
);
  values_fit: assert property (@(posedge clk_i) disable iff (!rst_ni) int'(used_q) <= WORDS)
    else $error("%0d words of values", used_q);
  masks_fit: assert property (@(posedge clk_i) disable iff (!rst_ni) int'(blocks_q) <= BLOCKS)
    else $error("masks of %0d blocks", blocks_q);
endmodule

bind td1_unpack_ring td1_unpack_ring_assert #(.BLOCKS(BLOCKS), .WORDS(WORDS)) u_assert (.*);
`default_nettype wire
