// SPDX-License-Identifier: 0BSD
// Operands of OFP8 in a format that holds both of its own exactly: a sign, five bits of exponent
// and three of fraction; subnormals, infinities and NaNs as in IEEE-754. Combinational.
`default_nettype none

module td1_from_fp8 #(
    parameter ROWS     = 1,  // rows, each of one format
    parameter ELEMENTS = 1   // of a row
) (
    input  wire [           ROWS-1:0] e5m2_i,  // the row is of E5M2, not of E4M3
    input  wire [ROWS*ELEMENTS*8-1:0] x_i,     // element row * ELEMENTS + i
    output wire [ROWS*ELEMENTS*9-1:0] y_o      // the same values
);
  // E5M2 lacks a bit of fraction. E4M3 has a bias that is less by 8; its subnormals are normal
  // here, and of the highest exponent only the highest fraction is special, a NaN.
  function automatic [8:0] widen;  /*verilator no_inline_task*/
    input [7:0] x;
    input e5m2;
    reg [7:0] magnitude;
    begin
      if (e5m2) magnitude = {x[6:0], 1'b0};
      else if (&x[6:0]) magnitude = 8'hfc;
      else if (|x[6:3]) magnitude = {x[6], ~x[6], x[5:0]};
      else if (x[2]) magnitude = {5'd8, x[1:0], 1'b0};
      else if (x[1]) magnitude = {5'd7, x[0], 2'd0};
      else magnitude = {{5{x[0]}} & 5'd6, 3'd0};
      widen = {x[7], magnitude};
    end
  endfunction

  genvar row, i;
  for (row = 0; row < ROWS; row = row + 1) begin : g_row
    for (i = row * ELEMENTS; i < (row + 1) * ELEMENTS; i = i + 1) begin : g_element
      assign y_o[i*9+:9] = widen(x_i[i*8+:8], e5m2_i[row]);
    end
  end
endmodule
`default_nettype wire
