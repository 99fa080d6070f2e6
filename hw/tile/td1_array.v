// SPDX-License-Identifier: 0BSD
// Array of PEs with what every tile has behind its operands: the sequencer, and the buffer through
// which the outputs of all PEs leave together. Its handshake is that of td1_skid.
`default_nettype none

module td1_array #(
    parameter ROWS                 = 4,   // tile rows, 1..16
    parameter COLUMNS              = 4,   // tile columns, 1..16
    parameter LANES                = 16,  // 2..64
    parameter RESTS                = 1,   // 0: all lanes are live in every step
    parameter WIDTH                = 16,  // bits of an operand: 1 + EXP + fraction
    parameter EXP                  = 8,   // ... of which are the exponent
    parameter OUTPUT_WIDTH         = 32,  // bits of an output: 32, or 16 for bfloat16
    parameter FUSED                = 0,   // 1: a step's products are added as integers, see td1_pe
    parameter ACCUMULATORS         = 1,   // 1..8
    parameter OPERAND_REGISTERS    = 0,   // between step_i and a_i, b_i, 0..3
    parameter MULTIPLIER_REGISTERS = 0,   // 0..2
    parameter ADDER_REGISTERS      = 0,   // 0..3
    parameter TREE_REGISTERS       = 1    // 0..2
) (
    input  wire                                 clk_i,           // clock
    input  wire                                 rst_ni,          // asynchronous reset, active low
    // Step
    input  wire                                 step_i,          // the tile steps
    input  wire                                 steps_i,         // ... in the next clock
    input  wire [                     ROWS-1:0] row_steps_i,     // ... as each tile row finds it
    input  wire                                 final_i,         // step_i completes an output
    input  wire [             ROWS+COLUMNS-1:0] nonfinite_i,     // Inf or NaN: columns, then rows
    output wire                                 enable_o,        // the pipeline moves
    output wire                                 enables_o,       // ... in the next clock
    // Operands: element (row * COLUMNS + column) * LANES + lane; row * LANES + lane
    input  wire [ ROWS*COLUMNS*LANES*WIDTH-1:0] a_i,
    input  wire [         ROWS*LANES*WIDTH-1:0] b_i,
    input  wire [               ROWS*LANES-1:0] live_i,          // see td1_live: row * LANES + lane
    // Operand registers that load: (row * LANES + lane) * (OPERAND_REGISTERS + 1), see td1_pipe
    output wire [ROWS*LANES*(OPERAND_REGISTERS+1)-1:0] load_o,
    // Outputs: row * COLUMNS + column
    output wire                                 out_valid_o,     // all are offered
    input  wire                                 out_ready_i,     // ... and accepted in this clock
    output wire [ROWS*COLUMNS*OUTPUT_WIDTH-1:0] out_data_o,
    output wire [             ROWS*COLUMNS-1:0] out_nonfinite_o  // an operand was Inf or NaN
);
  localparam PES = ROWS * COLUMNS;
  localparam ROW_BITS = LANES * WIDTH;
  localparam LEVEL_CLOCKS = TREE_REGISTERS + ADDER_REGISTERS;  // through a level of a tree
  localparam ADD_CLOCKS = (FUSED != 0) ? 2 * TREE_REGISTERS + (ADDER_REGISTERS + 1) / 2
                                          : $clog2(LANES) * LEVEL_CLOCKS;
  localparam SUM_CLOCKS = MULTIPLIER_REGISTERS + ADD_CLOCKS + TREE_REGISTERS;
  localparam MERGE_CLOCKS = $clog2(ACCUMULATORS) * LEVEL_CLOCKS;
  // With partial accumulators in turn, their adder may take as many clocks: four at most.
  localparam ACCUMULATE_REGISTERS = (ACCUMULATORS < 4 ? ACCUMULATORS : 4) - 1;

  // In the next clock the output buffer is ready, see td1_skid; the pipeline moves.
  wire complete, out_ready;
  wire out_room = out_ready_i | ~out_valid_o | (out_ready & ~complete);
  wire first;
  wire [OPERAND_REGISTERS+SUM_CLOCKS:0] moves;
  wire [MERGE_CLOCKS:0] merge;
  wire [ACCUMULATORS-1:0] adds, turn_load;
  wire [ROWS+COLUMNS-1:0] flags;
  td1_sequencer #(
      .FLAGS(ROWS + COLUMNS), .ACCUMULATORS(ACCUMULATORS),
      .SUM_CLOCKS(OPERAND_REGISTERS + SUM_CLOCKS),
      .ADD_CLOCKS(ACCUMULATE_REGISTERS), .MERGE_CLOCKS(MERGE_CLOCKS)
  ) u_sequencer (
      .clk_i(clk_i), .rst_ni(rst_ni), .step_i(step_i), .steps_i(steps_i), .final_i(final_i),
      .nonfinite_i(nonfinite_i), .enable_o(enable_o), .enables_o(enables_o), .moves_o(moves),
      .adds_o(adds), .load_o(turn_load), .first_o(first), .merge_o(merge),
      .out_valid_o(complete), .out_room_i(out_room), .out_nonfinite_o(flags)
  );

  wire [PES*OUTPUT_WIDTH-1:0] data;
  wire [             PES-1:0] nonfinite;
  wire unused = &{1'b0, moves[0]};  // tile rows have their own
  genvar r, c, k;
  for (r = 0; r < ROWS; r = r + 1) begin : g_row
    localparam OPERAND_LOADS = LANES * (OPERAND_REGISTERS + 1);
    wire [LANES*(SUM_CLOCKS+1)-1:0] load;
    wire [SUM_CLOCKS:0] row_load;
    wire enable;
    wire [OPERAND_REGISTERS+SUM_CLOCKS:0] row_moves;
    for (k = 0; k <= OPERAND_REGISTERS + SUM_CLOCKS; k = k + 1) begin : g_moves
      assign row_moves[k] = (k == 0) ? row_steps_i[r] : moves[k];
    end
    td1_live #(
        .LANES(LANES), .RESTS(RESTS), .FUSED(FUSED), .OPERAND_REGISTERS(OPERAND_REGISTERS),
        .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS), .ADDER_REGISTERS(ADDER_REGISTERS),
        .TREE_REGISTERS(TREE_REGISTERS), .CLOCKS(OPERAND_REGISTERS + SUM_CLOCKS)
    ) u_live (
        .clk_i(clk_i), .rst_ni(rst_ni), .enables_i(enables_o), .moves_i(row_moves),
        .live_i(live_i[r*LANES+:LANES]), .en_o(enable),
        .operand_load_o(load_o[r*OPERAND_LOADS+:OPERAND_LOADS]), .load_o(load),
        .row_load_o(row_load)
    );
    for (c = 0; c < COLUMNS; c = c + 1) begin : g_column
      localparam PE = r * COLUMNS + c;
      wire [31:0] result;
      td1_pe #(
          .LANES(LANES), .RESTS(RESTS), .WIDTH(WIDTH), .EXP(EXP), .FUSED(FUSED),
          .ACCUMULATORS(ACCUMULATORS), .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS),
          .ADDER_REGISTERS(ADDER_REGISTERS), .TREE_REGISTERS(TREE_REGISTERS),
          .ACCUMULATE_REGISTERS(ACCUMULATE_REGISTERS), .SUM_CLOCKS(SUM_CLOCKS),
          .MERGE_CLOCKS(MERGE_CLOCKS)
      ) u_pe (
          .clk_i(clk_i), .en_i(enable), .a_i(a_i[PE*ROW_BITS+:ROW_BITS]),
          .b_i(b_i[r*ROW_BITS+:ROW_BITS]), .sum_load_i(load), .row_load_i(row_load), .adds_i(adds),
          .load_i(turn_load), .first_i(first), .merge_i(merge), .result_o(result)
      );
      assign nonfinite[PE] = flags[c] | flags[COLUMNS+r];
      if (OUTPUT_WIDTH == 32) begin : g_fp32
        assign data[PE*32+:32] = result;
      end else begin : g_bf16
        td1_to_bf16 u_to_bf16 (.x_i(result), .y_o(data[PE*16+:16]));
      end
    end
  end

  td1_skid #(.WIDTH(PES * (OUTPUT_WIDTH + 1))) u_output (
      .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(complete), .in_ready_o(out_ready),
      .in_data_i({nonfinite, data}), .out_valid_o(out_valid_o), .out_ready_i(out_ready_i),
      .out_data_o({out_nonfinite_o, out_data_o})
  );
endmodule
`default_nettype wire
