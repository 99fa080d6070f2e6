// SPDX-License-Identifier: 0BSD
// Intake: row handshakes, stream boundaries, the decision to step, and the advance. It alone knows
// which slots of the staging buffers hold a row, and tells all of them what moves where.
`default_nettype none

module td1_intake #(
    parameter ROWS  = 4,  // tile rows, 1..16
    parameter DEPTH = 3   // rows of a staging buffer, 1..8
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
    // Staging buffers, see td1_staging
    output wire [DEPTH*(DEPTH+2)-1:0] a_moves_o,
    output wire [DEPTH*(DEPTH+2)-1:0] b_moves_o,
    // Tile rows, see td1_row
    output wire [          DEPTH-1:0] eligible_o,          // a step looks at the slot, row or not
    output wire                       dense_o,             // the stream in use runs dense
    input  wire [     ROWS*DEPTH-1:0] clear_i,             // tile row * DEPTH + r, see td1_row
    output wire [          DEPTH-1:0] advance_o,           // bit k: k + 1 rows leave
    output wire [    DEPTH*DEPTH-1:0] search_o,            // see below
    // Pipeline
    input  wire                       enable_i,            // it moves
    output wire                       step_o,              // the tile steps
    output wire                       final_o,             // ... and completes an output
    output wire                       waiting_o            // it does not, though a row waits
);
  localparam COUNT = $clog2(DEPTH + 1);  // bits of a number of rows

  // A row accepted while reset lasts would be lost, so none is until the first clock after it.
  reg open_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else open_q <= 1'b1;
  end

  // Side A is 0, side B is 1. A slot without a row loads in every clock, others in steps, so that
  // load enables settle early; selects are prepared for every advance, which settles last.
  // A stream that runs dense passes through slot 0 alone, save for its first rows and its last one:
  // other slots may hold rows of streams beside it.
  wire parks;
  wire [2*COUNT-1:0] valid = {b_valid_i, a_valid_i};
  wire [2*COUNT-1:0] ready;
  wire [2*DEPTH*(DEPTH+2)-1:0] moves;
  assign {b_ready_o, a_ready_o} = ready;
  assign {b_moves_o, a_moves_o} = moves;
  genvar s, b, m, p, r, t;
  for (s = 0; s < 2; s = s + 1) begin : g_side
    reg  [DEPTH-1:0] present_q;  // the slot holds a row; slots fill from the front
    wire [DEPTH-1:0] offered = {DEPTH{open_q}} & ~({DEPTH{1'b1}} << valid[s*COUNT+:COUNT]);
    wire [  DEPTH:0] held = {present_q, 1'b1} & {1'b1, ~present_q};  // how many, one-hot
    wire [  DEPTH:0] leave = {advance_o, ~step_o};                   // how many of them, one-hot
    wire [DEPTH-1:0] load;
    wire [DEPTH-1:0] stay;  // bit m: m rows are held and stay
    wire [DEPTH*DEPTH-1:0] shift;
    assign moves[s*DEPTH*(DEPTH+2)+:DEPTH*(DEPTH+2)] = {shift, stay, load};
    for (m = 0; m < DEPTH; m = m + 1) begin : g_stay
      assign stay[m] = |(held[DEPTH:m] & leave[DEPTH-m:0]);
    end
    // Behind m rows there is room for DEPTH - m.
    for (b = 0; b < COUNT; b = b + 1) begin : g_ready
      wire [DEPTH-1:0] room;
      for (m = 0; m < DEPTH; m = m + 1) begin : g_room
        localparam ROOM = DEPTH - m, PARKED = (m == 0) ? 1 : 0;
        assign room[m] = stay[m] & (parks ? PARKED[b] : ROOM[b]);
      end
      assign ready[s*COUNT+b] = open_q & (|room);
    end
    // Whether a slot holds a row moves as the rows do.
    for (p = 0; p < DEPTH; p = p + 1) begin : g_slot
      wire [DEPTH-1:0] from;
      wire open = (p == 0) | ~parks;  // to offered rows
      assign load[p] = (open & ~present_q[p]) | ((open | present_q[p]) & step_o);
      for (r = 0; r < DEPTH; r = r + 1) begin : g_from
        if (r > p) begin : g_held
          assign shift[p*DEPTH+r] = present_q[r] & advance_o[r-p-1];
          assign from[r] = shift[p*DEPTH+r];
        end else begin : g_offered
          assign shift[p*DEPTH+r] = 1'b0;
          assign from[r] = open & stay[p-r] & offered[r];
        end
      end
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) present_q[p] <= 1'b0;
        else if (load[p]) present_q[p] <= |from;
      end
    end
  end
  wire [DEPTH-1:0] a_present = g_side[0].present_q, b_present = g_side[1].present_q;

  // Flags move as side B's rows do. Those of slots without a row mean nothing: the tile waits.
  wire [3*DEPTH-1:0] flags_offered, flags;
  wire [  DEPTH-1:0] dense, last_of_output, last;
  td1_staging #(.DEPTH(DEPTH), .BITS(3)) u_flags (
      .clk_i(clk_i), .moves_i(b_moves_o), .rows_i(flags_offered), .window_o(flags)
  );

  // Rows 0..r are empty after this step: nothing is left in them to take. Tile rows share the
  // columns, so the slowest of them decides. Row 0 always is empty: each lane's first choice is its
  // own element of it. In dense mode no other row is.
  wire [DEPTH-1:0] empty;
  for (r = 0; r < DEPTH; r = r + 1) begin : g_row
    wire [ROWS-1:0] clear;
    for (t = 0; t < ROWS; t = t + 1) begin : g_tile_row
      assign clear[t] = clear_i[t*DEPTH+r];
    end
    assign empty[r] = &clear | (r == 0);
    assign flags_offered[3*r+:3] = {dense_i, b_last_of_output_i[r], b_last_i[r]};
    assign {dense[r], last_of_output[r], last[r]} = flags[3*r+:3];
    // The stream in use owns the rows up to the first that is its last. In dense mode a step looks
    // at row 0 alone.
    assign eligible_o[r] = ~(|(last & ~({DEPTH{1'b1}} << r))) & (~dense_o | (r == 0));
  end

  // A step needs all rows that it looks at, in both windows. Lanes take from rows ahead, on side A
  // as on B: a late row would change which pairs share a step, and with it the number of steps and
  // the order of the additions. The counters and the bits would depend on stalls.
  assign step_o = enable_i & ~(|(eligible_o & ~(a_present & b_present)));
  assign waiting_o = ~step_o & (a_present[0] | b_present[0]);

  // Rows leave from the front: those of the stream, while they are empty.
  wire [DEPTH-1:0] leaves = {DEPTH{step_o}} & eligible_o & empty;
  wire [DEPTH-1:0] ends = advance_o & last;
  assign advance_o = leaves & ~(leaves >> 1);
  assign final_o = |(ends & last_of_output);

  // The mode of a stream is that of its first row.
  reg start_q, mode_q;  // the row in use begins its stream; mode of the stream, if not
  wire unused = &{1'b0, dense};
  assign dense_o = start_q ? dense[0] : mode_q;
  assign parks = dense_o & (b_present[0] ? ~last[0] : ~start_q);
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) start_q <= 1'b1;
    else if (step_o) start_q <= |ends;
  end
  always @(posedge clk_i) if (step_o) mode_q <= dense_o;

  // Which slots are searched in the next clock: those of the stream then in use, unless it is
  // dense. Bit p*DEPTH+r of search_o: slot p is, and takes row r, a held one if r > p, else an
  // offered one.
  wire [DEPTH:0] begins = {last, start_q};  // bit k: if k rows leave, the next begins a stream
  wire [DEPTH:0] sparse;                    // ... runs sparse
  assign sparse[DEPTH] = ~(begins[DEPTH] ? dense_i : dense_o);
  for (m = 0; m < DEPTH; m = m + 1) begin : g_search
    wire [DEPTH-m:0] own;  // bit k: if k rows leave, row k+m would be of the stream then in use
    assign sparse[m] = ~(!begins[m] ? dense_o : b_present[m] ? dense[m] : dense_i);
    for (p = 0; p <= DEPTH - m; p = p + 1) begin : g_leave
      assign own[p] = sparse[p] & ~(|((last >> p) & ~({DEPTH{1'b1}} << m)));
    end
    wire stays = |(g_side[1].held[DEPTH:m] & g_side[1].leave[DEPTH-m:0] & own);
    for (r = 0; r < DEPTH - m; r = r + 1) begin : g_offered
      assign search_o[(m+r)*DEPTH+r] = stays & ~(|(b_last_i & ~({DEPTH{1'b1}} << r)));
    end
    for (r = m + 1; r < DEPTH; r = r + 1) begin : g_held
      assign search_o[m*DEPTH+r] = g_side[1].shift[m*DEPTH+r] & own[r-m];
    end
  end
endmodule
`default_nettype wire
