// SPDX-License-Identifier: 0BSD
// Interleave: where a row of an operand memory lies. Bits interleave_i and up of its number say in
// which bank; the others, together, in which word. Lower bits, as many as WRITE_ROWS needs, are
// mixed into the bank's highest: so WRITE_ROWS rows behind each other, wherever they begin, are in
// different banks, too. Rows that one fill reads at once are alike in these bits.
`default_nettype none

module td1_interleave #(
    parameter ROW_BITS   = 10,  // bits of a row's number
    parameter BANK_BITS  = 1,   // bits of a bank's number, 1 or more
    parameter WRITE_ROWS = 1    // a power of two, of less than BANK_BITS bits
) (
    input  wire [          ROW_BITS-1:0] row_i,
    input  wire [                   4:0] interleave_i,  // 0..ROW_BITS-BANK_BITS
    output wire [         BANK_BITS-1:0] bank_o,
    output wire [ROW_BITS-BANK_BITS-1:0] word_o
);
  wire [ROW_BITS-1:0] shifted = row_i >> interleave_i;
  wire unused = &{1'b0, shifted};
  if (WRITE_ROWS == 1) begin : g_straight
    assign bank_o = shifted[BANK_BITS-1:0];
  end else begin : g_mixed
    localparam MIX_BITS = $clog2(WRITE_ROWS);
    wire [4:0] below = interleave_i < MIX_BITS[4:0] ? interleave_i : MIX_BITS[4:0];
    wire [2*MIX_BITS-1:0] mix = {row_i[MIX_BITS-1:0], {MIX_BITS{1'b0}}} >> below;
    wire unused_mix = &{1'b0, mix};
    assign bank_o = shifted[BANK_BITS-1:0] ^ {mix[MIX_BITS-1:0], {BANK_BITS - MIX_BITS{1'b0}}};
  end
  genvar b;
  for (b = 0; b < ROW_BITS - BANK_BITS; b = b + 1) begin : g_bit
    localparam [5:0] NUMBER = b;
    assign word_o[b] = NUMBER < {1'b0, interleave_i} ? row_i[b] : row_i[b+BANK_BITS];
  end
endmodule
`default_nettype wire
