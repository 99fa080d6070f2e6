// SPDX-License-Identifier: 0BSD
// Memory with a write port and a read port, whose data follow read_en_i by one clock and then stay.
// Behavioural: a chip puts its own macros into this module. Nobody relies on what is read of a word
// in the clock in which it is written.
`default_nettype none

module td1_ram #(
    parameter WORDS = 16,  // 2 or more
    parameter WIDTH = 8,   // bits of a word
    parameter PARTS = 1    // of a word that are written apart; divides WIDTH
) (
    input  wire                           clk_i,         // clock
    input  wire [              PARTS-1:0] write_en_i,    // write these parts, the low bits' first
    input  wire [PARTS*$clog2(WORDS)-1:0] write_word_i,  // of each part
    input  wire [              WIDTH-1:0] write_data_i,
    input  wire                           read_en_i,
    input  wire [      $clog2(WORDS)-1:0] read_word_i,
    output wire [              WIDTH-1:0] read_data_o
);
  localparam PART = WIDTH / PARTS, WORD_BITS = $clog2(WORDS);

  genvar p;
  for (p = 0; p < PARTS; p = p + 1) begin : g_part
    reg [PART-1:0] words_q[0:WORDS-1];
    reg [PART-1:0] read_q;
    always @(posedge clk_i) begin
      if (write_en_i[p]) begin
        words_q[write_word_i[p*WORD_BITS+:WORD_BITS]] <= write_data_i[p*PART+:PART];
      end
      if (read_en_i) read_q <= words_q[read_word_i];
    end
    assign read_data_o[p*PART+:PART] = read_q;
  end
endmodule
`default_nettype wire
