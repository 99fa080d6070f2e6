// SPDX-License-Identifier: 0BSD
// What must hold of an engine's bursts: of the bus and of who gives descriptors, that they keep the
// protocol; of the engine, that no burst leaves its 4 KB or the window, and none follows a halt.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_transfer_assert #(
    parameter BEAT_BYTES    = 8,   // see td1_burst
    parameter ADDRESS_WIDTH = 40   // see td1_burst
) (
    input wire                     clk_i,
    input wire                     rst_ni,
    input wire                     desc_valid_i,
    input wire                     desc_ready_o,
    input wire [            511:0] desc_i,
    input wire                     done_o,
    input wire [              3:0] error_o,
    input wire                     stop_o,
    input wire [ADDRESS_WIDTH-1:0] window_begin_i,
    input wire [ADDRESS_WIDTH-1:0] window_end_i,
    input wire                     a_valid_o,
    input wire                     a_ready_i,
    input wire [ADDRESS_WIDTH-1:0] a_addr_o,
    input wire [              7:0] a_len_o,
    input wire                     taken_o,
    input wire [ADDRESS_WIDTH-1:0] address_o,
    input wire [              6:0] beats_o,
    input wire                     flies_o,
    input wire                     answered_i
);
  wire longint begins = longint'(a_addr_o);
  wire longint ends = begins + BEAT_BYTES * (longint'(a_len_o) + 1);

  desc_held: assert property (@(posedge clk_i) disable iff (!rst_ni)
      desc_valid_i && !desc_ready_o && !stop_o
      |=> stop_o || (desc_valid_i && $stable(desc_i)))
    else $error("a descriptor changes before it is taken");
  offer_held: assert property (@(posedge clk_i) disable iff (!rst_ni)
      a_valid_o && !a_ready_i |=> a_valid_o && $stable(a_addr_o) && $stable(a_len_o))
    else $error("a burst changes before it is accepted");
  one_page: assert property (@(posedge clk_i) disable iff (!rst_ni)
      a_valid_o |-> a_len_o < 64 && begins / 4096 == (ends - 1) / 4096)
    else $error("%0d beats from %h on cross 4 KB", a_len_o + 1, a_addr_o);
  in_window: assert property (@(posedge clk_i) disable iff (!rst_ni)
      taken_o |-> address_o >= window_begin_i
        && longint'(address_o) + BEAT_BYTES * longint'(beats_o) <= longint'(window_end_i))
    else $error("%0d beats from %h on leave the window", beats_o, address_o);
  none_after_halt: assert property (@(posedge clk_i) disable iff (!rst_ni)
      stop_o && !(a_valid_o && !a_ready_i) |=> !a_valid_o)
    else $error("a burst comes onto the bus after the halt");
  remembered: assert property (@(posedge clk_i) disable iff (!rst_ni) a_valid_o |-> flies_o)
    else $error("a burst is on the bus, but not remembered");
  answer_expected: assert property (@(posedge clk_i) disable iff (!rst_ni) answered_i |-> flies_o)
    else $error("an answer that no burst waits for");
  error_stays: assert property (@(posedge clk_i) disable iff (!rst_ni)
      error_o != 0 |=> $stable(error_o))
    else $error("error %0d is forgotten", $past(error_o));
  stopped_not_done: assert property (@(posedge clk_i) disable iff (!rst_ni)
      stop_o |=> !done_o)
    else $error("a descriptor is done after the halt");
endmodule

bind td1_transfer td1_transfer_assert #(
    .BEAT_BYTES(BEAT_BYTES), .ADDRESS_WIDTH(ADDRESS_WIDTH)) u_assert (.*);
`default_nettype wire
