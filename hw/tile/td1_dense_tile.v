// SPDX-License-Identifier: 0BSD
// Dense tile, the baseline of td1_tile: the same ports and arithmetic, but each row takes a step.
// In the zero-gated one, the other baseline, lanes rest in steps in which side B's operand is zero.
// It has no staging buffers, schedulers or multiplexers, and accepts one row of a side in a clock.
`default_nettype none

module td1_dense_tile #(
    // Sizes
    parameter ROWS                 = 4,   // tile rows, 1..16
    parameter COLUMNS              = 4,   // tile columns, 1..16
    parameter LANES                = 16,  // 2..64
    parameter RESTS                = 0,   // 1: zero-gated
    parameter WIDTH                = 16,  // bits of an operand: 1 + EXP + fraction
    parameter EXP                  = 8,   // ... of which are the exponent
    parameter DEPTH                = 3,   // rows that a source may offer, 1..8
    parameter OUTPUT_WIDTH         = 32,  // bits of an output: 32, or 16 for bfloat16
    parameter COUNTER_WIDTH        = 32,  // bits of a counter, 8..64
    parameter COUNTER_WRAP         = 1,   // 0: a full counter stays full
    // Pipeline, see td1_pe
    parameter FUSED                = 0,   // 1: a step's products are added as integers
    parameter ACCUMULATORS         = 1,   // 1..8
    parameter MULTIPLIER_REGISTERS = 0,   // 0..2
    parameter ADDER_REGISTERS      = 0,   // 0..3
    parameter TREE_REGISTERS       = 1    // 0..2
) (
    input  wire                                 clk_i,            // clock
    input  wire                                 rst_ni,           // asynchronous reset, active low
    input  wire                                 dense_i,          // unused: every stream runs dense
    // Side A: element (row * COLUMNS + column) * LANES + lane
    input  wire [          $clog2(DEPTH+1)-1:0] a_valid_i,        // rows offered
    output wire [          $clog2(DEPTH+1)-1:0] a_ready_o,        // rows accepted, at most one
    input  wire [DEPTH*COLUMNS*LANES*WIDTH-1:0] a_rows_i,
    // Side B: element (row * ROWS + tile row) * LANES + lane
    input  wire [          $clog2(DEPTH+1)-1:0] b_valid_i,        // rows offered
    output wire [          $clog2(DEPTH+1)-1:0] b_ready_o,        // rows accepted, at most one
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
    output wire [            COUNTER_WIDTH-1:0] skipped_o         // zero: nothing is dropped
);
  localparam ROW_BITS = LANES * WIDTH;
  wire unused = &{1'b0, dense_i, a_rows_i, b_rows_i, b_last_i, b_last_of_output_i};

  wire rst_n;
  td1_reset u_reset (
      .clk_i (clk_i),
      .rst_ni(rst_ni),
      .rst_no(rst_n)
  );

  wire enable, step, final_step, waiting, a_load, b_load, b_present;
  td1_dense_intake #(.DEPTH(DEPTH)) u_intake (
      .clk_i             (clk_i),
      .rst_ni            (rst_n),
      .a_valid_i         (a_valid_i),
      .a_ready_o         (a_ready_o),
      .b_valid_i         (b_valid_i),
      .b_ready_o         (b_ready_o),
      .b_last_i          (b_last_i[0]),
      .b_last_of_output_i(b_last_of_output_i[0]),
      .a_load_o          (a_load),
      .b_load_o          (b_load),
      .b_present_o       (b_present),
      .enable_i          (enable),
      .step_o            (step),
      .final_o           (final_step),
      .waiting_o         (waiting)
  );

  wire [ROWS+COLUMNS-1:0] nonfinite;  // columns in the low bits, then rows
  wire [COLUMNS*ROW_BITS-1:0] a;
  wire [ROWS*ROW_BITS-1:0] b;
  wire [COLUMNS*LANES-1:0] a_live;
  wire [ROWS*LANES-1:0] line_live;
  wire [ROWS*LANES-1:0] live = line_live | {ROWS * LANES{|nonfinite}};  // 0 times Inf is a NaN
  wire [2*ROWS*LANES-1:0] load;
  wire unused_registers = &{1'b0, a_live, load};  // of operands: there are none
  genvar i;
  for (i = 0; i < COLUMNS; i = i + 1) begin : g_column
    td1_dense_line #(.LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .RESTS(0)) u_line (
        .clk_i      (clk_i),
        .load_i     (a_load),
        .present_i  (1'b1),
        .row_i      (a_rows_i[i*ROW_BITS+:ROW_BITS]),
        .operand_o  (a[i*ROW_BITS+:ROW_BITS]),
        .live_o     (a_live[i*LANES+:LANES]),
        .nonfinite_o(nonfinite[i])
    );
  end
  for (i = 0; i < ROWS; i = i + 1) begin : g_row
    td1_dense_line #(.LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .RESTS(RESTS)) u_line (
        .clk_i      (clk_i),
        .load_i     (b_load),
        .present_i  (b_present),
        .row_i      (b_rows_i[i*ROW_BITS+:ROW_BITS]),
        .operand_o  (b[i*ROW_BITS+:ROW_BITS]),
        .live_o     (line_live[i*LANES+:LANES]),
        .nonfinite_o(nonfinite[COLUMNS+i])
    );
  end

  td1_array #(
      .ROWS(ROWS), .COLUMNS(COLUMNS), .LANES(LANES), .RESTS(RESTS), .WIDTH(WIDTH), .EXP(EXP),
      .OUTPUT_WIDTH(OUTPUT_WIDTH), .FUSED(FUSED), .ACCUMULATORS(ACCUMULATORS),
      .OPERAND_REGISTERS(0), .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS),
      .ADDER_REGISTERS(ADDER_REGISTERS), .TREE_REGISTERS(TREE_REGISTERS)
  ) u_array (
      .clk_i          (clk_i),
      .rst_ni         (rst_n),
      .step_i         (step),
      .final_i        (final_step),
      .nonfinite_i    (nonfinite),
      .enable_o       (enable),
      .a_i            ({ROWS{a}}),  // every row sees the columns alike
      .b_i            (b),
      .sees_i         (live),
      .live_i         (live),
      .load_o         (load),
      .out_valid_o    (out_valid_o),
      .out_ready_i    (out_ready_i),
      .out_data_o     (out_data_o),
      .out_nonfinite_o(out_nonfinite_o)
  );
  td1_counters #(
      .SPARSE(0), .DEPTH(1), .LANES(1), .WIDTH(COUNTER_WIDTH), .WRAP(COUNTER_WRAP)
  ) u_counters (
      .clk_i    (clk_i),
      .rst_ni   (rst_n),
      .step_i   (step),
      .waiting_i(waiting),
      .advance_i(1'b0),
      .active_i (1'b0),
      .cycles_o (cycles_o),
      .stalls_o (stalls_o),
      .skipped_o(skipped_o)
  );
endmodule
`default_nettype wire
