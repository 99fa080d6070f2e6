// SPDX-License-Identifier: 0BSD
// Store engine: results of a tile into memory, in the operands' format or in binary32.
// td1_transfer puts bursts on the bus, td1_store_rows reads what they write, td1_store_pack makes
// beats of it. A beat is as long as a row of memory: on a wider bus, a part of it.
`default_nettype none

module td1_store #(
    parameter LANES         = 4,     // lanes of a memory row; LANES*WIDTH is 32..512 bits
    parameter SEGMENT       = 2,     // results in a word, 2 or more; divides LANES
    parameter WIDTH         = 16,    // bits of an operand: 16 (bfloat16) or 32 (binary32)
    parameter TILES         = 1,     // tiles, 1..64
    parameter RESULT_WORDS  = 1024,  // words of a result memory, see td1_results
    parameter ADDRESS_WIDTH = 40,    // bits of an address, 32..64
    parameter OUTSTANDING   = 4,     // bursts on the way, 2 or more
    parameter BEAT_ROWS     = 1      // places for a row on the bus: a power of two
) (
    input  wire                                         clk_i,          // clock
    input  wire                                         rst_ni,         // reset, active low
    // Descriptors
    input  wire                                         desc_valid_i,   // one is offered
    output wire                                         desc_ready_o,   // all its bursts are cut
    input  wire [                                511:0] desc_i,         // see descriptors.toml
    output wire                                         done_o,         // the oldest is in memory
    output wire [                                  3:0] error_o,        // the oldest failed
    input  wire                                         halt_i,         // no new bursts
    output wire                                         quiet_o,        // no burst is on the way
    // Bytes that may be written
    input  wire [                    ADDRESS_WIDTH-1:0] window_begin_i, // the first
    input  wire [                    ADDRESS_WIDTH-1:0] window_end_i,   // behind the last
    // AXI4, writing
    output wire                                         aw_valid_o,
    input  wire                                         aw_ready_i,
    output wire [                    ADDRESS_WIDTH-1:0] aw_addr_o,
    output wire [                                  7:0] aw_len_o,
    output wire                                         w_valid_o,
    input  wire                                         w_ready_i,
    output wire [            BEAT_ROWS*LANES*WIDTH-1:0] w_data_o,
    output wire [          BEAT_ROWS*LANES*WIDTH/8-1:0] w_strb_o,
    output wire                                         w_last_o,
    input  wire                                         b_valid_i,
    output wire                                         b_ready_o,
    input  wire [                                  1:0] b_resp_i,
    // Result memories: a row comes two clocks after it is asked for
    output wire                                         read_en_o,
    output wire [(TILES > 1 ? $clog2(TILES) : 1) - 1:0] read_tile_o,
    output wire [             $clog2(RESULT_WORDS)-1:0] read_word_o,    // its first word
    input  wire [                         32*LANES-1:0] read_data_i,
    // What was written in the clock before: a row,
    output reg                                          wrote_o,
    output reg  [                                  7:0] result_count_o, // results
    output reg  [                                  7:0] zero_count_o    // ... that are 0 or -0
);
  localparam TILE_BITS = TILES > 1 ? $clog2(TILES) : 1;
  localparam BANK_BITS = $clog2(LANES / SEGMENT), ROWS = RESULT_WORDS / (LANES / SEGMENT);
  // A result memory is counted in units: rows, or halves of a row where that is a beat of binary32.
  localparam HALF = WIDTH == 16 ? 1 : 0;
  localparam UNITS = ROWS << HALF, UNIT_BITS = $clog2(UNITS);
  // descriptors.toml, store: tile wide word word_pitch
  localparam AT_TILE = 96, AT_WIDE = 104, AT_WORD = 192, AT_WORD_PITCH = 352;
  localparam [3:0] WRITE_ERROR = 4'd7;
  localparam ROOM = 5;  // three clocks of reading, two of the queue

  // Segments begin with a row's first word.
  wire [31:0] word = desc_i[AT_WORD+:32];
  wire [15:0] word_pitch = desc_i[AT_WORD_PITCH+:16];
  wire crosses = ((word >> BANK_BITS << BANK_BITS) != word)
              | ((word_pitch >> BANK_BITS << BANK_BITS) != word_pitch);

  wire [7:0] tile = desc_i[AT_TILE+:8];
  wire wide = desc_i[AT_WIDE] & (WIDTH == 16);
  wire taken, flies, tag, stop;
  localparam ROW_BYTES = LANES * WIDTH / 8, PLACE_BITS = BEAT_ROWS > 1 ? $clog2(BEAT_ROWS) : 1;
  localparam LAST_PLACE = BEAT_ROWS - 1;
  localparam [PLACE_BITS-1:0] MASK = LAST_PLACE[PLACE_BITS-1:0];
  wire [ADDRESS_WIDTH-1:0] address;
  wire [PLACE_BITS-1:0] place = address[$clog2(ROW_BYTES)+:PLACE_BITS];
  wire unused_address = &{1'b0, address};
  wire [6:0] beats;
  wire [UNIT_BITS-1:0] unit;
  wire unused = &{1'b0, tag, b_resp_i[0]};
  td1_transfer #(
      .BEAT_BYTES   (ROW_BYTES),
      .ADDRESS_WIDTH(ADDRESS_WIDTH),
      .LOCAL_UNITS  (UNITS),
      .OUTSTANDING  (OUTSTANDING),
      .TAG          (1)
  ) u_transfer (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .desc_valid_i  (desc_valid_i),
      .desc_ready_o  (desc_ready_o),
      .desc_i        (desc_i),
      .twice_i       (wide),
      .local_i       ({1'b0, word >> BANK_BITS} << HALF),
      .local_pitch_i ({1'b0, word_pitch >> BANK_BITS} << HALF),
      .local_shift_i ((HALF == 1 && !wide) ? 3'd1 : 3'd0),
      .refused_i     (crosses | ({24'd0, tile} >= TILES)),
      .blocks_i      (1'b0),
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
      .address_o     (address),
      .local_o       (unit),
      .tag_i         (1'b0),
      .flies_o       (flies),
      .tag_o         (tag),
      .answered_i    (b_valid_i),
      .answer_error_i({4{b_valid_i & b_resp_i[1]}} & WRITE_ERROR)
  );
  assign quiet_o = ~flies;
  assign b_ready_o = 1'b1;

  // What they write.
  wire row_valid, row_upper, row_wide, row_last, leaves;
  wire [PLACE_BITS-1:0] row_place;
  wire [UNIT_BITS-HALF-1:0] read_row;
  td1_store_rows #(
      .UNIT_BITS  (UNIT_BITS),
      .TILE_BITS  (TILE_BITS),
      .HALVES     (1 << HALF),
      .PLACE_BITS (PLACE_BITS),
      .OUTSTANDING(OUTSTANDING),
      .ROOM       (ROOM)
  ) u_rows (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .burst_valid_i(taken),
      .burst_beats_i(beats),
      .burst_unit_i (unit),
      .burst_tile_i (tile[TILE_BITS-1:0]),
      .burst_wide_i (wide),
      .burst_place_i(place),
      .read_en_o    (read_en_o),
      .read_tile_o  (read_tile_o),
      .read_row_o   (read_row),
      .row_valid_o  (row_valid),
      .row_upper_o  (row_upper),
      .row_wide_o   (row_wide),
      .row_place_o  (row_place),
      .row_last_o   (row_last),
      .leaves_i     (leaves)
  );
  if (BANK_BITS == 0) begin : g_word
    assign read_word_o = read_row;
  end else begin : g_row
    assign read_word_o = {read_row, {BANK_BITS{1'b0}}};
  end
  wire [LANES*WIDTH-1:0] packed_row;
  wire [LANES-1:0] packed_zero;
  td1_store_pack #(
      .LANES(LANES),
      .WIDTH(WIDTH)
  ) u_pack (
      .row_i  (read_data_i),
      .wide_i (row_wide),
      .upper_i(row_upper),
      .beat_o (packed_row),
      .zero_o (packed_zero)
  );
  wire beat_valid, beat_ready, beat_wide, beat_last, beat_room;
  wire [LANES*WIDTH-1:0] beat;
  wire [LANES-1:0] beat_zero;
  wire [PLACE_BITS-1:0] beat_place;
  wire unused_room = &{1'b0, beat_room};
  td1_fifo #(
      .WIDTH(LANES * WIDTH + LANES + 2 + PLACE_BITS),
      .DEPTH(8)
  ) u_beats (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .in_valid_i (row_valid),
      .in_ready_o (beat_room),
      .in_data_i  ({packed_row, packed_zero, row_wide, row_last, row_place & MASK}),
      .out_valid_o(beat_valid),
      .out_ready_i(beat_ready),
      .out_data_o ({beat, beat_zero, beat_wide, beat_last, beat_place})
  );
  assign leaves = beat_valid & beat_ready;
  // No more than an output stands between the bus and its ready. A beat that comes there while the
  // engine stops writes nothing.
  wire out_wide;
  wire [LANES-1:0] out_zero;
  wire [LANES*WIDTH-1:0] out;
  wire [PLACE_BITS-1:0] out_place;
  td1_skid #(.WIDTH(LANES * WIDTH + LANES + 2 + PLACE_BITS)) u_skid (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .in_valid_i (beat_valid),
      .in_ready_o (beat_ready),
      .in_data_i  ({beat, beat_zero, beat_wide, beat_last, beat_place}),
      .out_valid_o(w_valid_o),
      .out_ready_i(w_ready_i),
      .out_data_o ({out, out_zero, out_wide, w_last_o, out_place})
  );
  reg write_q;
  always @(posedge clk_i) if (~w_valid_o | w_ready_i) write_q <= ~stop;
  assign w_data_o = {BEAT_ROWS{out}};
  genvar p;
  for (p = 0; p < BEAT_ROWS; p = p + 1) begin : g_place
    localparam [PLACE_BITS-1:0] NUMBER = p;
    assign w_strb_o[p*ROW_BYTES+:ROW_BYTES] = {ROW_BYTES{write_q & (out_place == NUMBER)}};
  end

  // What was written is counted in the clock behind it.
  localparam SIZE = LANES, SIZE_WIDE = LANES / 2;  // results of a beat
  reg [7:0] zeros;
  integer k;
  always @* begin
    zeros = 8'd0;
    for (k = 0; k < LANES; k = k + 1) zeros = zeros + {7'd0, out_zero[k]};
  end
  wire sent = w_valid_o & w_ready_i & write_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {wrote_o, result_count_o, zero_count_o} <= 17'd0;
    else begin
      wrote_o <= sent;
      result_count_o <= {8{sent}} & (out_wide ? SIZE_WIDE[7:0] : SIZE[7:0]);
      zero_count_o   <= {8{sent}} & zeros;
    end
  end
endmodule
`default_nettype wire
