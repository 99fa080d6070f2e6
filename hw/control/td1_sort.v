// SPDX-License-Identifier: 0BSD
// Holds a job's next unit of 64 bytes and tells whose it is, or why it is nobody's. It is judged in
// one clock and goes to its slot in a later one: what loads the slots comes from registers.
//
//   clk_i         _/-\_/-\_/-\_/-\_/-\_/-\_
//   unit_valid_i  _/-----------------------
//   unit_ready_o  -----\___/---\___/---\___   the slot is free
//   unit_o             | A   A | B   B | C
//   takes_o       _________/---\___/---\___
`default_nettype none

module td1_sort (
    input  wire         clk_i,         // clock
    input  wire         rst_ni,        // asynchronous reset, active low
    input  wire         open_i,        // units are taken
    // Units, in order
    input  wire         unit_valid_i,
    output wire         unit_ready_o,
    input  wire [511:0] unit_i,
    // Descriptors of the job that have gone to their slots; 65535 stands for more, too
    input  wire [ 15:0] loads_i,
    input  wire [ 15:0] computes_i,
    input  wire [ 15:0] stores_i,
    // Slots: load, compute, store, the first in the low bit
    input  wire [  2:0] free_i,        // there is room
    output wire [  2:0] takes_o,       // unit_o goes there in this clock
    output wire [511:0] unit_o,
    output wire [  3:0] part_o,        // one-hot: which of the descriptor's units
    output wire         ends_o,        // the last one of its descriptor
    // Units that go nowhere
    output wire         here_o,        // there is a unit
    output wire [  3:0] refusal_o      // why it stays, see registers.toml
);
  // descriptors.toml, common: kind wait_loads wait_computes wait_stores
  localparam AT_KIND = 0, AT_WAIT_LOADS = 32, AT_WAIT_COMPUTES = 48, AT_WAIT_STORES = 64;
  // descriptors.toml, compute: keep
  localparam AT_KEEP = 104;
  localparam [7:0] LOAD = 8'd1, COMPUTE = 8'd2, STORE = 8'd3;
  localparam [3:0] NONE = 4'd0, UNKNOWN = 4'd1, WAIT = 4'd5;

  reg here_q;
  reg [511:0] unit_q;
  reg [3:0] part_q;     // one-hot; only computes have more than one
  reg [2:0] whose_q;    // it is judged, and goes to this slot
  reg [3:0] refusal_q;  // it is judged, and goes nowhere
  wire takes = |(whose_q & free_i);
  assign unit_ready_o = open_i & (~here_q | takes);
  wire arrives = unit_valid_i & unit_ready_o;

  // A wait for more than stand before it would last for ever; what is kept is of a compute before.
  wire [7:0] kind = unit_q[AT_KIND+:8];
  wire [2:0] whose = part_q[0] ? {kind == STORE, kind == COMPUTE, kind == LOAD} : 3'b010;
  wire never = (unit_q[AT_WAIT_LOADS+:16] > loads_i) | (unit_q[AT_WAIT_COMPUTES+:16] > computes_i)
             | (unit_q[AT_WAIT_STORES+:16] > stores_i)
             | ((kind == COMPUTE) & (|unit_q[AT_KEEP+:2]) & (computes_i == 16'd0));
  wire [3:0] refusal = whose == 3'b000 ? UNKNOWN : part_q[0] & never ? WAIT : NONE;
  wire judges = here_q & (whose_q == 3'b000);

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      here_q    <= 1'b0;
      part_q    <= 4'b0001;
      whose_q   <= 3'b000;
      refusal_q <= NONE;
    end else begin
      here_q    <= arrives | (here_q & ~takes);
      part_q    <= takes & whose_q[1] ? {part_q[2:0], part_q[3]} : part_q;
      whose_q   <= judges & (refusal == NONE) ? whose : whose_q & ~{3{takes}};
      refusal_q <= judges ? refusal : NONE;
    end
  end
  always @(posedge clk_i) if (arrives) unit_q <= unit_i;

  assign takes_o   = whose_q & free_i;
  assign unit_o    = unit_q;
  assign part_o    = part_q;
  assign ends_o    = ~whose_q[1] | part_q[3];
  assign here_o    = here_q;
  assign refusal_o = refusal_q;
endmodule
`default_nettype wire
