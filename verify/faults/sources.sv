// SPDX-License-Identifier: Apache-2.0
// Drives the intakes of a sparse and a dense tile with random rows. Their assertions must be seen to
// fail, so +violate=NAME breaks one rule of the row handshakes.
`default_nettype none

module sources (
    input wire clk,
    input wire rst_n
);
  localparam DEPTH = 2;  // three rows can be offered, which are too many
  localparam [1:0] MOST = DEPTH;

  bit [1:0] a_valid, b_valid;
  bit [DEPTH-1:0] last, last_of_output, clear;
  bit dense, enables;

  td1_intake #(.ROWS(1), .DEPTH(DEPTH)) u_sparse (
      .clk_i(clk), .rst_ni(rst_n), .a_valid_i(a_valid), .b_valid_i(b_valid), .b_last_i(last),
      .b_last_of_output_i(last_of_output), .dense_i(dense), .clear_i(clear), .enables_i(enables)
  );
  td1_dense_intake #(.DEPTH(DEPTH)) u_dense (
      .clk_i(clk), .rst_ni(rst_n), .a_valid_i(a_valid), .b_valid_i(b_valid), .b_last_i(last[0]),
      .b_last_of_output_i(last_of_output[0]), .enables_i(enables)
  );

  string violation;
  always @(negedge clk) begin
    a_valid = 2'($urandom_range(DEPTH));
    b_valid = 2'($urandom_range(DEPTH));
    last = DEPTH'($urandom);
    last_of_output = last & DEPTH'($urandom);
    clear = {1'($urandom), 1'b1};
    {dense, enables} = 2'($urandom);
    if (violation == "side A offers too many rows") a_valid = MOST + 1;
    if (violation == "side B offers too many rows") b_valid = MOST + 1;
    if (violation == "last_of_output without last") last_of_output = '1;
  end
  initial if ($value$plusargs("violate=%s", violation)) ;
endmodule
`default_nettype wire
