// SPDX-License-Identifier: 0BSD
// What must hold of what a load reads: as many beats come as were asked for, and each goes into one
// row that is there.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_load_assert #(
    parameter OPERAND_ROWS = 1024  // see td1_load
) (
    input wire                            clk_i,
    input wire                            rst_ni,
    input wire                            taken,
    input wire [                     6:0] beats,
    input wire                            r_valid_i,
    input wire                            r_last_i,
    input wire [                     1:0] write_en_o,
    input wire [$clog2(OPERAND_ROWS)-1:0] write_row_o
);
  // Beats of each burst on the way, the oldest at `head`, and how many of its have come.
  byte unsigned owed[256];
  byte unsigned head, tail, come;
  wire ends = come + 1 == owed[head];
  bit kept;  // last came with the last beat, and there were beats to come
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {head, tail, come} <= '0;
      kept <= 1;
    end else begin
      kept <= !r_valid_i || (head != tail && r_last_i == ends);
      if (r_valid_i) come <= ends ? 0 : come + 1;
      if (r_valid_i && ends) head <= head + 1;
      if (taken) tail <= tail + 1;
    end
  end
  always @(posedge clk_i) if (taken) owed[tail] <= 8'(beats);

  as_asked: assert property (@(posedge clk_i) disable iff (!rst_ni) kept)
    else $error("beats that were not asked for, or last on another beat");
  one_row: assert property (@(posedge clk_i) disable iff (!rst_ni)
      r_valid_i == ^write_en_o && !(&write_en_o))
    else $error("a beat is written to %b", write_en_o);
  row_there: assert property (@(posedge clk_i) disable iff (!rst_ni)
      |write_en_o |-> int'(write_row_o) < OPERAND_ROWS)
    else $error("row %0d is written", write_row_o);
endmodule

bind td1_load td1_load_assert #(.OPERAND_ROWS(OPERAND_ROWS)) u_assert (.*);
`default_nettype wire
