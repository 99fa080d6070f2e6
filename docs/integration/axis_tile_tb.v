// SPDX-License-Identifier: 0BSD
// Sends the rows of two files through axis_tile; prints its outputs, and what they took. Arguments:
//   +a=FILE     side A: a row in each line, as a hexadecimal number
//   +b=FILE     side B: the same, and one digit behind each row: 1 it ends its stream, 3 ... and
//               the output, 0 neither
//   +rows=N     rows of each file
//   +beat=N     rows of a beat, default BEAT_ROWS
//   +stall=P    percent of clocks in which each stream waits, default 0
//   +dense=1    drop nothing
`default_nettype none

module axis_tile_tb;
  parameter ROWS         = 4;
  parameter COLUMNS      = 4;
  parameter LANES        = 16;
  parameter WIDTH        = 16;
  parameter OUTPUT_WIDTH = 32;
  parameter DEPTH        = 3;
  parameter BEAT_ROWS    = DEPTH;
  localparam A_BITS = COLUMNS * LANES * WIDTH, B_BITS = ROWS * LANES * WIDTH;
  localparam OUTPUTS = ROWS * COLUMNS, OUT_BITS = OUTPUTS * OUTPUT_WIDTH;
  localparam HANG = 10000;  // clocks in which nothing moves

  reg [8*1024-1:0] a_file, b_file;
  reg [31:0] rows, beat, stall, dense;
  initial begin
    if (!$value$plusargs("rows=%d", rows)) rows = 0;
    if (!$value$plusargs("beat=%d", beat)) beat = BEAT_ROWS;
    if (!$value$plusargs("stall=%d", stall)) stall = 0;
    if (!$value$plusargs("dense=%d", dense)) dense = 0;
    if ($value$plusargs("a=%s", a_file)) $readmemh(a_file, u_source_a.rows, 0, rows - 1);
    if ($value$plusargs("b=%s", b_file)) $readmemh(b_file, u_source_b.rows, 0, rows - 1);
  end

  reg clk = 1'b0, rst_n = 1'b0;
  always #5 clk = ~clk;
  initial #42 rst_n = 1'b1;
  reg aresetn = 1'b0;  // released with the clock
  always @(posedge clk or negedge rst_n) aresetn <= rst_n;

  wire a_valid, a_ready, b_valid, b_ready, a_done, b_done;
  wire [BEAT_ROWS-1:0] a_keep, b_keep;
  wire [BEAT_ROWS*A_BITS-1:0] a_beat;
  wire [BEAT_ROWS*(B_BITS+4)-1:0] b_beat;
  row_source #(.BITS(A_BITS), .BEAT_ROWS(BEAT_ROWS), .SEED(1)) u_source_a (
      .clk_i(clk), .rst_ni(aresetn), .rows_i(rows), .beat_i(beat), .stall_i(stall),
      .valid_o(a_valid), .ready_i(a_ready), .keep_o(a_keep), .beat_o(a_beat), .done_o(a_done)
  );
  row_source #(.BITS(B_BITS + 4), .BEAT_ROWS(BEAT_ROWS), .SEED(2)) u_source_b (
      .clk_i(clk), .rst_ni(aresetn), .rows_i(rows), .beat_i(beat), .stall_i(stall),
      .valid_o(b_valid), .ready_i(b_ready), .keep_o(b_keep), .beat_o(b_beat), .done_o(b_done)
  );

  wire [BEAT_ROWS*A_BITS/8-1:0] a_tkeep;
  wire [BEAT_ROWS*B_BITS/8-1:0] b_tkeep;
  wire [BEAT_ROWS*B_BITS-1:0] b_tdata;
  wire [2*BEAT_ROWS-1:0] b_tuser;
  genvar k;
  generate
    for (k = 0; k < BEAT_ROWS; k = k + 1) begin : g_row
      assign a_tkeep[k*A_BITS/8+:A_BITS/8] = {A_BITS / 8{a_keep[k]}};
      assign b_tkeep[k*B_BITS/8+:B_BITS/8] = {B_BITS / 8{b_keep[k]}};
      assign b_tuser[2*k+:2] = b_beat[k*(B_BITS+4)+:2];
      assign b_tdata[k*B_BITS+:B_BITS] = b_beat[k*(B_BITS+4)+4+:B_BITS];
    end
  endgenerate

  wire out_valid;
  reg out_ready;
  wire [OUT_BITS-1:0] out_data;
  wire [OUTPUTS-1:0] out_nonfinite;
  wire [31:0] cycles, stalls, skipped;
  axis_tile #(
      .ROWS(ROWS), .COLUMNS(COLUMNS), .LANES(LANES), .WIDTH(WIDTH), .OUTPUT_WIDTH(OUTPUT_WIDTH),
      .DEPTH(DEPTH), .BEAT_ROWS(BEAT_ROWS)
  ) u_dut (
      .aclk           (clk),
      .aresetn        (aresetn),
      .dense_i        (dense != 0),
      .s_axis_a_tvalid(a_valid),
      .s_axis_a_tready(a_ready),
      .s_axis_a_tdata (a_beat),
      .s_axis_a_tkeep (a_tkeep),
      .s_axis_b_tvalid(b_valid),
      .s_axis_b_tready(b_ready),
      .s_axis_b_tdata (b_tdata),
      .s_axis_b_tkeep (b_tkeep),
      .s_axis_b_tuser (b_tuser),
      .m_axis_tvalid  (out_valid),
      .m_axis_tready  (out_ready),
      .m_axis_tdata   (out_data),
      .m_axis_tuser   (out_nonfinite),
      .cycles_o       (cycles),
      .stalls_o       (stalls),
      .skipped_o      (skipped)
  );

  // Outputs are due for the rows that were accepted; what waits must not change.
  function [31:0] ends(input [BEAT_ROWS-1:0] keep, input [2*BEAT_ROWS-1:0] user);
    integer i;
    begin
      ends = 0;
      for (i = 0; i < BEAT_ROWS; i = i + 1) if (keep[i] & user[2*i+1]) ends = ends + 1;
    end
  endfunction
  wire a_moves = a_valid & a_ready, b_moves = b_valid & b_ready, out_moves = out_valid & out_ready;
  wire [31:0] due_next = due + (b_moves ? ends(b_keep, b_tuser) : 0) - (out_moves ? 1 : 0);
  reg [31:0] due, clocks, idle, random;
  reg started, waits;
  reg [OUT_BITS+OUTPUTS-1:0] waiting;
  always @(posedge clk) begin
    if (!aresetn) begin
      {due, clocks, idle} <= 0;
      {started, waits, out_ready} <= 0;
      random <= 3;
    end else begin
      random <= u_source_a.next(random);
      // Who stalls waits for TVALID, which must not wait for TREADY.
      out_ready <= stall == 0 | out_valid & random % 100 >= stall;
      started <= started | a_moves | b_moves;
      if (started | a_moves | b_moves) clocks <= clocks + 1;
      due <= due_next;
      idle <= a_moves | b_moves | out_moves ? 0 : idle + 1;
      if (out_moves) $display("output %h %h", out_data, out_nonfinite);
      waits <= out_valid & ~out_ready;
      waiting <= {out_nonfinite, out_data};
      if (waits & (~out_valid | waiting != {out_nonfinite, out_data})) begin
        $display("an output changed that waited");
        $finish;
      end
      // The last skipped pairs are counted a clock after their step.
      if (a_done & b_done & due == 0 & idle == 2) begin
        $display("cycles %0d stalls %0d skipped %0d clocks %0d", cycles, stalls, skipped,
                 clocks - 2);
        $finish;
      end
      if (idle == HANG) begin
        $display("nothing moves");
        $finish;
      end
    end
  end
endmodule
`default_nettype wire
