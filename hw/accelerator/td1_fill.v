// SPDX-License-Identifier: 0BSD
// Fill: reads the rows of a walk from an operand memory, some in a clock, and transposes them where
// the walk says so. Rows that a block lacks are zeros; those of transposed blocks, and of streams
// behind the walk, come as many at once as there is room for.
//
//   clk_i        _/-\_/-\_/-\_/-\_/-\_/-\_
//   start_i      _/---\___________________
//   read_en_o    _____/---------------\___
//   read_data_i          | 0 | 1 | 2 | 3 |
//   comes_o      _________/---------------   rows of transposed blocks: a block later, FILL_ROWS
//   rows_o                    | 0 | 1 | 2 |  at once
`default_nettype none

module td1_fill #(
    parameter LANES        = 16,   // elements of a row, 2..64, a power of two
    parameter WIDTH        = 16,   // bits of an element
    parameter OPERAND_ROWS = 1024, // rows of the operand memory, 2 or more
    parameter FILL_ROWS    = 1     // rows in a clock, at most: a power of two that divides LANES
) (
    input  wire                                      clk_i,        // clock
    input  wire                                      rst_ni,       // asynchronous reset, active low
    input  wire                                      start_i,      // begin; the next two stay
    input  wire [                         24*32-1:0] walk_i,       // see descriptors.toml
    input  wire [                              15:0] chunk_rows_i, // rows of a stream, 1 or more
    // Operand memory
    output wire [                     FILL_ROWS-1:0] read_en_o,
    output wire [FILL_ROWS*$clog2(OPERAND_ROWS)-1:0] read_row_o,
    input  wire [         FILL_ROWS*LANES*WIDTH-1:0] read_data_i,  // one clock later
    // Rows of streams
    output wire                                      comes_o,      // rows come in the next clock
    output wire                                      last_o,       // ... the last ones
    output wire [                               4:0] count_o,      // ... so many, 1..FILL_ROWS
    output wire                                      surplus_o,    // ... maybe more than are needed
    output reg  [         FILL_ROWS*LANES*WIDTH-1:0] rows_o,       // stream s's: s modulo FILL_ROWS
    output wire                                      error_o       // rows that cannot be
);
  localparam LANE_BITS = $clog2(LANES), ROW = LANES * WIDTH, MOST = FILL_ROWS;
  // descriptors.toml, walk: transpose blocks
  localparam AT_TRANSPOSE = 96, AT_BLOCKS = 112;
  localparam LAST_ROW = FILL_ROWS - 1;
  // It has far to go, within a clock: registers of its own, one for what steps and one for rows.
  reg transpose_q, transposes_q;
  always @(posedge clk_i) {transpose_q, transposes_q} <= {walk_i[AT_TRANSPOSE], transpose_q};

  // Where in a block: row of the chunk, and of transposed ones also which of LANES source rows; of
  // others lanes count streams.
  reg busy_q, flush_q, primed_q, odd_q;
  reg [LANE_BITS-1:0] lane_q;
  reg [15:0] rows_q, blocks_q;  // rows of the chunk, and blocks, that are left, with this one
  wire real_row;                // it is the walk's
  wire over;                    // the walk is over: no stream is its
  wire [4:0] walk_rows;
  wire [6:0] lane = {{7 - LANE_BITS{1'b0}}, lane_q};
  wire [4:0] first = lane[4:0] & LAST_ROW[4:0];  // modulo FILL_ROWS
  wire [4:0] count = (transpose_q ? real_row : ~over) ? walk_rows : MOST[4:0] - first;
  wire [6:0] next_lane = lane + {2'd0, count};
  wire row_ends = ~transpose_q | next_lane[LANE_BITS];
  // As many source rows are there as are transposed at once.
  wire whole = ~transpose_q | (first + count >= MOST[4:0]);
  wire block_ends = row_ends & (rows_q == 16'd1);
  wire last_block = blocks_q == 16'd1;
  wire source_ends = block_ends & last_block;
  wire ends = flush_q ? row_ends : source_ends & ~transpose_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= start_i | (busy_q & ~ends);
  end
  // How many rows come is known late: it chooses what loads, and is no enable of a clock gate.
  wire goes_on = busy_q & ~start_i & row_ends;  // to the next row of the chunk
  wire moves = busy_q & (transpose_q | block_ends);
  always @(posedge clk_i) begin
    odd_q    <= ~start_i & (odd_q ^ goes_on);
    primed_q <= ~start_i & (primed_q | goes_on);
    flush_q  <= ~start_i & (goes_on ? source_ends : flush_q);  // the last block leaves
    lane_q   <= {LANE_BITS{~start_i}} & (({LANE_BITS{moves}} & next_lane[LANE_BITS-1:0])
                                         | ({LANE_BITS{~moves}} & lane_q));
    rows_q   <= ({16{start_i | (goes_on & block_ends)}} & chunk_rows_i)
              | ({16{goes_on & ~block_ends}} & (rows_q - 16'd1))
              | ({16{~start_i & ~goes_on}} & rows_q);
    blocks_q <= start_i ? walk_i[AT_BLOCKS+:16] : blocks_q - {15'd0, goes_on & block_ends};
  end

  // The walk pauses from the end of its inner loops to the end of the block.
  reg pauses_q, over_q;
  wire [FILL_ROWS-1:0] beyond, zero;
  wire inner_end, walk_end;
  assign real_row = busy_q & ~flush_q & ~pauses_q & ~over_q;
  assign over = over_q;
  td1_walk #(.OPERAND_ROWS(OPERAND_ROWS), .FILL_ROWS(FILL_ROWS)) u_walk (
      .clk_i(clk_i), .start_i(start_i), .walk_i(walk_i),
      .step_i(busy_q & ~flush_q & ~over_q & (inner_end ? block_ends : ~pauses_q)),
      .row_o(read_row_o), .rows_o(walk_rows), .beyond_o(beyond), .zero_o(zero),
      .inner_end_o(inner_end), .end_o(walk_end)
  );
  always @(posedge clk_i) begin
    if (start_i) {pauses_q, over_q} <= 2'b00;
    else if (busy_q & ~flush_q) begin
      pauses_q <= ~block_ends & (pauses_q | inner_end);
      over_q  <= over_q | (block_ends & walk_end);
    end
  end
  assign read_en_o = {FILL_ROWS{real_row}} & ~zero;
  wire too_many = block_ends & (~inner_end | (transpose_q & (|next_lane[LANE_BITS-1:0])));
  assign error_o = (|(read_en_o & beyond)) | (real_row & too_many);

  // Behind the memory
  reg came_q, counts_q, whole_q, last_q, came_odd_q;
  reg [4:0] first_q, count_q;
  reg surplus_q;
  reg [FILL_ROWS-1:0] zero_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) came_q <= 1'b0;
    else came_q <= busy_q;
  end
  always @(posedge clk_i) begin
    counts_q   <= ~transpose_q | primed_q;
    whole_q    <= whole;
    last_q     <= ends;
    first_q    <= first;
    count_q    <= transpose_q ? MOST[4:0] : count;
    surplus_q  <= transpose_q | over;
    zero_q     <= ~read_en_o;
    came_odd_q <= odd_q;
  end
  localparam ROTATE_BITS = FILL_ROWS > 1 ? $clog2(FILL_ROWS) : 1;
  wire [FILL_ROWS*ROW-1:0] came, transposed;
  wire [FILL_ROWS*ROW-1:0] places;    // rows that came, the first one behind those before
  wire [FILL_ROWS*ROW-1:0] gathered;  // and those that waited
  genvar r, s, b;
  for (r = 0; r < FILL_ROWS; r = r + 1) begin : g_row
    assign came[r*ROW+:ROW] = zero_q[r] ? {ROW{1'b0}} : read_data_i[r*ROW+:ROW];
  end
  wire unused_first = &{1'b0, first_q};
  // They move up by the number of the first one, bit by bit of it.
  for (b = 0; b < ROTATE_BITS; b = b + 1) begin : g_rotate
    localparam BY = (1 << b) % FILL_ROWS;
    wire [FILL_ROWS*ROW-1:0] before_it, behind_it;
    if (b == 0) begin : g_first
      assign before_it = came;
    end else begin : g_next
      assign before_it = g_rotate[b-1].behind_it;
    end
    for (s = 0; s < FILL_ROWS; s = s + 1) begin : g_row
      assign behind_it[s*ROW+:ROW] = first_q[b] ? before_it[(s+FILL_ROWS-BY)%FILL_ROWS*ROW+:ROW]
                                                : before_it[s*ROW+:ROW];
    end
  end
  assign places = g_rotate[ROTATE_BITS-1].behind_it;
  for (s = 0; s < FILL_ROWS; s = s + 1) begin : g_place
    localparam [4:0] NUMBER = s;
    if (s == FILL_ROWS - 1) begin : g_last
      assign gathered[s*ROW+:ROW] = places[s*ROW+:ROW];
    end else begin : g_waits
      // Source rows of a transposed block wait until FILL_ROWS are there.
      reg  [ROW-1:0] waits_q;
      wire earlier = NUMBER < first_q;
      assign gathered[s*ROW+:ROW] = earlier ? waits_q : places[s*ROW+:ROW];
      always @(posedge clk_i) begin
        if (came_q & (whole_q | ~earlier)) waits_q <= places[s*ROW+:ROW];
      end
    end
  end
  td1_transposer #(.LANES(LANES), .WIDTH(WIDTH), .SHIFT(FILL_ROWS)) u_transposer (
      .clk_i(clk_i), .shift_i(came_q & whole_q & transposes_q), .odd_i(came_odd_q),
      .row_i(gathered), .row_o(transposed)
  );
  assign comes_o = came_q & counts_q & whole_q;
  assign last_o = came_q & last_q;
  assign count_o = count_q;
  assign surplus_o = surplus_q;
  always @(posedge clk_i) if (came_q) rows_o <= transposes_q ? transposed : places;
endmodule
`default_nettype wire
