// SPDX-License-Identifier: 0BSD
// Counters of 64 bits. Each adds its number in every clock.
`default_nettype none

module td1_totals #(
    parameter COUNTERS = 1  // 1 or more
) (
    input  wire                   clk_i,    // clock
    input  wire                   rst_ni,   // asynchronous reset, active low
    input  wire                   clear_i,  // all begin again at 0
    input  wire [ 8*COUNTERS-1:0] added_i,  // in this clock, 8 bits of each
    output wire [64*COUNTERS-1:0] totals_o
);
  genvar c;
  for (c = 0; c < COUNTERS; c = c + 1) begin : g_counter
    reg [63:0] total_q;
    assign totals_o[64*c+:64] = total_q;
    always @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) total_q <= 64'd0;
      else if (clear_i) total_q <= 64'd0;
      else total_q <= total_q + {56'd0, added_i[8*c+:8]};
    end
  end
endmodule
`default_nettype wire
