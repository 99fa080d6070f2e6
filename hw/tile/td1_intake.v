// SPDX-License-Identifier: 0BSD
// Intake: row handshakes, stream boundaries, and what the next clock finds. It alone knows which
// slots of the staging buffers hold a row. Whether the tile steps, and which slots load, goes to
// clock gates all over the tile. So it is told a clock ahead: for each number of rows that may
// leave it is known early what the next clock finds. How many do, windows and tile rows find by
// themselves.
`default_nettype none

module td1_intake #(
    parameter ROWS  = 4,  // tile rows, 1..16
    parameter DEPTH = 3,  // rows of a staging buffer, 1..8
    parameter LATE  = 0   // 1: elements move a clock after choices, see td1_window
) (
    input  wire                       clk_i,               // clock
    input  wire                       rst_ni,              // asynchronous reset, active low
    // Row handshakes: the smaller count moves, see td1_tile
    input  wire [$clog2(DEPTH+1)-1:0] a_valid_i,           // rows offered
    output wire [$clog2(DEPTH+1)-1:0] a_ready_o,           // rows accepted, at most
    input  wire [$clog2(DEPTH+1)-1:0] b_valid_i,           // rows offered
    output wire [$clog2(DEPTH+1)-1:0] b_ready_o,           // rows accepted, at most
    input  wire [          DEPTH-1:0] b_last_i,            // the row ends its stream
    input  wire [          DEPTH-1:0] b_last_of_output_i,  // ... and that stream ends the output
    input  wire                       dense_i,             // streams that begin here run dense
    // Staging buffers, see td1_moves
    output wire [            DEPTH:0] a_held_o,            // rows held: how many, one-hot
    output wire [            DEPTH:0] b_held_o,
    output wire [DEPTH*(DEPTH+1)-1:0] a_loads_o,
    output wire [DEPTH*(DEPTH+1)-1:0] b_loads_o,
    // Tile rows, see td1_row
    output wire [          DEPTH-1:0] eligible_o,          // a step looks at the slot, row or not
    output wire [            DEPTH:0] denses_o,            // bit m: dense next, if m rows leave
    input  wire [     ROWS*DEPTH-1:0] clear_i,             // tile row * DEPTH + r, see td1_row
    output wire [          DEPTH-1:0] advance_o,           // bit k: k + 1 rows leave
    // ... bit m * (DEPTH + 1) + k: if k rows leave, row m of the rest is searched, if it is there
    output wire [DEPTH*(DEPTH+1)-1:0] own_o,
    output wire [          DEPTH-1:0] follows_o,           // ... so is offered row m behind it
    // Pipeline
    input  wire                       enable_i,            // it moves
    input  wire                       enables_i,           // ... in the next clock
    output wire                       step_o,              // the tile steps
    output wire                       steps_o,             // ... in the next clock
    output wire [            DEPTH:0] steps_if_o,          // ... bit m: if m rows leave
    output wire                       final_o,             // step_o completes an output
    output wire                       waiting_o            // it does not, though a row waits
);
  localparam COUNT = $clog2(DEPTH + 1);  // bits of a number of rows

  // A row accepted while reset lasts would be lost, so none is until the first clock after it.
  reg open_q, step_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {open_q, step_q} <= 2'd0;
    else {open_q, step_q} <= {1'b1, steps_o};
  end
  assign step_o = step_q;
  // If LATE, rows go on from where they come in only when the pipeline moves: until then no others
  // may come.
  wire open = open_q & (LATE == 0 | enable_i);

  // Side A is 0, side B is 1. A stream that runs dense passes through slot 0 alone, save for its
  // first rows and its last one: other slots may hold rows of streams beside it.
  wire parks;
  reg dense_q;  // the stream in use does
  wire [DEPTH:0] leave, go;  // how many rows do, one-hot; the same
  wire [2*COUNT-1:0] valid = {b_valid_i, a_valid_i};
  wire [2*COUNT-1:0] ready;
  assign {b_ready_o, a_ready_o} = ready;
  genvar s, b, m, p, r;
  for (s = 0; s < 2; s = s + 1) begin : g_side
    reg  [DEPTH-1:0] present_q;  // the slot holds a row; slots fill from the front
    wire [DEPTH-1:0] offered = {DEPTH{open}} & ~({DEPTH{1'b1}} << valid[s*COUNT+:COUNT]);
    wire [  DEPTH:0] held = {present_q, 1'b1} & {1'b1, ~present_q};  // how many, one-hot
    for (b = 0; b < COUNT; b = b + 1) begin : g_ready
      wire [DEPTH:0] room;
      for (m = 0; m <= DEPTH; m = m + 1) begin : g_room
        assign room[m] = go[m] & g_left[m].room[b];
      end
      assign ready[s*COUNT+b] = |room;
    end
    // If m rows leave: room for offered ones, and slots that hold a row in the next clock, one of
    // those held or of those offered.
    for (m = 0; m <= DEPTH; m = m + 1) begin : g_left
      wire [COUNT-1:0] room;
      for (b = 0; b < COUNT; b = b + 1) begin : g_room
        wire [DEPTH-m:0] rooms;  // behind p rows for DEPTH - p
        for (p = 0; p <= DEPTH - m; p = p + 1) begin : g_stay
          localparam ROOM = DEPTH - p, PARKED = (p == 0) ? 1 : 0;
          assign rooms[p] = held[m+p] & (parks ? PARKED[b] : ROOM[b]);
        end
        assign room[b] = open & (|rooms);
      end
      wire [DEPTH-1:0] present;
      for (p = 0; p < DEPTH; p = p + 1) begin : g_slot
        localparam FROM = (p + m < DEPTH) ? p + m : 0;
        wire [p:0] enters;
        for (r = 0; r <= p; r = r + 1) begin : g_offered
          localparam HELD = (m + p - r <= DEPTH) ? m + p - r : 0;
          assign enters[r] = (m + p - r <= DEPTH) & held[HELD] & offered[r] & (p == 0 | ~parks);
        end
        assign present[p] = (p + m < DEPTH & present_q[FROM]) | (|enters);
      end
    end
    for (p = 0; p < DEPTH; p = p + 1) begin : g_slot
      wire [DEPTH:0] next;
      for (m = 0; m <= DEPTH; m = m + 1) begin : g_next
        assign next[m] = leave[m] & g_left[m].present[p];
      end
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) present_q[p] <= 1'b0;
        else present_q[p] <= |next;
      end
    end
  end
  wire [DEPTH-1:0] a_present = g_side[0].present_q, b_present = g_side[1].present_q;
  assign a_held_o = g_side[0].held;
  assign b_held_o = g_side[1].held;
  assign advance_o = leave[DEPTH:1];
  assign waiting_o = ~step_o & (a_present[0] | b_present[0]);

  // Rows that are ready have still to go out of the tile: what tells them drives nothing else.
  wire [DEPTH*(DEPTH+2)-1:0] b_moves, unused_moves;
  wire unused_ready = &{1'b0, unused_moves};
  td1_moves #(.ROWS(ROWS), .DEPTH(DEPTH)) u_ready (
      .clk_i(clk_i), .loads_i({DEPTH * (DEPTH + 1){1'b0}}), .step_i(step_o),
      .eligible_i(eligible_o), .clear_i(clear_i), .held_i(b_held_o), .leave_o(go),
      .moves_o(unused_moves)
  );

  // Flags move as side B's rows do. Those of slots without a row mean nothing: the tile waits.
  td1_moves #(.ROWS(ROWS), .DEPTH(DEPTH)) u_moves (
      .clk_i(clk_i), .loads_i(b_loads_o), .step_i(step_o), .eligible_i(eligible_o),
      .clear_i(clear_i), .held_i(b_held_o), .leave_o(leave), .moves_o(b_moves)
  );
  wire [3*DEPTH-1:0] flags_offered, flags;
  wire [  DEPTH-1:0] dense, last_of_output, last;
  td1_staging #(.DEPTH(DEPTH), .BITS(3)) u_flags (
      .clk_i(clk_i), .moves_i(b_moves), .loads_i({DEPTH{1'b1}}), .rows_i(flags_offered),
      .window_o(flags)
  );
  for (r = 0; r < DEPTH; r = r + 1) begin : g_row
    assign flags_offered[3*r+:3] = {dense_i, b_last_of_output_i[r], b_last_i[r]};
    assign {dense[r], last_of_output[r], last[r]} = flags[3*r+:3];
    // The stream in use owns the rows up to the first that is its last. In dense mode a step looks
    // at row 0 alone.
    assign eligible_o[r] = ~(|(last & ~({DEPTH{1'b1}} << r))) & (~dense_q | (r == 0));
  end
  wire [DEPTH-1:0] ends = advance_o & last;
  assign final_o = |(ends & last_of_output);

  // The mode of a stream is that of its first row.
  reg start_q;  // the row in use begins its stream
  wire unused = &{1'b0, a_present};
  assign parks = dense_q & (b_present[0] ? ~last[0] : ~start_q);
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) start_q <= 1'b1;
    else if (step_o) start_q <= |ends;
  end
  always @(posedge clk_i) dense_q <= |(leave & denses_o);

  // What is searched in the next clock is of the stream then in use, unless that is dense.
  wire [DEPTH:0] begins = {last, start_q};  // bit k: if k rows leave, the next begins a stream
  wire [DEPTH:0] sparse;                    // ... runs sparse
  assign sparse[DEPTH] = ~(begins[DEPTH] ? dense_i : dense_q);
  assign denses_o = ~sparse;
  for (m = 0; m < DEPTH; m = m + 1) begin : g_search
    assign follows_o[m] = ~(|(b_last_i & ~({DEPTH{1'b1}} << m)));
    assign sparse[m] = ~(!begins[m] ? dense_q : b_present[m] ? dense[m] : dense_i);
    for (p = 0; p <= DEPTH; p = p + 1) begin : g_leave
      assign own_o[m*(DEPTH+1)+p] =
          (m + p <= DEPTH) & sparse[p] & ~(|((last >> p) & ~({DEPTH{1'b1}} << m)));
    end
  end

  // Whether the tile steps in the next clock, and which slots load in it, if m rows leave. A step
  // needs all rows that it looks at, in both windows. Lanes take from rows ahead, on both sides: a
  // late row would change which pairs share a step, and with it the number of steps and the order
  // of the additions. The counters and the bits would depend on stalls.
  // A slot without a row loads whenever one may enter, others in steps.
  for (m = 0; m <= DEPTH; m = m + 1) begin : g_left
    wire [DEPTH-1:0] a_in = g_side[0].g_left[m].present, b_in = g_side[1].g_left[m].present;
    wire [DEPTH-1:0] ended, looks;  // as last and eligible_o
    wire park = ~sparse[m] & (b_in[0] ? ~ended[0] : ~begins[m]);
    assign steps_if_o[m] = enables_i & ~(|(looks & ~(a_in & b_in)));
    for (p = 0; p < DEPTH; p = p + 1) begin : g_slot
      localparam FROM = (p + m < DEPTH) ? p + m : 0;
      wire [p:0] enters;
      for (r = 0; r <= p; r = r + 1) begin : g_offered
        localparam HELD = (m + p - r <= DEPTH) ? m + p - r : 0;
        assign enters[r] = (m + p - r <= DEPTH) & b_held_o[HELD] & b_last_i[r];
      end
      wire enterable = (p == 0) | ~park;  // by offered rows
      assign ended[p] = (p + m < DEPTH & b_present[FROM]) ? last[FROM] : |enters;
      assign looks[p] = ~(|(ended & ~({DEPTH{1'b1}} << p))) & (sparse[m] | (p == 0));
      assign a_loads_o[m*DEPTH+p] = a_in[p] ? steps_if_o[m] : enterable;
      assign b_loads_o[m*DEPTH+p] = b_in[p] ? steps_if_o[m] : enterable;
    end
  end
  assign steps_o = |(leave & steps_if_o);
endmodule
`default_nettype wire
