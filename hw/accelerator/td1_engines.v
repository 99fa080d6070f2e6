// SPDX-License-Identifier: 0BSD
// Engines: load, compute and store with the operand memories between load and compute. Each takes
// descriptors in order; control sees to it that they do not get in each other's way.
`default_nettype none

module td1_engines #(
    parameter TILES                  = 4,    // a power of two, 1..64
    parameter STREAMS                = 4,    // rows, and columns, of a tile: a power of two, 2..16
    parameter LANES                  = 16,   // 2..64, a multiple of STREAMS
    parameter WIDTH                  = 16,   // bits of an operand: 16 (bfloat16) or 32 (binary32)
    parameter OPERAND_ROWS           = 1024, // rows of an operand memory, 2..1048576
    parameter BANK_ROWS              = 16,   // of half a scratchpad bank, 2 or more
    parameter RESULT_WORDS           = 1024, // of a tile's result memory, 8..65536
    parameter COLLECT_WORDS          = 1,    // see td1_results
    parameter FILL_ROWS              = 1,    // rows that a side fills in a clock
    parameter BEAT_ROWS              = 1,    // rows of a bus beat, see td1_interleave
    parameter UNPACK_ROWS            = 0,    // see td1_load
    parameter ADDRESS_WIDTH          = 40,   // bits of a memory address, 33..63
    parameter OUTSTANDING            = 64,   // bursts on the way, each direction
    // Tile, see td1_tile and td1_dense_tile
    parameter DENSE                  = 0,
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
    input  wire                               clk_i,           // clock
    input  wire                               rst_ni,          // asynchronous reset, active low
    input  wire                               halt_i,          // start nothing on the bus
    output wire                               load_quiet_o,    // the bus owes it nothing
    output wire                               store_quiet_o,
    input  wire [          ADDRESS_WIDTH-1:0] window_begin_i,
    input  wire [          ADDRESS_WIDTH-1:0] window_end_i,
    // Descriptors, see descriptors.toml
    input  wire                               load_valid_i,
    output wire                               load_ready_o,
    input  wire [                      511:0] load_i,
    output wire                               load_done_o,
    output wire [                        3:0] load_error_o,
    input  wire                               compute_valid_i,
    output wire                               compute_ready_o,
    input  wire [                     2047:0] compute_i,
    output wire                               compute_done_o,
    output wire [                        3:0] compute_error_o,
    input  wire                               store_valid_i,
    output wire                               store_ready_o,
    input  wire [                      511:0] store_i,
    output wire                               store_done_o,
    output wire [                        3:0] store_error_o,
    // AXI4: reads of operands, writes of results
    output wire                               ar_valid_o,
    input  wire                               ar_ready_i,
    output wire [          ADDRESS_WIDTH-1:0] ar_addr_o,
    output wire [                        7:0] ar_len_o,
    input  wire                               r_valid_i,
    output wire                               r_ready_o,
    input  wire [  BEAT_ROWS*LANES*WIDTH-1:0] r_data_i,
    input  wire [                        1:0] r_resp_i,
    input  wire                               r_last_i,
    output wire                               aw_valid_o,
    input  wire                               aw_ready_i,
    output wire [          ADDRESS_WIDTH-1:0] aw_addr_o,
    output wire [                        7:0] aw_len_o,
    output wire                               w_valid_o,
    input  wire                               w_ready_i,
    output wire [  BEAT_ROWS*LANES*WIDTH-1:0] w_data_o,
    output wire [BEAT_ROWS*LANES*WIDTH/8-1:0] w_strb_o,
    output wire                               w_last_o,
    input  wire                               b_valid_i,
    output wire                               b_ready_o,
    input  wire [                        1:0] b_resp_i,
    // For counters, see td1_control
    output wire                               stepped_o,
    output wire                               waiting_o,
    output wire                               filling_o,
    output wire [                        7:0] written_o,
    output wire [                        7:0] result_count_o,
    output wire [                        7:0] zero_count_o,
    output wire [                        6:0] nonfinite_o
);
  localparam ROW = LANES * WIDTH, ROW_BITS = $clog2(OPERAND_ROWS);
  localparam TILE_BITS = (TILES > 1) ? $clog2(TILES) : 1;

  localparam WRITE_ROWS = UNPACK_ROWS > BEAT_ROWS ? UNPACK_ROWS : BEAT_ROWS;
  wire [2*WRITE_ROWS-1:0] write_en;  // side A, side B
  wire [1:0] read_clash;
  wire [ROW_BITS-1:0] write_row;
  wire [4:0] write_interleave;
  wire [WRITE_ROWS*ROW-1:0] write_data;
  wire [9:0] read_interleave;
  wire [2*FILL_ROWS-1:0] read_en;
  wire [2*FILL_ROWS*ROW_BITS-1:0] read_row;
  wire [2*FILL_ROWS*ROW-1:0] read_data;
  td1_load #(
      .LANES(LANES), .WIDTH(WIDTH), .OPERAND_ROWS(OPERAND_ROWS), .ADDRESS_WIDTH(ADDRESS_WIDTH),
      .OUTSTANDING(OUTSTANDING), .FILL_ROWS(FILL_ROWS), .BEAT_ROWS(BEAT_ROWS),
      .UNPACK_ROWS(UNPACK_ROWS)
  ) u_load (
      .clk_i(clk_i), .rst_ni(rst_ni), .desc_valid_i(load_valid_i), .desc_ready_o(load_ready_o),
      .desc_i(load_i), .done_o(load_done_o), .error_o(load_error_o), .halt_i(halt_i),
      .quiet_o(load_quiet_o), .window_begin_i(window_begin_i), .window_end_i(window_end_i),
      .ar_valid_o(ar_valid_o), .ar_ready_i(ar_ready_i), .ar_addr_o(ar_addr_o),
      .ar_len_o(ar_len_o), .r_valid_i(r_valid_i), .r_ready_o(r_ready_o), .r_data_i(r_data_i),
      .r_resp_i(r_resp_i), .r_last_i(r_last_i), .write_en_o(write_en), .write_row_o(write_row),
      .write_interleave_o(write_interleave), .write_data_o(write_data)
  );

  genvar m;
  for (m = 0; m < 2; m = m + 1) begin : g_operands
    td1_operands #(
        .ROW(ROW), .OPERAND_ROWS(OPERAND_ROWS), .FILL_ROWS(FILL_ROWS),
        .WRITE_ROWS(WRITE_ROWS)
    ) u_memory (
        .clk_i(clk_i), .write_en_i(write_en[m*WRITE_ROWS+:WRITE_ROWS]),
        .write_interleave_i(write_interleave),
        .write_row_i(write_row), .write_data_i(write_data),
        .read_en_i(read_en[m*FILL_ROWS+:FILL_ROWS]), .read_interleave_i(read_interleave[m*5+:5]),
        .read_row_i(read_row[m*FILL_ROWS*ROW_BITS+:FILL_ROWS*ROW_BITS]),
        .read_data_o(read_data[m*FILL_ROWS*ROW+:FILL_ROWS*ROW]), .clash_o(read_clash[m])
    );
  end

  localparam RESULT_BITS = $clog2(RESULT_WORDS / (LANES / STREAMS) / BEAT_ROWS);
  wire [BEAT_ROWS-1:0] result_en;
  wire [TILE_BITS-1:0] result_tile;
  wire [BEAT_ROWS*RESULT_BITS-1:0] result_row;
  wire [BEAT_ROWS*LANES*32-1:0] result_data;
  td1_compute #(
      .TILES(TILES), .STREAMS(STREAMS), .LANES(LANES), .WIDTH(WIDTH),
      .OPERAND_ROWS(OPERAND_ROWS), .BANK_ROWS(BANK_ROWS), .RESULT_WORDS(RESULT_WORDS),
      .COLLECT_WORDS(COLLECT_WORDS), .STORE_ROWS(BEAT_ROWS), .FILL_ROWS(FILL_ROWS),
      .DENSE(DENSE), .RESTS(RESTS), .EXP(EXP), .DEPTH(DEPTH), .OPTIONS(OPTIONS), .LEVELS(LEVELS),
      .STEP(STEP), .OFFSET(OFFSET), .LEVEL(LEVEL), .FUSED(FUSED), .ACCUMULATORS(ACCUMULATORS),
      .INTERCONNECT_REGISTERS(INTERCONNECT_REGISTERS),
      .MULTIPLIER_REGISTERS(MULTIPLIER_REGISTERS), .ADDER_REGISTERS(ADDER_REGISTERS),
      .TREE_REGISTERS(TREE_REGISTERS)
  ) u_compute (
      .clk_i(clk_i), .rst_ni(rst_ni), .desc_valid_i(compute_valid_i),
      .desc_ready_o(compute_ready_o), .desc_i(compute_i), .done_o(compute_done_o),
      .error_o(compute_error_o), .read_en_o(read_en), .read_row_o(read_row),
      .read_interleave_o(read_interleave), .read_data_i(read_data), .read_clash_i(read_clash),
      .result_en_i(result_en),
      .result_tile_i({{8 - TILE_BITS{1'b0}}, result_tile}), .result_row_i(result_row),
      .result_data_o(result_data), .stepped_o(stepped_o), .waiting_o(waiting_o),
      .filling_o(filling_o), .nonfinite_o(nonfinite_o)
  );
  td1_store #(
      .LANES(LANES), .SEGMENT(STREAMS), .WIDTH(WIDTH), .TILES(TILES),
      .RESULT_WORDS(RESULT_WORDS), .ADDRESS_WIDTH(ADDRESS_WIDTH), .OUTSTANDING(OUTSTANDING),
      .BEAT_ROWS(BEAT_ROWS)
  ) u_store (
      .clk_i(clk_i), .rst_ni(rst_ni), .desc_valid_i(store_valid_i),
      .desc_ready_o(store_ready_o), .desc_i(store_i), .done_o(store_done_o),
      .error_o(store_error_o), .halt_i(halt_i), .quiet_o(store_quiet_o),
      .window_begin_i(window_begin_i), .window_end_i(window_end_i),
      .aw_valid_o(aw_valid_o), .aw_ready_i(aw_ready_i), .aw_addr_o(aw_addr_o),
      .aw_len_o(aw_len_o), .w_valid_o(w_valid_o), .w_ready_i(w_ready_i), .w_data_o(w_data_o),
      .w_strb_o(w_strb_o), .w_last_o(w_last_o), .b_valid_i(b_valid_i), .b_ready_o(b_ready_o),
      .b_resp_i(b_resp_i), .read_en_o(result_en),
      .read_tile_o(result_tile), .read_row_o(result_row), .read_data_i(result_data),
      .written_o(written_o), .result_count_o(result_count_o), .zero_count_o(zero_count_o)
  );
endmodule
`default_nettype wire
