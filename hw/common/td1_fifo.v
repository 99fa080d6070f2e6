// SPDX-License-Identifier: 0BSD
// Queue of a few entries. They move up when the first one leaves, so that what is offered comes
// straight from registers.
`default_nettype none

module td1_fifo #(
    parameter WIDTH = 1,  // bits of an entry, 1 or more
    parameter DEPTH = 4   // entries, 2 or more
) (
    input  wire             clk_i,        // clock
    input  wire             rst_ni,       // asynchronous reset, active low: empties the queue
    input  wire             in_valid_i,   // in_data_i is offered
    output wire             in_ready_o,   // ... and accepted in this clock
    input  wire [WIDTH-1:0] in_data_i,    // data in
    output wire             out_valid_o,  // out_data_o is offered
    input  wire             out_ready_i,  // ... and accepted in this clock
    output wire [WIDTH-1:0] out_data_o    // data out
);
  reg  [DEPTH-1:0] valid_q;  // the entry is taken; the first ones are
  wire             leaves = valid_q[0] & out_ready_i;
  wire [DEPTH-1:0] stay = leaves ? {1'b0, valid_q[DEPTH-1:1]} : valid_q;
  wire [DEPTH-1:0] here = in_valid_i & in_ready_o ? ~stay & {stay[DEPTH-2:0], 1'b1} : 0;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= {DEPTH{1'b0}};
    else valid_q <= stay | here;
  end

  wire [(DEPTH+1)*WIDTH-1:0] entry;  // behind the last one there is nothing
  assign entry[DEPTH*WIDTH+:WIDTH] = in_data_i;
  genvar k;
  for (k = 0; k < DEPTH; k = k + 1) begin : g_entry
    reg [WIDTH-1:0] data_q;
    always @(posedge clk_i) begin
      if (here[k] | leaves) data_q <= here[k] ? in_data_i : entry[(k+1)*WIDTH+:WIDTH];
    end
    assign entry[k*WIDTH+:WIDTH] = data_q;
  end

  assign in_ready_o  = ~valid_q[DEPTH-1];
  assign out_valid_o = valid_q[0];
  assign out_data_o  = entry[0+:WIDTH];
endmodule
`default_nettype wire
