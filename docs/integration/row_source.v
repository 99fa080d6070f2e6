// SPDX-License-Identifier: 0BSD
// For simulation: sends the rows of a file as beats of an AXI4-Stream. Where it stalls, beats are
// also of random lengths. Random numbers are its own, so that every simulator draws the same.
`default_nettype none

module row_source #(
    parameter BITS      = 1024,   // of a row in the file, a hexadecimal number in each line
    parameter BEAT_ROWS = 3,
    parameter MOST      = 16384,  // rows of a file, at most
    parameter SEED      = 1       // not 0
) (
    input  wire                      clk_i,
    input  wire                      rst_ni,
    input  wire [              31:0] rows_i,    // of the file
    input  wire [              31:0] beat_i,    // rows of a beat, 1..BEAT_ROWS
    input  wire [              31:0] stall_i,   // percent of clocks without a new beat
    output reg                       valid_o,
    input  wire                      ready_i,
    output reg  [     BEAT_ROWS-1:0] keep_o,    // a bit for each row of the beat
    output reg  [BEAT_ROWS*BITS-1:0] beat_o,
    output wire                      done_o     // all rows are accepted
);
  reg [BITS-1:0] rows [0:MOST-1];
  reg [31:0] sent, random;  // rows of beats that were offered
  assign done_o = sent == rows_i & ~valid_o;

  function [31:0] next(input [31:0] state);
    begin
      next = state ^ (state << 13);
      next = next ^ (next >> 17);
      next = next ^ (next << 5);
    end
  endfunction

  wire [31:0] length = stall_i == 0 ? beat_i : 1 + (random >> 8) % beat_i;
  wire stalls = random % 100 < stall_i;
  integer k;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      sent <= 0;
      random <= SEED;
    end else begin
      random <= next(random);
      // What is offered stays until it is accepted.
      if (~valid_o | ready_i) begin
        valid_o <= ~stalls & sent < rows_i;
        if (~stalls & sent < rows_i) begin
          sent <= sent + (length < rows_i - sent ? length : rows_i - sent);
          for (k = 0; k < BEAT_ROWS; k = k + 1) begin
            keep_o[k] <= k < length & sent + k < rows_i;
            beat_o[k*BITS+:BITS] <= rows[sent + k];
          end
        end
      end
    end
  end
endmodule
`default_nettype wire
