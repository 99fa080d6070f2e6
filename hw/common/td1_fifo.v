// SPDX-License-Identifier: 0BSD
// Queue of a few entries, in a ring. The free entry that is next takes whatever is offered, until
// that is valid: what loads a register is known early, so that in_valid_i and out_ready_i may be
// late. A copy of the first entry is at the output: nobody waits until it is found in the ring.
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
  localparam ENTRY = $clog2(DEPTH), LAST = DEPTH - 1;  // bits of a number of an entry

  reg  [DEPTH-1:0] valid_q;   // as many ones, from bit 0 on, as entries are taken
  reg  [ENTRY-1:0] second_q; // the one behind that which leaves next
  reg  [ENTRY-1:0] free_q;    // the one that is taken next
  wire             comes = in_valid_i & in_ready_o;
  wire             leaves = valid_q[0] & out_ready_i;
  wire [ENTRY-1:0] second = second_q + {{ENTRY - 1{1'b0}}, leaves};
  wire [ENTRY-1:0] free = free_q + {{ENTRY - 1{1'b0}}, comes};
  wire [DEPTH-1:0] stay = leaves ? {1'b0, valid_q[DEPTH-1:1]} : valid_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= {DEPTH{1'b0}};
      second_q <= {{ENTRY - 1{1'b0}}, 1'b1};
      free_q   <= {ENTRY{1'b0}};
    end else begin
      valid_q  <= comes ? {stay[DEPTH-2:0], 1'b1} : stay;
      second_q <= second & ~{ENTRY{leaves & (second_q == LAST[ENTRY-1:0])}};
      free_q   <= free & ~{ENTRY{comes & (free_q == LAST[ENTRY-1:0])}};
    end
  end

  wire [DEPTH*WIDTH-1:0] entries;
  genvar k;
  for (k = 0; k < DEPTH; k = k + 1) begin : g_entry
    reg [WIDTH-1:0] data_q;
    always @(posedge clk_i) if (in_ready_o & (free_q == k)) data_q <= in_data_i;
    assign entries[k*WIDTH+:WIDTH] = data_q;
  end

  reg [WIDTH-1:0] head_q;
  wire [WIDTH-1:0] head = valid_q[1] ? entries[second_q*WIDTH+:WIDTH] : in_data_i;
  wire stays = valid_q[0] & ~out_ready_i;
  always @(posedge clk_i) head_q <= ({WIDTH{stays}} & head_q) | ({WIDTH{~stays}} & head);

  assign in_ready_o  = ~valid_q[DEPTH-1];
  assign out_valid_o = valid_q[0];
  assign out_data_o  = head_q;
endmodule
`default_nettype wire
