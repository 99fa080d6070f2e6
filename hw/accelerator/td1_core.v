// SPDX-License-Identifier: 0BSD
// The tile of a tile unit: td1_tile, or the dense tile. Every stream makes an output.
`default_nettype none

module td1_core #(
    parameter STREAMS                = 4,    // tile rows, and columns, 1..16
    parameter LANES                  = 16,   // 2..64
    parameter WIDTH                  = 16,   // bits of an operand
    // Tile, see td1_tile and td1_dense_tile
    parameter DENSE                  = 0,    // 1: the dense tile
    parameter RESTS                  = 0,
    parameter EXP                    = 8,
    parameter DEPTH                  = 3,
    parameter OPTIONS                = 8,
    parameter LEVELS                 = 6,
    parameter [8*OPTIONS-1:0] STEP   = 0,
    parameter [8*OPTIONS-1:0] OFFSET = 0,
    parameter [  8*LANES-1:0] LEVEL  = 0,
    parameter FUSED                  = 0,
    parameter ACCUMULATORS           = 1,
    parameter INTERCONNECT_REGISTERS = 1,
    parameter MULTIPLIER_REGISTERS   = 0,
    parameter ADDER_REGISTERS        = 0,
    parameter TREE_REGISTERS         = 1
) (
    input  wire                                    clk_i,        // clock
    input  wire                                    rst_ni,       // asynchronous reset, active low
    input  wire                                    dense_i,      // streams that begin run dense
    // Rows, see td1_tile; side A's in the low bits
    input  wire [           2*$clog2(DEPTH+1)-1:0] valid_i,
    output wire [           2*$clog2(DEPTH+1)-1:0] ready_o,
    input  wire [2*DEPTH*STREAMS*LANES*WIDTH-1:0] rows_i,
    input  wire [                       DEPTH-1:0] last_i,       // side B: the row ends its stream
    // Outputs
    output wire                                    out_valid_o,
    input  wire                                    out_ready_i,
    output wire [          STREAMS*STREAMS*32-1:0] out_data_o,
    // For counters
    output wire                                    stepped_o,    // the tile has stepped
    output wire                                    nonfinite_o   // outputs with Inf or NaN leave
);
  localparam COUNT = $clog2(DEPTH + 1);
  localparam SIDE = DEPTH * STREAMS * LANES * WIDTH;
  wire [STREAMS*STREAMS-1:0] nonfinite;
  wire [7:0] steps, stalls, skipped;
  wire unused = &{1'b0, dense_i, steps, stalls, skipped,
                  // what the other tile takes
                  RESTS[0], LEVELS[0], STEP[0], OFFSET[0], LEVEL[0], INTERCONNECT_REGISTERS[0]};

  if (DENSE != 0) begin : g_dense
    td1_dense_tile #(
        .ROWS(STREAMS), .COLUMNS(STREAMS), .LANES(LANES), .RESTS(RESTS), .WIDTH(WIDTH), .EXP(EXP),
        .DEPTH(DEPTH), .COUNTER_WIDTH(8), .FUSED(FUSED), .ACCUMULATORS(ACCUMULATORS),
        .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS), .ADDER_REGISTERS(ADDER_REGISTERS),
        .TREE_REGISTERS(TREE_REGISTERS)
    ) u_tile (
        .clk_i             (clk_i),
        .rst_ni            (rst_ni),
        .dense_i           (1'b1),
        .a_valid_i         (valid_i[0+:COUNT]),
        .a_ready_o         (ready_o[0+:COUNT]),
        .a_rows_i          (rows_i[0+:SIDE]),
        .b_valid_i         (valid_i[COUNT+:COUNT]),
        .b_ready_o         (ready_o[COUNT+:COUNT]),
        .b_rows_i          (rows_i[SIDE+:SIDE]),
        .b_last_i          (last_i),
        .b_last_of_output_i(last_i),
        .out_valid_o       (out_valid_o),
        .out_ready_i       (out_ready_i),
        .out_data_o        (out_data_o),
        .out_nonfinite_o   (nonfinite),
        .cycles_o          (steps),
        .stalls_o          (stalls),
        .skipped_o         (skipped)
    );
  end else begin : g_sparse
    td1_tile #(
        .ROWS(STREAMS), .COLUMNS(STREAMS), .LANES(LANES), .WIDTH(WIDTH), .EXP(EXP), .DEPTH(DEPTH),
        .OPTIONS(OPTIONS), .LEVELS(LEVELS), .STEP(STEP), .OFFSET(OFFSET), .LEVEL(LEVEL),
        .COUNTER_WIDTH(8), .FUSED(FUSED), .ACCUMULATORS(ACCUMULATORS),
        .INTERCONNECT_REGISTERS(INTERCONNECT_REGISTERS),
        .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS), .ADDER_REGISTERS(ADDER_REGISTERS),
        .TREE_REGISTERS(TREE_REGISTERS)
    ) u_tile (
        .clk_i             (clk_i),
        .rst_ni            (rst_ni),
        .dense_i           (dense_i),
        .a_valid_i         (valid_i[0+:COUNT]),
        .a_ready_o         (ready_o[0+:COUNT]),
        .a_rows_i          (rows_i[0+:SIDE]),
        .b_valid_i         (valid_i[COUNT+:COUNT]),
        .b_ready_o         (ready_o[COUNT+:COUNT]),
        .b_rows_i          (rows_i[SIDE+:SIDE]),
        .b_last_i          (last_i),
        .b_last_of_output_i(last_i),
        .out_valid_o       (out_valid_o),
        .out_ready_i       (out_ready_i),
        .out_data_o        (out_data_o),
        .out_nonfinite_o   (nonfinite),
        .cycles_o          (steps),
        .stalls_o          (stalls),
        .skipped_o         (skipped)
    );
  end

  // The count of steps turns odd or even with each.
  reg odd_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) odd_q <= 1'b0;
    else odd_q <= steps[0];
  end
  assign stepped_o = odd_q ^ steps[0];
  assign nonfinite_o = out_valid_o & out_ready_i & (|nonfinite);
endmodule
`default_nettype wire
