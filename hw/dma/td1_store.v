// SPDX-License-Identifier: 0BSD
// Store engine: results of a tile into memory, in the operands' format or in one that is twice as
// wide: binary32 or, of operands of OFP8, bfloat16, in which these results always are.
// td1_transfer puts bursts on the bus, td1_store_rows reads what they write, td1_store_pack makes
// beats of it. Bursts are cut in rows of memory; a beat has those of its places that a burst has.
`default_nettype none

module td1_store #(
    parameter LANES         = 4,     // lanes of a memory row; LANES*WIDTH is 32..512 bits
    parameter SEGMENT       = 2,     // results in a word, 2 or more; divides LANES
    parameter WIDTH         = 16,    // bits of an operand: 8 (OFP8), 16 (bfloat16) or 32
    parameter TILES         = 1,     // tiles, 1..64
    parameter RESULT_WORDS  = 1024,  // words of a result memory, see td1_results
    parameter ADDRESS_WIDTH = 40,    // bits of an address, 32..64
    parameter OUTSTANDING   = 4,     // bursts on the way, 2 or more
    parameter BEAT_ROWS     = 2,     // rows of a bus beat: a power of two
    parameter SET_BITS      = $clog2(RESULT_WORDS / (LANES / SEGMENT) / BEAT_ROWS)  // do not set
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
    // Result memories, see td1_results: rows come two clocks after they are asked for
    output wire [                        BEAT_ROWS-1:0] read_en_o,
    output wire [(TILES > 1 ? $clog2(TILES) : 1) - 1:0] read_tile_o,
    output wire [               BEAT_ROWS*SET_BITS-1:0] read_row_o,
    input  wire [               BEAT_ROWS*32*LANES-1:0] read_data_i,
    // What was written in the clock before: bytes,
    output reg  [                                  7:0] written_o,
    output reg  [                                  7:0] result_count_o, // results
    output reg  [                                  7:0] zero_count_o    // ... that are 0 or -0
);
  localparam TILE_BITS = TILES > 1 ? $clog2(TILES) : 1;
  localparam BANK_BITS = $clog2(LANES / SEGMENT), RESULT_ROWS = RESULT_WORDS / (LANES / SEGMENT);
  // A result memory is counted in units: rows, or halves of a row where these are places of beats.
  localparam HALF = WIDTH == 32 ? 0 : 1;
  localparam UNITS = RESULT_ROWS << HALF, UNIT_BITS = $clog2(UNITS);
  // descriptors.toml, store: tile wide word word_pitch
  localparam AT_TILE = 96, AT_WIDE = 104, AT_WORD = 192, AT_WORD_PITCH = 352;
  localparam [3:0] WRITE_ERROR = 4'd7;
  localparam BURSTS = 4;  // that are on the way and not read yet, at most
  localparam ROOM = 5;    // three clocks of reading, two of the queue

  // Segments begin with a row's first word.
  wire [31:0] word = desc_i[AT_WORD+:32];
  wire [15:0] word_pitch = desc_i[AT_WORD_PITCH+:16];
  wire crosses = ((word >> BANK_BITS << BANK_BITS) != word)
              | ((word_pitch >> BANK_BITS << BANK_BITS) != word_pitch);

  wire [7:0] tile = desc_i[AT_TILE+:8];
  wire wide = desc_i[AT_WIDE] & (HALF == 1);
  wire taken, flies, tag, stop;
  wire [UNIT_BITS-1:0] unit;
  wire unused = &{1'b0, tag, b_resp_i[0]};

  // A burst's address and length, in rows, are made those of the beats that hold them.
  localparam ROW = LANES * WIDTH, SHIFT = $clog2(ROW / 8), BEAT_SHIFT = $clog2(BEAT_ROWS);
  localparam PLACE_BITS = BEAT_ROWS > 1 ? BEAT_SHIFT : 1, LAST_PLACE = BEAT_ROWS - 1;
  localparam [PLACE_BITS-1:0] MASK = LAST_PLACE[PLACE_BITS-1:0];
  localparam [ADDRESS_WIDTH-1:0] WITHIN = {ADDRESS_WIDTH{1'b1}}
                                          >> (ADDRESS_WIDTH - SHIFT - BEAT_SHIFT);
  wire [ADDRESS_WIDTH-1:0] address, cut;
  wire [7:0] len;
  wire [7:0] behind = {{8 - PLACE_BITS{1'b0}}, address[SHIFT+:PLACE_BITS] & MASK} + len;
  assign aw_addr_o = address & ~WITHIN;
  assign aw_len_o  = behind >> BEAT_SHIFT;
  wire [PLACE_BITS-1:0] place = cut[SHIFT+:PLACE_BITS] & MASK;
  wire unused_cut = &{1'b0, cut};
  wire [6:0] rows;
  td1_transfer #(
      .BEAT_BYTES   (ROW / 8),
      .ADDRESS_WIDTH(ADDRESS_WIDTH),
      .LOCAL_UNITS  (UNITS),
      .OUTSTANDING  (OUTSTANDING),
      .TAG          (1)
  ) u_transfer (
      .clk_i(clk_i), .rst_ni(rst_ni), .desc_valid_i(desc_valid_i), .desc_ready_o(desc_ready_o),
      .desc_i(desc_i), .twice_i(wide), .local_i({1'b0, word >> BANK_BITS} << HALF),
      .local_pitch_i({1'b0, word_pitch >> BANK_BITS} << HALF),
      .local_shift_i((HALF == 1 && !wide) ? 3'd1 : 3'd0),
      .refused_i(crosses | ({24'd0, tile} >= TILES) | (WIDTH == 8 && !wide)), .blocks_i(1'b0),
      .done_o(done_o),
      .error_o(error_o), .halt_i(halt_i), .stop_o(stop), .window_begin_i(window_begin_i),
      .window_end_i(window_end_i), .a_valid_o(aw_valid_o), .a_ready_i(aw_ready_i),
      .a_addr_o(address), .a_len_o(len), .taken_o(taken), .room_i(rows_room), .beats_o(rows),
      .address_o(cut), .local_o(unit), .tag_i(1'b0), .flies_o(flies), .tag_o(tag),
      .answered_i(b_valid_i), .answer_error_i({4{b_valid_i & b_resp_i[1]}} & WRITE_ERROR)
  );
  assign quiet_o = ~flies;
  assign b_ready_o = 1'b1;

  // What they write.
  wire rows_room, rows_valid, rows_upper, rows_wide, rows_last, leaves;
  wire [PLACE_BITS-1:0] rows_set;
  wire [BEAT_ROWS-1:0] rows_used;
  td1_store_rows #(
      .UNIT_BITS  (UNIT_BITS),
      .TILE_BITS  (TILE_BITS),
      .HALVES     (1 << HALF),
      .BEAT_ROWS  (BEAT_ROWS),
      .BURSTS     (BURSTS),
      .ROOM       (ROOM)
  ) u_rows (
      .clk_i(clk_i), .rst_ni(rst_ni), .burst_valid_i(taken), .burst_ready_o(rows_room),
      .burst_end_i({{7 - PLACE_BITS{1'b0}}, place} + rows), .burst_unit_i(unit),
      .burst_tile_i(tile[TILE_BITS-1:0]), .burst_wide_i(wide), .burst_place_i(place),
      .read_en_o(read_en_o), .read_tile_o(read_tile_o), .read_row_o(read_row_o),
      .rows_valid_o(rows_valid), .rows_set_o(rows_set), .rows_upper_o(rows_upper),
      .rows_wide_o(rows_wide), .rows_used_o(rows_used), .rows_last_o(rows_last), .leaves_i(leaves)
  );
  // From the sets' order to the rows', from the first one on.
  localparam READ = 32 * LANES;
  wire [BEAT_ROWS*READ-1:0] read;
  genvar p, t;
  for (t = 0; t < BEAT_SHIFT; t = t + 1) begin : g_rotate
    localparam FIRST = READ << t;
    wire [BEAT_ROWS*READ-1:0] from, to;
    if (t == 0) begin : g_first
      assign from = read_data_i;
    end else begin : g_next
      assign from = g_rotate[t-1].to;
    end
    assign to = rows_set[t] ? {from[FIRST-1:0], from[BEAT_ROWS*READ-1:FIRST]} : from;
  end
  if (BEAT_ROWS == 1) begin : g_one
    wire unused_set = &{1'b0, rows_set};
    assign read = read_data_i;
  end else begin : g_rotated
    assign read = g_rotate[BEAT_SHIFT-1].to;
  end
  wire [BEAT_ROWS*ROW-1:0] packed_rows;
  wire [BEAT_ROWS*LANES-1:0] packed_zero;
  for (p = 0; p < BEAT_ROWS; p = p + 1) begin : g_pack
    // A half is as many halves behind the first one as its place is behind the first place.
    localparam [PLACE_BITS-1:0] PLACE = p;
    localparam EARLY = p / 2, LATE = (p + 1) / 2;
    wire [READ-1:0] halved = rows_upper ? read[LATE*READ+:READ] : read[EARLY*READ+:READ];
    td1_store_pack #(
        .LANES(LANES), .WIDTH(WIDTH)
    ) u_pack (
        .row_i(rows_wide ? halved : read[p*READ+:READ]), .wide_i(rows_wide),
        .upper_i(rows_upper ^ PLACE[0]), .beat_o(packed_rows[p*ROW+:ROW]),
        .zero_o(packed_zero[p*LANES+:LANES])
    );
  end
  localparam ENTRY = BEAT_ROWS * (ROW + LANES + 1) + 2;
  wire beat_valid, beat_ready, beat_room;
  wire [ENTRY-1:0] beat;
  wire unused_room = &{1'b0, beat_room};
  td1_fifo #(
      .WIDTH(ENTRY), .DEPTH(ROOM)
  ) u_beats (
      .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(rows_valid), .in_ready_o(beat_room),
      .in_data_i({packed_rows, packed_zero, rows_used, rows_wide, rows_last}),
      .out_valid_o(beat_valid), .out_ready_i(beat_ready), .out_data_o(beat)
  );
  assign leaves = beat_valid & beat_ready;
  // No more than an output stands between the bus and its ready. A beat that comes there while the
  // engine stops writes nothing.
  wire out_wide;
  wire [BEAT_ROWS*LANES-1:0] out_zero;
  wire [BEAT_ROWS-1:0] out_used;
  td1_skid #(.WIDTH(ENTRY)) u_skid (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .in_valid_i(beat_valid), .in_ready_o(beat_ready), .in_data_i(beat), .out_valid_o(w_valid_o),
      .out_ready_i(w_ready_i), .out_data_o({w_data_o, out_zero, out_used, out_wide, w_last_o})
  );
  reg write_q;
  always @(posedge clk_i) if (~w_valid_o | w_ready_i) write_q <= ~stop;

  // What was written is counted in the clock behind it.
  localparam SIZE = LANES, SIZE_WIDE = LANES / 2, BYTES = ROW / 8;  // of a place
  wire sent = w_valid_o & w_ready_i & write_q;
  reg [7:0] bytes, results, zeros;
  integer k;
  always @* begin
    {bytes, results, zeros} = 24'd0;
    for (k = 0; k < BEAT_ROWS; k = k + 1) begin
      bytes   = bytes + ({8{out_used[k]}} & BYTES[7:0]);
      results = results + ({8{out_used[k]}} & (out_wide ? SIZE_WIDE[7:0] : SIZE[7:0]));
    end
    for (k = 0; k < BEAT_ROWS * LANES; k = k + 1) begin
      zeros = zeros + {7'd0, out_zero[k] & out_used[k/LANES]};
    end
  end
  for (p = 0; p < BEAT_ROWS; p = p + 1) begin : g_strobe
    assign w_strb_o[p*BYTES+:BYTES] = {BYTES{write_q & out_used[p]}};
  end
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {written_o, result_count_o, zero_count_o} <= 24'd0;
    else {written_o, result_count_o, zero_count_o} <= {bytes, results, zeros} & {24{sent}};
  end
endmodule
`default_nettype wire
