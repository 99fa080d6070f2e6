// SPDX-License-Identifier: 0BSD
// Unpack: rows of packed blocks, see descriptors.toml. When all beats of a block are here, its rows
// leave, UNPACK_ROWS in a clock from the block's first one on. So the clocks that it takes depend
// on what is asked for, and not on the data.
`default_nettype none

module td1_unpack #(
    parameter LANES       = 16,  // of a row: a power of two
    parameter WIDTH       = 16,  // bits of an element: 8, 16 or 32
    parameter BEAT_ROWS   = 1,   // rows of a beat: divides 64 / WIDTH
    parameter UNPACK_ROWS = 1    // a power of two, 8 or less, BEAT_ROWS or more
) (
    input  wire                               clk_i,         // clock
    input  wire                               rst_ni,        // asynchronous reset, active low
    // Beats of blocks
    input  wire                               beat_valid_i,
    output wire                               beat_ready_o,  // there is room, in this clock
    input  wire [  BEAT_ROWS*LANES*WIDTH-1:0] beat_i,
    input  wire                               beat_last_i,   // of the block
    input  wire                               beat_bad_i,    // a bus error
    input  wire [                        5:0] first_i,       // rows of the block that are wanted
    input  wire [                        5:0] last_i,
    output wire                               idle_o,        // no beat is here
    // Rows
    output wire [            UNPACK_ROWS-1:0] row_valid_o,   // these are wanted
    output wire [                        6:0] row_o,         // the lowest one's number behind
                                                             // first_i, signed
    output wire [UNPACK_ROWS*LANES*WIDTH-1:0] rows_o,
    output wire                               ends_o,        // the last ones that are wanted
    output wire                               bad_o,         // ... there was a bus error
    output wire                               broken_o       // ... or more ones than values
);
  localparam E = UNPACK_ROWS, ROW_BITS = $clog2(E), LANE_BITS = $clog2(LANES);
  localparam BLOCKS = 4, WORDS = 128 / E, WORD_BITS = $clog2(WORDS);
  localparam AT = ROW_BITS + LANE_BITS;   // bits of a value's number in a word of the ring
  localparam VALUE_BITS = LANE_BITS + 7;  // ... in a block, and of their count

  // Beats come.
  wire begins, masks_en;
  wire [5:0] come_rows;   // of values, of the block that comes
  wire [5:0] row;         // a group of rows leaves: its first one, of the block
  wire [1:0] block;
  wire [WORD_BITS-1:0] word;
  wire [E*LANES-1:0] masks;
  wire [2*E*LANES*WIDTH-1:0] values;
  wire [WORD_BITS:0] freed;
  reg [3:0] valid_q;      // groups that have left 1..4 clocks ago
  td1_unpack_ring #(
      .LANES(LANES), .WIDTH(WIDTH), .BEAT_ROWS(BEAT_ROWS), .UNPACK_ROWS(E), .BLOCKS(BLOCKS),
      .WORDS(WORDS)
  ) u_ring (
      .clk_i(clk_i), .rst_ni(rst_ni), .beat_valid_i(beat_valid_i), .beat_ready_o(beat_ready_o),
      .beat_i(beat_i), .beat_last_i(beat_last_i), .begins_o(begins), .rows_o(come_rows),
      .idle_o(idle_o), .ends_i(ends_o), .freed_i(freed), .masks_en_i(masks_en),
      .masks_block_i(block), .masks_row_i(row), .masks_o(masks), .values_en_i(valid_q[1]),
      .values_word_i(word), .values_o(values)
  );

  // Blocks that are here: groups of rows of the oldest one leave.
  wire comes = beat_valid_i & beat_ready_o;
  reg bad_q;
  wire come_bad = beat_bad_i | (bad_q & ~begins);
  always @(posedge clk_i) if (comes) bad_q <= come_bad;
  wire unused_room, bad;
  wire [5:0] value_rows, first, last;
  reg [1:0] block_q;
  reg [5:0] row_q;
  assign block = block_q;
  assign row = row_q;
  wire closes = (row_q | (E[5:0] - 6'd1)) >= last;
  td1_fifo #(
      .WIDTH(19), .DEPTH(BLOCKS)
  ) u_blocks (
      .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(comes & beat_last_i), .in_ready_o(unused_room),
      .in_data_i({come_bad, come_rows, first_i, last_i}),
      .out_valid_o(masks_en), .out_ready_i(closes), .out_data_o({bad, value_rows, first, last})
  );
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      block_q <= 2'd0;
      row_q   <= 6'd0;
      valid_q <= 4'd0;
    end else begin
      if (masks_en) row_q <= closes ? 6'd0 : row_q + E[5:0];
      block_q <= block_q + {1'b0, masks_en & closes};
      valid_q <= {valid_q[2:0], masks_en};
    end
  end

  // What goes with a group: whether rows are wanted, the first one's number, and of the block.
  localparam INFO = E + 15;
  wire [E-1:0] wanted, counted;
  genvar r;
  for (r = 0; r < E; r = r + 1) begin : g_wanted
    localparam [5:0] NUMBER = r;
    assign counted[r] = (row_q | NUMBER) <= last;
    assign wanted[r] = ((row_q | NUMBER) >= first) & counted[r];
  end
  reg [INFO-1:0] info1_q, info2_q, info3_q, info4_q;
  always @(posedge clk_i) begin
    info1_q <= {wanted, {1'b0, row_q} - {1'b0, first}, value_rows, bad, closes};
    info2_q <= info1_q;
    info3_q <= info2_q;
    info4_q <= info3_q;
  end

  // Its masks are counted, up to the last row that is wanted: which value is each row's first one,
  // and which the next group's.
  reg [E-1:0] counted_q;
  wire [E*LANES-1:0] some_masks;
  for (r = 0; r < E; r = r + 1) begin : g_counted
    assign some_masks[r*LANES+:LANES] = masks[r*LANES+:LANES] & {LANES{counted_q[r]}};
  end
  reg [E*LANES-1:0] masks2_q, masks3_q;
  reg [WORD_BITS-1:0] base_q;    // the block's first word
  reg [VALUE_BITS-1:0] value_q;  // the group's first value, of the block
  reg broken3_q, broken4_q;
  reg [E*(AT+1)-1:0] firsts, firsts3_q;
  reg [VALUE_BITS-1:0] count, ends;
  integer k, i;
  always @* begin
    ends = value_q;
    for (k = 0; k < E; k = k + 1) begin
      firsts[k*(AT+1)+:AT+1] = {1'b0, value_q[AT-1:0]} + ends[AT:0] - value_q[AT:0];
      count = {VALUE_BITS{1'b0}};
      for (i = 0; i < LANES; i = i + 1) begin
        count = count + {{VALUE_BITS - 1{1'b0}}, masks2_q[k*LANES+i]};
      end
      ends = ends + count;
    end
  end
  wire [7:0] words = ({2'b00, info2_q[2+:6]} + E[7:0] - 8'd1) >> ROW_BITS;  // of the block
  wire [7:0] last_words = ({2'b00, info4_q[2+:6]} + E[7:0] - 8'd1) >> ROW_BITS;
  wire unused = &{1'b0, words, last_words};
  assign word = base_q + value_q[AT+:WORD_BITS];
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      base_q  <= {WORD_BITS{1'b0}};
      value_q <= {VALUE_BITS{1'b0}};
    end else if (valid_q[1]) begin
      base_q  <= base_q + (info2_q[0] ? words[WORD_BITS-1:0] : {WORD_BITS{1'b0}});
      value_q <= info2_q[0] ? {VALUE_BITS{1'b0}} : ends;
    end
  end
  always @(posedge clk_i) begin
    counted_q <= counted;
    masks2_q  <= some_masks;
    masks3_q  <= masks2_q;
    firsts3_q <= firsts;
    broken3_q <= ends > {1'b0, info2_q[2+:6], {LANE_BITS{1'b0}}};
    broken4_q <= broken3_q;
  end

  for (r = 0; r < E; r = r + 1) begin : g_row
    td1_unpack_row #(.LANES(LANES), .WIDTH(WIDTH), .WINDOW(2 * E * LANES)) u_row (
        .clk_i(clk_i), .values_i(values), .first_i(firsts3_q[r*(AT+1)+:AT+1]),
        .masks_i(masks3_q[r*LANES+:LANES]), .row_o(rows_o[r*LANES*WIDTH+:LANES*WIDTH])
    );
  end
  assign row_valid_o = info4_q[15+:E] & {E{valid_q[3]}};
  assign row_o = info4_q[8+:7];
  assign freed = last_words[WORD_BITS:0];
  assign bad_o = info4_q[1];
  assign ends_o = valid_q[3] & info4_q[0];
  assign broken_o = broken4_q;
endmodule
`default_nettype wire
