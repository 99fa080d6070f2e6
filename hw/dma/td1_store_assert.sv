// SPDX-License-Identifier: 0BSD
// What must hold of what a store writes: as many beats as its bursts have, the last of each marked;
// of results that are there; and nothing once it is halted.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_store_assert #(
    parameter LANES        = 4,    // see td1_store
    parameter SEGMENT      = 2,    // see td1_store
    parameter WIDTH        = 16,   // see td1_store
    parameter TILES        = 1,    // see td1_store
    parameter RESULT_WORDS = 1024, // see td1_store
    parameter BEAT_ROWS    = 1,    // see td1_store
    parameter SET_BITS     = 10,   // see td1_store
    parameter PLACE_BITS   = 1     // see td1_store
) (
    input wire                                        clk_i,
    input wire                                        rst_ni,
    input wire                                        taken,
    input wire [                                 6:0] rows,
    input wire [                      PLACE_BITS-1:0] place,
    input wire                                        stop,
    input wire                                        w_valid_o,
    input wire                                        w_ready_i,
    input wire [           BEAT_ROWS*LANES*WIDTH-1:0] w_data_o,
    input wire [         BEAT_ROWS*LANES*WIDTH/8-1:0] w_strb_o,
    input wire                                        w_last_o,
    input wire                                        b_valid_i,
    input wire [                       BEAT_ROWS-1:0] read_en_o,
    input wire [(TILES > 1 ? $clog2(TILES) : 1)-1:0] read_tile_o,
    input wire [              BEAT_ROWS*SET_BITS-1:0] read_row_o,
    input wire [                                 7:0] written_o,
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
  always @(posedge clk_i) begin
    if (taken) owed[tail] <= 8'((int'(place) + int'(rows) + BEAT_ROWS - 1) / BEAT_ROWS);
  end

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
  for (genvar s = 0; s < BEAT_ROWS; s++) begin : g_set
    result_there: assert property (@(posedge clk_i) disable iff (!rst_ni)
        read_en_o[s] |-> int'(read_tile_o) < TILES && (int'(read_row_o[s*SET_BITS+:SET_BITS])
                         * BEAT_ROWS + s + 1) * LANES <= RESULT_WORDS * SEGMENT)
      else $error("row %0d of set %0d of tile %0d is read", read_row_o[s*SET_BITS+:SET_BITS], s,
                  read_tile_o);
  end
  byte unsigned wrote;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wrote <= 0;
    else wrote <= beat ? 8'($countones(w_strb_o)) : 0;
  end
  counted: assert property (@(posedge clk_i) disable iff (!rst_ni)
      zero_count_o <= result_count_o && (result_count_o != 0) == (wrote != 0)
      && written_o == wrote)
    else $error("%0d zeros in %0d results, %0d bytes", zero_count_o, result_count_o, written_o);
endmodule

bind td1_store td1_store_assert #(.LANES(LANES), .WIDTH(WIDTH), .TILES(TILES),
    .SEGMENT(SEGMENT), .RESULT_WORDS(RESULT_WORDS), .BEAT_ROWS(BEAT_ROWS), .SET_BITS(SET_BITS),
    .PLACE_BITS(PLACE_BITS)) u_assert (.*);
`default_nettype wire
