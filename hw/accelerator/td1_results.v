// SPDX-License-Identifier: 0BSD
// Result memory of a tile: words of STREAMS results in banks, so that the words of a row of LANES
// results lie beside each other. The collector writes a word, and reads one to add to it; the store
// engine reads rows.
`default_nettype none

module td1_results #(
    parameter STREAMS      = 4,    // results of a word: a power of two, 2..16
    parameter LANES        = 16,   // results of a row: a power of two, STREAMS..64
    parameter RESULT_WORDS = 1024  // words, a multiple of those of a row; two rows or more
) (
    input  wire                            clk_i,         // clock
    input  wire                            write_en_i,
    input  wire [$clog2(RESULT_WORDS)-1:0] write_word_i,
    input  wire [          STREAMS*32-1:0] write_data_i,
    // Never both in a clock; data follow by one
    input  wire                            row_en_i,
    input  wire                            word_en_i,     // without it, word_o is 0
    input  wire [$clog2(RESULT_WORDS)-1:0] word_i,        // the word, or the first one of the row
    output wire [            LANES*32-1:0] row_o,
    output wire [          STREAMS*32-1:0] word_o
);
  localparam BANKS = LANES / STREAMS, BANK_BITS = $clog2(BANKS);
  localparam ROWS = RESULT_WORDS / BANKS, ROW_BITS = $clog2(ROWS), WORD = STREAMS * 32;
  localparam WORD_BITS = $clog2(RESULT_WORDS);

  wire [BANKS-1:0] writes, reads;  // the bank of the word, one-hot
  if (BANKS == 1) begin : g_one
    assign {writes, reads} = 2'b11;
  end else begin : g_many
    localparam [BANKS-1:0] FIRST = 1;
    assign writes = FIRST << write_word_i[BANK_BITS-1:0];
    assign reads = FIRST << word_i[BANK_BITS-1:0];
  end

  reg [BANKS-1:0] reads_q;
  always @(posedge clk_i) reads_q <= reads & {BANKS{word_en_i}};
  genvar b;
  for (b = 0; b < BANKS; b = b + 1) begin : g_bank
    td1_ram #(.WORDS(ROWS), .WIDTH(WORD)) u_ram (
        .clk_i(clk_i), .write_en_i(write_en_i & writes[b]),
        .write_word_i(write_word_i[WORD_BITS-1-:ROW_BITS]), .write_data_i(write_data_i),
        .read_en_i(row_en_i | (word_en_i & reads[b])),
        .read_word_i(word_i[WORD_BITS-1-:ROW_BITS]), .read_data_o(row_o[b*WORD+:WORD])
    );
    wire [WORD-1:0] one = {WORD{reads_q[b]}} & row_o[b*WORD+:WORD];
    wire [WORD-1:0] some;  // of the banks up to this one
    if (b == 0) begin : g_first
      assign some = one;
    end else begin : g_next
      assign some = g_bank[b-1].some | one;
    end
  end
  assign word_o = g_bank[BANKS-1].some;
endmodule
`default_nettype wire
