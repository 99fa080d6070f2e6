// SPDX-License-Identifier: 0BSD
// Reset synchroniser. Its reset asserts at once and releases two clock edges after the input does.
`default_nettype none

module td1_reset (
    input  wire clk_i,   // clock
    input  wire rst_ni,  // asynchronous reset, active low
    output wire rst_no   // the same, released in step with the clock
);
  reg [1:0] release_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) release_q <= 2'b00;
    else release_q <= {release_q[0], 1'b1};
  end

  assign rst_no = release_q[1];
endmodule
`default_nettype wire
