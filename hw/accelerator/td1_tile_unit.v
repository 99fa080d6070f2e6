// SPDX-License-Identifier: 0BSD
// A tile with its scratchpads, collector and result memory. It works through two computes in turn:
// feeds what the sides' scratchpads hold of one to the tile, and goes on with the other one while
// the outputs are still under way. Either side may be in either half of its scratchpads.
`default_nettype none

module td1_tile_unit #(
    parameter STREAMS                = 4,    // tile rows, and columns, 1..16
    parameter LANES                  = 16,   // 2..64
    parameter WIDTH                  = 16,   // bits of an operand: 8 (OFP8), 16 or 32
    parameter SETS                   = 1,    // see td1_scratchpad
    parameter SET_ROWS               = 16,   // of half a set of a scratchpad bank, 2 or more
    parameter RESULT_WORDS           = 1024, // 2..65536
    parameter COLLECT_WORDS          = 1,    // see td1_results
    parameter STORE_ROWS             = 1,    // see td1_results
    parameter RESULT_BITS = $clog2(RESULT_WORDS / (LANES / STREAMS) / STORE_ROWS),  // do not set
    parameter FILL_ROWS              = 1,    // rows that a side fills in a clock: a power of two
    parameter DEPTH                  = 3,    // rows of a staging buffer
    parameter KIND_BITS              = 384,  // bits of KIND
    parameter [KIND_BITS-1:0] KIND   = 0     // of tile, packed; see below
) (
    input  wire                            clk_i,          // clock
    input  wire                            rst_ni,         // asynchronous reset, active low
    // Computes, half 0's in the low bits; a half's stays as it is while the half is full
    input  wire [                     1:0] full_i,         // the half has a compute, filled in
    input  wire [                     1:0] part_i,         // ... that this tile takes part in
    input  wire [              2*5*32-1:0] compute_i,      // words 3..7 of the descriptor
    input  wire [4*(SETS>1 ? $clog2(SETS) : 1)-1:0] first_set_i,  // of a half's first groups
    input  wire [                     3:0] halves_i,       // half of each side's scratchpads
    output wire [                     1:0] fed_o,          // all of it is in the tile
    // ... for their outputs, until all of them are there
    input  wire [                     1:0] open_i,
    input  wire [                     1:0] outputs_part_i,
    input  wire [              2*5*32-1:0] outputs_compute_i,
    output wire [                     1:0] collected_o,    // all of it is in the result memory
    output wire                            error_o,        // a result has no place
    // Fill, see td1_scratchpad; side A's in the low bits
    input  wire [            2*(SETS+1)-1:0] write_i,
    input  wire [                     1:0] write_halves_i, // of the sides
    input  wire [    2*(SETS+1)*STREAMS-1:0] write_stream_i,
    input  wire [       2*(SETS+1)*SETS-1:0] write_set_i,
    input  wire [             2*DEPTH-1:0] write_bank_i,
    input  wire [2*(SETS+1)*$clog2(SET_ROWS)-1:0] write_row_i,
    input  wire [2*FILL_ROWS*LANES*WIDTH-1:0] write_data_i,
    // Store, see td1_collector
    input  wire [          STORE_ROWS-1:0] store_en_i,
    input  wire [STORE_ROWS*RESULT_BITS-1:0] store_row_i,
    output wire [ STORE_ROWS*LANES*32-1:0] store_data_o,   // one clock later
    // For counters
    output wire                            feeding_o,      // there are streams to work on
    output wire                            stepped_o,
    output wire                            nonfinite_o     // an output has an Inf or NaN in it
);
  // Kind of tile: the parameters of td1_tile that nothing around it looks at
  localparam integer FRONT = KIND[0+:32], RESTS = KIND[32+:32], EXP = KIND[64+:32];
  localparam integer OPTIONS = KIND[96+:32], LEVELS = KIND[128+:32], FUSED = KIND[160+:32];
  localparam integer ACCUMULATORS = KIND[192+:32], SCHEDULER_REGISTERS = KIND[224+:32];
  localparam integer INTERCONNECT_REGISTERS = KIND[256+:32], MULTIPLIER_REGISTERS = KIND[288+:32];
  localparam integer ADDER_REGISTERS = KIND[320+:32], TREE_REGISTERS = KIND[352+:32];
  localparam [8*OPTIONS-1:0] STEP = KIND[384+:8*OPTIONS], OFFSET = KIND[384+8*OPTIONS+:8*OPTIONS];
  localparam [8*LANES-1:0] LEVEL = KIND[384+16*OPTIONS+:8*LANES];

  // Fields of a compute
  // descriptors.toml, compute from word 3: dense lanes_on_b accumulate chunk_rows group_pitch
  localparam AT_DENSE = 0, AT_LANES_ON_B = 1, AT_ACCUMULATE = 2, AT_CHUNK_ROWS = 32;
  localparam AT_GROUP_PITCH = 48;
  // descriptors.toml, compute from word 3: a_e5m2 b_e5m2
  localparam AT_A_E5M2 = 10, AT_B_E5M2 = 11;
  // descriptors.toml, compute from word 3: a_groups b_groups result_word result_pitch
  localparam AT_A_GROUPS = 64, AT_B_GROUPS = 80, AT_RESULT_WORD = 128, AT_RESULT_PITCH = 144;
  localparam COMPUTE = 160, ROW = LANES * WIDTH, COUNT = $clog2(DEPTH + 1);
  localparam SET_ROW_BITS = $clog2(SET_ROWS), GROUPS_AT_ONCE = SETS + 1;
  localparam SET_BITS = SETS > 1 ? $clog2(SETS) : 1;

  // Halves are fed to the tile, and their outputs collected.
  wire feed, feed_half, collect, collect_half, collector_busy;
  wire [1:0] feeder_busy;  // side A, side B
  td1_turns u_feed (
      .clk_i(clk_i), .rst_ni(rst_ni), .full_i(full_i), .part_i(part_i), .start_o(feed),
      .half_o(feed_half), .busy_i(|feeder_busy), .done_o(fed_o)
  );
  td1_turns u_collect (
      .clk_i(clk_i), .rst_ni(rst_ni), .full_i(open_i), .part_i(outputs_part_i), .start_o(collect),
      .half_o(collect_half), .busy_i(collector_busy), .done_o(collected_o)
  );
  assign feeding_o = |feeder_busy;

  // The computes of the halves that are worked on, from the clock after they begin.
  wire [COMPUTE-1:0] outputs_compute = outputs_compute_i[collect_half*COMPUTE+:COMPUTE];
  reg [COMPUTE-1:0] compute_q, outputs_compute_q;
  always @(posedge clk_i) begin
    if (feed) compute_q <= compute_i[feed_half*COMPUTE+:COMPUTE];
    if (collect) outputs_compute_q <= outputs_compute;
  end

  wire [2*SET_BITS-1:0] first_set;
  if (SETS == 1) begin : g_one_set
    wire unused_set = &{1'b0, first_set_i};
    assign first_set = {2 * SET_BITS{1'b0}};
  end else begin : g_sets
    reg [2*SET_BITS-1:0] first_set_q;
    always @(posedge clk_i) if (feed) first_set_q <= first_set_i[feed_half*2*SET_BITS+:2*SET_BITS];
    assign first_set = first_set_q;
  end

  // The sides' scratchpads
  wire [2*COUNT-1:0] offered, taken;
  localparam OPERAND = WIDTH == 8 ? 9 : WIDTH, IN_TILE = LANES * OPERAND;  // as the tile has them
  wire [2*DEPTH*STREAMS*ROW-1:0] rows;
  wire [2*DEPTH*STREAMS*IN_TILE-1:0] operands;
  wire [2*DEPTH-1:0] last;
  genvar side;
  for (side = 0; side < 2; side = side + 1) begin : g_scratchpad
    td1_scratchpad #(
        .STREAMS(STREAMS), .ROW(ROW), .DEPTH(DEPTH), .SETS(SETS),
        .FILL_ROWS(FILL_ROWS), .SET_ROWS(SET_ROWS)
    ) u_scratchpad (
        .clk_i(clk_i), .rst_ni(rst_ni), .write_i(write_i[side*GROUPS_AT_ONCE+:GROUPS_AT_ONCE]),
        .write_half_i(write_halves_i[side]),
        .write_stream_i(write_stream_i[side*GROUPS_AT_ONCE*STREAMS+:GROUPS_AT_ONCE*STREAMS]),
        .write_set_i(write_set_i[side*GROUPS_AT_ONCE*SETS+:GROUPS_AT_ONCE*SETS]),
        .write_bank_i(write_bank_i[side*DEPTH+:DEPTH]),
        .write_row_i(write_row_i[side*GROUPS_AT_ONCE*SET_ROW_BITS+:GROUPS_AT_ONCE*SET_ROW_BITS]),
        .write_data_i(write_data_i[side*FILL_ROWS*ROW+:FILL_ROWS*ROW]), .start_i(feed),
        .half_i(halves_i[{feed_half, 1'b0}+side]), .first_set_i(first_set[side*SET_BITS+:SET_BITS]),
        .chunk_rows_i(compute_q[AT_CHUNK_ROWS+:16]), .group_pitch_i(compute_q[AT_GROUP_PITCH+:16]),
        .inner_i(compute_q[AT_A_GROUPS+:16]), .outer_i(compute_q[AT_B_GROUPS+:16]),
        .repeats_i(side == 1), .busy_o(feeder_busy[side]), .valid_o(offered[side*COUNT+:COUNT]),
        .ready_i(taken[side*COUNT+:COUNT]),
        .rows_o(rows[side*DEPTH*STREAMS*ROW+:DEPTH*STREAMS*ROW]), .last_o(last[side*DEPTH+:DEPTH])
    );
  end

  if (WIDTH == 8) begin : g_fp8
    wire [1:0] e5m2 = {compute_q[AT_B_E5M2], compute_q[AT_A_E5M2]};
    for (side = 0; side < 2; side = side + 1) begin : g_operands
      td1_from_fp8 #(.ROWS(DEPTH), .ELEMENTS(STREAMS * LANES)) u_from_fp8 (
          .e5m2_i({DEPTH{e5m2[side]}}), .x_i(rows[side*DEPTH*STREAMS*ROW+:DEPTH*STREAMS*ROW]),
          .y_o(operands[side*DEPTH*STREAMS*IN_TILE+:DEPTH*STREAMS*IN_TILE])
      );
    end
  end else begin : g_operands
    assign operands = rows;
  end

  wire out_valid, out_ready;
  wire [STREAMS*STREAMS*32-1:0] out_data;
  wire [STREAMS*STREAMS-1:0] nonfinite;
  wire [7:0] steps, stalls, skipped;
  wire unused = &{1'b0, compute_q, outputs_compute, outputs_compute_q, last[DEPTH-1:0],
                  steps, stalls, skipped};
  td1_tile #(
      .ROWS(STREAMS), .COLUMNS(STREAMS), .LANES(LANES), .FRONT(FRONT), .RESTS(RESTS),
      .WIDTH(OPERAND),
      .EXP(EXP), .COUNTER_WIDTH(8), .DEPTH(DEPTH), .OPTIONS(OPTIONS), .LEVELS(LEVELS), .STEP(STEP),
      .OFFSET(OFFSET), .LEVEL(LEVEL), .FUSED(FUSED), .ACCUMULATORS(ACCUMULATORS),
      .SCHEDULER_REGISTERS(SCHEDULER_REGISTERS),
      .INTERCONNECT_REGISTERS(INTERCONNECT_REGISTERS), .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS),
      .ADDER_REGISTERS(ADDER_REGISTERS), .TREE_REGISTERS(TREE_REGISTERS)
  ) u_tile (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .dense_i           (compute_q[AT_DENSE]),
      .a_valid_i         (offered[0+:COUNT]),
      .a_ready_o         (taken[0+:COUNT]),
      .a_rows_i          (operands[0+:DEPTH*STREAMS*IN_TILE]),
      .b_valid_i         (offered[COUNT+:COUNT]),
      .b_ready_o         (taken[COUNT+:COUNT]),
      .b_rows_i          (operands[DEPTH*STREAMS*IN_TILE+:DEPTH*STREAMS*IN_TILE]),
      .b_last_i          (last[DEPTH+:DEPTH]),
      .b_last_of_output_i(last[DEPTH+:DEPTH]),  // every stream makes an output
      .out_valid_o       (out_valid),
      .out_ready_i       (out_ready),
      .out_data_o        (out_data),
      .out_nonfinite_o   (nonfinite),
      .cycles_o          (steps),
      .stalls_o          (stalls),
      .skipped_o         (skipped)
  );

  // The count of steps turns odd or even with each.
  reg odd_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) odd_q <= 1'b0;
    else odd_q <= steps[0];
  end
  assign stepped_o = odd_q ^ steps[0];
  assign nonfinite_o = out_valid & out_ready & (|nonfinite);

  td1_collector #(
      .STREAMS(STREAMS), .LANES(LANES), .RESULT_WORDS(RESULT_WORDS),
      .COLLECT_WORDS(COLLECT_WORDS), .STORE_ROWS(STORE_ROWS), .ADDER_REGISTERS(ADDER_REGISTERS)
  ) u_collector (
      .clk_i(clk_i), .rst_ni(rst_ni), .start_i(collect),
      .lanes_on_b_i(outputs_compute_q[AT_LANES_ON_B]),
      .accumulate_i(outputs_compute_q[AT_ACCUMULATE]),
      .a_groups_i(outputs_compute[AT_A_GROUPS+:16]), .b_groups_i(outputs_compute[AT_B_GROUPS+:16]),
      .word_i(outputs_compute[AT_RESULT_WORD+:16]),
      .pitch_i(outputs_compute_q[AT_RESULT_PITCH+:16]), .busy_o(collector_busy), .error_o(error_o),
      .out_valid_i(out_valid), .out_ready_o(out_ready), .out_data_i(out_data),
      .store_en_i(store_en_i), .store_row_i(store_row_i), .store_data_o(store_data_o)
  );
endmodule
`default_nettype wire
