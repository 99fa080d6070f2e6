// SPDX-License-Identifier: 0BSD
// Load engine: rows of memory into an operand memory. Bursts of a descriptor may be on the way
// while those of the one before it arrive; they do so in order. A burst has up to 64 rows; its
// first and last beat may hold rows that are not its, which are dropped.
`default_nettype none

module td1_load #(
    parameter ROW_BYTES     = 8,     // bytes of a memory row: 4, 8, 16, 32 or 64
    parameter OPERAND_ROWS  = 1024,  // rows of an operand memory, 2..1048576
    parameter ADDRESS_WIDTH = 40,    // bits of an address, 32..64
    parameter OUTSTANDING   = 4,     // bursts on the way, 2 or more
    parameter FILL_ROWS     = 1,     // banks of an operand memory: a power of two
    parameter BEAT_ROWS     = 1      // rows of a bus beat: a power of two
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
    // Bytes that may be read, in whole beats: lower bits are not looked at
    input  wire [        ADDRESS_WIDTH-1:0] window_begin_i,     // the first
    input  wire [        ADDRESS_WIDTH-1:0] window_end_i,       // behind the last
    // AXI4, reading
    output wire                             ar_valid_o,
    input  wire                             ar_ready_i,
    output wire [        ADDRESS_WIDTH-1:0] ar_addr_o,
    output wire [                      7:0] ar_len_o,
    input  wire                             r_valid_i,
    output wire                             r_ready_o,
    input  wire [BEAT_ROWS*ROW_BYTES*8-1:0] r_data_i,
    input  wire [                      1:0] r_resp_i,
    input  wire                             r_last_i,
    // Operand memories, see td1_operands: registers
    output reg  [          2*BEAT_ROWS-1:0] write_en_o,         // of side A in the low bits
    output reg  [ $clog2(OPERAND_ROWS)-1:0] write_row_o,        // of the beat's first row
    output reg  [                      4:0] write_interleave_o,
    output reg  [BEAT_ROWS*ROW_BYTES*8-1:0] write_data_o
);
  localparam ORW = $clog2(OPERAND_ROWS);
  // descriptors.toml, load: side interleave row rows
  localparam AT_SIDE = 96, AT_INTERLEAVE = 104, AT_ROW = 192, AT_ROWS = 224;
  localparam MOST_INTERLEAVE = ORW - $clog2(FILL_ROWS);
  wire scattered = (FILL_ROWS > 1) & (desc_i[AT_INTERLEAVE+:5] > MOST_INTERLEAVE[4:0]);

  wire taken, flies, side, stop;
  wire [6:0] rows;
  wire [ORW-1:0] first, row;
  wire [4:0] interleave;
  wire ends = r_valid_i & r_last_i;
  wire unused = &{1'b0, taken, stop, r_resp_i[0]};

  // A burst's address and length, in rows, are made those of the beats that hold them.
  localparam SHIFT = $clog2(ROW_BYTES), BEAT_SHIFT = $clog2(BEAT_ROWS);
  localparam BITS = BEAT_ROWS > 1 ? BEAT_SHIFT : 1, LAST = BEAT_ROWS - 1;
  localparam [BITS-1:0] MASK = LAST[BITS-1:0];
  localparam [ADDRESS_WIDTH-1:0] WITHIN = {ADDRESS_WIDTH{1'b1}}
                                          >> (ADDRESS_WIDTH - SHIFT - BEAT_SHIFT);
  wire [ADDRESS_WIDTH-1:0] address, cut;
  wire [7:0] len;
  assign ar_addr_o = address & ~WITHIN;
  assign ar_len_o = ({{8 - BITS{1'b0}}, address[SHIFT+:BITS] & MASK} + len) >> BEAT_SHIFT;
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
      .TAG          (ORW + 6 + 2 * BITS),
      .BUS_ERROR    (6)
  ) u_transfer (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .desc_valid_i  (desc_valid_i),
      .desc_ready_o  (desc_ready_o),
      .desc_i        (desc_i),
      .twice_i       (1'b0),
      .local_i       ({1'b0, desc_i[AT_ROW+:32]}),
      .local_pitch_i ({1'b0, desc_i[AT_ROWS+:16]}),
      .local_shift_i (3'd0),
      .refused_i     (scattered),
      .done_o        (done_o),
      .error_o       (error_o),
      .halt_i        (halt_i),
      .stop_o        (stop),
      .window_begin_i(window_begin_i & ~WITHIN),
      .window_end_i  (window_end_i & ~WITHIN),
      .a_valid_o     (ar_valid_o),
      .a_ready_i     (ar_ready_i),
      .a_addr_o      (address),
      .a_len_o       (len),
      .taken_o       (taken),
      .beats_o       (rows),
      .address_o     (cut),
      .local_o       (first),
      .tag_i         ({desc_i[AT_INTERLEAVE+:5], desc_i[AT_SIDE], first, lead_in, tail_in}),
      .flies_o       (flies),
      .tag_o         ({interleave, side, row, lead, tail}),
      .answered_i    (ends),
      .bad_i         (r_valid_i & r_resp_i[1])
  );
  assign quiet_o = ~flies;

  // Rows arrive in order, and an operand memory takes a beat of them in each clock.
  assign r_ready_o = 1'b1;
  reg [5:0] done_q;   // rows that the burst's beats up to this one hold
  localparam [BEAT_ROWS-1:0] ALL = {BEAT_ROWS{1'b1}};
  localparam BEAT = BEAT_ROWS;
  wire [BEAT_ROWS-1:0] mine = (ALL << (lead & {BITS{done_q == 6'd0}}))
                            & (ALL >> (tail & {BITS{r_last_i}}));  // the burst's rows of the beat
  wire [ORW+5:0] target = {6'd0, row} + {{ORW{1'b0}}, done_q} - {{ORW + 6 - BITS{1'b0}}, lead};
  wire unused_row = &{1'b0, target[ORW+5:ORW]};
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q <= 6'd0;
      write_en_o <= {2 * BEAT_ROWS{1'b0}};
    end else begin
      if (r_valid_i) done_q <= r_last_i ? 6'd0 : done_q + BEAT[5:0];
      write_en_o <= {2{mine}} & {{BEAT_ROWS{r_valid_i & side}}, {BEAT_ROWS{r_valid_i & ~side}}};
    end
  end
  always @(posedge clk_i) begin
    write_row_o <= target[ORW-1:0];
    write_interleave_o <= interleave;
    write_data_o <= r_data_i;
  end
endmodule
`default_nettype wire
