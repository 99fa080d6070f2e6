// SPDX-License-Identifier: 0BSD
// Performance counters: steps, clocks waited, and pairs dropped. Which lanes have a pair settles
// late in a clock, so pairs are counted a clock after steps.
`default_nettype none

module td1_counters #(
    parameter SPARSE = 1,   // 0: a dense tile, which drops nothing
    parameter DEPTH  = 3,   // rows of the window, 1..8
    parameter LANES  = 64,  // of all tile rows
    parameter WIDTH  = 32,  // bits of a counter, 8..64
    parameter WRAP   = 1    // a full counter starts again at zero (1) or stays full (0)
) (
    input  wire             clk_i,      // clock
    input  wire             rst_ni,     // asynchronous reset, active low
    input  wire             step_i,     // the tile steps
    input  wire             waiting_i,  // it does not, though a row waits
    input  wire [DEPTH-1:0] advance_i,  // bit k: k + 1 rows leave
    input  wire [LANES-1:0] active_i,   // the lane has a pair
    output wire [WIDTH-1:0] cycles_o,   // steps since reset
    output wire [WIDTH-1:0] stalls_o,   // clocks waited since reset
    output wire [WIDTH-1:0] skipped_o   // pairs dropped since reset
);
  localparam BITS = $clog2(DEPTH * LANES + 1);          // of a number of pairs
  localparam FIT = (BITS > 7) ? BITS + 1 : 8;
  localparam LOW = (WIDTH < FIT) ? WIDTH : FIT;      // of a counter's part that adds
  localparam BYTES = (WIDTH - LOW + 7) / 8;          // of the part that counts its carries
  localparam WIDE = (BITS > LOW ? BITS : LOW) + 1;   // of a sum that has not wrapped yet

  // Pairs that left, less those that were multiplied.
  function automatic [BITS-1:0] dropped;
    input [DEPTH-1:0] advance;
    input [LANES-1:0] active;
    integer i;
    begin
      dropped = {BITS{1'b0}};
      for (i = 1; i <= DEPTH; i = i + 1) begin
        dropped = dropped | ({BITS{advance[i-1]}} & (i[BITS-1:0] * LANES[BITS-1:0]));
      end
      for (i = 0; i < LANES; i = i + 1) dropped = dropped - {{BITS - 1{1'b0}}, active[i]};
    end
  endfunction

  reg             step_q, waiting_q;
  reg [DEPTH-1:0] advance_q;
  reg [LANES-1:0] active_q;
  reg [ BITS-1:0] dropped_q;
  always @(posedge clk_i) {advance_q, active_q} <= {advance_i, active_i};
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {step_q, waiting_q, dropped_q} <= {BITS + 2{1'b0}};
    else begin
      {step_q, waiting_q} <= {step_i, waiting_i};
      dropped_q <= step_q ? dropped(advance_q, active_q) : {BITS{1'b0}};
    end
  end

  // The low part never carries in two clocks in a row, being wider than what it adds. So which
  // bytes of the high part are full may be known a clock late.
  genvar k, j;
  for (k = 0; k < 3; k = k + 1) begin : g_counter
    reg  [ LOW-1:0] low_q;
    wire [WIDTH-1:0] count;
    wire [ WIDE-1:0] add = (k == 0) ? {{WIDE - 1{1'b0}}, step_q}
                         : (k == 1) ? {{WIDE - 1{1'b0}}, waiting_q}
                         : {{WIDE - BITS{1'b0}}, dropped_q};
    wire [ WIDE-1:0] sum = {{WIDE - LOW{1'b0}}, low_q} + add;
    wire             carry = |sum[WIDE-1:LOW];
    wire [  BYTES:0] full;  // bit j: all bytes below are
    wire             stay = (WRAP == 0) & carry & full[BYTES];
    always @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) low_q <= {LOW{1'b0}};
      else low_q <= stay ? {LOW{1'b1}} : sum[LOW-1:0];
    end
    assign count[LOW-1:0] = low_q;
    assign full[0] = 1'b1;
    for (j = 0; j < BYTES; j = j + 1) begin : g_byte
      localparam BASE = LOW + 8 * j;
      localparam SIZE = (WIDTH - BASE < 8) ? WIDTH - BASE : 8;
      reg  [SIZE-1:0] byte_q;
      reg             full_q;
      wire            up = carry & full[j] & ~stay;
      assign count[BASE+:SIZE] = byte_q;
      assign full[j+1] = full_q;
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) {byte_q, full_q} <= {SIZE + 1{1'b0}};
        else {byte_q, full_q} <= {byte_q + {{SIZE - 1{1'b0}}, up}, &count[BASE+SIZE-1:LOW]};
      end
    end
  end
  assign cycles_o = g_counter[0].count;
  assign stalls_o = g_counter[1].count;
  assign skipped_o = (SPARSE != 0) ? g_counter[2].count : {WIDTH{1'b0}};
endmodule
`default_nettype wire
