// SPDX-License-Identifier: 0BSD
// What must hold where an engine gets its descriptors: of the slot, that it overwrites none, offers
// one until it is taken and starts none early; of the engine, that it finishes only what it took.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_slot_assert #(
    parameter UNITS   = 1,  // units of 64 bytes in a descriptor: 1 or 4
    parameter WORKING = 3   // descriptors that the engine may have taken and not done: 3 or 7
) (
    input wire                 clk_i,
    input wire                 rst_ni,
    input wire                 clear_i,
    input wire                 halt_i,
    input wire                 free_o,
    input wire [    UNITS-1:0] write_i,
    input wire                 ends_i,
    input wire [         15:0] loads_i,
    input wire [         15:0] computes_i,
    input wire [         15:0] stores_i,
    input wire [         15:0] seen_q,
    input wire [         15:0] finished_q,
    input wire [$clog2(WORKING+1)-1:0] working_q,
    input wire                 desc_valid_o,
    input wire                 desc_ready_i,
    input wire [512*UNITS-1:0] desc_o,
    input wire                 done_i
);
  // Of wide signals in the clock itself: Verilator 5.006 cannot compile samples of those.
  logic offered;
  logic [512*UNITS-1:0] was;
  always_ff @(posedge clk_i) begin
    offered <= rst_ni && desc_valid_o && !desc_ready_i;
    was <= desc_o;
    if (rst_ni && offered && !halt_i) begin
      offered_until_taken: assert (desc_valid_o && desc_o == was)
        else $error("a descriptor was withdrawn or changed");
    end
    if (rst_ni && desc_valid_o) begin
      waits_over: assert (loads_i >= desc_o[47:32] && computes_i >= desc_o[63:48]
                          && stores_i >= desc_o[79:64])
        else $error("a descriptor starts before its waits are over");
    end
  end

  none_overwritten: assert property (@(posedge clk_i) disable iff (!rst_ni)
      write_i != 0 || ends_i |-> free_o)
    else $error("a descriptor overwrites another");
  few_at_work: assert property (@(posedge clk_i) disable iff (!rst_ni) working_q <= WORKING)
    else $error("the engine works on %0d descriptors", working_q);
  done_was_taken: assert property (@(posedge clk_i) disable iff (!rst_ni)
      done_i |-> working_q != 0)
    else $error("the engine finished what it did not take");
  finished_were_seen: assert property (@(posedge clk_i) disable iff (!rst_ni || clear_i)
      finished_q <= seen_q)
    else $error("%0d have finished of %0d", finished_q, seen_q);
endmodule

bind td1_slot td1_slot_assert #(.UNITS(UNITS), .WORKING(WORKING)) u_assert (.*);
`default_nettype wire
