// SPDX-License-Identifier: 0BSD
// Where beats of packed blocks wait for td1_unpack: values in a ring, with room for two blocks, and
// masks apart, with room for BLOCKS.
`default_nettype none

module td1_unpack_ring #(
    parameter LANES       = 16,  // see td1_unpack
    parameter WIDTH       = 16,
    parameter BEAT_ROWS   = 1,
    parameter UNPACK_ROWS = 1,
    parameter BLOCKS      = 4,   // a power of two
    parameter WORDS       = 128  // of the ring, of UNPACK_ROWS rows: 128 rows
) (
    input  wire                                 clk_i,          // clock
    input  wire                                 rst_ni,         // asynchronous reset, active low
    // Beats
    input  wire                                 beat_valid_i,
    output wire                                 beat_ready_o,   // there is room, in this clock
    input  wire [    BEAT_ROWS*LANES*WIDTH-1:0] beat_i,
    input  wire                                 beat_last_i,    // of the block
    output wire                                 begins_o,       // it is the block's first one
    output wire [                          5:0] rows_o,         // of values, with it, of the block
    output wire                                 idle_o,         // none is here
    // A block ends, which has had so many words
    input  wire                                 ends_i,
    input  wire [              $clog2(WORDS):0] freed_i,
    // Masks of a group of rows, one clock later
    input  wire                                 masks_en_i,
    input  wire [           $clog2(BLOCKS)-1:0] masks_block_i,
    input  wire [                          5:0] masks_row_i,    // the first
    output wire [        UNPACK_ROWS*LANES-1:0] masks_o,
    // Values of a word and of that behind it, one clock later
    input  wire                                 values_en_i,
    input  wire [            $clog2(WORDS)-1:0] values_word_i,
    output wire [2*UNPACK_ROWS*LANES*WIDTH-1:0] values_o
);
  localparam ROW = LANES * WIDTH, WORD = UNPACK_ROWS * ROW, WORD_BITS = $clog2(WORDS);
  localparam PARTS = UNPACK_ROWS / BEAT_ROWS;  // beats of a word
  localparam PART_BITS = PARTS > 1 ? $clog2(PARTS) : 1, LAST_PART = PARTS - 1;
  localparam MASKS = 64 / WIDTH / BEAT_ROWS;   // beats of a block's masks
  localparam MASK_BITS = MASKS > 1 ? $clog2(MASKS) : 1, LAST_MASK = MASKS - 1;
  localparam BLOCK_BITS = $clog2(BLOCKS);

  // The block that comes.
  reg [BLOCK_BITS-1:0] block_q;  // where its masks go
  reg [MASK_BITS-1:0] mask_q;    // ... their next beat
  reg values_q;                  // they are here: values come
  reg [WORD_BITS-1:0] word_q;    // where the next of these go
  reg [PART_BITS-1:0] part_q;
  reg [5:0] rows_q;
  reg [WORD_BITS:0] used_q;      // words with values
  reg [BLOCK_BITS:0] blocks_q;   // blocks that are here, in whole or in part
  wire opens = values_q & (part_q == {PART_BITS{1'b0}});
  wire full = used_q == WORDS[WORD_BITS:0], crowded = blocks_q == BLOCKS[BLOCK_BITS:0];
  assign begins_o = ~values_q & (mask_q == {MASK_BITS{1'b0}});
  assign beat_ready_o = ~(opens & full) & ~(begins_o & crowded);
  assign idle_o = blocks_q == {BLOCK_BITS + 1{1'b0}};
  assign rows_o = ({6{~begins_o}} & rows_q) + ({6{values_q}} & BEAT_ROWS[5:0]);
  wire comes = beat_valid_i & beat_ready_o;
  wire masked = mask_q == LAST_MASK[MASK_BITS-1:0];
  wire closes = values_q & (beat_last_i | (part_q == LAST_PART[PART_BITS-1:0]));
  localparam [WORD_BITS:0] NO_WORD = 0;
  localparam [BLOCK_BITS:0] NO_BLOCK = 0;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      block_q <= {BLOCK_BITS{1'b0}};
      mask_q <= {MASK_BITS{1'b0}};
      values_q <= 1'b0;
      word_q <= {WORD_BITS{1'b0}};
      part_q <= {PART_BITS{1'b0}};
      used_q <= NO_WORD;
      blocks_q <= NO_BLOCK;
    end else begin
      if (comes) begin
        block_q <= block_q + {{BLOCK_BITS - 1{1'b0}}, beat_last_i};
        mask_q <= values_q | masked ? {MASK_BITS{1'b0}} : mask_q + 1'b1;
        values_q <= ~beat_last_i & (values_q | masked);
        word_q <= word_q + {{WORD_BITS - 1{1'b0}}, closes};
        part_q <= closes | ~values_q ? {PART_BITS{1'b0}} : part_q + 1'b1;
      end
      used_q <= used_q + {{WORD_BITS{1'b0}}, comes & opens}
              - (ends_i ? freed_i : NO_WORD);
      blocks_q <= blocks_q + {{BLOCK_BITS{1'b0}}, comes & begins_o} - {{BLOCK_BITS{1'b0}}, ends_i};
    end
  end
  always @(posedge clk_i) if (comes) rows_q <= rows_o;

  // Masks: a beat has those of WIDTH * BEAT_ROWS rows.
  localparam BEAT_GROUPS = WIDTH * BEAT_ROWS / UNPACK_ROWS, GROUP = UNPACK_ROWS * LANES;
  localparam GROUP_BITS = $clog2(BEAT_GROUPS), ROW_BITS = $clog2(UNPACK_ROWS);
  localparam AT = BLOCK_BITS + (MASKS > 1 ? MASK_BITS : 0);  // bits of a beat's place
  wire [BEAT_ROWS*ROW-1:0] masks;
  wire [AT-1:0] write_at, read_at;
  if (MASKS > 1) begin : g_beats
    assign write_at = {block_q, mask_q};
    assign read_at = {masks_block_i, masks_row_i[ROW_BITS+GROUP_BITS+:MASK_BITS]};
  end else begin : g_beat
    assign write_at = block_q;
    assign read_at = masks_block_i;
  end
  td1_ram #(.WORDS(1 << AT), .WIDTH(BEAT_ROWS * ROW)) u_masks (
      .clk_i(clk_i), .write_en_i(comes & ~values_q), .write_word_i(write_at),
      .write_data_i(beat_i), .read_en_i(masks_en_i), .read_word_i(read_at), .read_data_o(masks)
  );
  reg [GROUP_BITS-1:0] group_q;
  wire unused_row = &{1'b0, masks_row_i};
  always @(posedge clk_i) group_q <= masks_row_i[ROW_BITS+:GROUP_BITS];
  assign masks_o = masks[group_q*GROUP+:GROUP];

  // Values: even and odd words are apart, so that two come at once.
  reg odd_q;
  always @(posedge clk_i) if (values_en_i) odd_q <= values_word_i[0];
  wire [2*WORD-1:0] words;  // of an even word in the low bits
  genvar p, k;
  for (p = 0; p < 2; p = p + 1) begin : g_parity
    localparam [0:0] ODD = p;
    wire [PARTS-1:0] written;
    for (k = 0; k < PARTS; k = k + 1) begin : g_part
      localparam [PART_BITS-1:0] NUMBER = k;
      assign written[k] = comes & values_q & (word_q[0] == ODD) & (part_q == NUMBER);
    end
    // An even word behind an odd one is the next one's.
    wire [WORD_BITS-2:0] read_word = values_word_i[WORD_BITS-1:1]
                                   + {{WORD_BITS - 2{1'b0}}, values_word_i[0] & ~ODD};
    td1_ram #(.WORDS(WORDS / 2), .WIDTH(WORD), .PARTS(PARTS)) u_values (
        .clk_i(clk_i), .write_en_i(written), .write_word_i({PARTS{word_q[WORD_BITS-1:1]}}),
        .write_data_i({PARTS{beat_i}}), .read_en_i(values_en_i), .read_word_i(read_word),
        .read_data_o(words[p*WORD+:WORD])
    );
  end
  assign values_o = odd_q ? {words[0+:WORD], words[WORD+:WORD]} : words;
endmodule
`default_nettype wire
