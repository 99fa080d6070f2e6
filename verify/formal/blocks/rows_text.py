# SPDX-License-Identifier: Apache-2.0
"""Verilog of monitors that know, from the ports and the number of rows that leave, which rows the
intake holds and what was told of them."""

# The rows of one side that were accepted and have not left. Bits of rows that are not there are 0.
SIDE = """\
module proof_side #(
    parameter DEPTH = 1,
    parameter BITS = 1
) (
    input wire clk, input wire rst_n, input wire [4:0] valid, input wire [4:0] ready,
    input wire [4:0] leave, input wire [DEPTH*BITS-1:0] offered,
    output wire [4:0] accepted, output reg [4:0] held, output reg [DEPTH*BITS-1:0] rows
);
  assign accepted = (valid < ready) ? valid : ready;
  wire [DEPTH*BITS-1:0] arriving = offered & ~({DEPTH*BITS{1'b1}} << (accepted * BITS));
  wire [2*DEPTH*BITS-1:0] both = rows | ({{DEPTH*BITS{1'b0}}, arriving} << (held * BITS));
  always @(posedge clk) begin
    if (!rst_n) begin
      held <= 5'd0;
      rows <= {DEPTH*BITS{1'b0}};
    end else begin
      held <= held + accepted - leave;
      rows <= both >> (leave * BITS);
    end
  end
endmodule
"""

# Rows offered: no more than the depth.
COUNTS = """\
  wire [4:0] a_count = (a_offers > DEPTH) ? DEPTH : a_offers;
  wire [4:0] b_count = (b_offers > DEPTH) ? DEPTH : b_offers;
"""

# Of the rows offered on side B the mode of their stream, which is sampled with its first row.
MODES = """\
  reg [DEPTH-1:0] mode;
  reg running_q, mode_q, running, mode_now;
  integer i;
  always @* begin
    running = running_q;
    mode_now = mode_q;
    for (i = 0; i < DEPTH; i = i + 1) begin
      if (!running) mode_now = dense;
      mode[i] = mode_now;
      running = ~b_last[i];
    end
  end
  always @(posedge clk) begin
    if (!live) begin
      running_q <= 1'b0;
    end else if (b_accepted != 0) begin
      running_q <= ~b_last[b_accepted-1];
      mode_q <= mode[b_accepted-1];
    end
  end
"""

# Told of a row of side A: A_BITS; of side B: B_BITS, of which the low three are the mode, the end
# of the output and the end of the stream.
# leave: rows that leave now. need: rows that a step must find on both sides; it passes no more.
# dense_runs: a dense stream is in use that goes on behind the row in use.
HELD = """\
  wire [4:0] a_accepted, b_accepted, a_held, b_held;
  wire [DEPTH*A_BITS-1:0] a_told;
  wire [DEPTH*B_BITS-1:0] b_told;
  reg [4:0] leave, need;
  reg [DEPTH-1:0] last, last_of_output, dense_row;
  proof_side #(.DEPTH(DEPTH), .BITS(A_BITS)) a_side (
      .clk(clk), .rst_n(live), .valid(a_count), .ready({3'd0, a_ready}), .leave(leave),
      .offered(a_offered), .accepted(a_accepted), .held(a_held), .rows(a_told)
  );
  proof_side #(.DEPTH(DEPTH), .BITS(B_BITS)) b_side (
      .clk(clk), .rst_n(live), .valid(b_count), .ready({3'd0, b_ready}), .leave(leave),
      .offered(b_offered), .accepted(b_accepted), .held(b_held), .rows(b_told)
  );
  integer h;
  always @* begin
    leave = 5'd0;
    need = DEPTH;
    for (h = DEPTH - 1; h >= 0; h = h - 1) begin
      {dense_row[h], last_of_output[h], last[h]} = b_told[h*B_BITS+:3];
      if (last[h] | dense_row[h]) need = h + 1;
      if (advance[h]) leave = leave + h + 1;
    end
  end
  wire present = a_held >= need & b_held >= need;
  wire dense_runs = (b_held == 0) ? running_q & mode_q : dense_row[0] & ~last[0];
"""
