// SPDX-License-Identifier: 0BSD
// Scheduler: which element of the window each lane takes in this step. Lanes choose level by level,
// each the first place in order of priority that holds an element, and what a level takes is gone
// before the next one looks. Lanes of one level reach no common element, so they choose at once.
`default_nettype none

module td1_scheduler #(
    parameter LANES  = 16,  // 2..64
    parameter DEPTH  = 3,   // rows of the window, 1..8
    parameter PLACES = 8,   // that a lane may take from, 1..64; place 0 is its own element of row 0
    parameter LEVELS = 6,   // 1..LANES
    // Eight bits each. Place p lies STEP[p] rows ahead, below DEPTH, and OFFSET[p] lanes up, modulo
    // LANES; both are 0 for place 0. Lane l chooses in level LEVEL[l], below LEVELS.
    parameter [8*PLACES-1:0] STEP   = 0,
    parameter [8*PLACES-1:0] OFFSET = 0,
    parameter [ 8*LANES-1:0] LEVEL  = 0
) (
    input  wire [ DEPTH*LANES-1:0] z_i,       // elements that may be taken: row * LANES + lane
    output wire [LANES*PLACES-1:0] select_o,  // lane * PLACES + place: one-hot, or none
    output wire [ DEPTH*LANES-1:0] rest_o     // elements that no lane took; none of row 0
);
  localparam ELEMENTS = DEPTH * LANES;

  genvar level, lane, place;
  for (level = 0; level < LEVELS; level = level + 1) begin : g_level
    for (lane = 0; lane < LANES; lane = lane + 1) begin : g_lane
      wire [ELEMENTS-1:0] found, rest;  // what this lane finds, and leaves
      if (lane > 0) begin : g_next_lane
        assign found = g_lane[lane-1].rest;
      end else if (level > 0) begin : g_next_level
        assign found = g_level[level-1].g_lane[LANES-1].rest;
      end else begin : g_first
        assign found = z_i;
      end
      if ({24'd0, LEVEL[8*lane+:8]} == level) begin : g_choice
        wire [PLACES-1:0] reach;
        wire [PLACES-1:0] choice = reach & (~reach + 1'b1);  // the lowest bit that is set
        for (place = 0; place < PLACES; place = place + 1) begin : g_place
          localparam [31:0] AHEAD = {24'd0, STEP[8*place+:8]}, ASIDE = {24'd0, OFFSET[8*place+:8]};
          localparam ELEMENT = AHEAD * LANES + (lane + ASIDE) % LANES;
          wire [ELEMENTS-1:0] taken = {{ELEMENTS - 1{1'b0}}, choice[place]} << ELEMENT;
          wire [ELEMENTS-1:0] left;  // by this place and those before it
          assign reach[place] = found[ELEMENT];
          if (place == 0) begin : g_first
            assign left = found & ~taken;
          end else begin : g_next
            assign left = g_place[place-1].left & ~taken;
          end
        end
        assign select_o[lane*PLACES+:PLACES] = choice;
        assign rest = g_place[PLACES-1].left;
      end else begin : g_other_level
        assign rest = found;
      end
    end
  end
  assign rest_o = g_level[LEVELS-1].g_lane[LANES-1].rest;
endmodule
`default_nettype wire
