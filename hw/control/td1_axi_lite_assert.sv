// SPDX-License-Identifier: 0BSD
// What must hold of AXI4-Lite at the registers: of both sides, that an offer stays until it is
// taken; of the registers, that an answer has an access, and a write an answer.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_axi_lite_assert #(
    parameter ADDRESS_BITS = 12  // bits of an offset
) (
    input wire                    clk_i,
    input wire                    rst_ni,
    input wire                    aw_valid_i,
    input wire                    aw_ready_o,
    input wire [ADDRESS_BITS-1:0] aw_addr_i,
    input wire                    w_valid_i,
    input wire                    w_ready_o,
    input wire [            31:0] w_data_i,
    input wire [             3:0] w_strb_i,
    input wire                    b_valid_o,
    input wire                    b_ready_i,
    input wire [             1:0] b_resp_o,
    input wire                    ar_valid_i,
    input wire                    ar_ready_o,
    input wire [ADDRESS_BITS-1:0] ar_addr_i,
    input wire                    r_valid_o,
    input wire                    r_ready_i,
    input wire [            31:0] r_data_o,
    input wire [             1:0] r_resp_o,
    input wire                    write_o
);
  aw_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
      aw_valid_i && !aw_ready_o |=> aw_valid_i && $stable(aw_addr_i))
    else $error("the address of a write was withdrawn or changed");
  w_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
      w_valid_i && !w_ready_o |=> w_valid_i && $stable({w_data_i, w_strb_i}))
    else $error("the data of a write were withdrawn or changed");
  ar_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
      ar_valid_i && !ar_ready_o |=> ar_valid_i && $stable(ar_addr_i))
    else $error("the address of a read was withdrawn or changed");
  b_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
      b_valid_o && !b_ready_i |=> b_valid_o && $stable(b_resp_o))
    else $error("the answer to a write was withdrawn or changed");
  r_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
      r_valid_o && !r_ready_i |=> r_valid_o && $stable({r_data_o, r_resp_o}))
    else $error("the answer to a read was withdrawn or changed");

  // Accesses that are taken and not answered, counted.
  int addresses, data, reads;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      addresses <= 0;
      data <= 0;
      reads <= 0;
    end else begin
      addresses <= addresses + int'(aw_valid_i && aw_ready_o) - int'(b_valid_o && b_ready_i);
      data <= data + int'(w_valid_i && w_ready_o) - int'(b_valid_o && b_ready_i);
      reads <= reads + int'(ar_valid_i && ar_ready_o) - int'(r_valid_o && r_ready_i);
    end
  end
  write_answered: assert property (@(posedge clk_i) disable iff (!rst_ni)
      b_valid_o |-> addresses > 0 && data > 0)
    else $error("an answer to no write");
  read_answered: assert property (@(posedge clk_i) disable iff (!rst_ni) r_valid_o |-> reads > 0)
    else $error("an answer to no read");
  write_once: assert property (@(posedge clk_i) disable iff (!rst_ni) write_o |=> b_valid_o)
    else $error("a write without an answer");
endmodule

bind td1_axi_lite td1_axi_lite_assert #(.ADDRESS_BITS(ADDRESS_BITS)) u_assert (.*);
`default_nettype wire
