// SPDX-License-Identifier: 0BSD
// Collector of a tile: writes its outputs into the result memory, or adds them to what is there. A
// word of the memory holds STREAMS neighbouring lanes of a result row; the lanes are side A's
// streams, or side B's. A word moves in a clock, or two where they are in different banks.
`default_nettype none

module td1_collector #(
    parameter STREAMS         = 4,    // tile rows, and columns, 2..16
    parameter LANES           = 16,   // results of a row, see td1_results
    parameter RESULT_WORDS    = 1024, // words of the result memory
    parameter COLLECT_WORDS   = 1,    // words that move in a clock at most, see td1_results
    parameter STORE_ROWS      = 1,    // see td1_results
    parameter ADDER_REGISTERS = 2,    // in the adder that accumulates, 0..3
    parameter SET_BITS = $clog2(RESULT_WORDS / (LANES / STREAMS) / STORE_ROWS)  // do not set
) (
    input  wire                            clk_i,           // clock
    input  wire                            rst_ni,          // asynchronous reset, active low
    // Compute
    input  wire                            start_i,         // begin; the next six stay while busy_o
    input  wire                            lanes_on_b_i,
    input  wire                            accumulate_i,
    input  wire [                    15:0] a_groups_i,
    input  wire [                    15:0] b_groups_i,
    input  wire [                    15:0] word_i,          // first word
    input  wire [                    15:0] pitch_i,         // words from result row to result row
    output wire                            busy_o,
    output wire                            error_o,         // there is no such word
    // Tile, see td1_tile
    input  wire                            out_valid_i,
    output wire                            out_ready_o,
    input  wire [  STREAMS*STREAMS*32-1:0] out_data_i,
    // Result memory; the store engine reads it, too: what accumulates waits for it
    input  wire [          STORE_ROWS-1:0] store_en_i,
    input  wire [ STORE_ROWS*SET_BITS-1:0] store_row_i,
    output wire [ STORE_ROWS*LANES*32-1:0] store_data_o     // one clock later
);
  localparam WORD_BITS = $clog2(RESULT_WORDS);
  localparam WORD = STREAMS * 32;
  localparam STAGES = ADDER_REGISTERS + 1;  // from reading to writing
  localparam [STREAMS-1:0] FIRST = 1;

  // Place of the next word. Side B's groups are the outer loop; the pass's words are the inner one.
  reg [STREAMS-1:0] part_q;          // which tile row, or column; of two, the first
  reg [15:0] a_group_q, b_group_q;
  reg [16:0] word_q;                 // of this word
  reg [16:0] pass_q, next_q;         // of the first word of the pass, of the next group of side B
  wire [STAGES:0] moving;            // bit k: words are k clocks behind their reading
  wire pairs;                        // two at once
  wire pass_ends = pairs ? part_q[STREAMS-2] : part_q[STREAMS-1];
  reg [15:0] a_last_q, b_last_q;     // the last groups
  wire a_ends = a_group_q == a_last_q;
  wire ends = pass_ends & a_ends & (b_group_q == b_last_q);
  wire [16:0] second = word_q + {1'b0, pitch_i};
  wire [16:0] behind = pairs ? second + {1'b0, pitch_i} : second;

  // All words of a compute are written before the next one, which may add to them, begins.
  reg open_q;
  reg [STAGES:1] moving_q;
  assign moving = {moving_q, open_q & out_valid_i & ~((|store_en_i) & accumulate_i)};
  assign out_ready_o = moving[0] & pass_ends;
  assign busy_o = open_q | (|moving_q);
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= 1'b0;
      moving_q <= {STAGES{1'b0}};
    end else begin
      open_q <= start_i | (open_q & ~(moving[0] & ends));
      moving_q <= moving[STAGES-1:0];
    end
  end

  always @(posedge clk_i) begin
    if (start_i) begin
      part_q <= FIRST;
      {a_group_q, b_group_q} <= 32'd0;
      {a_last_q, b_last_q} <= {a_groups_i - 16'd1, b_groups_i - 16'd1};
      {word_q, pass_q, next_q} <= {3{1'b0, word_i}};
    end else if (moving[0]) begin
      part_q <= pairs ? (part_q << 2) | (part_q >> (STREAMS - 2))
                      : (part_q << 1) | (part_q >> (STREAMS - 1));
      word_q <= behind;
      if (pass_ends) begin
        a_group_q <= a_ends ? 16'd0 : a_group_q + 16'd1;
        b_group_q <= b_group_q + {15'd0, a_ends};
        if (lanes_on_b_i) begin
          if (a_ends) {word_q, pass_q} <= {2{pass_q + 17'd1}};
        end else begin
          if (a_group_q == 16'd0) next_q <= behind;
          {word_q, pass_q} <= {2{~a_ends ? pass_q + 17'd1 : a_group_q == 16'd0 ? behind : next_q}};
        end
      end
    end
  end

  // A tile row's outputs, or a column's; adding to -0 changes nothing, and what is not read is 0.
  wire [COLLECT_WORDS*WORD-1:0] old, sums;
  wire [COLLECT_WORDS*17-1:0] read, written;
  reg  adds_q;
  always @(posedge clk_i) adds_q <= accumulate_i;
  assign read[16:0] = word_q;
  genvar w, i, j;
  for (w = 0; w < COLLECT_WORDS; w = w + 1) begin : g_word
    wire [STREAMS-1:0] part = part_q << w;
    wire [WORD-1:0] outputs;
    for (i = 0; i < STREAMS; i = i + 1) begin : g_lane
      wire [WORD-1:0] parts;
      for (j = 0; j < STREAMS; j = j + 1) begin : g_part
        assign parts[j*32+:32] = lanes_on_b_i ? out_data_i[(i*STREAMS+j)*32+:32]
                                              : out_data_i[(j*STREAMS+i)*32+:32];
      end
      td1_select #(.WAYS(STREAMS), .WIDTH(32)) u_part (
          .chosen_i(part), .x_i(parts), .y_o(outputs[i*32+:32])
      );
    end
    reg [WORD-1:0] outputs_q;
    always @(posedge clk_i) if (moving[0]) outputs_q <= outputs;
    td1_pipe #(.WIDTH(17), .REGISTERS(STAGES)) u_word (
        .clk_i(clk_i), .en_i(moving), .x_i(read[w*17+:17]), .y_o(written[w*17+:17])
    );
    for (i = 0; i < STREAMS; i = i + 1) begin : g_adder
      td1_adder #(.REGISTERS(ADDER_REGISTERS)) u_adder (
          .clk_i(clk_i), .en_i({ADDER_REGISTERS + 1{1'b1}}),
          .a_i(old[w*WORD+i*32+:32] | {~adds_q, 31'd0}), .b_i(outputs_q[i*32+:32]),
          .y_o(sums[w*WORD+i*32+:32])
      );
    end
  end
  wire [COLLECT_WORDS*WORD_BITS-1:0] read_word, written_word;
  wire [COLLECT_WORDS-1:0] used, none;  // words that move; there are no such ones
  localparam WORDS = RESULT_WORDS;
  for (w = 0; w < COLLECT_WORDS; w = w + 1) begin : g_place
    assign read_word[w*WORD_BITS+:WORD_BITS] = read[w*17+:WORD_BITS];
    assign written_word[w*WORD_BITS+:WORD_BITS] = written[w*17+:WORD_BITS];
    assign none[w] = read[w*17+:17] >= WORDS[16:0];
  end
  if (COLLECT_WORDS == 1) begin : g_one
    assign {pairs, used} = 2'b01;
  end else begin : g_two
    localparam BANK_BITS = $clog2(LANES / STREAMS);
    assign read[33:17] = second;
    assign pairs = pitch_i[BANK_BITS] & ~(|pitch_i[BANK_BITS-1:0]);  // an odd number of rows
    assign used = {pairs, 1'b1};
  end
  td1_results #(
      .STREAMS(STREAMS), .LANES(LANES), .RESULT_WORDS(RESULT_WORDS),
      .COLLECT_WORDS(COLLECT_WORDS), .STORE_ROWS(STORE_ROWS)
  ) u_results (
      .clk_i(clk_i), .write_en_i(used & {COLLECT_WORDS{moving[STAGES]}}),
      .write_word_i(written_word), .write_data_i(sums), .row_en_i(store_en_i), .row_i(store_row_i),
      .word_en_i(used & {COLLECT_WORDS{moving[0] & accumulate_i}}), .word_i(read_word),
      .row_o(store_data_o), .word_o(old)
  );
  wire unused = &{1'b0, written};
  assign error_o = moving[0] & (|(used & none));
endmodule
`default_nettype wire
