// SPDX-License-Identifier: 0BSD
// Scratchpad of one side of a tile: DEPTH banks in two halves, of which one is filled while passes
// read the other. Row t of a stream lies in bank t modulo DEPTH, so that any DEPTH rows that follow
// each other can be read in a clock. Banks always have their next row at their outputs; what a
// bank reads when that leaves is the row DEPTH further, or the first one of the next pass.
// A bank is SETS memories for each stream, in which groups take turns: rows that are filled in at
// once, of streams behind each other, never meet in a memory.
`default_nettype none

module td1_scratchpad #(
    parameter STREAMS   = 4,    // tile rows or columns, 1..16
    parameter ROW       = 256,  // bits of a row
    parameter DEPTH     = 3,    // banks, 1..8
    parameter SETS      = 1,    // 1, or FILL_ROWS / STREAMS if that is more: a power of two
    parameter FILL_ROWS = 1,    // rows that are filled in at once: a power of two
    parameter SET_ROWS  = 16    // of a half of a set, 2 or more
) (
    input  wire                         clk_i,          // clock
    input  wire                         rst_ni,         // asynchronous reset, active low
    // Fill: of a group, and of those behind it
    input  wire [               SETS:0] write_i,
    input  wire                         write_half_i,
    input  wire [ (SETS+1)*STREAMS-1:0] write_stream_i, // streams that get a row
    input  wire [    (SETS+1)*SETS-1:0] write_set_i,    // one-hot
    input  wire [            DEPTH-1:0] write_bank_i,   // one-hot
    input  wire [(SETS+1)*$clog2(SET_ROWS)-1:0] write_row_i,
    input  wire [    FILL_ROWS*ROW-1:0] write_data_i,   // stream s's: s modulo FILL_ROWS
    // Passes: an outer and an inner loop
    input  wire                         start_i,        // begin; the next seven are there from the
                                                        // clock after it on, and stay while busy_o
    input  wire                         half_i,
    input  wire [(SETS > 1 ? $clog2(SETS) : 1)-1:0] first_set_i, // of the first group
    input  wire [                 15:0] chunk_rows_i,   // rows of a stream
    input  wire [                 15:0] group_pitch_i,  // bank rows from group to group
    input  wire [                 15:0] inner_i,        // iterations
    input  wire [                 15:0] outer_i,
    input  wire                         repeats_i,      // the outer loop changes the group, not the
                                                        // inner one
    output wire                         busy_o,
    // Rows, see td1_tile
    output wire [  $clog2(DEPTH+1)-1:0] valid_o,
    input  wire [  $clog2(DEPTH+1)-1:0] ready_i,
    output wire [DEPTH*STREAMS*ROW-1:0] rows_o,
    output wire [            DEPTH-1:0] last_o          // the row ends its stream
);
  localparam COUNT = $clog2(DEPTH + 1);
  localparam ROW_BITS = $clog2(SET_ROWS), SET_BITS = SETS > 1 ? $clog2(SETS) : 1;
  localparam LAST_SET = SETS - 1;
  localparam [DEPTH-1:0] FIRST = 1;
  localparam ALL = DEPTH;
  wire unused = &{1'b0, group_pitch_i};  // its high bits

  // Place of the next row. Which rows move is known late: it chooses what loads in registers that
  // follow from it, and is no enable of a clock gate.
  reg busy_q, ready_q;  // a compute is under way; the banks hold its first rows
  reg [ROW_BITS-1:0] row_q;
  reg [DEPTH-1:0] head_q;
  reg [15:0] left_q;  // rows of the stream from there on

  // Rows that move
  wire near = left_q <= ALL[15:0];  // all that are left are offered
  wire [COUNT-1:0] valid = near ? left_q[COUNT-1:0] : ALL[COUNT-1:0];
  assign valid_o = {COUNT{ready_q}} & valid;
  wire [COUNT-1:0] moves = ready_i < valid_o ? ready_i : valid_o;
  wire pass_ends = near & (moves == valid) & ready_q;  // the stream's last one does

  // Next pass
  reg [15:0] inner_q, outer_q;
  reg [ROW_BITS-1:0] next_base_q;
  wire inner_ends = inner_q == inner_i - 16'd1;
  wire exists = outer_q != outer_i;
  wire primes = busy_q & ~ready_q;
  wire begins = primes | pass_ends;  // with the first rows of a pass
  wire returns = begins & inner_ends;
  wire steps = begins & (inner_ends == repeats_i);  // to the next group
  wire stays = ~begins | (repeats_i & ~inner_ends);  // with the group
  wire [15:0] next_inner = inner_q + 16'd1, next_outer = outer_q + 16'd1;
  wire [SET_BITS-1:0] set, next_set;  // of the pass's group; of the next one's
  wire wraps = next_set == LAST_SET[SET_BITS-1:0];
  wire [ROW_BITS-1:0] next_step = next_base_q + ({ROW_BITS{wraps}} & group_pitch_i[ROW_BITS-1:0]);
  always @(posedge clk_i) begin
    inner_q <= {16{~start_i}} & (({16{begins & ~inner_ends}} & next_inner)
                                 | ({16{~begins}} & inner_q));
    outer_q <= {16{~start_i}} & (({16{returns}} & next_outer) | ({16{~returns}} & outer_q));
    next_base_q <= {ROW_BITS{~start_i}} & (({ROW_BITS{steps}} & next_step)
                                           | ({ROW_BITS{stays}} & next_base_q));
  end

  if (SETS == 1) begin : g_one_set
    wire unused_set = &{1'b0, first_set_i};
    assign {set, next_set} = 2'b00;
  end else begin : g_sets
    reg [SET_BITS-1:0] apart_q;  // the next group's set, from the first one's on
    reg [SET_BITS-1:0] set_q;
    wire [SET_BITS-1:0] apart = apart_q + 1'b1;
    always @(posedge clk_i) begin
      apart_q <= {SET_BITS{~start_i}} & (({SET_BITS{steps}} & apart)
                                         | ({SET_BITS{stays}} & apart_q));
      if (begins) set_q <= next_set;
    end
    assign set = set_q;
    assign next_set = first_set_i + apart_q;
  end

  // What is left for each number of rows that move; which it is comes late.
  wire [DEPTH:0] move;
  wire [(DEPTH+1)*16-1:0] lefts;
  wire [15:0] left;
  genvar j, k;
  for (j = 0; j <= DEPTH; j = j + 1) begin : g_left
    localparam MOVE = j;
    assign move[j] = moves == MOVE[COUNT-1:0];
    assign lefts[j*16+:16] = left_q - MOVE[15:0];
  end
  td1_select #(.WAYS(DEPTH + 1), .WIDTH(16)) u_left (.chosen_i(move), .x_i(lefts), .y_o(left));

  // The head moves on, to the next bank rows when the last bank's row has moved.
  wire [DEPTH-1:0] taken;  // the bank's row moves
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {busy_q, ready_q} <= 2'b00;
    else begin
      busy_q  <= start_i | (busy_q & ~(pass_ends & ~exists));
      ready_q <= busy_q & ~(pass_ends & ~exists);
    end
  end
  always @(posedge clk_i) begin
    row_q  <= begins ? next_base_q : row_q + {{ROW_BITS - 1{1'b0}}, taken[DEPTH-1]};
    left_q <= begins ? chunk_rows_i : left;
    // The first one behind those taken, if not all are.
    if (begins) head_q <= FIRST;
    else if ((|taken) & ~&taken) head_q <= ((taken << 1) | (taken >> (DEPTH - 1))) & ~taken;
  end
  assign busy_o = busy_q;

  // Offered row j is that of the bank j behind the head.
  wire [DEPTH-1:0] moved;  // offered row j moves
  wire [DEPTH-1:0] more;   // the bank that offers row j has another one of this stream
  wire [DEPTH*STREAMS*ROW-1:0] data;
  for (j = 0; j < DEPTH; j = j + 1) begin : g_offered
    localparam BEFORE = j, UP_TO = j + 1, FURTHER = DEPTH + j;
    assign moved[j] = moves > BEFORE[COUNT-1:0];
    assign more[j] = left_q > FURTHER[15:0];
    assign last_o[j] = left_q == UP_TO[15:0];
    wire [DEPTH-1:0] from;  // the bank
    for (k = 0; k < DEPTH; k = k + 1) begin : g_from
      assign from[k] = head_q[(DEPTH+k-j)%DEPTH];
    end
    td1_select #(.WAYS(DEPTH), .WIDTH(STREAMS * ROW)) u_rows (
        .chosen_i(from), .x_i(data), .y_o(rows_o[j*STREAMS*ROW+:STREAMS*ROW])
    );
  end

  // What is filled in: a memory gets a row of one of the groups at most.
  wire [SETS*STREAMS-1:0] writes;
  wire [SETS*STREAMS*(ROW_BITS+1)-1:0] write_words;
  genvar g, p, s;
  for (p = 0; p < SETS; p = p + 1) begin : g_set
    for (s = 0; s < STREAMS; s = s + 1) begin : g_stream
      localparam WORD = (p * STREAMS + s) * (ROW_BITS + 1);
      wire [SETS:0] mine;
      for (g = 0; g <= SETS; g = g + 1) begin : g_group
        assign mine[g] = write_i[g] & write_stream_i[g*STREAMS+s] & write_set_i[g*SETS+p];
      end
      assign writes[p*STREAMS+s] = |mine;
      assign write_words[WORD+ROW_BITS] = write_half_i;
      td1_select #(.WAYS(SETS + 1), .WIDTH(ROW_BITS)) u_row (
          .chosen_i(mine), .x_i(write_row_i), .y_o(write_words[WORD+:ROW_BITS])
      );
    end
  end

  wire [SETS*STREAMS*ROW-1:0] write_data;  // the sets' groups behind each other
  if (FILL_ROWS < STREAMS) begin : g_again
    assign write_data = {STREAMS / FILL_ROWS{write_data_i}};
  end else begin : g_all
    assign write_data = write_data_i;
  end

  wire [ROW_BITS-1:0] following = row_q + {{ROW_BITS - 1{1'b0}}, 1'b1};
  for (k = 0; k < DEPTH; k = k + 1) begin : g_bank
    wire [DEPTH-1:0] offers, goes_on;  // as row j; as row j, and has more
    for (j = 0; j < DEPTH; j = j + 1) begin : g_as
      assign offers[j] = head_q[(DEPTH+k-j)%DEPTH];
      assign goes_on[j] = offers[j] & more[j];
    end
    assign taken[k] = |(offers & moved);
    wire behind = ~(|(head_q & ((FIRST << 1 << k) - FIRST)));  // the head: already a row further
    wire stays_with = ~primes & |goes_on;  // the pass's group
    wire [ROW_BITS-1:0] next_row = stays_with ? following + {{ROW_BITS - 1{1'b0}}, behind}
                                              : next_base_q;
    wire [SET_BITS-1:0] read_set = stays_with ? set : next_set;
    wire read = primes | taken[k];
    reg [SET_BITS-1:0] held_set_q;  // of what the bank has at its outputs
    always @(posedge clk_i) if (read) held_set_q <= read_set;
    wire [SETS-1:0] held_set;
    wire [SETS*STREAMS*ROW-1:0] held;
    for (p = 0; p < SETS; p = p + 1) begin : g_memory
      localparam SET = p;
      assign held_set[p] = (SETS == 1) | (held_set_q == SET[SET_BITS-1:0]);
      td1_ram #(.WORDS(2 << ROW_BITS), .WIDTH(STREAMS * ROW), .PARTS(STREAMS)) u_ram (
          .clk_i(clk_i), .write_en_i({STREAMS{write_bank_i[k]}} & writes[p*STREAMS+:STREAMS]),
          .write_word_i(write_words[p*STREAMS*(ROW_BITS+1)+:STREAMS*(ROW_BITS+1)]),
          .write_data_i(write_data[p*STREAMS*ROW+:STREAMS*ROW]),
          .read_en_i(read & (read_set == SET[SET_BITS-1:0])), .read_word_i({half_i, next_row}),
          .read_data_o(held[p*STREAMS*ROW+:STREAMS*ROW])
      );
    end
    td1_select #(.WAYS(SETS), .WIDTH(STREAMS * ROW)) u_held (
        .chosen_i(held_set), .x_i(held), .y_o(data[k*STREAMS*ROW+:STREAMS*ROW])
    );
  end
endmodule
`default_nettype wire
