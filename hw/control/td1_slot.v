// SPDX-License-Identifier: 0BSD
// Holds an engine's next descriptor until as many of the job have finished as it waits for. It
// counts those of its kind, and knows which of the job the engine works on.
`default_nettype none

module td1_slot #(
    parameter UNITS   = 1,  // units of 64 bytes in a descriptor: 1 or 4
    parameter WORKING = 3   // descriptors that the engine may have taken and not done: 3 or 7
) (
    input  wire                 clk_i,           // clock
    input  wire                 rst_ni,          // asynchronous reset, active low
    input  wire                 clear_i,         // a job begins: count from 0
    input  wire                 halt_i,          // start nothing
    // What arrives
    output wire                 free_o,          // there is room
    input  wire [    UNITS-1:0] write_i,         // unit_i is this unit of the descriptor
    input  wire                 begins_i,        // ... its first one
    input  wire                 ends_i,          // ... its last one
    input  wire [        511:0] unit_i,
    input  wire [         31:0] index_i,         // of the descriptor in the job
    // Descriptors of the job that have finished, by kind; 65535 stands for more, too
    input  wire [         15:0] loads_i,
    input  wire [         15:0] computes_i,
    input  wire [         15:0] stores_i,
    output wire [         15:0] seen_o,          // of this kind: arrived
    output wire [         15:0] finished_o,      // of this kind: finished
    // Engine
    output wire                 desc_valid_o,
    input  wire                 desc_ready_i,
    output wire [512*UNITS-1:0] desc_o,
    input  wire                 done_i,
    output wire                 busy_o,          // it works, or is to
    output wire                 empty_o,         // nothing is held, and it does not work
    output wire [         31:0] index_o          // the first of its kind that is not done
);
  // descriptors.toml, common: wait_loads wait_computes wait_stores
  localparam AT_WAIT_LOADS = 32, AT_WAIT_COMPUTES = 48, AT_WAIT_STORES = 64;
  localparam [15:0] MOST = 16'hffff;
  localparam COUNT = $clog2(WORKING + 1);
  localparam [COUNT-1:0] NONE = {COUNT{1'b0}}, FULL = {COUNT{1'b1}};

  reg held_q;                        // a whole descriptor
  reg met_q;                         // its waits are over, which they stay
  reg [COUNT-1:0] working_q;         // descriptors that the engine has taken and not done
  reg [COUNT-1:0] oldest_q, next_q;  // in a ring of indices: the first not done, the next
  reg [15:0] seen_q, finished_q;

  // What is held starts in a clock after its waits are over.
  wire met = (loads_i >= desc_o[AT_WAIT_LOADS+:16]) & (computes_i >= desc_o[AT_WAIT_COMPUTES+:16])
           & (stores_i >= desc_o[AT_WAIT_STORES+:16]);
  assign desc_valid_o = met_q & (working_q != FULL) & ~halt_i;
  wire starts = desc_valid_o & desc_ready_i;
  wire works = working_q != NONE;
  wire [COUNT-1:0] one = {{(COUNT - 1) {1'b0}}, 1'b1};
  assign free_o = ~held_q;
  assign busy_o = works | desc_valid_o;  // an engine may take one when it is nearly through with it
  assign empty_o = ~held_q & ~works;
  assign seen_o = seen_q;
  assign finished_o = finished_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q     <= 1'b0;
      met_q      <= 1'b0;
      working_q  <= NONE;
      oldest_q   <= NONE;
      next_q     <= NONE;
      seen_q     <= 16'd0;
      finished_q <= 16'd0;
    end else begin
      held_q <= ends_i | (held_q & ~starts);
      met_q  <= held_q & met & ~starts;
      if (starts & ~done_i) working_q <= working_q + one;
      if (done_i & ~starts) working_q <= working_q - one;
      if (done_i) oldest_q <= oldest_q + one;
      if (begins_i) next_q <= next_q + one;
      seen_q     <= clear_i ? 16'd0 : seen_q + {15'd0, begins_i & (seen_q != MOST)};
      finished_q <= clear_i ? 16'd0 : finished_q + {15'd0, done_i & (finished_q != MOST)};
    end
  end
  // Those that the engine works on, and one that is held.
  wire [(WORKING+1)*32-1:0] indices;
  genvar i, u;
  for (i = 0; i <= WORKING; i = i + 1) begin : g_index
    reg [31:0] index_q;
    assign indices[32*i+:32] = index_q;
    always @(posedge clk_i) if (begins_i & (next_q == i)) index_q <= index_i;
  end
  assign index_o = indices[32*oldest_q+:32];
  for (u = 0; u < UNITS; u = u + 1) begin : g_unit
    reg [511:0] unit_q;
    assign desc_o[512*u+:512] = unit_q;
    always @(posedge clk_i) if (write_i[u]) unit_q <= unit_i;
  end
endmodule
`default_nettype wire
