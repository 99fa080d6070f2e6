// SPDX-License-Identifier: 0BSD
// Store engine: results of a tile into memory, in the operands' format or in binary32.
// td1_transfer puts bursts on the bus, td1_store_words and td1_store_pack make what they write.
`default_nettype none

module td1_store #(
    parameter LANES         = 4,     // lanes of a memory row; LANES*WIDTH is 32..512 bits
    parameter SEGMENT       = 2,     // results in a word, 2 or more; divides LANES
    parameter WIDTH         = 16,    // bits of an operand: 16 (bfloat16) or 32 (binary32)
    parameter TILES         = 1,     // tiles, 1..64
    parameter RESULT_WORDS  = 1024,  // words of a result memory, 8..65536
    parameter ADDRESS_WIDTH = 40,    // bits of an address, 32..64
    parameter OUTSTANDING   = 4      // bursts on the way, 2 or more
) (
    input  wire                                          clk_i,           // clock
    input  wire                                          rst_ni,          // reset, active low
    // Descriptors
    input  wire                                          desc_valid_i,    // one is offered
    output wire                                          desc_ready_o,    // all its bursts are cut
    input  wire [                                 511:0] desc_i,          // see descriptors.toml
    output wire                                          done_o,          // the oldest is in memory
    output wire [                                   3:0] error_o,         // the oldest failed
    input  wire                                          halt_i,          // no new bursts
    output wire                                          quiet_o,         // no burst is on the way
    // Bytes that may be written
    input  wire [                     ADDRESS_WIDTH-1:0] window_begin_i,  // the first
    input  wire [                     ADDRESS_WIDTH-1:0] window_end_i,    // behind the last
    // AXI4, writing
    output wire                                          aw_valid_o,
    input  wire                                          aw_ready_i,
    output wire [                     ADDRESS_WIDTH-1:0] aw_addr_o,
    output wire [                                   7:0] aw_len_o,
    output wire                                          w_valid_o,
    input  wire                                          w_ready_i,
    output wire [                       LANES*WIDTH-1:0] w_data_o,
    output wire [                     LANES*WIDTH/8-1:0] w_strb_o,
    output wire                                          w_last_o,
    input  wire                                          b_valid_i,
    output wire                                          b_ready_o,
    input  wire [                                   1:0] b_resp_i,
    // Result memories, when that of read_tile_o is ready; a word comes two clocks after it is asked
    // for
    output wire                                          read_en_o,
    output wire [(TILES > 1 ? $clog2(TILES) : 1) - 1:0] read_tile_o,
    output wire [              $clog2(RESULT_WORDS)-1:0] read_word_o,
    input  wire [                        32*SEGMENT-1:0] read_data_i,
    // What is written in this clock
    output wire [                                   7:0] result_count_o,  // results
    output wire [                                   7:0] zero_count_o     // ... that are 0 or -0
);
  localparam TILE_BITS = TILES > 1 ? $clog2(TILES) : 1;
  // A result memory is counted in units: words, or halves of a word where a beat of
  // binary32 is half of one.
  localparam HALVES = (WIDTH == 16 && LANES == SEGMENT) ? 1 : 0;
  localparam UNITS = RESULT_WORDS << HALVES;
  localparam UNIT_BITS = $clog2(UNITS);
  localparam NARROW = HALVES != 0 ? 1 : $clog2(LANES / SEGMENT);  // log2 of a beat's units
  localparam WIDE = WIDTH == 16 ? NARROW - 1 : NARROW;            // ... in binary32
  localparam TILE = 96, IS_WIDE = 104, WORD = 192, WORD_PITCH = 352;

  wire [7:0] tile = desc_i[TILE+:8];
  wire wide = desc_i[IS_WIDE] & (WIDTH == 16);
  wire taken, flies, tag, stop;
  wire [6:0] beats;
  wire [UNIT_BITS-1:0] unit;
  wire unused = &{1'b0, tag, b_resp_i[0]};
  td1_transfer #(
      .BEAT_BYTES   (LANES * WIDTH / 8),
      .ADDRESS_WIDTH(ADDRESS_WIDTH),
      .LOCAL_UNITS  (UNITS),
      .OUTSTANDING  (OUTSTANDING),
      .TAG          (1),
      .BUS_ERROR    (7)
  ) u_transfer (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .desc_valid_i  (desc_valid_i),
      .desc_ready_o  (desc_ready_o),
      .desc_i        (desc_i),
      .twice_i       (wide),
      .local_i       ({1'b0, desc_i[WORD+:32]} << HALVES),
      .local_pitch_i ({1'b0, desc_i[WORD_PITCH+:16]} << HALVES),
      .local_shift_i (wide ? WIDE[2:0] : NARROW[2:0]),
      .refused_i     ({24'd0, tile} >= TILES),
      .done_o        (done_o),
      .error_o       (error_o),
      .halt_i        (halt_i),
      .stop_o        (stop),
      .window_begin_i(window_begin_i),
      .window_end_i  (window_end_i),
      .a_valid_o     (aw_valid_o),
      .a_ready_i     (aw_ready_i),
      .a_addr_o      (aw_addr_o),
      .a_len_o       (aw_len_o),
      .taken_o       (taken),
      .beats_o       (beats),
      .local_o       (unit),
      .tag_i         (1'b0),
      .flies_o       (flies),
      .tag_o         (tag),
      .answered_i    (b_valid_i),
      .bad_i         (b_valid_i & b_resp_i[1])
  );
  assign quiet_o = ~flies;
  assign b_ready_o = 1'b1;

  // What they write.
  wire word_valid, word_ready, word_upper, word_wide, word_fills, word_last;
  wire [32*SEGMENT-1:0] word;
  wire [5:0] word_part;
  td1_store_words #(
      .LANES      (LANES),
      .SEGMENT    (SEGMENT),
      .WIDTH      (WIDTH),
      .UNIT_BITS  (UNIT_BITS),
      .TILE_BITS  (TILE_BITS),
      .HALVES     (HALVES),
      .OUTSTANDING(OUTSTANDING)
  ) u_words (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .burst_valid_i(taken),
      .burst_beats_i(beats),
      .burst_unit_i (unit),
      .burst_tile_i (tile[TILE_BITS-1:0]),
      .burst_wide_i (wide),
      .read_en_o    (read_en_o),
      .read_tile_o  (read_tile_o),
      .read_word_o  (read_word_o),
      .read_data_i  (read_data_i),
      .word_valid_o (word_valid),
      .word_ready_i (word_ready),
      .word_o       (word),
      .word_part_o (word_part),
      .word_upper_o (word_upper),
      .word_wide_o  (word_wide),
      .word_fills_o (word_fills),
      .word_last_o  (word_last)
  );
  wire beat_valid, beat_ready, beat_last;
  wire [LANES*WIDTH-1:0] beat;
  wire [7:0] results, zeros;
  td1_store_pack #(
      .LANES  (LANES),
      .SEGMENT(SEGMENT),
      .WIDTH  (WIDTH)
  ) u_pack (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .word_valid_i  (word_valid),
      .word_ready_o  (word_ready),
      .word_i        (word),
      .word_part_i  (word_part),
      .word_upper_i  (word_upper),
      .word_wide_i   (word_wide),
      .word_fills_i  (word_fills),
      .word_last_i   (word_last),
      .beat_valid_o  (beat_valid),
      .beat_ready_i  (beat_ready),
      .beat_o        (beat),
      .beat_last_o   (beat_last),
      .result_count_o(results),
      .zero_count_o  (zeros)
  );

  // No more than an output stands between the bus and its ready. A beat that comes there while the
  // engine stops writes nothing.
  wire [7:0] result_count, zero_count;
  td1_skid #(.WIDTH(LANES * WIDTH + 17)) u_beats (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .in_valid_i (beat_valid),
      .in_ready_o (beat_ready),
      .in_data_i  ({beat, beat_last, results, zeros}),
      .out_valid_o(w_valid_o),
      .out_ready_i(w_ready_i),
      .out_data_o ({w_data_o, w_last_o, result_count, zero_count})
  );
  reg write_q;
  always @(posedge clk_i) if (~w_valid_o | w_ready_i) write_q <= ~stop;
  assign w_strb_o = {LANES * WIDTH / 8{write_q}};
  wire sent = w_valid_o & w_ready_i & write_q;
  assign result_count_o = result_count & {8{sent}};
  assign zero_count_o = zero_count & {8{sent}};
endmodule
`default_nettype wire
