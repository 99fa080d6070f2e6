// SPDX-License-Identifier: 0BSD
// What must hold where descriptors are read: bursts lie in the window and wait for the bus, what
// arrives was asked for and finds room, and a unit stays until it is taken.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_fetch_assert #(
    parameter ADDRESS_WIDTH = 40,  // bits of a memory address
    parameter UNITS         = 2    // units on their way or in the ring, at most
) (
    input wire                     clk_i,
    input wire                     rst_ni,
    input wire                     halt_i,
    input wire [ADDRESS_WIDTH-1:0] window_begin_i,
    input wire [ADDRESS_WIDTH-1:0] window_end_i,
    input wire                     ar_valid_o,
    input wire                     ar_ready_i,
    input wire [ADDRESS_WIDTH-1:0] ar_addr_o,
    input wire                     r_valid_i,
    input wire                     quiet_o,
    input wire                     unit_valid_o,
    input wire                     unit_ready_i,
    input wire [            511:0] unit_o,
    input wire [  $clog2(UNITS):0] asked_q,
    input wire [  $clog2(UNITS):0] held_q
);
  // Of a wide signal in the clock itself: Verilator 5.006 cannot compile samples of those.
  logic offered;
  logic [511:0] was;
  always_ff @(posedge clk_i) begin
    offered <= rst_ni && unit_valid_o && !unit_ready_i;
    was <= unit_o;
    if (rst_ni && offered) begin
      unit_waits: assert (unit_valid_o && unit_o == was)
        else $error("a unit was withdrawn or changed");
    end
  end

  burst_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
      ar_valid_o && !ar_ready_i |=> ar_valid_o && $stable(ar_addr_o))
    else $error("a burst was withdrawn or changed");
  burst_in_window: assert property (@(posedge clk_i) disable iff (!rst_ni)
      ar_valid_o |-> ar_addr_o[5:0] == 0 && ar_addr_o >= window_begin_i
          && {1'b0, ar_addr_o} + 64 <= {1'b0, window_end_i})
    else $error("a burst at %h is outside of the window", ar_addr_o);
  halted: assert property (@(posedge clk_i) disable iff (!rst_ni)
      halt_i && !ar_valid_o |=> !ar_valid_o)
    else $error("a burst starts although it must not");
  data_asked_for: assert property (@(posedge clk_i) disable iff (!rst_ni)
      r_valid_i |-> asked_q != 0 && !quiet_o)
    else $error("data that nobody asked for");
  room: assert property (@(posedge clk_i) disable iff (!rst_ni)
      int'(asked_q) + int'(held_q) <= UNITS)
    else $error("no room for %0d units beside %0d", asked_q, held_q);
endmodule

bind td1_fetch td1_fetch_assert #(.ADDRESS_WIDTH(ADDRESS_WIDTH), .UNITS(UNITS)) u_assert (.*);
`default_nettype wire
