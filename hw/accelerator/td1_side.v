// SPDX-License-Identifier: 0BSD
// Fill of one side: reads what its walk says from the operand memory, and tells where in the
// scratchpads of which tiles each row goes.
`default_nettype none

module td1_side #(
    parameter LANES        = 16,    // elements of a row, 2..64
    parameter WIDTH        = 16,    // bits of an element
    parameter STREAMS      = 4,     // of a group; divides LANES
    parameter DEPTH        = 3,     // banks of a scratchpad, 1..8
    parameter OPERAND_ROWS = 1024,  // rows of the operand memory, 2 or more
    parameter SETS         = 1,     // see td1_scratchpad
    parameter SET_ROWS     = 16,    // rows of a set of a bank that a fill may use, 2 or more
    parameter FILL_ROWS    = 1      // rows in a clock, at most: a power of two, up to LANES
) (
    input  wire                                      clk_i,         // clock
    input  wire                                      rst_ni,        // asynchronous reset, low
    // Compute
    input  wire                                      start_i,       // begin; the next five stay
                                                                    // until last_o
    input  wire [                         24*32-1:0] walk_i,        // see descriptors.toml
    input  wire [                              15:0] chunk_rows_i,  // rows of a stream
    input  wire [                              15:0] group_pitch_i, // bank rows from group to group
    input  wire [                              15:0] groups_i,      // of a line
    input  wire [                              15:0] lines_i,
    output reg                                       last_o,        // the last row is written
    output reg                                       error_o,       // a field was out of range
    // Operand memory, see td1_operands
    output wire [                     FILL_ROWS-1:0] read_en_o,
    output wire [                               4:0] read_interleave_o,
    output wire [FILL_ROWS*$clog2(OPERAND_ROWS)-1:0] read_row_o,
    input  wire [         FILL_ROWS*LANES*WIDTH-1:0] read_data_i,   // one clock later
    input  wire                                      read_clash_i,  // it cannot read all of them
    // Scratchpads, see td1_placer; registers
    output reg  [                            SETS:0] write_o,
    output reg  [              (SETS+1)*STREAMS-1:0] stream_o,
    output reg  [                 (SETS+1)*SETS-1:0] set_o,
    output reg  [                         DEPTH-1:0] bank_o,
    output reg  [     (SETS+1)*$clog2(SET_ROWS)-1:0] bank_row_o,
    output reg  [                   (SETS+1)*16-1:0] line_o,
    output wire [         FILL_ROWS*LANES*WIDTH-1:0] rows_o
);
  // descriptors.toml, walk: transpose fan last_fan interleave blocks levels level level.count
  localparam AT_TRANSPOSE = 96, AT_FAN = 97, AT_LAST_FAN = 102, AT_INTERLEAVE = 107;
  localparam AT_BLOCKS = 112, AT_LEVELS = 128, BITS_LEVEL = 96, AT_LEVEL_COUNT = 0;
  localparam LEVELS = 6;
  localparam MOST_FAN = FILL_ROWS, MOST_INTERLEAVE = $clog2(OPERAND_ROWS) - $clog2(FILL_ROWS);
  wire comes, last, unreadable, misplaced;
  wire [4:0] count;
  wire surplus;
  wire [LEVELS-1:0] none;  // the loop has no iteration
  genvar l;
  for (l = 0; l < LEVELS; l = l + 1) begin : g_level
    assign none[l] = walk_i[AT_LEVELS+l*BITS_LEVEL+AT_LEVEL_COUNT+:16] == 16'd0;
  end
  wire empty = (|none) | (walk_i[AT_BLOCKS+:16] == 16'd0) | (chunk_rows_i == 16'd0)
             | (groups_i == 16'd0) | (lines_i == 16'd0);
  wire [4:0] fan = walk_i[AT_FAN+:5], last_fan = walk_i[AT_LAST_FAN+:5];
  assign read_interleave_o = walk_i[AT_INTERLEAVE+:5];
  wire scattered = (last_fan == 5'd0) | (last_fan > fan) | (fan > MOST_FAN[4:0])
                 | ((FILL_ROWS > 1) & (read_interleave_o > MOST_INTERLEAVE[4:0]));
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) error_o <= 1'b0;
    else error_o <= (start_i & (empty | scattered)) | unreadable | misplaced | read_clash_i;
  end

  td1_fill #(
      .LANES(LANES), .WIDTH(WIDTH), .OPERAND_ROWS(OPERAND_ROWS), .FILL_ROWS(FILL_ROWS)
  ) u_fill (
      .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start_i), .walk_i(walk_i),
      .chunk_rows_i(chunk_rows_i),
      .read_en_o(read_en_o), .read_row_o(read_row_o), .read_data_i(read_data_i), .comes_o(comes),
      .last_o(last), .count_o(count), .surplus_o(surplus), .rows_o(rows_o), .error_o(unreadable)
  );
  // Where rows go is found while they are transposed.
  wire [SETS:0] write;
  wire [(SETS+1)*STREAMS-1:0] stream;
  wire [(SETS+1)*SETS-1:0] set;
  wire [DEPTH-1:0] bank;
  wire [(SETS+1)*$clog2(SET_ROWS)-1:0] bank_row;
  wire [(SETS+1)*16-1:0] line;
  td1_placer #(
      .LANES(LANES), .STREAMS(STREAMS), .FILL_ROWS(FILL_ROWS), .DEPTH(DEPTH), .SETS(SETS),
      .SET_ROWS(SET_ROWS)
  ) u_placer (
      .clk_i(clk_i), .start_i(start_i), .transpose_i(walk_i[AT_TRANSPOSE]),
      .chunk_rows_i(chunk_rows_i), .group_pitch_i(group_pitch_i), .groups_i(groups_i),
      .lines_i(lines_i), .valid_i(comes), .count_i(count), .surplus_i(surplus), .last_i(last),
      .write_o(write), .stream_o(stream), .set_o(set), .bank_o(bank), .bank_row_o(bank_row),
      .line_o(line), .error_o(misplaced)
  );
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {write_o, last_o} <= {SETS + 2{1'b0}};
    else {write_o, last_o} <= {write, last};
  end
  always @(posedge clk_i) begin
    {stream_o, set_o, bank_o, bank_row_o, line_o} <= {stream, set, bank, bank_row, line};
  end
endmodule
`default_nettype wire
