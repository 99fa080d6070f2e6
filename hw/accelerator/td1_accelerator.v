// SPDX-License-Identifier: 0BSD
// Accelerator: training's operations on tensors in memory. Software queues jobs in its registers; a
// job is a list of descriptors in memory, which load operands, compute, and store results.
//
//   registers -- control -- load ----> operand memories --> compute (tiles, result memories)
//                   |         \                                 |
//                 fetch ----- read_mux -- AXI4 -- store <-------+
`default_nettype none

module td1_accelerator #(
    parameter TILES                  = 4,    // a power of two, 1..64
    parameter STREAMS                = 4,    // rows, and columns, of a tile: a power of two, 2..16
    parameter LANES                  = 16,   // 2..64, a multiple of STREAMS
    parameter WIDTH                  = 16,   // bits of an operand: 8 (OFP8), 16 (bfloat16) or 32
    parameter OPERAND_ROWS           = 1024, // rows of an operand memory, 2..1048576
    parameter BANK_ROWS              = 16,   // of half a scratchpad bank, 2 or more
    parameter RESULT_WORDS           = 1024, // of a tile's result memory, 8..65536
    parameter COLLECT_WORDS          = 1,    // of a tile's results that are collected in a clock
    parameter FILL_ROWS              = 1,    // rows that a side fills in a clock: a power of two,
                                             // up to LANES and 2*STREAMS
    parameter BEAT_ROWS              = 1,    // rows of a bus beat: a power of two, of up to 64
                                             // bytes; up to FILL_ROWS/2, or 1
    parameter UNPACK_ROWS            = 0,    // see td1_load
    parameter ADDRESS_WIDTH          = 40,   // bits of a memory address, 33..63
    parameter OUTSTANDING            = 64,   // bursts on the way, each direction
    parameter DEPTH                  = 3,    // rows of a staging buffer
    parameter KIND_BITS              = 384,  // bits of KIND
    parameter [KIND_BITS-1:0] KIND   = 0     // of tile, packed; see td1_tile_unit
) (
    input  wire                               clk_i,           // clock
    input  wire                               rst_ni,          // asynchronous reset, active low
    output wire                               irq_o,           // interrupt, a level
    // AXI4-Lite: registers
    input  wire                               s_axi_awvalid_i,
    output wire                               s_axi_awready_o,
    input  wire [                       11:0] s_axi_awaddr_i,
    input  wire                               s_axi_wvalid_i,
    output wire                               s_axi_wready_o,
    input  wire [                       31:0] s_axi_wdata_i,
    input  wire [                        3:0] s_axi_wstrb_i,
    output wire                               s_axi_bvalid_o,
    input  wire                               s_axi_bready_i,
    output wire [                        1:0] s_axi_bresp_o,
    input  wire                               s_axi_arvalid_i,
    output wire                               s_axi_arready_o,
    input  wire [                       11:0] s_axi_araddr_i,
    output wire                               s_axi_rvalid_o,
    input  wire                               s_axi_rready_i,
    output wire [                       31:0] s_axi_rdata_o,
    output wire [                        1:0] s_axi_rresp_o,
    // AXI4: memory. Bursts of whole beats; writes of one ID, with strobes of their rows
    output wire                               m_axi_awvalid_o,
    input  wire                               m_axi_awready_i,
    output wire [          ADDRESS_WIDTH-1:0] m_axi_awaddr_o,
    output wire [                        7:0] m_axi_awlen_o,
    output wire [                        2:0] m_axi_awsize_o,
    output wire [                        1:0] m_axi_awburst_o,
    output wire                               m_axi_wvalid_o,
    input  wire                               m_axi_wready_i,
    output wire [  BEAT_ROWS*LANES*WIDTH-1:0] m_axi_wdata_o,
    output wire [BEAT_ROWS*LANES*WIDTH/8-1:0] m_axi_wstrb_o,
    output wire                               m_axi_wlast_o,
    input  wire                               m_axi_bvalid_i,
    output wire                               m_axi_bready_o,
    input  wire [                        1:0] m_axi_bresp_i,
    output wire                               m_axi_arvalid_o,
    input  wire                               m_axi_arready_i,
    output wire                               m_axi_arid_o,    // 0: operands, 1: descriptors
    output wire [          ADDRESS_WIDTH-1:0] m_axi_araddr_o,
    output wire [                        7:0] m_axi_arlen_o,
    output wire [                        2:0] m_axi_arsize_o,
    output wire [                        1:0] m_axi_arburst_o,
    input  wire                               m_axi_rvalid_i,
    output wire                               m_axi_rready_o,
    input  wire                               m_axi_rid_i,
    input  wire [  BEAT_ROWS*LANES*WIDTH-1:0] m_axi_rdata_i,
    input  wire [                        1:0] m_axi_rresp_i,
    input  wire                               m_axi_rlast_i
);
  localparam BEAT_SIZE = $clog2(BEAT_ROWS * LANES * WIDTH / 8);

  wire rst_n;
  td1_reset u_reset (.clk_i(clk_i), .rst_ni(rst_ni), .rst_no(rst_n));

  // Jobs
  wire [ADDRESS_WIDTH-1:0] window_begin, window_end;
  wire halt, engine_rst_n, load_quiet, store_quiet;
  wire load_valid, load_ready, load_done, compute_valid, compute_ready, compute_done;
  wire store_valid, store_ready, store_done, stepped, waiting, filling;
  wire [511:0] load, store;
  wire [2047:0] compute;
  wire [3:0] load_error, compute_error, store_error;
  wire [7:0] written, result_count, zero_count;
  wire [6:0] nonfinite;
  wire fetch_ar_valid, fetch_ar_ready, fetch_r_valid, fetch_r_ready;
  wire [ADDRESS_WIDTH-1:0] fetch_ar_addr;
  wire [7:0] fetch_ar_len;
  td1_control #(
      .LANES(LANES), .STREAMS(STREAMS), .DEPTH(DEPTH), .TILES(TILES), .WIDTH(WIDTH),
      .DENSE(KIND[31:0] == 2 ? 1 : 0), .OPERAND_ROWS(OPERAND_ROWS), .RESULT_WORDS(RESULT_WORDS),
      .BANK_ROWS(BANK_ROWS), .FILL_ROWS(FILL_ROWS), .BEAT_ROWS(BEAT_ROWS),
      .UNPACK_ROWS(UNPACK_ROWS), .ADDRESS_WIDTH(ADDRESS_WIDTH)
  ) u_control (
      .clk_i(clk_i), .rst_ni(rst_n), .irq_o(irq_o),
      .aw_valid_i(s_axi_awvalid_i), .aw_ready_o(s_axi_awready_o), .aw_addr_i(s_axi_awaddr_i),
      .w_valid_i(s_axi_wvalid_i), .w_ready_o(s_axi_wready_o), .w_data_i(s_axi_wdata_i),
      .w_strb_i(s_axi_wstrb_i), .b_valid_o(s_axi_bvalid_o), .b_ready_i(s_axi_bready_i),
      .b_resp_o(s_axi_bresp_o), .ar_valid_i(s_axi_arvalid_i), .ar_ready_o(s_axi_arready_o),
      .ar_addr_i(s_axi_araddr_i), .r_valid_o(s_axi_rvalid_o), .r_ready_i(s_axi_rready_i),
      .r_data_o(s_axi_rdata_o), .r_resp_o(s_axi_rresp_o),
      .fetch_ar_valid_o(fetch_ar_valid), .fetch_ar_ready_i(fetch_ar_ready),
      .fetch_ar_addr_o(fetch_ar_addr), .fetch_ar_len_o(fetch_ar_len),
      .fetch_r_valid_i(fetch_r_valid), .fetch_r_ready_o(fetch_r_ready),
      .fetch_r_data_i(m_axi_rdata_i), .fetch_r_resp_i(m_axi_rresp_i),
      .window_begin_o(window_begin), .window_end_o(window_end), .halt_o(halt),
      .engine_rst_no(engine_rst_n), .load_quiet_i(load_quiet), .store_quiet_i(store_quiet),
      .load_valid_o(load_valid), .load_ready_i(load_ready), .load_o(load),
      .load_done_i(load_done), .load_error_i(load_error),
      .compute_valid_o(compute_valid), .compute_ready_i(compute_ready), .compute_o(compute),
      .compute_done_i(compute_done), .compute_error_i(compute_error),
      .store_valid_o(store_valid), .store_ready_i(store_ready), .store_o(store),
      .store_done_i(store_done), .store_error_i(store_error),
      .stepped_i(stepped), .waiting_i(waiting), .filling_i(filling),
      .read_beat_i(m_axi_rvalid_i & m_axi_rready_o), .written_i(written),
      .result_count_i(result_count), .zero_count_i(zero_count), .nonfinite_i(nonfinite)
  );

  // Who gets what is read; reset with both, which may withdraw what they offer
  wire load_ar_valid, load_ar_ready, load_r_valid, load_r_ready;
  wire [ADDRESS_WIDTH-1:0] load_ar_addr;
  wire [7:0] load_ar_len;
  td1_read_mux #(.ADDRESS_WIDTH(ADDRESS_WIDTH)) u_read_mux (
      .clk_i(clk_i), .rst_ni(engine_rst_n),
      .load_ar_valid_i(load_ar_valid), .load_ar_ready_o(load_ar_ready),
      .load_ar_addr_i(load_ar_addr), .load_ar_len_i(load_ar_len),
      .load_r_valid_o(load_r_valid), .load_r_ready_i(load_r_ready),
      .fetch_ar_valid_i(fetch_ar_valid), .fetch_ar_ready_o(fetch_ar_ready),
      .fetch_ar_addr_i(fetch_ar_addr), .fetch_ar_len_i(fetch_ar_len),
      .fetch_r_valid_o(fetch_r_valid), .fetch_r_ready_i(fetch_r_ready),
      .ar_valid_o(m_axi_arvalid_o), .ar_ready_i(m_axi_arready_i), .ar_id_o(m_axi_arid_o),
      .ar_addr_o(m_axi_araddr_o), .ar_len_o(m_axi_arlen_o),
      .r_valid_i(m_axi_rvalid_i), .r_ready_o(m_axi_rready_o), .r_id_i(m_axi_rid_i)
  );
  assign m_axi_arsize_o = BEAT_SIZE[2:0];
  assign m_axi_awsize_o = BEAT_SIZE[2:0];
  assign m_axi_arburst_o = 2'b01;  // addresses count up
  assign m_axi_awburst_o = 2'b01;

  // Loads, and what they write to: the operand memories of side A and side B
  localparam ROW = LANES * WIDTH, ROW_BITS = $clog2(OPERAND_ROWS);
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
      .clk_i(clk_i), .rst_ni(engine_rst_n), .desc_valid_i(load_valid), .desc_ready_o(load_ready),
      .desc_i(load), .done_o(load_done), .error_o(load_error), .halt_i(halt),
      .quiet_o(load_quiet), .window_begin_i(window_begin), .window_end_i(window_end),
      .ar_valid_o(load_ar_valid), .ar_ready_i(load_ar_ready), .ar_addr_o(load_ar_addr),
      .ar_len_o(load_ar_len), .r_valid_i(load_r_valid), .r_ready_o(load_r_ready),
      .r_data_i(m_axi_rdata_i), .r_resp_i(m_axi_rresp_i), .r_last_i(m_axi_rlast_i),
      .write_en_o(write_en), .write_row_o(write_row), .write_interleave_o(write_interleave),
      .write_data_o(write_data)
  );
  genvar m;
  for (m = 0; m < 2; m = m + 1) begin : g_operands
    td1_operands #(
        .ROW(ROW), .OPERAND_ROWS(OPERAND_ROWS), .FILL_ROWS(FILL_ROWS),
        .WRITE_ROWS(WRITE_ROWS)
    ) u_memory (
        .clk_i(clk_i), .write_en_i(write_en[m*WRITE_ROWS+:WRITE_ROWS]),
        .write_interleave_i(write_interleave), .write_row_i(write_row), .write_data_i(write_data),
        .read_en_i(read_en[m*FILL_ROWS+:FILL_ROWS]), .read_interleave_i(read_interleave[m*5+:5]),
        .read_row_i(read_row[m*FILL_ROWS*ROW_BITS+:FILL_ROWS*ROW_BITS]),
        .read_data_o(read_data[m*FILL_ROWS*ROW+:FILL_ROWS*ROW]), .clash_o(read_clash[m])
    );
  end

  // Computes, and stores of what they leave in the result memories
  localparam TILE_BITS = (TILES > 1) ? $clog2(TILES) : 1;
  localparam RESULT_BITS = $clog2(RESULT_WORDS / (LANES / STREAMS) / BEAT_ROWS);
  wire [BEAT_ROWS-1:0] result_en;
  wire [TILE_BITS-1:0] result_tile;
  wire [BEAT_ROWS*RESULT_BITS-1:0] result_row;
  wire [BEAT_ROWS*LANES*32-1:0] result_data;
  td1_compute #(
      .TILES(TILES), .STREAMS(STREAMS), .LANES(LANES), .WIDTH(WIDTH),
      .OPERAND_ROWS(OPERAND_ROWS), .BANK_ROWS(BANK_ROWS), .RESULT_WORDS(RESULT_WORDS),
      .COLLECT_WORDS(COLLECT_WORDS), .STORE_ROWS(BEAT_ROWS), .FILL_ROWS(FILL_ROWS),
      .DEPTH(DEPTH), .KIND_BITS(KIND_BITS), .KIND(KIND)
  ) u_compute (
      .clk_i(clk_i), .rst_ni(engine_rst_n), .desc_valid_i(compute_valid),
      .desc_ready_o(compute_ready), .desc_i(compute), .done_o(compute_done),
      .error_o(compute_error), .read_en_o(read_en), .read_row_o(read_row),
      .read_interleave_o(read_interleave), .read_data_i(read_data), .read_clash_i(read_clash),
      .result_en_i(result_en), .result_tile_i({{8 - TILE_BITS{1'b0}}, result_tile}),
      .result_row_i(result_row), .result_data_o(result_data), .stepped_o(stepped),
      .waiting_o(waiting), .filling_o(filling), .nonfinite_o(nonfinite)
  );
  td1_store #(
      .LANES(LANES), .SEGMENT(STREAMS), .WIDTH(WIDTH), .TILES(TILES),
      .RESULT_WORDS(RESULT_WORDS), .ADDRESS_WIDTH(ADDRESS_WIDTH), .OUTSTANDING(OUTSTANDING),
      .BEAT_ROWS(BEAT_ROWS)
  ) u_store (
      .clk_i(clk_i), .rst_ni(engine_rst_n), .desc_valid_i(store_valid),
      .desc_ready_o(store_ready), .desc_i(store), .done_o(store_done),
      .error_o(store_error), .halt_i(halt), .quiet_o(store_quiet),
      .window_begin_i(window_begin), .window_end_i(window_end),
      .aw_valid_o(m_axi_awvalid_o), .aw_ready_i(m_axi_awready_i), .aw_addr_o(m_axi_awaddr_o),
      .aw_len_o(m_axi_awlen_o), .w_valid_o(m_axi_wvalid_o), .w_ready_i(m_axi_wready_i),
      .w_data_o(m_axi_wdata_o), .w_strb_o(m_axi_wstrb_o), .w_last_o(m_axi_wlast_o),
      .b_valid_i(m_axi_bvalid_i), .b_ready_o(m_axi_bready_o), .b_resp_i(m_axi_bresp_i),
      .read_en_o(result_en), .read_tile_o(result_tile), .read_row_o(result_row),
      .read_data_i(result_data), .written_o(written), .result_count_o(result_count),
      .zero_count_o(zero_count)
  );
endmodule
`default_nettype wire
