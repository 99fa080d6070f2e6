// SPDX-License-Identifier: 0BSD
// A chip around accel_tiny in plain Verilog: memory behind its bus, and a processor that queues one
// job and waits for the interrupt. Memory is read from a file, and compared with another at the end:
//
//   vvp ... +before=FILE +after=FILE +list=ADDRESS +descriptors=NUMBER    (address: hexadecimal)
//
// Files have a row of 64 bits a line, from BASE on.
`timescale 1ns / 1ps
`default_nettype none

module accelerator_tb;
  localparam ROW = 64, ROW_BYTES = 8, ROWS = 8192;
  localparam [39:0] BASE = 40'h40000;
  localparam [63:0] LAST = 64'h40000 + ROWS * ROW_BYTES;
  // Registers, see docs/registers.md
  localparam INTERRUPT_ENABLE = 12'h02c, ERROR_CODE = 12'h030, WINDOW_BEGIN = 12'h040;
  localparam WINDOW_END = 12'h048, JOB_ADDRESS = 12'h050, JOB_DESCRIPTORS = 12'h058;
  localparam CYCLES_BUSY = 12'h080;

  reg clk = 1'b0, rst_n = 1'b0;
  always #5 clk = ~clk;

  // Registers
  reg awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0;
  reg [11:0] offset;
  reg [31:0] data;
  wire irq, awready, wready, bvalid, arready, rvalid;
  wire [1:0] bresp, rresp;
  wire [31:0] rdata;

  // Memory: one burst each way at a time, without a wait
  reg [ROW-1:0] memory[0:ROWS-1], expected[0:ROWS-1];
  reg reading = 1'b0, read_id, writing = 1'b0, written = 1'b0;
  reg [39:0] read_at, write_at;
  reg [7:0] read_left;
  wire m_awvalid, m_wvalid, m_wlast, m_bready, m_arvalid, m_arid, m_rready;
  wire [39:0] m_awaddr, m_araddr;
  wire [7:0] m_awlen, m_arlen, m_wstrb;
  wire [2:0] m_awsize, m_arsize;
  wire [1:0] m_awburst, m_arburst;
  wire [ROW-1:0] m_wdata;
  always @(posedge clk) begin
    if (m_arvalid & ~reading) begin
      reading <= 1'b1;
      {read_id, read_at, read_left} <= {m_arid, m_araddr - BASE, m_arlen};
    end else if (reading & m_rready) begin
      reading <= read_left != 8'd0;
      read_at <= read_at + ROW_BYTES;
      read_left <= read_left - 8'd1;
    end
    if (m_awvalid & ~writing & ~written) begin
      writing <= 1'b1;
      write_at <= m_awaddr - BASE;
    end else if (writing & m_wvalid) begin
      if (&m_wstrb) memory[write_at/ROW_BYTES] <= m_wdata;
      write_at <= write_at + ROW_BYTES;
      writing <= ~m_wlast;
      written <= m_wlast;
    end else if (written & m_bready) written <= 1'b0;
  end

  accel_tiny_accelerator u_accelerator (
      .clk_i(clk), .rst_ni(rst_n), .irq_o(irq),
      .s_axi_awvalid_i(awvalid), .s_axi_awready_o(awready), .s_axi_awaddr_i(offset),
      .s_axi_wvalid_i(wvalid), .s_axi_wready_o(wready), .s_axi_wdata_i(data),
      .s_axi_wstrb_i(4'hf), .s_axi_bvalid_o(bvalid), .s_axi_bready_i(1'b1), .s_axi_bresp_o(bresp),
      .s_axi_arvalid_i(arvalid), .s_axi_arready_o(arready), .s_axi_araddr_i(offset),
      .s_axi_rvalid_o(rvalid), .s_axi_rready_i(1'b1), .s_axi_rdata_o(rdata), .s_axi_rresp_o(rresp),
      .m_axi_awvalid_o(m_awvalid), .m_axi_awready_i(~writing & ~written),
      .m_axi_awaddr_o(m_awaddr), .m_axi_awlen_o(m_awlen), .m_axi_awsize_o(m_awsize),
      .m_axi_awburst_o(m_awburst), .m_axi_wvalid_o(m_wvalid), .m_axi_wready_i(writing),
      .m_axi_wdata_o(m_wdata), .m_axi_wstrb_o(m_wstrb), .m_axi_wlast_o(m_wlast),
      .m_axi_bvalid_i(written), .m_axi_bready_o(m_bready), .m_axi_bresp_i(2'd0),
      .m_axi_arvalid_o(m_arvalid), .m_axi_arready_i(~reading), .m_axi_arid_o(m_arid),
      .m_axi_araddr_o(m_araddr), .m_axi_arlen_o(m_arlen), .m_axi_arsize_o(m_arsize),
      .m_axi_arburst_o(m_arburst), .m_axi_rvalid_i(reading), .m_axi_rready_o(m_rready),
      .m_axi_rid_i(read_id), .m_axi_rdata_i(memory[read_at/ROW_BYTES]), .m_axi_rresp_i(2'd0),
      .m_axi_rlast_i(read_left == 8'd0)
  );

  task write(input [11:0] where, input [31:0] value);
    begin
      offset = where;
      data = value;
      {awvalid, wvalid} = 2'b11;
      while (awvalid | wvalid) begin
        @(posedge clk);
        if (awready) awvalid <= 1'b0;
        if (wready) wvalid <= 1'b0;
        @(negedge clk);
      end
      while (~bvalid) @(negedge clk);
      if (bresp != 2'd0) fail("a register refuses a write");
      @(negedge clk);
    end
  endtask

  task read(input [11:0] where);
    begin
      offset = where;
      arvalid = 1'b1;
      while (arvalid) begin
        @(posedge clk);
        if (arready) arvalid <= 1'b0;
        @(negedge clk);
      end
      while (~rvalid) @(negedge clk);
      data = rdata;
      @(negedge clk);
    end
  endtask

  task fail(input [8*40-1:0] why);
    begin
      $display("failed: %0s", why);
      $finish;
    end
  endtask

  reg [8*256-1:0] before, after;
  reg [63:0] list;
  reg [31:0] descriptors;
  integer row;
  initial begin
    if (!$value$plusargs("before=%s", before) || !$value$plusargs("after=%s", after) ||
        !$value$plusargs("list=%h", list) || !$value$plusargs("descriptors=%d", descriptors)) begin
      fail("give +before, +after, +list, +descriptors");
    end
    $readmemh(before, memory);
    $readmemh(after, expected);
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    repeat (4) @(negedge clk);
    write(WINDOW_BEGIN, BASE[31:0]);
    write(WINDOW_BEGIN + 12'd4, {24'd0, BASE[39:32]});
    write(WINDOW_END, LAST[31:0]);
    write(WINDOW_END + 12'd4, LAST[63:32]);
    write(INTERRUPT_ENABLE, 32'd3);
    write(JOB_ADDRESS, list[31:0]);
    write(JOB_ADDRESS + 12'd4, list[63:32]);
    write(JOB_DESCRIPTORS, descriptors);
    while (irq !== 1'b1) @(negedge clk);
    read(ERROR_CODE);
    if (data !== 32'd0) fail("the job ended with an error");
    for (row = 0; row < ROWS; row = row + 1) begin
      if (memory[row] !== expected[row]) fail("a row of memory differs");
    end
    read(CYCLES_BUSY);
    $display("all %0d rows are equal, job of %0d clocks", ROWS, data);
    $finish;
  end
endmodule
`default_nettype wire
