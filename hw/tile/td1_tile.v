// SPDX-License-Identifier: 0BSD
// TensorDash tile: ROWS x COLUMNS PEs that drop pairs with a zero operand while the rows of their
// streams come in. Side B's streams feed the tile rows and are searched for zeros, side A's feed
// the columns; every PE multiplies its row's stream with its column's.
//
// Rows: in each clock a source offers `valid` rows, 0..DEPTH, the next one in the low bits, and the
// tile accepts at most `ready` rows: the smaller count moves. `ready` depends on registers alone,
// and counts the rows that leave. Side B, DEPTH 3, streams of 4, 1 and 3 rows without zeros:
//
//   clk_i         _/---\___/---\___/---\___/---\___
//   b_ready_o      |   3   |   1   |   1   |   2   |
//   b_valid_i      |   3   |   2   |   0   |   3   |
//   b_rows_i       | 0,1,2 |  3,4  |       | 4,5,6 |
//   b_last_i       |  000  |  011  |       |  001  |   bit 0 is the first row's
//   rows moved     |   3   |   1   |   0   |   2   |
//
// Offers may change in any clock. The sides need not move together, but b_last_i ends a stream of
// both; dense_i counts when side B's first row is accepted. Outputs leave together, as in td1_skid.
// Windows that wait keep their rows and fill up; without room for outputs the pipeline holds too.
// With SCHEDULER_REGISTERS no row is accepted while it does.
//
// The baselines are the same tile without windows, schedulers and multiplexers, in which each row
// takes a step: it accepts one row of a side in a clock. In the zero-gated one lanes rest in steps
// in which side B's operand is zero, unless 0 times Inf makes a NaN. They ignore dense_i, and drop
// nothing.
`default_nettype none

module td1_tile #(
    // Sizes
    parameter ROWS                   = 4,   // tile rows, 1..16
    parameter COLUMNS                = 4,   // tile columns, 1..16
    parameter LANES                  = 16,  // 2..64
    parameter FRONT                  = 0,   // 1: sparse; 2: dense, of a baseline
    parameter RESTS                  = 0,   // 1: zero-gated, with a dense front
    parameter WIDTH                  = 16,  // bits of an operand: 1 + EXP + fraction
    parameter EXP                    = 8,   // ... of which are the exponent
    parameter OUTPUT_WIDTH           = 32,  // bits of an output: 32, or 16 for bfloat16
    parameter COUNTER_WIDTH          = 32,  // bits of a counter, 8..64
    parameter COUNTER_WRAP           = 1,   // 0: a full counter stays full
    parameter DEPTH                  = 3,   // rows of a staging buffer, or of an offer, 1..8
    // Pattern, see td1_scheduler. A baseline has none, nor the first two of the pipeline's.
    parameter OPTIONS                = 8,   // 1..64
    parameter LEVELS                 = 6,   // 1..LANES
    parameter [8*OPTIONS-1:0] STEP   = 0,
    parameter [8*OPTIONS-1:0] OFFSET = 0,
    parameter [ 8*LANES-1:0] LEVEL   = 0,
    parameter TWO_SIDED              = 0,   // 1: zeros of side A count, too; for one PE
    // Pipeline, see td1_row, td1_interconnect and td1_pe
    parameter FUSED                  = 0,   // 1: a step's products are added as integers
    parameter ACCUMULATORS           = 1,   // 1..8
    parameter SCHEDULER_REGISTERS    = 0,   // behind the schedulers: LATE of td1_row, 0..1
    parameter INTERCONNECT_REGISTERS = 1,   // behind the operand multiplexers, 0..2
    parameter MULTIPLIER_REGISTERS   = 0,   // 0..2
    parameter ADDER_REGISTERS        = 0,   // 0..3
    parameter TREE_REGISTERS         = 1    // 0..2
) (
    input  wire                                 clk_i,            // clock
    input  wire                                 rst_ni,           // asynchronous reset, active low
    input  wire                                 dense_i,          // streams that begin run dense
    // Side A: element (row * COLUMNS + column) * LANES + lane
    input  wire [          $clog2(DEPTH+1)-1:0] a_valid_i,        // rows offered
    output wire [          $clog2(DEPTH+1)-1:0] a_ready_o,        // rows accepted, at most
    input  wire [DEPTH*COLUMNS*LANES*WIDTH-1:0] a_rows_i,
    // Side B: element (row * ROWS + tile row) * LANES + lane
    input  wire [          $clog2(DEPTH+1)-1:0] b_valid_i,        // rows offered
    output wire [          $clog2(DEPTH+1)-1:0] b_ready_o,        // rows accepted, at most
    input  wire [   DEPTH*ROWS*LANES*WIDTH-1:0] b_rows_i,
    input  wire [                    DEPTH-1:0] b_last_i,         // the row ends its stream
    input  wire [                    DEPTH-1:0] b_last_of_output_i,  // ... and its output
    // Outputs: tile row * COLUMNS + column
    output wire                                 out_valid_o,      // all are offered
    input  wire                                 out_ready_i,      // ... and accepted in this clock
    output wire [ROWS*COLUMNS*OUTPUT_WIDTH-1:0] out_data_o,
    output wire [             ROWS*COLUMNS-1:0] out_nonfinite_o,  // an operand was Inf or NaN
    // Counters since reset
    output wire [            COUNTER_WIDTH-1:0] cycles_o,         // steps
    output wire [            COUNTER_WIDTH-1:0] stalls_o,         // no step, though rows waited
    output wire [            COUNTER_WIDTH-1:0] skipped_o         // pairs dropped in the tile rows
);
  localparam ROW_BITS = LANES * WIDTH;
  localparam DENSE = (FRONT == 2) ? 1 : 0;
  localparam ADVANCES = DENSE ? 1 : DEPTH, COUNTED = DENSE ? 1 : ROWS * LANES;

  wire rst_n;
  td1_reset u_reset (.clk_i(clk_i), .rst_ni(rst_ni), .rst_no(rst_n));

  wire enable, enables, step, steps, final_step, waiting;
  wire [ROWS-1:0] row_steps;  // steps, as each tile row finds it
  wire unused_enable = &{1'b0, enable};  // testbenches look at it
  wire [ROWS+COLUMNS-1:0] nonfinite;  // columns in the low bits, then rows
  wire [ADVANCES-1:0] advance;
  wire [COUNTED-1:0] used;           // lanes with a pair, where these are counted
  wire [ROWS*LANES-1:0] live;        // see td1_row
  localparam OPERAND_REGISTERS = DENSE ? 0 : SCHEDULER_REGISTERS + INTERCONNECT_REGISTERS;
  localparam LOADS = LANES * (OPERAND_REGISTERS + 1);  // of a row's choices and operands
  wire [ROWS*LOADS-1:0] load;
  wire [ROWS*COLUMNS*ROW_BITS-1:0] a;
  wire [ROWS*ROW_BITS-1:0] b;
  genvar r, c, k;

  // Without a front there is no tile, but tools may read a module by its defaults first, and a
  // design has the modules of its own front alone.
  if (FRONT == 2) begin : g_dense
    wire a_loads, b_loads;
    wire [COLUMNS*ROW_BITS-1:0] columns;
    wire [COLUMNS*LANES-1:0] a_live;
    wire [ROWS*LANES-1:0] b_live;
    wire unused = &{1'b0, dense_i, a_rows_i, b_rows_i, b_last_i, b_last_of_output_i, a_live,
                    load,  // of operand registers: there are none
                    SCHEDULER_REGISTERS[0], INTERCONNECT_REGISTERS[0], TWO_SIDED[0], OPTIONS[0],
                    LEVELS[0], STEP[0], OFFSET[0], LEVEL[0]};
    td1_dense_intake #(.DEPTH(DEPTH)) u_intake (
        .clk_i(clk_i), .rst_ni(rst_n), .a_valid_i(a_valid_i), .a_ready_o(a_ready_o),
        .b_valid_i(b_valid_i), .b_ready_o(b_ready_o), .b_last_i(b_last_i[0]),
        .b_last_of_output_i(b_last_of_output_i[0]), .a_loads_o(a_loads),
        .b_loads_o(b_loads), .enables_i(enables), .step_o(step), .steps_o(steps),
        .final_o(final_step), .waiting_o(waiting)
    );
    for (c = 0; c < COLUMNS; c = c + 1) begin : g_column
      td1_dense_line #(.LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .RESTS(0)) u_line (
          .clk_i(clk_i), .rst_ni(rst_n), .loads_i(a_loads), .offered_i(|a_valid_i),
          .row_i(a_rows_i[c*ROW_BITS+:ROW_BITS]),
          .operand_o(columns[c*ROW_BITS+:ROW_BITS]), .live_o(a_live[c*LANES+:LANES]),
          .nonfinite_o(nonfinite[c])
      );
    end
    for (r = 0; r < ROWS; r = r + 1) begin : g_row
      td1_dense_line #(.LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .RESTS(RESTS)) u_line (
          .clk_i(clk_i), .rst_ni(rst_n), .loads_i(b_loads), .offered_i(|b_valid_i),
          .row_i(b_rows_i[r*ROW_BITS+:ROW_BITS]),
          .operand_o(b[r*ROW_BITS+:ROW_BITS]), .live_o(b_live[r*LANES+:LANES]),
          .nonfinite_o(nonfinite[COLUMNS+r])
      );
    end
    assign a = {ROWS{columns}};  // every row sees the columns alike
    // 0 times Inf is a NaN; the zero is side B's, so the Inf is side A's.
    assign live = b_live | {ROWS * LANES{|nonfinite[COLUMNS-1:0]}};
    assign {used, advance} = 2'd0;  // nothing is dropped
    assign row_steps = {ROWS{steps}};
  end
  if (FRONT == 1) begin : g_sparse
    wire [DEPTH-1:0] eligible;
    wire [DEPTH*(DEPTH+1)-1:0] a_loads, b_loads;
    wire [DEPTH:0] a_held, b_held, denses, steps_if;
    wire [DEPTH*(DEPTH+1)-1:0] own;
    wire [DEPTH-1:0] follows;
    wire [ROWS*DEPTH-1:0] clear;
    td1_intake #(.ROWS(ROWS), .DEPTH(DEPTH), .LATE(SCHEDULER_REGISTERS)) u_intake (
        .clk_i(clk_i), .rst_ni(rst_n), .a_valid_i(a_valid_i), .a_ready_o(a_ready_o),
        .b_valid_i(b_valid_i), .b_ready_o(b_ready_o), .b_last_i(b_last_i),
        .b_last_of_output_i(b_last_of_output_i), .dense_i(dense_i), .a_held_o(a_held),
        .b_held_o(b_held), .a_loads_o(a_loads), .b_loads_o(b_loads), .eligible_o(eligible),
        .denses_o(denses), .clear_i(clear), .advance_o(advance), .own_o(own), .follows_o(follows),
        .enable_i(enable), .enables_i(enables), .step_o(step), .steps_o(steps),
        .steps_if_o(steps_if), .final_o(final_step), .waiting_o(waiting)
    );

    // Side A. The windows of the columns are seen from all tile rows.
    wire [ROWS+COLUMNS-1:0] special;  // as nonfinite, in slot 0
    // Zeros for which a pair is dropped are side B's, so they meet what is on side A; if TWO_SIDED
    // they may be either's.
    wire may_meet_zero = (TWO_SIDED != 0) ? |special : |special[COLUMNS-1:0];
    wire unused_special = &{1'b0, special};  // side B's, unless TWO_SIDED
    for (c = 0; c < COLUMNS; c = c + 1) begin : g_column
      wire [DEPTH*ROW_BITS-1:0] rows, window;
      wire [   DEPTH*LANES-1:0] offered, nonzero;
      wire [DEPTH*(DEPTH+2)-1:0] moves;
      wire [            DEPTH:0] leave;
      wire unused = &{1'b0, leave, offered, nonzero};  // the last two unless TWO_SIDED
      for (k = 0; k < DEPTH; k = k + 1) begin : g_offered
        assign rows[k*ROW_BITS+:ROW_BITS] = a_rows_i[(k*COLUMNS+c)*ROW_BITS+:ROW_BITS];
      end
      td1_moves #(.ROWS(ROWS), .DEPTH(DEPTH)) u_moves (
          .clk_i(clk_i), .loads_i(a_loads), .step_i(step), .eligible_i(eligible), .clear_i(clear),
          .held_i(a_held), .leave_o(leave), .moves_o(moves)
      );
      td1_window #(
          .LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .DEPTH(DEPTH), .NONZERO(TWO_SIDED),
          .LATE(SCHEDULER_REGISTERS)
      ) u_window (
          .clk_i(clk_i), .moves_i(moves), .loads_i({DEPTH * LANES{1'b1}}), .rows_i(rows),
          .enables_i(enables), .wants_i({DEPTH * LANES{1'b1}}), .window_o(window),
          .offered_o(offered), .eligible_i(eligible), .nonfinite_o(nonfinite[c]),
          .special_o(special[c])
      );
      if (TWO_SIDED != 0) begin : g_nonzero
        td1_staging #(.DEPTH(DEPTH), .BITS(LANES)) u_nonzero (
            .clk_i(clk_i), .moves_i(moves), .loads_i({DEPTH{1'b1}}), .rows_i(offered),
            .window_o(nonzero)
        );
      end else begin : g_any
        assign nonzero = {DEPTH * LANES{1'b0}};
      end
    end

    // Side B. The PEs of a tile row follow its choices in their columns' windows.
    for (r = 0; r < ROWS; r = r + 1) begin : g_row
      wire [ DEPTH*ROW_BITS-1:0] rows;
      wire [  LANES*OPTIONS-1:0] select;
      wire [DEPTH*(DEPTH+2)-1:0] moves;
      wire [            DEPTH:0] leave;
      wire [    DEPTH*DEPTH-1:0] search;
      reg dense_q;  // found beside the row, as what loads in it is
      always @(posedge clk_i) dense_q <= |(leave & denses);
      assign row_steps[r] = |(leave & steps_if);
      td1_moves #(.ROWS(ROWS), .DEPTH(DEPTH)) u_moves (
          .clk_i(clk_i), .loads_i(b_loads), .step_i(step), .eligible_i(eligible), .clear_i(clear),
          .held_i(b_held), .leave_o(leave), .moves_o(moves)
      );
      td1_search #(.DEPTH(DEPTH)) u_search (
          .leave_i(leave), .held_i(b_held), .own_i(own), .follows_i(follows), .search_o(search)
      );
      for (k = 0; k < DEPTH; k = k + 1) begin : g_offered
        assign rows[k*ROW_BITS+:ROW_BITS] = b_rows_i[(k*ROWS+r)*ROW_BITS+:ROW_BITS];
      end
      td1_row #(
          .LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .DEPTH(DEPTH), .OPTIONS(OPTIONS),
          .LEVELS(LEVELS), .STEP(STEP), .OFFSET(OFFSET), .LEVEL(LEVEL), .TWO_SIDED(TWO_SIDED),
          .LATE(SCHEDULER_REGISTERS), .REGISTERS(INTERCONNECT_REGISTERS)
      ) u_row (
          .clk_i(clk_i), .moves_i(moves), .rows_i(rows), .a_nonzero_i(g_column[0].nonzero),
          .enables_i(enables), .eligible_i(eligible), .dense_i(dense_q), .special_i(may_meet_zero),
          .clear_o(clear[r*DEPTH+:DEPTH]), .search_i(search), .nonfinite_o(nonfinite[COLUMNS+r]),
          .special_o(special[COLUMNS+r]), .load_i(load[r*LOADS+:LOADS]), .select_o(select),
          .live_o(live[r*LANES+:LANES]), .used_o(used[r*LANES+:LANES]),
          .operand_o(b[r*ROW_BITS+:ROW_BITS])
      );
      for (c = 0; c < COLUMNS; c = c + 1) begin : g_pe
        td1_interconnect #(
            .LANES(LANES), .WIDTH(WIDTH), .DEPTH(DEPTH), .OPTIONS(OPTIONS),
            .STEP(STEP), .OFFSET(OFFSET), .LATE(SCHEDULER_REGISTERS),
            .REGISTERS(INTERCONNECT_REGISTERS)
        ) u_interconnect (
            .clk_i(clk_i), .load_i(load[r*LOADS+:LOADS]), .window_i(g_column[c].window),
            .select_i(select), .operand_o(a[(r*COLUMNS+c)*ROW_BITS+:ROW_BITS])
        );
      end
    end
  end

  td1_array #(
      .ROWS(ROWS), .COLUMNS(COLUMNS), .LANES(LANES), .RESTS(DENSE ? RESTS : 1),
      .WIDTH(WIDTH), .EXP(EXP), .OUTPUT_WIDTH(OUTPUT_WIDTH), .FUSED(FUSED),
      .ACCUMULATORS(ACCUMULATORS), .OPERAND_REGISTERS(OPERAND_REGISTERS),
      .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS), .ADDER_REGISTERS(ADDER_REGISTERS),
      .TREE_REGISTERS(TREE_REGISTERS)
  ) u_array (
      .clk_i(clk_i), .rst_ni(rst_n), .step_i(step), .steps_i(steps), .row_steps_i(row_steps),
      .final_i(final_step), .nonfinite_i(nonfinite), .enable_o(enable), .enables_o(enables),
      .a_i(a), .b_i(b), .live_i(live), .load_o(load),
      .out_valid_o(out_valid_o), .out_ready_i(out_ready_i), .out_data_o(out_data_o),
      .out_nonfinite_o(out_nonfinite_o)
  );
  td1_counters #(
      .SPARSE(DENSE ? 0 : 1), .DEPTH(ADVANCES), .LANES(COUNTED), .WIDTH(COUNTER_WIDTH),
      .WRAP(COUNTER_WRAP)
  ) u_counters (
      .clk_i(clk_i), .rst_ni(rst_n), .step_i(step), .waiting_i(waiting), .advance_i(advance),
      .active_i(used), .cycles_o(cycles_o), .stalls_o(stalls_o), .skipped_o(skipped_o)
  );
endmodule
`default_nettype wire
