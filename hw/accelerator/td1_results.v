// SPDX-License-Identifier: 0BSD
// Result memory of a tile: words of STREAMS results in banks, so that the words of a row of LANES
// results lie beside each other, and those of STORE_ROWS neighbouring rows, too. The collector
// writes words, and reads them to add to them; the store engine reads rows. Where the collector has
// two words at once, those an odd number of rows apart are in different banks: with one row to be
// read, neighbouring banks change places in every other row.
`default_nettype none

module td1_results #(
    parameter STREAMS       = 4,    // results of a word: a power of two, 2..16
    parameter LANES         = 16,   // results of a row: a power of two, STREAMS..64
    parameter RESULT_WORDS  = 1024, // words, a multiple of those of STORE_ROWS rows
    parameter COLLECT_WORDS = 1,    // words at once: 1, or 2 where a row has two or more
    parameter STORE_ROWS    = 1,    // rows at once: a power of two; twice as many or more are there
    parameter SET_BITS      = $clog2(RESULT_WORDS / (LANES / STREAMS) / STORE_ROWS)  // do not set
) (
    input  wire                                          clk_i,        // clock
    // Words, each in another bank
    input  wire [                     COLLECT_WORDS-1:0] write_en_i,
    input  wire [COLLECT_WORDS*$clog2(RESULT_WORDS)-1:0] write_word_i,
    input  wire [          COLLECT_WORDS*STREAMS*32-1:0] write_data_i,
    // Never rows and words in a clock; data follow by one. Row r is in set r % STORE_ROWS
    input  wire [                        STORE_ROWS-1:0] row_en_i,     // by set
    input  wire [               STORE_ROWS*SET_BITS-1:0] row_i,        // the row of the set
    input  wire [                     COLLECT_WORDS-1:0] word_en_i,    // without it, a word is 0
    input  wire [COLLECT_WORDS*$clog2(RESULT_WORDS)-1:0] word_i,
    output wire [               STORE_ROWS*LANES*32-1:0] row_o,        // by set
    output wire [          COLLECT_WORDS*STREAMS*32-1:0] word_o
);
  localparam ROW_BANKS = LANES / STREAMS, BANKS = STORE_ROWS * ROW_BANKS;  // a set's first
  localparam BANK_BITS = $clog2(BANKS);
  localparam WORDS = RESULT_WORDS / BANKS, WORD = STREAMS * 32;  // of a bank
  localparam WORD_BITS = $clog2(RESULT_WORDS);
  localparam [BANKS-1:0] FIRST = 1;

  // The words' places in their banks, and these, one-hot
  wire [COLLECT_WORDS*SET_BITS-1:0] write_row, word_row;
  wire [COLLECT_WORDS*BANKS-1:0] writes, reads;
  genvar w;
  for (w = 0; w < COLLECT_WORDS; w = w + 1) begin : g_word
    wire [WORD_BITS-1:0] to = write_word_i[w*WORD_BITS+:WORD_BITS];
    wire [WORD_BITS-1:0] from = word_i[w*WORD_BITS+:WORD_BITS];
    assign write_row[w*SET_BITS+:SET_BITS] = to[WORD_BITS-1-:SET_BITS];
    assign word_row[w*SET_BITS+:SET_BITS] = from[WORD_BITS-1-:SET_BITS];
    wire [BANKS-1:0] write_bank, word_bank;
    if (BANKS == 1) begin : g_one
      assign {write_bank, word_bank} = 2'b11;
    end else if (COLLECT_WORDS == 1 || STORE_ROWS > 1) begin : g_still
      assign write_bank = FIRST << to[BANK_BITS-1:0];
      assign word_bank = FIRST << from[BANK_BITS-1:0];
    end else begin : g_swapped
      localparam [BANK_BITS-1:0] NEXT = 1;
      assign write_bank = FIRST << (to[BANK_BITS-1:0] ^ (NEXT & {BANK_BITS{to[BANK_BITS]}}));
      assign word_bank = FIRST << (from[BANK_BITS-1:0] ^ (NEXT & {BANK_BITS{from[BANK_BITS]}}));
    end
    assign writes[w*BANKS+:BANKS] = write_bank & {BANKS{write_en_i[w]}};
    assign reads[w*BANKS+:BANKS] = word_bank & {BANKS{word_en_i[w]}};
  end

  reg [COLLECT_WORDS*BANKS-1:0] reads_q;
  always @(posedge clk_i) reads_q <= reads;
  wire [BANKS*WORD-1:0] read;  // by the banks
  genvar b;
  for (b = 0; b < BANKS; b = b + 1) begin : g_bank
    wire row_write, row_read;
    localparam SET = b / ROW_BANKS;
    wire [SET_BITS-1:0] to, from;
    wire [WORD-1:0] data;
    if (COLLECT_WORDS == 1) begin : g_first
      assign {row_write, row_read} = {writes[b], reads[b]};
      assign {to, from, data} = {write_row, word_row, write_data_i};
    end else begin : g_either
      assign row_write = writes[b] | writes[BANKS+b];
      assign row_read = reads[b] | reads[BANKS+b];
      assign to = writes[b] ? write_row[SET_BITS-1:0] : write_row[2*SET_BITS-1:SET_BITS];
      assign from = reads[b] ? word_row[SET_BITS-1:0] : word_row[2*SET_BITS-1:SET_BITS];
      assign data = writes[b] ? write_data_i[WORD-1:0] : write_data_i[2*WORD-1:WORD];
    end
    td1_ram #(.WORDS(WORDS), .WIDTH(WORD)) u_ram (
        .clk_i(clk_i), .write_en_i(row_write), .write_word_i(to), .write_data_i(data),
        .read_en_i(row_en_i[SET] | row_read),
        .read_word_i(row_en_i[SET] ? row_i[SET*SET_BITS+:SET_BITS] : from),
        .read_data_o(read[b*WORD+:WORD])
    );
  end
  for (w = 0; w < COLLECT_WORDS; w = w + 1) begin : g_out
    td1_select #(.WAYS(BANKS), .WIDTH(WORD)) u_word (
        .chosen_i(reads_q[w*BANKS+:BANKS]), .x_i(read), .y_o(word_o[w*WORD+:WORD])
    );
  end

  // Rows' words in their places
  if (COLLECT_WORDS == 1 || STORE_ROWS > 1) begin : g_still
    assign row_o = read;
  end else begin : g_swapped
    reg swapped_q;
    always @(posedge clk_i) if (row_en_i[0]) swapped_q <= row_i[0];
    for (b = 0; b < BANKS; b = b + 1) begin : g_place
      localparam OTHER = b % 2 == 0 ? b + 1 : b - 1;
      assign row_o[b*WORD+:WORD] = swapped_q ? read[OTHER*WORD+:WORD] : read[b*WORD+:WORD];
    end
  end
endmodule
`default_nettype wire
