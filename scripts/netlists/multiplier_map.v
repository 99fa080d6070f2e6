// SPDX-License-Identifier: Apache-2.0
// How Yosys shall build a product of long unsigned factors. It would add one row of partial products
// for each bit of B; one row for each radix-4 Booth digit takes less area, except for short factors.
(* techmap_celltype = "$mul" *)
module booth_multiplier (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH  = 1;
  parameter B_WIDTH  = 1;
  parameter Y_WIDTH  = 1;
  input  [A_WIDTH-1:0] A;
  input  [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  wire _TECHMAP_FAIL_ = A_SIGNED || B_SIGNED || A_WIDTH <= 8 || A_WIDTH != B_WIDTH
      || Y_WIDTH != A_WIDTH + B_WIDTH;

  localparam PRODUCT = A_WIDTH + B_WIDTH + 2;  // bits of the sum of all rows
  localparam [PRODUCT-1:0] EVEN = {PRODUCT / 2{2'b01}};  // where rows begin
  wire [B_WIDTH+2:0] digits = {2'd0, B, 1'b0};
  wire [PRODUCT-1:0] negative = digits[B_WIDTH+2:2] & EVEN;
  wire [PRODUCT-1:0] signs = EVEN << (A_WIDTH + 1);
  wire [PRODUCT-1:0] product;
  genvar i;
  for (i = 0; i <= B_WIDTH; i = i + 2) begin : g_row
    wire once = digits[i] ^ digits[i+1];
    wire twice = (digits[i+1] ^ digits[i+2]) & ~once;
    wire minus = digits[i+2];
    wire [A_WIDTH:0] row =
        ({1'b0, A} & {A_WIDTH + 1{once}}) | ({A, 1'b0} & {A_WIDTH + 1{twice}});
    // A negative row is its complement and one; -sign is ~sign - 1, for all rows one constant.
    wire [PRODUCT-1:0] shifted = {~minus, row ^ {A_WIDTH + 1{minus}}} << i;
    wire [PRODUCT-1:0] sum;
    if (i == 0) begin : g_first
      assign sum = shifted;
    end else begin : g_next
      assign sum = g_row[i-2].sum + shifted;
    end
  end
  assign product = g_row[B_WIDTH-B_WIDTH%2].sum + negative - signs;
  assign Y = product[Y_WIDTH-1:0];
endmodule
