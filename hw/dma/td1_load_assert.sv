// SPDX-License-Identifier: 0BSD
// What must hold of what a load reads: as many beats come as hold the rows that were asked for, and
// each of these goes into one row that is there.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_load_assert #(
    parameter OPERAND_ROWS = 1024,  // see td1_load
    parameter BEAT_ROWS    = 1      // see td1_load
) (
    input wire                            clk_i,
    input wire                            rst_ni,
    input wire                            taken,
    input wire [                     6:0] rows,
    input wire                            r_valid_i,
    input wire                            r_last_i,
    input wire [           BEAT_ROWS-1:0] mine,
    input wire [         2*BEAT_ROWS-1:0] write_en_o,
    input wire [$clog2(OPERAND_ROWS)-1:0] write_row_o
);
  // Rows of each burst on the way, the oldest at `head`, and how many of its have come.
  byte unsigned owed[256];
  byte unsigned head, tail, come;
  wire [7:0] now = come + 8'($countones(mine));
  wire ends = now == owed[head];
  bit kept;  // last came with the last row, and there were rows to come
  bit valid;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {head, tail, come} <= '0;
      {kept, valid} <= 2'b10;
    end else begin
      kept <= !r_valid_i || (head != tail && r_last_i == ends);
      valid <= r_valid_i;
      if (r_valid_i) come <= ends ? 0 : now;
      if (r_valid_i && ends) head <= head + 1;
      if (taken) tail <= tail + 1;
    end
  end
  always @(posedge clk_i) if (taken) owed[tail] <= 8'(rows);

  as_asked: assert property (@(posedge clk_i) disable iff (!rst_ni) kept)
    else $error("rows that were not asked for, or last on another beat");
  one_side: assert property (@(posedge clk_i) disable iff (!rst_ni)
      valid == (|write_en_o) && !(|write_en_o[0+:BEAT_ROWS] && |write_en_o[BEAT_ROWS+:BEAT_ROWS]))
    else $error("a beat is written to %b", write_en_o);
  for (genvar r = 0; r < BEAT_ROWS; r++) begin : g_row
    wire [$clog2(OPERAND_ROWS)-1:0] row = write_row_o + $clog2(OPERAND_ROWS)'(r);
    row_there: assert property (@(posedge clk_i) disable iff (!rst_ni)
        write_en_o[r] || write_en_o[BEAT_ROWS+r] |-> int'(row) < OPERAND_ROWS)
      else $error("row %0d is written", row);
  end
endmodule

bind td1_load td1_load_assert #(.OPERAND_ROWS(OPERAND_ROWS), .BEAT_ROWS(BEAT_ROWS)) u_assert (.*);
`default_nettype wire
