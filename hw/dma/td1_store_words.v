// SPDX-License-Identifier: 0BSD
// Words of a result memory for the bursts that the store engine has put on the bus, one in each
// clock while they leave.
`default_nettype none

module td1_store_words #(
    parameter LANES        = 4,     // see td1_store
    parameter SEGMENT      = 2,     // see td1_store
    parameter WIDTH        = 16,    // see td1_store
    parameter UNIT_BITS    = 10,    // bits of a unit's number, see td1_store
    parameter TILE_BITS    = 1,     // bits of a tile's number, 1 or more
    parameter HALVES       = 0,     // see td1_store
    parameter OUTSTANDING  = 4      // see td1_store
) (
    input  wire                    clk_i,          // clock
    input  wire                    rst_ni,         // asynchronous reset, active low
    // Bursts; there is room for all that may be on the way
    input  wire                    burst_valid_i,  // one goes onto the bus
    input  wire [             6:0] burst_beats_i,  // its beats, 1..64
    input  wire [   UNIT_BITS-1:0] burst_unit_i,   // its first unit, see td1_store
    input  wire [   TILE_BITS-1:0] burst_tile_i,   // whose results
    input  wire                    burst_wide_i,   // in binary32, which operands are not
    // Result memories; a word comes two clocks after it is asked for
    output wire                    read_en_o,
    output wire [   TILE_BITS-1:0] read_tile_o,
    output wire [UNIT_BITS-HALVES-1:0] read_word_o,
    input  wire [  32*SEGMENT-1:0] read_data_i,
    // Words
    output wire                    word_valid_o,   // one is offered
    input  wire                    word_ready_i,   // ... and taken in this clock
    output wire [  32*SEGMENT-1:0] word_o,         // results
    output wire [             5:0] word_part_o,   // its number in its beat
    output wire                    word_upper_o,   // of a half: it is the upper one
    output wire                    word_wide_o,    // in binary32, which operands are not
    output wire                    word_fills_o,   // it completes its beat
    output wire                    word_last_o     // ... and its burst
);
  localparam PARTS = LANES / SEGMENT;  // words of a beat in the operands' format
  localparam NARROW = PARTS - 1;        // the last one
  localparam WIDE = WIDTH == 16 && HALVES == 0 ? PARTS / 2 - 1 : NARROW;  // ... in binary32
  localparam WORDS = 4;  // that are asked for, or wait: two clocks of reading, two of the queue

  // Words of the burst in use, one in each clock.
  wire bursts, ends_beat, ends_burst, wide, leaves;
  wire [6:0] beats;
  wire [UNIT_BITS-1:0] first;
  wire room;
  td1_fifo #(
      .WIDTH(8 + UNIT_BITS + TILE_BITS),
      .DEPTH(OUTSTANDING)
  ) u_bursts (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .in_valid_i (burst_valid_i),
      .in_ready_o (room),
      .in_data_i  ({burst_beats_i, burst_unit_i, burst_tile_i, burst_wide_i}),
      .out_valid_o(bursts),
      .out_ready_i(read_en_o & ends_burst),
      .out_data_o ({beats, first, read_tile_o, wide})
  );
  reg [2:0] asked_q;            // words that are asked for, or wait
  reg [5:0] part_q, beat_q;     // the word's number in its beat, the beat's in its burst
  reg [UNIT_BITS-1:0] done_q;   // units of the burst that are read
  wire [UNIT_BITS-1:0] unit = first + done_q;
  wire upper = (HALVES != 0) & wide & unit[0];
  assign ends_beat  = part_q == (wide ? WIDE[5:0] : NARROW[5:0]);
  assign ends_burst = ends_beat & ({1'b0, beat_q} == beats - 7'd1);
  assign read_en_o = bursts & (asked_q != WORDS[2:0]);
  assign read_word_o = unit[UNIT_BITS-1:HALVES];
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= 3'd0;
      {part_q, beat_q} <= 12'd0;
      done_q <= {UNIT_BITS{1'b0}};
    end else begin
      asked_q <= asked_q + {2'b00, read_en_o} - {2'b00, leaves};
      if (read_en_o) begin
        part_q <= ends_beat ? 6'd0 : part_q + 6'd1;
        beat_q <= ends_burst ? 6'd0 : beat_q + {5'd0, ends_beat};
        done_q <= ends_burst ? {UNIT_BITS{1'b0}}
                  : done_q + {{UNIT_BITS - 2{1'b0}}, (HALVES != 0 && !wide) ? 2'd2 : 2'd1};
      end
    end
  end

  // Two clocks later they arrive, with what is known of each.
  reg [1:0] arrives_q;
  wire [9:0] asked = {part_q, upper, wide, ends_beat, ends_burst};
  wire [9:0] arriving;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) arrives_q <= 2'b00;
    else arrives_q <= {arrives_q[0], read_en_o};
  end
  td1_pipe #(
      .WIDTH    (10),
      .REGISTERS(2)
  ) u_arriving (
      .clk_i(clk_i),
      .en_i (3'b111),
      .x_i  (asked),
      .y_o  (arriving)
  );
  wire words_room;
  wire unused = &{1'b0, room, words_room};
  td1_fifo #(
      .WIDTH(10 + 32 * SEGMENT),
      .DEPTH(WORDS)
  ) u_words (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .in_valid_i (arrives_q[1]),
      .in_ready_o (words_room),
      .in_data_i  ({arriving, read_data_i}),
      .out_valid_o(word_valid_o),
      .out_ready_i(word_ready_i),
      .out_data_o ({word_part_o, word_upper_o, word_wide_o, word_fills_o, word_last_o, word_o})
  );
  assign leaves = word_valid_o & word_ready_i;
endmodule
`default_nettype wire
