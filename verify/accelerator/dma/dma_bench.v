// SPDX-License-Identifier: Apache-2.0
// Load and store engine on one port, with a free reader in the place of td1_fetch, for dma_test.cpp.
`default_nettype none

module dma_bench #(
    parameter LANES = 4,
    parameter SEGMENT = 2,
    parameter WIDTH = 16,
    parameter TILES = 3,
    parameter OPERAND_ROWS = 300,
    parameter RESULT_WORDS = 200,
    parameter BEAT_ROWS = 1,
    parameter UNPACK_ROWS = 0,
    parameter WRITE_ROWS = UNPACK_ROWS > BEAT_ROWS ? UNPACK_ROWS : BEAT_ROWS,
    parameter SET_BITS = $clog2(RESULT_WORDS / (LANES / SEGMENT) / BEAT_ROWS)
) (
    input  wire                             clk_i,
    input  wire                             rst_ni,
    input  wire [                     39:0] window_begin_i,
    input  wire [                     39:0] window_end_i,
    input  wire                             halt_i,
    // Engines
    input  wire                             load_valid_i,
    output wire                             load_ready_o,
    input  wire [                    511:0] load_i,
    output wire                             load_done_o,
    output wire [                      3:0] load_error_o,
    output wire                             load_quiet_o,
    input  wire                             store_valid_i,
    output wire                             store_ready_o,
    input  wire [                    511:0] store_i,
    output wire                             store_done_o,
    output wire [                      3:0] store_error_o,
    output wire                             store_quiet_o,
    // The other reader
    input  wire                             fetch_ar_valid_i,
    output wire                             fetch_ar_ready_o,
    input  wire [                     39:0] fetch_ar_addr_i,
    input  wire [                      7:0] fetch_ar_len_i,
    output wire                             fetch_r_valid_o,
    input  wire                             fetch_r_ready_i,
    // Memories
    output wire [         2*WRITE_ROWS-1:0] write_en_o,
    output wire [                     31:0] write_row_o,
    output wire [                      4:0] write_interleave_o,
    output wire [WRITE_ROWS*LANES*WIDTH-1:0] write_data_o,
    output wire [            BEAT_ROWS-1:0] read_en_o,
    output wire [                     31:0] read_tile_o,
    output wire [         BEAT_ROWS*32-1:0] read_row_o,
    input  wire [   BEAT_ROWS*32*LANES-1:0] read_data_i,
    output wire [                      7:0] written_o,
    output wire [                      7:0] result_count_o,
    output wire [                      7:0] zero_count_o,
    // AXI4
    output wire                             ar_valid_o,
    input  wire                             ar_ready_i,
    output wire                             ar_id_o,
    output wire [                     39:0] ar_addr_o,
    output wire [                      7:0] ar_len_o,
    input  wire                             r_valid_i,
    output wire                             r_ready_o,
    input  wire                             r_id_i,
    input  wire [BEAT_ROWS*LANES*WIDTH-1:0] r_data_i,
    input  wire [                      1:0] r_resp_i,
    input  wire                             r_last_i,
    output wire                             aw_valid_o,
    input  wire                             aw_ready_i,
    output wire [                     39:0] aw_addr_o,
    output wire [                      7:0] aw_len_o,
    output wire                             w_valid_o,
    input  wire                             w_ready_i,
    output wire [BEAT_ROWS*LANES*WIDTH-1:0] w_data_o,
    output wire [                     63:0] w_strb_o,
    output wire                             w_last_o,
    input  wire                             b_valid_i,
    output wire                             b_ready_o,
    input  wire [                      1:0] b_resp_i
);
  localparam BYTES = LANES * WIDTH / 8;
  wire ar_valid, ar_ready, r_valid, r_ready;
  wire [39:0] ar_addr;
  wire [7:0] ar_len;
  wire [$clog2(OPERAND_ROWS)-1:0] row;
  wire [BEAT_ROWS*SET_BITS-1:0] set_rows;
  wire [(TILES > 1 ? $clog2(TILES) : 1)-1:0] tile;
  wire [BEAT_ROWS*BYTES-1:0] strb;
  assign write_row_o = {{32 - $clog2(OPERAND_ROWS) {1'b0}}, row};
  genvar s;
  for (s = 0; s < BEAT_ROWS; s = s + 1) begin : g_set
    assign read_row_o[s*32+:32] = {{32 - SET_BITS{1'b0}}, set_rows[s*SET_BITS+:SET_BITS]};
  end
  assign read_tile_o = {{32 - (TILES > 1 ? $clog2(TILES) : 1) {1'b0}}, tile};
  assign w_strb_o = {{64 - BEAT_ROWS * BYTES{1'b0}}, strb};
  td1_load #(
      .LANES       (LANES),
      .WIDTH       (WIDTH),
      .OPERAND_ROWS(OPERAND_ROWS),
      .BEAT_ROWS   (BEAT_ROWS),
      .UNPACK_ROWS (UNPACK_ROWS),
      .OUTSTANDING (6)
  ) u_load (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .desc_valid_i  (load_valid_i),
      .desc_ready_o  (load_ready_o),
      .desc_i        (load_i),
      .done_o        (load_done_o),
      .error_o       (load_error_o),
      .halt_i        (halt_i),
      .quiet_o       (load_quiet_o),
      .window_begin_i(window_begin_i),
      .window_end_i  (window_end_i),
      .ar_valid_o    (ar_valid),
      .ar_ready_i    (ar_ready),
      .ar_addr_o     (ar_addr),
      .ar_len_o      (ar_len),
      .r_valid_i     (r_valid),
      .r_ready_o     (r_ready),
      .r_data_i      (r_data_i),
      .r_resp_i      (r_resp_i),
      .r_last_i      (r_last_i),
      .write_en_o    (write_en_o),
      .write_row_o   (row),
      .write_interleave_o(write_interleave_o),
      .write_data_o  (write_data_o)
  );
  td1_store #(
      .LANES       (LANES),
      .SEGMENT     (SEGMENT),
      .WIDTH       (WIDTH),
      .TILES       (TILES),
      .RESULT_WORDS(RESULT_WORDS),
      .BEAT_ROWS   (BEAT_ROWS),
      .OUTSTANDING (6)
  ) u_store (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .desc_valid_i  (store_valid_i),
      .desc_ready_o  (store_ready_o),
      .desc_i        (store_i),
      .done_o        (store_done_o),
      .error_o       (store_error_o),
      .halt_i        (halt_i),
      .quiet_o       (store_quiet_o),
      .window_begin_i(window_begin_i),
      .window_end_i  (window_end_i),
      .aw_valid_o    (aw_valid_o),
      .aw_ready_i    (aw_ready_i),
      .aw_addr_o     (aw_addr_o),
      .aw_len_o      (aw_len_o),
      .w_valid_o     (w_valid_o),
      .w_ready_i     (w_ready_i),
      .w_data_o      (w_data_o),
      .w_strb_o      (strb),
      .w_last_o      (w_last_o),
      .b_valid_i     (b_valid_i),
      .b_ready_o     (b_ready_o),
      .b_resp_i      (b_resp_i),
      .read_en_o     (read_en_o),
      .read_tile_o   (tile),
      .read_row_o    (set_rows),
      .read_data_i   (read_data_i),
      .written_o     (written_o),
      .result_count_o(result_count_o),
      .zero_count_o  (zero_count_o)
  );
  td1_read_mux u_mux (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .load_ar_valid_i (ar_valid),
      .load_ar_ready_o (ar_ready),
      .load_ar_addr_i  (ar_addr),
      .load_ar_len_i   (ar_len),
      .load_r_valid_o  (r_valid),
      .load_r_ready_i  (r_ready),
      .fetch_ar_valid_i(fetch_ar_valid_i),
      .fetch_ar_ready_o(fetch_ar_ready_o),
      .fetch_ar_addr_i (fetch_ar_addr_i),
      .fetch_ar_len_i  (fetch_ar_len_i),
      .fetch_r_valid_o (fetch_r_valid_o),
      .fetch_r_ready_i (fetch_r_ready_i),
      .ar_valid_o      (ar_valid_o),
      .ar_ready_i      (ar_ready_i),
      .ar_id_o         (ar_id_o),
      .ar_addr_o       (ar_addr_o),
      .ar_len_o        (ar_len_o),
      .r_valid_i       (r_valid_i),
      .r_ready_o       (r_ready_o),
      .r_id_i          (r_id_i)
  );
endmodule
`default_nettype wire
