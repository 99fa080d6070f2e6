// SPDX-License-Identifier: 0BSD
// What must hold of what a load reads: as many rows come as were asked for, the last of a burst
// with its end, and each of these goes into one row that is there.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_load_assert #(
    parameter OPERAND_ROWS = 1024,  // see td1_load
    parameter WRITE_ROWS   = 1      // see td1_load
) (
    input wire                            clk_i,
    input wire                            rst_ni,
    input wire                            taken,
    input wire [                     6:0] rows,
    input wire                            ends,
    input wire [          WRITE_ROWS-1:0] some,
    input wire [        2*WRITE_ROWS-1:0] write_en_o,
    input wire [$clog2(OPERAND_ROWS)-1:0] write_row_o
);
  // Rows of each burst on the way, the oldest at `head`, and how many of its have come.
  byte unsigned owed[256];
  byte unsigned head, tail, come;
  wire [7:0] now = come + 8'($countones(some));
  wire whole = now == owed[head];
  bit kept;  // the end came with the last row, and there were rows to come
  bit valid;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {head, tail, come} <= '0;
      {kept, valid} <= 2'b10;
    end else begin
      kept <= !(|some || ends) || (head != tail && ends == whole);
      valid <= |some;
      come <= whole ? 0 : now;
      if (ends) head <= head + 1;
      if (taken) tail <= tail + 1;
    end
  end
  always @(posedge clk_i) if (taken) owed[tail] <= 8'(rows);

  as_asked: assert property (@(posedge clk_i) disable iff (!rst_ni) kept)
    else $error("rows that were not asked for, or an end without the last one");
  one_side: assert property (@(posedge clk_i) disable iff (!rst_ni)
      valid == (|write_en_o)
        && !(|write_en_o[0+:WRITE_ROWS] && |write_en_o[WRITE_ROWS+:WRITE_ROWS]))
    else $error("a beat is written to %b", write_en_o);
  for (genvar r = 0; r < WRITE_ROWS; r++) begin : g_row
    wire [$clog2(OPERAND_ROWS)-1:0] row = write_row_o + $clog2(OPERAND_ROWS)'(r);
    row_there: assert property (@(posedge clk_i) disable iff (!rst_ni)
        write_en_o[r] || write_en_o[WRITE_ROWS+r] |-> int'(row) < OPERAND_ROWS)
      else $error("row %0d is written", row);
  end
endmodule

bind td1_load td1_load_assert #(.OPERAND_ROWS(OPERAND_ROWS), .WRITE_ROWS(WRITE_ROWS)) u_assert (.*);
`default_nettype wire
