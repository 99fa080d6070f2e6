// SPDX-License-Identifier: 0BSD
// Two-entry buffer that cuts a valid/ready handshake in both directions at full rate. Every output
// comes straight from a register, and no clock is lost between back-to-back transfers:
//
//   clk_i        _/-\_/-\_/-\_/-\_/-\_/-\_
//   in_valid_i   _/---------------\_______
//   in_data_i     | A | B | C   C |
//   in_ready_o   ---------\___/-----------   low: both entries are taken
//   out_valid_o  _____/-------------------
//   out_data_o        | A   A | B | C   C
//   out_ready_i  _________/-------\_______
`default_nettype none

module td1_skid #(
    parameter WIDTH = 1  // bits of the data, 1 or more
) (
    input  wire             clk_i,        // clock
    input  wire             rst_ni,       // asynchronous reset, active low: empties the buffer
    input  wire             in_valid_i,   // in_data_i is offered
    output wire             in_ready_o,   // ... and accepted in this clock
    input  wire [WIDTH-1:0] in_data_i,    // data in
    output wire             out_valid_o,  // out_data_o is offered
    input  wire             out_ready_i,  // ... and accepted in this clock
    output wire [WIDTH-1:0] out_data_o    // data out
);
  reg ready_q;             // the second entry is free
  reg valid_q;             // the first entry is taken
  reg [WIDTH-1:0] data_q;
  reg [WIDTH-1:0] skid_q;  // what arrived in a clock in which the first entry could not leave

  wire leaves = out_ready_i | ~valid_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      // Out of reset both entries are free, and ready_q rises with the first clock.
      ready_q <= leaves | (ready_q & ~in_valid_i);
      if (leaves) valid_q <= (in_valid_i & ready_q) | (valid_q & ~ready_q);
    end
  end

  always @(posedge clk_i) begin
    if (leaves) data_q <= ready_q ? in_data_i : skid_q;
    if (ready_q) skid_q <= in_data_i;
  end

  assign in_ready_o  = ready_q;
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;
endmodule
`default_nettype wire
