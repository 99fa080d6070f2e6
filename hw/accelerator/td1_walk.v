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
  localparam STEP_BITS = 64;
  // descriptors.toml, walk: row y x y_bound x_bound transpose fan last_fan levels level
  localparam AT_ROW = 0, AT_Y = 32, AT_X = 48, AT_Y_BOUND = 64, AT_X_BOUND = 80, AT_TRANSPOSE = 96;
  localparam AT_FAN = 97, AT_LAST_FAN = 102, AT_LEVELS = 128, BITS_LEVEL = 96;
  // descriptors.toml, walk: fan_row_step fan_y_step fan_x_step
  localparam AT_FAN_ROW_STEP = 704, AT_FAN_Y_STEP = 736, AT_FAN_X_STEP = 752;
  // descriptors.toml, walk: level.count level.y_step level.x_step level.row_step
  localparam AT_LEVEL_COUNT = 0, AT_LEVEL_Y_STEP = 16, AT_LEVEL_X_STEP = 32, AT_LEVEL_ROW_STEP = 64;

  // The loop that goes on is the innermost one that is not at its end. Which that is, is found a
  // step ahead, for it takes long: what follows from it stands in registers beside the rows.
  wire moves = start_i | step_i;
  wire [LEVELS-1:0] last;               // the loop is at its end
  wire [LEVELS*STEP_BITS-1:0] offered;  // increments of the loop that goes on, zeros of others
  genvar l;
  for (l = 0; l < LEVELS; l = l + 1) begin : g_level
    localparam AT = AT_LEVELS + l * BITS_LEVEL;
    wire ended = &(last | ({LEVELS{1'b1}} << l));  // all inside it are
    reg [15:0] left_q;  // iterations, with that of the step ahead
    wire [15:0] left = start_i ? walk_i[AT+AT_LEVEL_COUNT+:16] : left_q;
    assign last[l] = left == 16'd1;
    assign offered[l*STEP_BITS+:STEP_BITS] = {STEP_BITS{ended & ~last[l]}}
        & {walk_i[AT+AT_LEVEL_ROW_STEP+:32], walk_i[AT+AT_LEVEL_X_STEP+:16],
           walk_i[AT+AT_LEVEL_Y_STEP+:16]};
    wire [15:0] next = ~ended ? left : last[l] ? walk_i[AT+AT_LEVEL_COUNT+:16] : left - 16'd1;
    always @(posedge clk_i) left_q <= ({16{moves}} & next) | ({16{~moves}} & left_q);
  end

  function [STEP_BITS-1:0] merge;
    input [LEVELS*STEP_BITS-1:0] steps;
    integer k;
    begin
      merge = steps[0+:STEP_BITS];
      for (k = 1; k < LEVELS; k = k + 1) merge = merge | steps[k*STEP_BITS+:STEP_BITS];
    end
  endfunction

  wire unused = &{1'b0, walk_i};
  // The fan loop: the rows of a step are neighbours of its iteration.
  wire fan_ends = walk_i[AT_TRANSPOSE] ? last[0] : last[INNER];
  reg [STEP_BITS-1:0] step_q;
  reg fan_ends_q, inner_end_q, end_q;
  always @(posedge clk_i) begin
    step_q <= ({STEP_BITS{moves}} & merge(offered)) | ({STEP_BITS{~moves}} & step_q);
    fan_ends_q  <= moves ? fan_ends : fan_ends_q;
    inner_end_q <= moves ? &last[INNER-1:0] : inner_end_q;
    end_q       <= moves ? &last : end_q;
  end
  wire [31:0] row_step;
  wire [15:0] x_step, y_step;
  assign {row_step, x_step, y_step} = step_q;
  assign rows_o = fan_ends_q ? walk_i[AT_LAST_FAN+:5] : walk_i[AT_FAN+:5];
  wire steps = step_i & ~start_i, stays = ~moves;
  genvar r;
  for (r = 0; r < FILL_ROWS; r = r + 1) begin : g_row
    wire [31:0] first_row;  // where the walk begins
    wire [15:0] first_y, first_x;
    wire there;  // the step has such a row
    if (r == 0) begin : g_first
      assign {first_row, first_y, first_x} =
          {walk_i[AT_ROW+:32], walk_i[AT_Y+:16], walk_i[AT_X+:16]};
      assign there = 1'b1;
    end else begin : g_next
      localparam [4:0] NUMBER = r;
      // Half as far behind the first one, or less, and a power of two behind that.
      localparam BITS = $clog2(r + 1) - 1, BEFORE = r - (1 << BITS);
      assign first_row = g_row[BEFORE].first_row + (walk_i[AT_FAN_ROW_STEP+:32] << BITS);
      assign first_y = g_row[BEFORE].first_y + (walk_i[AT_FAN_Y_STEP+:16] << BITS);
      assign first_x = g_row[BEFORE].first_x + (walk_i[AT_FAN_X_STEP+:16] << BITS);
      assign there = NUMBER < rows_o;
    end
    reg [31:0] row_q;  // in padding it may lie before the memory: negative, which is large
    reg [15:0] y_q, x_q;
    wire [31:0] next_row = row_q + row_step;
    wire [15:0] next_y = y_q + y_step, next_x = x_q + x_step;
    // Whether it steps comes late: it chooses what loads, and is no enable of a clock gate.
    always @(posedge clk_i) begin
      row_q <= ({32{start_i}} & first_row) | ({32{steps}} & next_row) | ({32{stays}} & row_q);
      y_q   <= ({16{start_i}} & first_y) | ({16{steps}} & next_y) | ({16{stays}} & y_q);
      x_q   <= ({16{start_i}} & first_x) | ({16{steps}} & next_x) | ({16{stays}} & x_q);
    end
    assign row_o[r*ROW_BITS+:ROW_BITS] = row_q[ROW_BITS-1:0];
    assign beyond_o[r] = row_q >= OPERAND_ROWS;
    assign zero_o[r] = ~there | (y_q >= walk_i[AT_Y_BOUND+:16]) | (x_q >= walk_i[AT_X_BOUND+:16]);
  end
  assign inner_end_o = inner_end_q;
  assign end_o = end_q;
endmodule
`default_nettype wire
