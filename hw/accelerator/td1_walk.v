// SPDX-License-Identifier: 0BSD
// Walk: six nested loops over the rows of an operand memory. Each step adds the increments of the
// one loop that goes on; they hold the return of all loops inside it: nothing is multiplied. Up to
// FILL_ROWS rows belong to a step, which lie evenly apart; in the last iteration of the fan loop
// they may be fewer.
`default_nettype none

module td1_walk #(
    parameter OPERAND_ROWS = 1024, // rows of the operand memory, 2 or more
    parameter FILL_ROWS    = 1     // rows of a step, at most: a power of two
) (
    input  wire                                      clk_i,        // clock
    input  wire                                      start_i,      // go to the first rows
    input  wire [                         24*32-1:0] walk_i,       // see descriptors.toml
    input  wire                                      step_i,       // go to the next rows
    output wire [FILL_ROWS*$clog2(OPERAND_ROWS)-1:0] row_o,        // the first in the low bits
    output wire [                               4:0] rows_o,       // of the step: 1..FILL_ROWS
    output wire [                     FILL_ROWS-1:0] beyond_o,     // ... is none of the memory's
    output wire [                     FILL_ROWS-1:0] zero_o,       // ... is not read: padding, or
                                                                   // no row of the step
    output wire                                      inner_end_o,  // the inner three loops are at
                                                                   // their ends
    output wire                                      end_o         // all of them are
);
  localparam LEVELS = 6, INNER = 3, ROW_BITS = $clog2(OPERAND_ROWS);
  // Places in walk_i, in bits
  localparam Y = 32, X = 48, Y_BOUND = 64, X_BOUND = 80, LEVEL = 128;
  localparam TRANSPOSE = 96, FAN = 97, LAST_FAN = 102;
  localparam FAN_ROW = 704, FAN_Y = 736, FAN_X = 752;
  localparam LEVEL_BITS = 96, STEP_BITS = 64;

  // The loop that goes on is the innermost one that is not at its end.
  wire [LEVELS-1:0] last;               // the loop is at its end
  wire [LEVELS*STEP_BITS-1:0] offered;  // increments of the loop that goes on, zeros of others
  genvar l;
  for (l = 0; l < LEVELS; l = l + 1) begin : g_level
    localparam AT = LEVEL + l * LEVEL_BITS;
    wire ended = &(last | ({LEVELS{1'b1}} << l));  // all inside it are
    reg [15:0] left_q;  // iterations, with this one
    assign last[l] = left_q == 16'd1;
    assign offered[l*STEP_BITS+:STEP_BITS] = {STEP_BITS{ended & ~last[l]}}
                                           & {walk_i[AT+64+:32], walk_i[AT+16+:32]};
    wire again = start_i | (step_i & ended & last[l]), goes_on = step_i & ended & ~last[l];
    always @(posedge clk_i) begin
      left_q <= ({16{again}} & walk_i[AT+:16])
              | ({16{~start_i & goes_on}} & (left_q - 16'd1))
              | ({16{~start_i & ~(step_i & ended)}} & left_q);
    end
  end

  function [STEP_BITS-1:0] merge;
    input [LEVELS*STEP_BITS-1:0] steps;
    integer k;
    begin
      merge = steps[0+:STEP_BITS];
      for (k = 1; k < LEVELS; k = k + 1) merge = merge | steps[k*STEP_BITS+:STEP_BITS];
    end
  endfunction

  wire [31:0] row_step;
  wire [15:0] x_step, y_step;
  assign {row_step, x_step, y_step} = merge(offered);
  wire unused = &{1'b0, walk_i};
  // The fan loop: the rows of a step are neighbours of its iteration.
  wire fan_ends = walk_i[TRANSPOSE] ? last[0] : last[INNER];
  assign rows_o = fan_ends ? walk_i[LAST_FAN+:5] : walk_i[FAN+:5];
  genvar r;
  for (r = 0; r < FILL_ROWS; r = r + 1) begin : g_row
    wire [31:0] first_row;  // where the walk begins
    wire [15:0] first_y, first_x;
    wire there;  // the step has such a row
    if (r == 0) begin : g_first
      assign {first_row, first_y, first_x} = {walk_i[31:0], walk_i[Y+:16], walk_i[X+:16]};
      assign there = 1'b1;
    end else begin : g_next
      localparam [4:0] NUMBER = r;
      // Half as far behind the first one, or less, and a power of two behind that.
      localparam BITS = $clog2(r + 1) - 1, BEFORE = r - (1 << BITS);
      assign first_row = g_row[BEFORE].first_row + (walk_i[FAN_ROW+:32] << BITS);
      assign first_y = g_row[BEFORE].first_y + (walk_i[FAN_Y+:16] << BITS);
      assign first_x = g_row[BEFORE].first_x + (walk_i[FAN_X+:16] << BITS);
      assign there = NUMBER < rows_o;
    end
    reg [31:0] row_q;  // in padding it may lie before the memory: negative, which is large
    reg [15:0] y_q, x_q;
    // Whether it steps comes late: no enable, for a clock gate's must be there in mid-clock.
    always @(posedge clk_i) begin
      row_q <= ({32{start_i}} & first_row) | ({32{~start_i}} & (row_q + ({32{step_i}} & row_step)));
      y_q   <= ({16{start_i}} & first_y) | ({16{~start_i}} & (y_q + ({16{step_i}} & y_step)));
      x_q   <= ({16{start_i}} & first_x) | ({16{~start_i}} & (x_q + ({16{step_i}} & x_step)));
    end
    assign row_o[r*ROW_BITS+:ROW_BITS] = row_q[ROW_BITS-1:0];
    assign beyond_o[r] = row_q >= OPERAND_ROWS;
    assign zero_o[r] = ~there | (y_q >= walk_i[Y_BOUND+:16]) | (x_q >= walk_i[X_BOUND+:16]);
  end
  assign inner_end_o = &last[INNER-1:0];
  assign end_o = &last;
endmodule
`default_nettype wire
