// SPDX-License-Identifier: 0BSD
// What must hold of what a store writes: as many beats as its bursts have, the last of each marked;
// of results that are there; and nothing once it is halted.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_store_assert #(
    parameter LANES        = 4,    // see td1_store
    parameter WIDTH        = 16,   // see td1_store
    parameter TILES        = 1,    // see td1_store
    parameter RESULT_WORDS = 1024, // see td1_store
    parameter BEAT_ROWS    = 1     // see td1_store
) (
    input wire                                        clk_i,
    input wire                                        rst_ni,
    input wire                                        taken,
    input wire [                                 6:0] beats,
    input wire                                        stop,
    input wire                                        w_valid_o,
    input wire                                        w_ready_i,
    input wire [           BEAT_ROWS*LANES*WIDTH-1:0] w_data_o,
    input wire [         BEAT_ROWS*LANES*WIDTH/8-1:0] w_strb_o,
    input wire                                        w_last_o,
    input wire                                        b_valid_i,
    input wire                                        read_en_o,
    input wire [(TILES > 1 ? $clog2(TILES) : 1)-1:0] read_tile_o,
    input wire [            $clog2(RESULT_WORDS)-1:0] read_word_o,
    input wire [                                 7:0] result_count_o,
    input wire [                                 7:0] zero_count_o
);
  // Beats of each burst, the oldest that is not complete at `head`, and how many of its were sent;
  // bursts that wait for an answer.
  byte unsigned owed[256];
  byte unsigned head, tail, sent;
  int unanswered;
  wire beat = w_valid_o & w_ready_i;
  wire ends = sent + 1 == owed[head];
  bit kept;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {head, tail, sent} <= '0;
      unanswered <= 0;
      kept <= 1;
    end else begin
      kept <= !beat || (head != tail && w_last_o == ends);
      unanswered <= unanswered + int'(beat && w_last_o) - int'(b_valid_i);
      if (beat) sent <= ends ? 0 : sent + 1;
      if (beat && ends) head <= head + 1;
      if (taken) tail <= tail + 1;
    end
  end
  always @(posedge clk_i) if (taken) owed[tail] <= 8'(beats);

  as_told: assert property (@(posedge clk_i) disable iff (!rst_ni) kept)
    else $error("beats that no burst has, or last on another beat");
  answered_after_last: assert property (@(posedge clk_i) disable iff (!rst_ni)
      unanswered >= 0)
    else $error("a burst is answered before its last beat");
  beat_held: assert property (@(posedge clk_i) disable iff (!rst_ni)
      w_valid_o && !w_ready_i |=> w_valid_o && $stable(w_data_o) && $stable(w_strb_o)
      && $stable(w_last_o))
    else $error("a beat changes before it is accepted");
  nothing_after_halt: assert property (@(posedge clk_i) disable iff (!rst_ni)
      stop && !(w_valid_o && !w_ready_i) |=> !w_valid_o || w_strb_o == 0)
    else $error("a beat writes after the halt");
  result_there: assert property (@(posedge clk_i) disable iff (!rst_ni)
      read_en_o |-> int'(read_tile_o) < TILES && int'(read_word_o) < RESULT_WORDS)
    else $error("word %0d of tile %0d is read", read_word_o, read_tile_o);
  bit wrote;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wrote <= 0;
    else wrote <= beat && w_strb_o != 0;
  end
  counted: assert property (@(posedge clk_i) disable iff (!rst_ni)
      zero_count_o <= result_count_o && (result_count_o != 0) == wrote)
    else $error("%0d zeros in %0d results", zero_count_o, result_count_o);
endmodule

bind td1_store td1_store_assert #(.LANES(LANES), .WIDTH(WIDTH), .TILES(TILES),
    .RESULT_WORDS(RESULT_WORDS), .BEAT_ROWS(BEAT_ROWS)) u_assert (.*);
`default_nettype wire
