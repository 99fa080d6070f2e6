// SPDX-License-Identifier: 0BSD
// Scheduler: which element of the window each lane takes in this step. Lanes choose level by level,
// each the first option in order of priority that holds an element, and what a level takes is gone
// before the next one looks. Lanes of one level reach no common element, so they choose at once.
`default_nettype none

module td1_scheduler #(
    parameter LANES  = 16,  // 2..64
    parameter DEPTH  = 3,   // rows of the window, 1..8
    parameter OPTIONS = 8,   // of a lane, 1..64; option 0 is its own element of row 0
    parameter LEVELS = 6,   // 1..LANES
    // Eight bits each. Option p lies STEP[p] rows ahead, below DEPTH, and OFFSET[p] lanes up,
    // modulo LANES; both are 0 for option 0. Lane l chooses in level LEVEL[l], below LEVELS.
    parameter [8*OPTIONS-1:0] STEP   = 0,
    parameter [8*OPTIONS-1:0] OFFSET = 0,
    parameter [ 8*LANES-1:0] LEVEL  = 0
) (
    input  wire [ DEPTH*LANES-1:0] z_i,       // elements that may be taken: row * LANES + lane
    output wire [LANES*OPTIONS-1:0] select_o,  // lane * OPTIONS + option: one-hot, or none
    output wire [        LANES-1:0] live_o,    // the lane takes an element; settles before select_o
    output wire [ DEPTH*LANES-1:0] untaken_o  // elements that no lane took; none of row 0
);
  localparam ELEMENTS = DEPTH * LANES;

  genvar level, lane, opt;
  for (level = 0; level < LEVELS; level = level + 1) begin : g_level
    localparam LEVEL_BEFORE = (level > 0) ? level - 1 : 0;
    for (lane = 0; lane < LANES; lane = lane + 1) begin : g_lane
      localparam LANE_BEFORE = (lane > 0) ? lane - 1 : 0;
      wire [ELEMENTS-1:0] untaken;  // what this lane leaves of what it finds
      wire [ELEMENTS-1:0] found = (lane > 0) ? g_lane[LANE_BEFORE].untaken
                                : (level > 0) ? g_level[LEVEL_BEFORE].g_lane[LANES-1].untaken : z_i;
      if ({24'd0, LEVEL[8*lane+:8]} == level) begin : g_choice
        wire [OPTIONS-1:0] reach;  // elements within reach that are left
        wire [OPTIONS-1:0] choice = reach & (~reach + 1'b1);  // the lowest bit that is set
        for (opt = 0; opt < OPTIONS; opt = opt + 1) begin : g_option
          localparam [31:0] AHEAD = {24'd0, STEP[8*opt+:8]}, ASIDE = {24'd0, OFFSET[8*opt+:8]};
          localparam BEFORE = (opt > 0) ? opt - 1 : 0;
          localparam ELEMENT = AHEAD * LANES + (lane + ASIDE) % LANES;
          wire [ELEMENTS-1:0] taken = {{ELEMENTS - 1{1'b0}}, choice[opt]} << ELEMENT;
          // By this option and those before it.
          wire [ELEMENTS-1:0] left = (opt > 0 ? g_option[BEFORE].left : found) & ~taken;
          assign reach[opt] = found[ELEMENT];
        end
        assign select_o[lane*OPTIONS+:OPTIONS] = choice;
        assign live_o[lane] = |reach;
        assign untaken = g_option[OPTIONS-1].left;
      end else begin : g_other_level
        assign untaken = found;
      end
    end
  end
  assign untaken_o = g_level[LEVELS-1].g_lane[LANES-1].untaken;
endmodule
`default_nettype wire
