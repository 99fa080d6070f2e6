// SPDX-License-Identifier: 0BSD
// Load engine: rows of memory into an operand memory. Bursts of a descriptor may be on the way
// while those of the one before it arrive; they do so in order. A burst has up to 64 rows; its
// first and last beat may hold rows that are not its, which are dropped. Of a packed tensor it
// reads the block that the rows are in.
`default_nettype none

module td1_load #(
    parameter LANES         = 4,     // of a memory row: a power of two
    parameter WIDTH         = 16,    // bits of an operand; a row has 4, 8, 16, 32 or 64 bytes
    parameter OPERAND_ROWS  = 1024,  // rows of an operand memory, 2..1048576
    parameter ADDRESS_WIDTH = 40,    // bits of an address, 32..64
    parameter OUTSTANDING   = 4,     // bursts on the way, 2 or more
    parameter FILL_ROWS     = 1,     // banks of an operand memory: a power of two
    parameter BEAT_ROWS     = 1,     // rows of a bus beat: a power of two
    parameter UNPACK_ROWS   = 0,     // packed rows that are unpacked in a clock: 0, or BEAT_ROWS
                                     // (which divides 64 / WIDTH) and more, a power of two, up
                                     // to 8, and to FILL_ROWS / 2 or 1
    parameter WRITE_ROWS    = UNPACK_ROWS > BEAT_ROWS ? UNPACK_ROWS : BEAT_ROWS
) (
    input  wire                             clk_i,              // clock
    input  wire                             rst_ni,             // asynchronous reset, active low
    // Descriptors
    input  wire                             desc_valid_i,       // one is offered
    output wire                             desc_ready_o,       // all its bursts are cut
    input  wire [                    511:0] desc_i,             // see descriptors.toml
    output wire                             done_o,             // the oldest has all its rows
    output wire [                      3:0] error_o,            // not 0: it failed; until reset
    input  wire                             halt_i,             // no new bursts, until reset
    output wire                             quiet_o,            // no burst is on the way
    // Bytes that may be read, in whole beats, of packed tensors in whole blocks: lower bits are not
    // looked at
    input  wire [        ADDRESS_WIDTH-1:0] window_begin_i,     // the first
    input  wire [        ADDRESS_WIDTH-1:0] window_end_i,       // behind the last
    // AXI4, reading
    output wire                             ar_valid_o,
    input  wire                             ar_ready_i,
    output wire [        ADDRESS_WIDTH-1:0] ar_addr_o,
    output wire [                      7:0] ar_len_o,
    input  wire                             r_valid_i,
    output wire                             r_ready_o,
    input  wire [BEAT_ROWS*LANES*WIDTH-1:0] r_data_i,
    input  wire [                      1:0] r_resp_i,
    input  wire                             r_last_i,
    // Operand memories, see td1_operands: registers
    output reg  [         2*WRITE_ROWS-1:0] write_en_o,         // of side A in the low bits
    output reg  [ $clog2(OPERAND_ROWS)-1:0] write_row_o,        // the lowest one's row
    output reg  [                      4:0] write_interleave_o,
    output reg  [WRITE_ROWS*LANES*WIDTH-1:0] write_data_o
);
  localparam ROW_BYTES = LANES * WIDTH / 8, ORW = $clog2(OPERAND_ROWS);
  localparam [3:0] READ_ERROR = 4'd6, PACKED_ERROR = 4'd10;
  // descriptors.toml, load: side interleave packed row rows
  localparam AT_SIDE = 96, AT_INTERLEAVE = 104, AT_PACKED = 112, AT_ROW = 192, AT_ROWS = 224;
  localparam MOST_INTERLEAVE = ORW - $clog2(FILL_ROWS);
  wire scattered = (FILL_ROWS > 1) & (desc_i[AT_INTERLEAVE+:5] > MOST_INTERLEAVE[4:0]);
  // Rows of a packed block: those of its masks or more, less than 64, in whole beats.
  localparam LEAST_PACKED = 64 / WIDTH, LAST = BEAT_ROWS - 1;
  wire [7:0] pack_rows = desc_i[AT_PACKED+:8];
  wire is_packed = pack_rows != 8'd0;
  wire misfit = is_packed & ((UNPACK_ROWS == 0) | (pack_rows < LEAST_PACKED[7:0])
                             | (pack_rows > 8'd63) | ((pack_rows & LAST[7:0]) != 8'd0));

  wire taken, flies, side, stop;
  wire [6:0] rows;
  wire [ORW-1:0] first, row;
  wire [4:0] interleave;
  wire unused = &{1'b0, taken, stop, r_resp_i[0]};

  // A burst's address and length, in rows, are made those of the beats that hold them, or of the
  // packed block.
  localparam SHIFT = $clog2(ROW_BYTES), BEAT_SHIFT = $clog2(BEAT_ROWS);
  localparam BITS = BEAT_ROWS > 1 ? BEAT_SHIFT : 1;
  localparam [BITS-1:0] MASK = LAST[BITS-1:0];
  localparam [ADDRESS_WIDTH-1:0] WITHIN = {ADDRESS_WIDTH{1'b1}}
                                          >> (ADDRESS_WIDTH - SHIFT - BEAT_SHIFT);
  localparam [ADDRESS_WIDTH-1:0] BLOCK = {ADDRESS_WIDTH{1'b1}} >> (ADDRESS_WIDTH - SHIFT - 6);
  wire [ADDRESS_WIDTH-1:0] address, cut;
  wire [7:0] len;
  reg [7:0] packed_q;  // the descriptor's whose burst is there
  always @(posedge clk_i) if (taken) packed_q <= pack_rows & {8{UNPACK_ROWS > 0}};
  wire [7:0] behind = {{8 - BITS{1'b0}}, address[SHIFT+:BITS] & MASK} + len;
  assign ar_addr_o = address & ~(packed_q != 8'd0 ? BLOCK : WITHIN);
  assign ar_len_o = (packed_q != 8'd0 ? packed_q - 8'd1 : behind) >> BEAT_SHIFT;
  // Rows of its first beat that are before a burst, and of its last that are behind it.
  wire [BITS-1:0] lead, tail;
  wire [BITS-1:0] lead_in = cut[SHIFT+:BITS] & MASK;
  wire [BITS-1:0] tail_in = ({BITS{1'b0}} - lead_in - rows[BITS-1:0]) & MASK;
  wire unused_cut = &{1'b0, cut, rows};
  td1_transfer #(
      .BEAT_BYTES   (ROW_BYTES),
      .ADDRESS_WIDTH(ADDRESS_WIDTH),
      .LOCAL_UNITS  (OPERAND_ROWS),
      .OUTSTANDING  (OUTSTANDING),
      .TAG          (ORW + 6 + 2 * BITS)
  ) u_transfer (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .desc_valid_i(desc_valid_i), .desc_ready_o(desc_ready_o), .desc_i(desc_i), .twice_i(1'b0),
      .local_i({1'b0, desc_i[AT_ROW+:32]}), .local_pitch_i({1'b0, desc_i[AT_ROWS+:16]}),
      .local_shift_i(3'd0), .refused_i(scattered | misfit), .blocks_i(is_packed), .done_o(done_o),
      .error_o(error_o), .halt_i(halt_i), .stop_o(stop), .window_begin_i(window_begin_i & ~WITHIN),
      .window_end_i(window_end_i & ~(is_packed ? BLOCK : WITHIN)),
      .a_valid_o(ar_valid_o), .a_ready_i(ar_ready_i), .a_addr_o(address), .a_len_o(len),
      .taken_o(taken), .room_i(1'b1), .beats_o(rows), .address_o(cut), .local_o(first),
      .tag_i({desc_i[AT_INTERLEAVE+:5], desc_i[AT_SIDE], first, lead_in, tail_in}), .flies_o(flies),
      .tag_o({interleave, side, row, lead, tail}), .answered_i(ends), .answer_error_i(answer_error)
  );
  assign quiet_o = ~flies;

  // Beats arrive in order. What is not packed goes into the operand memory as it comes, as soon as
  // all that was packed before it is there.
  localparam [BEAT_ROWS-1:0] ALL = {BEAT_ROWS{1'b1}};
  localparam BEAT = BEAT_ROWS;
  reg [5:0] done_q;   // rows that the burst's beats up to this one hold
  wire kind, idle, room;  // it is packed; all packed ones are through; there is room for one
  wire plain = idle & ~kind;
  wire comes = r_valid_i & plain;
  assign r_ready_o = kind ? room : idle;
  wire [BEAT_ROWS-1:0] mine = (ALL << (lead & {BITS{done_q == 6'd0}}))
                            & (ALL >> (tail & {BITS{r_last_i}}));  // the burst's rows of the beat
  wire [WRITE_ROWS-1:0] unpacked;        // rows that were packed come
  wire [6:0] unpacked_row;               // the lowest one's number in the burst, signed
  wire [WRITE_ROWS*LANES*WIDTH-1:0] data;
  wire unpack_ends, unpack_bad, unpack_broken;
  wire ends = (comes & r_last_i) | unpack_ends;
  wire [3:0] answer_error = (comes & r_resp_i[1]) | (unpack_ends & unpack_bad) ? READ_ERROR
                          : unpack_ends & unpack_broken ? PACKED_ERROR : 4'd0;
  if (UNPACK_ROWS == 0) begin : g_plain
    assign {kind, idle, room} = 3'b011;
    assign {unpacked, unpacked_row} = {WRITE_ROWS + 7{1'b0}};
    assign {unpack_ends, unpack_bad, unpack_broken} = 3'b000;
    assign data = r_data_i;
  end else begin : g_unpack
    // Of each burst whose beats have not all come, whether it is packed, and its rows of the block.
    wire taken_room, waits, waiting_kind;
    wire unused_room = &{1'b0, taken_room};
    assign kind = waits & waiting_kind;
    wire [5:0] begin_row, end_row;
    wire [5:0] cut_row = cut[SHIFT+:6];
    td1_fifo #(
        .WIDTH(13), .DEPTH(OUTSTANDING)
    ) u_kinds (
        .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(taken), .in_ready_o(taken_room),
        .in_data_i({is_packed, cut_row, cut_row + rows[5:0] - 6'd1}), .out_valid_o(waits),
        .out_ready_i(r_valid_i & r_ready_o & r_last_i),
        .out_data_o({waiting_kind, begin_row, end_row})
    );
    wire [WRITE_ROWS*LANES*WIDTH-1:0] rows_out;
    td1_unpack #(
        .LANES      (LANES),
        .WIDTH      (WIDTH),
        .BEAT_ROWS  (BEAT_ROWS),
        .UNPACK_ROWS(UNPACK_ROWS)
    ) u_unpack (
        .clk_i(clk_i), .rst_ni(rst_ni), .beat_valid_i(r_valid_i & kind), .beat_ready_o(room),
        .beat_i(r_data_i), .beat_last_i(r_last_i), .beat_bad_i(r_resp_i[1]), .first_i(begin_row),
        .last_i(end_row), .idle_o(idle), .row_valid_o(unpacked), .row_o(unpacked_row),
        .rows_o(rows_out), .ends_o(unpack_ends), .bad_o(unpack_bad), .broken_o(unpack_broken)
    );
    assign data = idle ? {WRITE_ROWS / BEAT_ROWS{r_data_i}} : rows_out;
  end

  wire [WRITE_ROWS-1:0] some;
  assign some[BEAT_ROWS-1:0] = unpacked[BEAT_ROWS-1:0] | (mine & {BEAT_ROWS{comes}});
  if (WRITE_ROWS > BEAT_ROWS) begin : g_more
    assign some[WRITE_ROWS-1:BEAT_ROWS] = unpacked[WRITE_ROWS-1:BEAT_ROWS];
  end
  wire [ORW+6:0] number = |unpacked ? {{ORW{unpacked_row[6]}}, unpacked_row}
                        : {{ORW + 1{1'b0}}, done_q} - {{ORW + 7 - BITS{1'b0}}, lead};
  wire [ORW+6:0] target = {7'd0, row} + number;
  wire unused_row = &{1'b0, target[ORW+6:ORW]};
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q <= 6'd0;
      write_en_o <= {2 * WRITE_ROWS{1'b0}};
    end else begin
      if (comes) done_q <= r_last_i ? 6'd0 : done_q + BEAT[5:0];
      write_en_o <= {some & {WRITE_ROWS{side}}, some & {WRITE_ROWS{~side}}};
    end
  end
  always @(posedge clk_i) begin
    write_row_o <= target[ORW-1:0];
    write_interleave_o <= interleave;
    write_data_o <= data;
  end
endmodule
`default_nettype wire
