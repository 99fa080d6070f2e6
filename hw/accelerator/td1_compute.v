// SPDX-License-Identifier: 0BSD
// Compute engine: all tiles, and the fills that bring them the streams of both operand memories.
// While the tiles work through one half of their scratchpads, the next compute fills the other, or
// keeps that of a side; the outputs of the compute before may still be on their way.
`default_nettype none

module td1_compute #(
    parameter TILES                  = 4,    // a power of two, 1..64
    parameter STREAMS                = 4,    // rows, and columns, of a tile, 1..16
    parameter LANES                  = 16,   // 2..64, a multiple of STREAMS
    parameter WIDTH                  = 16,   // bits of an operand
    parameter OPERAND_ROWS           = 1024, // rows of an operand memory, 2 or more
    parameter BANK_ROWS              = 16,   // of half a scratchpad bank, 2 or more
    parameter RESULT_WORDS           = 1024, // of a tile's result memory, 2..65536
    parameter COLLECT_WORDS          = 1,    // see td1_results
    parameter STORE_ROWS             = 1,    // see td1_results
    parameter RESULT_BITS = $clog2(RESULT_WORDS / (LANES / STREAMS) / STORE_ROWS),  // do not set
    parameter FILL_ROWS              = 1,    // rows that a side fills in a clock: a power of two
    parameter DEPTH                  = 3,    // rows of a staging buffer
    parameter KIND_BITS              = 384,  // bits of KIND
    parameter [KIND_BITS-1:0] KIND   = 0     // of tile, packed; see td1_tile_unit
) (
    input  wire                            clk_i,           // clock
    input  wire                            rst_ni,          // asynchronous reset, active low
    // Descriptor
    input  wire                            desc_valid_i,
    output wire                            desc_ready_o,
    input  wire [                  2047:0] desc_i,          // see descriptors.toml
    output wire                            done_o,          // one is finished
    output reg  [                     3:0] error_o,         // 2: a field is out of range
    // Operand memories, side A's in the low bits, see td1_operands
    output wire [         2*FILL_ROWS-1:0] read_en_o,
    output wire [                     9:0] read_interleave_o,
    output wire [2*FILL_ROWS*$clog2(OPERAND_ROWS)-1:0] read_row_o,
    input  wire [2*FILL_ROWS*LANES*WIDTH-1:0] read_data_i,
    input  wire [                     1:0] read_clash_i,
    // Result memories: data follow by two clocks
    input  wire [          STORE_ROWS-1:0] result_en_i,
    input  wire [                     7:0] result_tile_i,
    input  wire [STORE_ROWS*RESULT_BITS-1:0] result_row_i,
    output wire [ STORE_ROWS*LANES*32-1:0] result_data_o,
    // For counters
    output wire                            stepped_o,       // a tile has stepped
    output wire                            waiting_o,       // none has, though there is a compute
    output wire                            filling_o,       // ... for want of what is filled in
    output wire [                     6:0] nonfinite_o      // tiles that hand over an Inf or NaN
);
  localparam FILL_BITS = FILL_ROWS * LANES * WIDTH, NUMBERS = FILL_ROWS * $clog2(OPERAND_ROWS);
  localparam SETS = FILL_ROWS > STREAMS ? FILL_ROWS / STREAMS : 1, SET_ROWS = BANK_ROWS / SETS;
  localparam SET_ROW_BITS = $clog2(SET_ROWS), GROUPS_AT_ONCE = SETS + 1, WALK = 24 * 32;
  localparam COMPUTE_AT = 3 * 32, COMPUTE = 5 * 32, A_WALK = 16 * 32;
  // descriptors.toml, compute from word 3: lanes_on_b across keep chunk_rows group_pitch
  localparam AT_LANES_ON_B = 1, AT_ACROSS = 4, AT_KEEP = 8, AT_CHUNK_ROWS = 32, AT_GROUP_PITCH = 48;
  // descriptors.toml, compute from word 3: result_pitch
  localparam AT_RESULT_PITCH = 144;
  // descriptors.toml, compute from word 3: a_groups b_groups a_lines b_lines
  localparam AT_A_GROUPS = 64, AT_B_GROUPS = 80, AT_A_LINES = 96, AT_B_LINES = 112;

  // Computes
  reg filling_q, start_q, half_q;
  reg [1:0] full_q, open_q;  // halves that the tiles still need; whose outputs are not all there
  reg [1:0] filled_q;        // sides of the half that fills
  reg [2*COMPUTE-1:0] compute_q, outputs_compute_q;
  reg [2*WALK-1:0] walk_q;
  wire [1:0] fed, collected;  // by all tiles
  reg [COMPUTE-1:0] fill_compute_q;  // of the half that fills
  wire accepts = desc_valid_i & desc_ready_o;
  wire filled = filling_q & (&filled_q) & ~open_q[half_q];
  wire [1:0] begun = {filled & half_q, filled & ~half_q};
  assign desc_ready_o = ~filling_q & ~full_q[half_q];

  // A side that is kept stays in the half of its scratchpads that it is in; else it goes to the
  // other one, which no compute before the last one needs any more.
  wire [COMPUTE-1:0] compute = desc_i[COMPUTE_AT+:COMPUTE];
  reg [1:0] sides_q;   // halves that the sides are in
  reg [3:0] halves_q;  // ... of the computes
  reg misfit_q;        // what is to be kept is something else, or all
  wire [1:0] sides = sides_q ^ ~compute[AT_KEEP+:2];
  wire [COMPUTE-1:0] differs = compute ^ fill_compute_q;
  wire differ = (|differs[AT_ACROSS+:4]) | (|differs[AT_CHUNK_ROWS+:16])
              | (|differs[AT_GROUP_PITCH+:16]);
  wire differ_a = differ | (|differs[AT_A_GROUPS+:16]) | (|differs[AT_A_LINES+:16]);
  wire differ_b = differ | (|differs[AT_B_GROUPS+:16]) | (|differs[AT_B_LINES+:16]);
  assign done_o = |(open_q & collected);
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {filling_q, start_q, half_q} <= 3'd0;
      sides_q <= 2'd0;
      {full_q, open_q} <= 4'd0;
    end else begin
      filling_q <= accepts | (filling_q & ~filled);
      start_q <= accepts;
      half_q <= half_q ^ filled;
      if (accepts) sides_q <= sides;
      full_q <= (full_q & ~fed) | begun;
      open_q <= (open_q & ~collected) | begun;
    end
  end
  always @(posedge clk_i) begin
    if (accepts) begin
      compute_q[half_q*COMPUTE+:COMPUTE] <= compute;
      halves_q[half_q*2+:2] <= sides;
      fill_compute_q <= compute;
      misfit_q <= (|({differ_b, differ_a} & compute[AT_KEEP+:2])) | (&compute[AT_KEEP+:2]);
      walk_q <= desc_i[A_WALK+:2*WALK];
    end
    if (filled) outputs_compute_q[half_q*COMPUTE+:COMPUTE] <= fill_compute_q;
  end

  // Fills, side A's first
  wire [1:0] side_error;
  wire [2*GROUPS_AT_ONCE-1:0] write;  // in a group, and in those behind it
  wire [2*FILL_BITS-1:0] rows;
  wire [2*GROUPS_AT_ONCE*STREAMS-1:0] stream;
  wire [2*GROUPS_AT_ONCE*SETS-1:0] set;
  wire [2*DEPTH-1:0] bank;
  wire [2*GROUPS_AT_ONCE*SET_ROW_BITS-1:0] bank_row;
  wire [2*GROUPS_AT_ONCE*16-1:0] line;
  genvar side;
  for (side = 0; side < 2; side = side + 1) begin : g_fill
    wire last;
    wire keeps = fill_compute_q[AT_KEEP+side];
    td1_side #(
        .LANES(LANES), .WIDTH(WIDTH), .STREAMS(STREAMS), .DEPTH(DEPTH), .OPERAND_ROWS(OPERAND_ROWS),
        .SETS(SETS), .SET_ROWS(SET_ROWS), .FILL_ROWS(FILL_ROWS)
    ) u_side (
        .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start_q & ~keeps),
        .walk_i(walk_q[side*WALK+:WALK]), .chunk_rows_i(fill_compute_q[AT_CHUNK_ROWS+:16]),
        .group_pitch_i(fill_compute_q[AT_GROUP_PITCH+:16]),
        .groups_i(fill_compute_q[(side == 0 ? AT_A_GROUPS : AT_B_GROUPS)+:16]),
        .lines_i(fill_compute_q[(side == 0 ? AT_A_LINES : AT_B_LINES)+:16]), .last_o(last),
        .error_o(side_error[side]), .read_en_o(read_en_o[side*FILL_ROWS+:FILL_ROWS]),
        .read_interleave_o(read_interleave_o[side*5+:5]),
        .read_row_o(read_row_o[side*NUMBERS+:NUMBERS]), .read_clash_i(read_clash_i[side]),
        .read_data_i(read_data_i[side*FILL_BITS+:FILL_BITS]),
        .write_o(write[side*GROUPS_AT_ONCE+:GROUPS_AT_ONCE]),
        .stream_o(stream[side*GROUPS_AT_ONCE*STREAMS+:GROUPS_AT_ONCE*STREAMS]),
        .set_o(set[side*GROUPS_AT_ONCE*SETS+:GROUPS_AT_ONCE*SETS]),
        .bank_o(bank[side*DEPTH+:DEPTH]),
        .bank_row_o(bank_row[side*GROUPS_AT_ONCE*SET_ROW_BITS+:GROUPS_AT_ONCE*SET_ROW_BITS]),
        .line_o(line[side*GROUPS_AT_ONCE*16+:GROUPS_AT_ONCE*16]),
        .rows_o(rows[side*FILL_BITS+:FILL_BITS])
    );
    wire over = filled_q[side] | last | keeps;
    always @(posedge clk_i) filled_q[side] <= ~start_q & filling_q & over;
  end

  wire feeding, no_word;
  td1_tiles #(
      .TILES(TILES), .STREAMS(STREAMS), .LANES(LANES), .WIDTH(WIDTH), .SETS(SETS),
      .SET_ROWS(SET_ROWS), .RESULT_WORDS(RESULT_WORDS), .COLLECT_WORDS(COLLECT_WORDS),
      .STORE_ROWS(STORE_ROWS), .FILL_ROWS(FILL_ROWS), .DEPTH(DEPTH), .KIND_BITS(KIND_BITS),
      .KIND(KIND)
  ) u_tiles (
      .clk_i(clk_i), .rst_ni(rst_ni), .full_i(full_q), .compute_i(compute_q), .fed_o(fed),
      .open_i(open_q), .outputs_compute_i(outputs_compute_q), .collected_o(collected),
      .error_o(no_word), .halves_i(halves_q), .fill_half_i(half_q), .fill_halves_i(sides_q),
      .write_i(write), .stream_i(stream), .set_i(set), .bank_i(bank), .bank_row_i(bank_row),
      .line_i(line), .rows_i(rows), .result_en_i(result_en_i), .result_tile_i(result_tile_i),
      .result_row_i(result_row_i), .result_data_o(result_data_o), .feeding_o(feeding),
      .stepped_o(stepped_o), .nonfinite_o(nonfinite_o)
  );
  assign waiting_o = (filling_q | (|open_q)) & ~stepped_o;
  assign filling_o = filling_q & ~feeding & ~stepped_o;

  // Errors
  localparam [3:0] FIELD = 4'd2;
  localparam LAST_TILE = TILES - 1;
  wire [15:0] below = LAST_TILE[15:0] >> fill_compute_q[AT_ACROSS+:4];
  wire [15:0] beside = LAST_TILE[15:0] & ~(16'hffff << fill_compute_q[AT_ACROSS+:4]);
  wire too_wide = (fill_compute_q[AT_A_LINES+:16] > beside + 16'd1)
                | (fill_compute_q[AT_B_LINES+:16] > below + 16'd1)
                | (beside != ~(16'hffff << fill_compute_q[AT_ACROSS+:4]));
  // What is added to a word must not find it on its way through the adder: rows lie apart.
  wire [15:0] row_words = fill_compute_q[AT_LANES_ON_B] ? fill_compute_q[AT_B_GROUPS+:16]
                                                    : fill_compute_q[AT_A_GROUPS+:16];
  wire overlaps = fill_compute_q[AT_RESULT_PITCH+:16] < row_words;
  wire failed = (start_q & (too_wide | overlaps | misfit_q)) | (|side_error) | no_word;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) error_o <= 4'd0;
    else if (failed) error_o <= FIELD;
  end
  wire unused = &{1'b0, desc_i, fill_compute_q, differs};
endmodule
`default_nettype wire
