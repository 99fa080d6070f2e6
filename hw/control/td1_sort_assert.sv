// SPDX-License-Identifier: 0BSD
// What must hold where units find their slots: each goes to one that has room, whole and in order,
// and one that is refused goes nowhere.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_sort_assert (
    input wire       clk_i,
    input wire       rst_ni,
    input wire       open_i,
    input wire       unit_ready_o,
    input wire       arrives,
    input wire [2:0] free_i,
    input wire [2:0] takes_o,
    input wire [3:0] part_o,
    input wire       ends_o,
    input wire       here_o,
    input wire [3:0] refusal_o
);
  one_slot: assert property (@(posedge clk_i) disable iff (!rst_ni)
      takes_o != 0 |-> $onehot(takes_o) && (takes_o & ~free_i) == 0 && here_o && refusal_o == 0)
    else $error("a unit for not one slot: %b of %b", takes_o, free_i);
  compute_whole: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot(part_o) && (takes_o == 0 || part_o[0] || (takes_o[1] && ends_o == part_o[3])))
    else $error("a unit of another descriptor within a compute's: %b", takes_o);
  none_lost: assert property (@(posedge clk_i) disable iff (!rst_ni)
      arrives |-> !here_o || takes_o != 0)
    else $error("a unit overwrites another");
  stays: assert property (@(posedge clk_i) disable iff (!rst_ni)
      here_o && takes_o == 0 |=> here_o)
    else $error("a unit is gone that no slot has");
  closed: assert property (@(posedge clk_i) disable iff (!rst_ni) !open_i |-> !unit_ready_o)
    else $error("a unit is taken though none is to be");
  refused_stays: assert property (@(posedge clk_i) disable iff (!rst_ni)
      refusal_o != 0 |=> $stable(refusal_o) && takes_o == 0)
    else $error("a unit that is refused goes on");
endmodule

bind td1_sort td1_sort_assert u_assert (.*);
`default_nettype wire
