// SPDX-License-Identifier: 0BSD
// Operand memory of a side: as many banks as rows are read in a clock, each of another bank. How
// rows are interleaved over the banks is the descriptors'; see td1_interleave.
`default_nettype none

module td1_operands #(
    parameter ROW          = 256,  // bits of a row
    parameter OPERAND_ROWS = 1024, // rows, 2 or more; a power of two if there are several banks
    parameter FILL_ROWS    = 1,    // banks: a power of two, 1..16
    parameter WRITE_ROWS   = 1     // rows that are written in a clock, see td1_interleave
) (
    input  wire                                      clk_i,              // clock
    // Load: rows behind each other, the first in the low bits
    input  wire [                    WRITE_ROWS-1:0] write_en_i,
    input  wire [                               4:0] write_interleave_i,
    input  wire [          $clog2(OPERAND_ROWS)-1:0] write_row_i,        // the first
    input  wire [                WRITE_ROWS*ROW-1:0] write_data_i,
    // Fill; the first row in the low bits
    input  wire [                     FILL_ROWS-1:0] read_en_i,
    input  wire [                               4:0] read_interleave_i,
    input  wire [FILL_ROWS*$clog2(OPERAND_ROWS)-1:0] read_row_i,
    output wire [                 FILL_ROWS*ROW-1:0] read_data_o,        // one clock later
    output wire                                      clash_o             // two are in one bank
);
  localparam ROW_BITS = $clog2(OPERAND_ROWS);

  if (FILL_ROWS == 1) begin : g_one
    wire unused = &{1'b0, write_interleave_i, read_interleave_i};
    assign clash_o = 1'b0;
    td1_ram #(.WORDS(OPERAND_ROWS), .WIDTH(ROW)) u_ram (
        .clk_i(clk_i), .write_en_i(write_en_i), .write_word_i(write_row_i),
        .write_data_i(write_data_i), .read_en_i(read_en_i), .read_word_i(read_row_i),
        .read_data_o(read_data_o)
    );
  end else begin : g_banks
    localparam BANK_BITS = $clog2(FILL_ROWS), WORD_BITS = ROW_BITS - BANK_BITS;
    wire [WRITE_ROWS*FILL_ROWS-1:0] comes;        // bit r*FILL_ROWS+b: row r, to bank b
    wire [WRITE_ROWS*WORD_BITS-1:0] write_words;  // by row
    wire [FILL_ROWS*FILL_ROWS-1:0] asked;  // bit r*FILL_ROWS+b: row r, of bank b
    wire [FILL_ROWS*WORD_BITS-1:0] words;  // by row
    wire [FILL_ROWS*ROW-1:0] data;         // by bank
    wire [FILL_ROWS-1:0] clash;            // by bank
    assign clash_o = |clash;
    genvar r, b;
    for (r = 0; r < WRITE_ROWS; r = r + 1) begin : g_write
      localparam [ROW_BITS-1:0] NUMBER = r;
      wire [BANK_BITS-1:0] bank;
      td1_interleave #(
          .ROW_BITS(ROW_BITS), .BANK_BITS(BANK_BITS), .WRITE_ROWS(WRITE_ROWS)
      ) u_write (
          .row_i(write_row_i + NUMBER), .interleave_i(write_interleave_i), .bank_o(bank),
          .word_o(write_words[r*WORD_BITS+:WORD_BITS])
      );
      assign comes[r*FILL_ROWS+:FILL_ROWS] = {{FILL_ROWS-1{1'b0}}, write_en_i[r]} << bank;
    end
    for (r = 0; r < FILL_ROWS; r = r + 1) begin : g_row
      wire [BANK_BITS-1:0] bank;
      reg  [BANK_BITS-1:0] bank_q;
      td1_interleave #(.ROW_BITS(ROW_BITS), .BANK_BITS(BANK_BITS), .WRITE_ROWS(WRITE_ROWS)) u_read (
          .row_i(read_row_i[r*ROW_BITS+:ROW_BITS]), .interleave_i(read_interleave_i),
          .bank_o(bank), .word_o(words[r*WORD_BITS+:WORD_BITS])
      );
      always @(posedge clk_i) bank_q <= bank;
      assign asked[r*FILL_ROWS+:FILL_ROWS] = {{FILL_ROWS-1{1'b0}}, read_en_i[r]} << bank;
      assign read_data_o[r*ROW+:ROW] = data[bank_q*ROW+:ROW];
    end
    for (b = 0; b < FILL_ROWS; b = b + 1) begin : g_bank
      wire [FILL_ROWS-1:0] mine, earlier;  // rows of this bank; those with one before them
      for (r = 0; r < FILL_ROWS; r = r + 1) begin : g_of
        assign mine[r] = asked[r*FILL_ROWS+b];
        assign earlier[r] = |(mine & ~({FILL_ROWS{1'b1}} << r));
      end
      assign clash[b] = |(mine & earlier);
      wire [WRITE_ROWS-1:0] written;  // the row that is written: at most one
      for (r = 0; r < WRITE_ROWS; r = r + 1) begin : g_from
        assign written[r] = comes[r*FILL_ROWS+b];
      end
      // A lone row need not be selected: the enable does.
      wire [WRITE_ROWS-1:0] chosen = written | {WRITE_ROWS{WRITE_ROWS == 1}};
      wire [WORD_BITS-1:0] word, write_word;
      wire [ROW-1:0] write_data;
      td1_select #(.WAYS(FILL_ROWS), .WIDTH(WORD_BITS)) u_word (
          .chosen_i(mine), .x_i(words), .y_o(word)
      );
      td1_select #(.WAYS(WRITE_ROWS), .WIDTH(WORD_BITS)) u_write_word (
          .chosen_i(chosen), .x_i(write_words), .y_o(write_word)
      );
      td1_select #(.WAYS(WRITE_ROWS), .WIDTH(ROW)) u_write_data (
          .chosen_i(chosen), .x_i(write_data_i), .y_o(write_data)
      );
      td1_ram #(.WORDS(1 << WORD_BITS), .WIDTH(ROW)) u_ram (
          .clk_i(clk_i), .write_en_i(|written), .write_word_i(write_word),
          .write_data_i(write_data), .read_en_i(|mine), .read_word_i(word),
          .read_data_o(data[b*ROW+:ROW])
      );
    end
  end
endmodule
`default_nettype wire
