// SPDX-License-Identifier: 0BSD
// Fill: reads the rows of a walk from an operand memory, 2^fan in a clock, and turns them where the
// walk says so. Rows that a block lacks are zeros.
//
//   clk_i        _/-\_/-\_/-\_/-\_/-\_/-\_
//   start_i      _/---\___________________
//   read_en_o    _____/---------------\___
//   read_data_i          | 0 | 1 | 2 | 3 |
//   valid_o      _____________/-----------   rows of transposed blocks: a block later, FILL_ROWS
//   rows_o                    | 0 | 1 | 2 |  at once
`default_nettype none

module td1_fill #(
    parameter LANES        = 16,   // elements of a row, 2..64
    parameter WIDTH        = 16,   // bits of an element
    parameter OPERAND_ROWS = 1024, // rows of the operand memory, 2 or more
    parameter FILL_ROWS    = 1     // rows in a clock, at most: a power of two that divides LANES
) (
    input  wire                            clk_i,         // clock
    input  wire                            rst_ni,        // asynchronous reset, active low
    input  wire                            start_i,       // begin; the next two stay until last_o
    input  wire [               24*32-1:0] walk_i,        // see descriptors.toml
    input  wire [                    15:0] chunk_rows_i,  // rows of a stream, 1 or more
    // Operand memory
    output wire [FILL_ROWS-1:0] read_en_o,
    output wire [FILL_ROWS*$clog2(OPERAND_ROWS)-1:0] read_row_o,
    input  wire [FILL_ROWS*LANES*WIDTH-1:0] read_data_i,   // one clock later
    // Rows of streams
    output reg                             valid_o,
    output reg                             last_o,        // the last ones
    output reg  [FILL_ROWS*LANES*WIDTH-1:0] rows_o,        // fewer of them again and again
    output wire                            error_o        // a row that cannot be, or too many
);
  localparam LANE_BITS = $clog2(LANES), ROW = LANES * WIDTH, FANS = $clog2(FILL_ROWS) + 1;
  localparam TRANSPOSE = 96, FAN = 97, BLOCKS = 112;  // places in walk_i
  localparam LAST_LANE = LANES - 1, LAST_ROW = FILL_ROWS - 1;
  wire transpose = walk_i[TRANSPOSE];
  wire [2:0] fan = walk_i[FAN+:3];

  // Where in a block: row, and of transposed ones also which of LANES source rows, 2^fan at once.
  reg busy_q, flush_q, primed_q, odd_q;
  reg [LANE_BITS-1:0] lane_q;
  reg [15:0] rows_q, blocks_q;  // rows of the chunk, and blocks, that are left, with this one
  wire turns = ~transpose | (lane_q == LAST_LANE[LANE_BITS-1:0] >> fan);
  // As many source rows are there as are turned at once.
  wire whole = ~transpose | (&(lane_q | ~(LAST_ROW[LANE_BITS-1:0] >> fan)));
  wire block_ends = turns & (rows_q == 16'd1);
  wire last_block = blocks_q == 16'd1;
  wire source_ends = block_ends & last_block;
  wire ends = flush_q ? turns : source_ends & ~transpose;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= start_i | (busy_q & ~ends);
  end
  always @(posedge clk_i) begin
    if (start_i) begin
      {flush_q, primed_q, odd_q} <= 3'd0;
      lane_q <= {LANE_BITS{1'b0}};
      rows_q <= chunk_rows_i;
      blocks_q <= walk_i[BLOCKS+:16];
    end else if (busy_q) begin
      lane_q <= turns ? {LANE_BITS{1'b0}} : lane_q + 1'b1;
      if (turns) begin
        odd_q <= ~odd_q;
        primed_q <= 1'b1;
        flush_q <= source_ends;  // the last block leaves while zeros come in
        rows_q <= block_ends ? chunk_rows_i : rows_q - 16'd1;
        if (block_ends) blocks_q <= blocks_q - 16'd1;
      end
    end
  end

  // The walk rests from the end of its inner loops to the end of the block.
  reg rests_q, over_q;
  wire [FILL_ROWS-1:0] beyond, zero;
  wire inner_end, walk_end;
  wire real_row = busy_q & ~flush_q & ~rests_q & ~over_q;
  td1_walk #(.OPERAND_ROWS(OPERAND_ROWS), .FILL_ROWS(FILL_ROWS)) u_walk (
      .clk_i      (clk_i),
      .start_i    (start_i),
      .walk_i     (walk_i),
      .step_i     (busy_q & ~flush_q & ~over_q & (inner_end ? block_ends : ~rests_q)),
      .row_o      (read_row_o),
      .beyond_o   (beyond),
      .zero_o     (zero),
      .inner_end_o(inner_end),
      .end_o      (walk_end)
  );
  always @(posedge clk_i) begin
    if (start_i) {rests_q, over_q} <= 2'b00;
    else if (busy_q & ~flush_q) begin
      rests_q <= ~block_ends & (rests_q | inner_end);
      over_q  <= over_q | (block_ends & walk_end);
    end
  end
  assign read_en_o = {FILL_ROWS{real_row}} & ~zero;
  assign error_o = (|(read_en_o & beyond)) | (real_row & block_ends & ~inner_end);

  // Behind the memory
  reg came_q, counts_q, whole_q, last_q, came_odd_q;
  reg [FILL_ROWS-1:0] zero_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {came_q, valid_o} <= 2'b00;
    else begin
      came_q  <= busy_q;
      valid_o <= came_q & counts_q & whole_q;
    end
  end
  always @(posedge clk_i) begin
    counts_q   <= ~transpose | primed_q;
    whole_q    <= whole;
    last_q     <= ends;
    zero_q     <= ~read_en_o;
    came_odd_q <= odd_q;
  end
  wire [FILL_ROWS*ROW-1:0] came, turned;
  genvar r, f;
  for (r = 0; r < FILL_ROWS; r = r + 1) begin : g_row
    assign came[r*ROW+:ROW] = zero_q[r] ? {ROW{1'b0}} : read_data_i[r*ROW+:ROW];
  end

  // Fewer rows than FILL_ROWS wait until there are as many, or go to all streams.
  reg [FILL_ROWS*ROW-1:0] gathered_q;
  wire unused = &{1'b0, gathered_q[ROW-1:0]};  // the oldest row leaves
  for (f = 0; f < FANS; f = f + 1) begin : g_fan
    localparam ROWS = 1 << f;
    wire named = fan == f;
    wire [FILL_ROWS*ROW-1:0] gathered, again;
    if (f == FANS - 1) begin : g_all
      assign gathered = came;
    end else begin : g_some
      assign gathered = {came[0+:ROWS*ROW], gathered_q[FILL_ROWS*ROW-1:ROWS*ROW]};
    end
    assign again = {FILL_ROWS / ROWS{came[0+:ROWS*ROW]}};
    wire [2*FILL_ROWS*ROW-1:0] one = {2 * FILL_ROWS * ROW{named}} & {again, gathered};
    wire [2*FILL_ROWS*ROW-1:0] some;  // of the fans up to this one
    if (f == 0) begin : g_first
      assign some = one;
    end else begin : g_next
      assign some = g_fan[f-1].some | one;
    end
  end
  wire [FILL_ROWS*ROW-1:0] again, gathered;
  assign {again, gathered} = g_fan[FANS-1].some;
  td1_transposer #(.LANES(LANES), .WIDTH(WIDTH), .SHIFT(FILL_ROWS)) u_transposer (
      .clk_i  (clk_i),
      .shift_i(came_q & whole_q & transpose),
      .odd_i  (came_odd_q),
      .row_i  (gathered),
      .row_o  (turned)
  );
  always @(posedge clk_i) begin
    last_o <= last_q & came_q;
    if (came_q) gathered_q <= gathered;
    if (came_q) rows_o <= transpose ? turned : again;
  end
endmodule
`default_nettype wire
