// SPDX-License-Identifier: 0BSD
// Reads rows of a result memory for the bursts that the store engine has put on the bus: one for
// each of their beats, one in each clock, as long as there is room for what was asked for.
`default_nettype none

module td1_store_rows #(
    parameter UNIT_BITS   = 10,  // bits of a unit's number, see td1_store
    parameter TILE_BITS   = 1,   // bits of a tile's number, 1 or more
    parameter HALVES      = 1,   // units of a row: two, where a row may be two beats, or one
    parameter PLACE_BITS  = 1,   // bits that say where on the bus a row is, 1 or more
    parameter OUTSTANDING = 4,   // see td1_store
    parameter ROOM        = 5    // rows that are asked for, or wait, at most: up to 7
) (
    input  wire                      clk_i,         // clock
    input  wire                      rst_ni,        // asynchronous reset, active low
    // Bursts; there is room for all that may be on the way
    input  wire                      burst_valid_i, // one goes onto the bus
    input  wire [               6:0] burst_beats_i, // its beats, 1..64
    input  wire [     UNIT_BITS-1:0] burst_unit_i,  // its first unit
    input  wire [     TILE_BITS-1:0] burst_tile_i,  // whose results
    input  wire                      burst_wide_i,  // in binary32, which operands are not
    input  wire [    PLACE_BITS-1:0] burst_place_i, // of its first beat; others follow, in a ring
    // Result memories; a row comes two clocks after it is asked for. Registers: who is read waits
    // with what it accumulates.
    output reg                       read_en_o,
    output reg  [     TILE_BITS-1:0] read_tile_o,
    output reg  [UNIT_BITS-HALVES:0] read_row_o,
    // What comes
    output wire                      row_valid_o,   // the row is there
    output wire                      row_upper_o,   // its upper half is the beat
    output wire                      row_wide_o,    // in binary32, which operands are not
    output wire [    PLACE_BITS-1:0] row_place_o,   // where on the bus the beat is
    output wire                      row_last_o,    // the beat is its burst's last one
    input  wire                      leaves_i       // a beat that came has left
);
  localparam ONE = 1;
  wire bursts, ends_burst, wide, asks;
  wire [TILE_BITS-1:0] tile;
  wire [6:0] beats;
  wire [UNIT_BITS-1:0] first;
  wire [PLACE_BITS-1:0] first_place;
  wire room;
  td1_fifo #(
      .WIDTH(8 + UNIT_BITS + TILE_BITS + PLACE_BITS),
      .DEPTH(OUTSTANDING)
  ) u_bursts (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .in_valid_i (burst_valid_i),
      .in_ready_o (room),
      .in_data_i  ({burst_beats_i, burst_unit_i, burst_tile_i, burst_wide_i, burst_place_i}),
      .out_valid_o(bursts),
      .out_ready_i(asks & ends_burst),
      .out_data_o ({beats, first, tile, wide, first_place})
  );
  wire unused = &{1'b0, room};
  reg [2:0] asked_q;            // rows that are asked for, or wait
  reg [5:0] beat_q;             // the beat's number in its burst
  reg [UNIT_BITS-1:0] done_q;   // units of the burst that are read
  assign ends_burst = {1'b0, beat_q} == beats - 7'd1;
  assign asks = bursts & (asked_q != ROOM[2:0]);
  wire [UNIT_BITS-1:0] unit = first + done_q;
  wire [UNIT_BITS-1:0] of_beat = wide ? ONE[UNIT_BITS-1:0] : HALVES[UNIT_BITS-1:0];
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= 3'd0;
      beat_q  <= 6'd0;
      done_q  <= {UNIT_BITS{1'b0}};
    end else begin
      asked_q <= asked_q + {2'b00, asks} - {2'b00, leaves_i};
      if (asks) begin
        beat_q <= ends_burst ? 6'd0 : beat_q + 6'd1;
        done_q <= ends_burst ? {UNIT_BITS{1'b0}} : done_q + of_beat;
      end
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_en_o <= 1'b0;
    else read_en_o <= asks;
  end
  always @(posedge clk_i) begin
    read_tile_o <= tile;
    read_row_o  <= unit[UNIT_BITS-1:HALVES-1];
  end

  // Three clocks later it arrives, with what is known of it.
  reg [1:0] arrives_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) arrives_q <= 2'b00;
    else arrives_q <= {arrives_q[0], read_en_o};
  end
  assign row_valid_o = arrives_q[1];
  td1_pipe #(
      .WIDTH    (3 + PLACE_BITS),
      .REGISTERS(3)
  ) u_arriving (
      .clk_i(clk_i),
      .en_i (4'b1111),
      .x_i  ({HALVES == 2 && unit[0], wide, ends_burst, first_place + beat_q[PLACE_BITS-1:0]}),
      .y_o  ({row_upper_o, row_wide_o, row_last_o, row_place_o})
  );
endmodule
`default_nettype wire
