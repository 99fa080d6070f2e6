// SPDX-License-Identifier: 0BSD
// What must hold at the read port that load and fetch share: what is offered stays until it is
// accepted, and every beat goes to one of them.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_read_mux_assert #(
    parameter ADDRESS_WIDTH = 40  // see td1_read_mux
) (
    input wire                     clk_i,
    input wire                     rst_ni,
    input wire                     load_ar_ready_o,
    input wire                     load_r_valid_o,
    input wire                     fetch_ar_ready_o,
    input wire                     fetch_r_valid_o,
    input wire                     ar_valid_o,
    input wire                     ar_ready_i,
    input wire                     ar_id_o,
    input wire [ADDRESS_WIDTH-1:0] ar_addr_o,
    input wire [              7:0] ar_len_o,
    input wire                     r_valid_i
);
  offer_held: assert property (@(posedge clk_i) disable iff (!rst_ni)
      ar_valid_o && !ar_ready_i |=> ar_valid_o && $stable({ar_id_o, ar_addr_o, ar_len_o}))
    else $error("a burst changes before it is accepted");
  one_accepted: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(load_ar_ready_o && fetch_ar_ready_o))
    else $error("one burst is accepted for both readers");
  one_reader: assert property (@(posedge clk_i) disable iff (!rst_ni)
      r_valid_i == ^{load_r_valid_o, fetch_r_valid_o} && !(load_r_valid_o && fetch_r_valid_o))
    else $error("a beat goes to none of the readers, or to both");
endmodule

bind td1_read_mux td1_read_mux_assert #(.ADDRESS_WIDTH(ADDRESS_WIDTH)) u_assert (.*);
`default_nettype wire
