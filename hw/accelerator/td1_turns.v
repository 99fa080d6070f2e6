// SPDX-License-Identifier: 0BSD
// Turns: works through the two halves of a double buffer, one after the other. A half that is full
// is worked on once; what takes no part in it passes over it.
//
//   clk_i        _/-\_/-\_/-\_/-\_/-\_/-\_
//   full_i[0]    _/---------------------\_
//   start_o      _/---\___________________   half_o is 0
//   busy_i       _____/-----------\_______
//   done_o[0]    _____________________/-\_   until the half is no longer full
`default_nettype none

module td1_turns (
    input  wire       clk_i,    // clock
    input  wire       rst_ni,   // asynchronous reset, active low
    input  wire [1:0] full_i,   // the half is full
    input  wire [1:0] part_i,   // ... and there is something to do
    output wire       start_o,  // begin with half_o
    output wire       half_o,   // which half's turn it is; stays while busy_i
    input  wire       busy_i,   // from the clock after start_o until the work is done
    output wire [1:0] done_o    // the half is worked through
);
  reg half_q, works_q;
  reg [1:0] done_q;
  wire begins = ~works_q & full_i[half_q] & ~done_q[half_q];
  wire ends = works_q ? ~busy_i : begins & ~part_i[half_q];

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {half_q, works_q} <= 2'b00;
      done_q <= 2'b00;
    end else begin
      half_q  <= half_q ^ ends;
      works_q <= (works_q | begins) & ~ends;
      done_q  <= full_i & (done_q | {ends & half_q, ends & ~half_q});
    end
  end

  assign start_o = begins & part_i[half_q];
  assign half_o = half_q;
  assign done_o = done_q;
endmodule
`default_nettype wire
