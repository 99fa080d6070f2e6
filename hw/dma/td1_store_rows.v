// SPDX-License-Identifier: 0BSD
// Reads rows of a result memory for the bursts that the store engine has put on the bus: those of
// a beat in one clock, as long as there is room for what was asked for. A beat has places for
// BEAT_ROWS units, which are rows, or halves of a row whose results are wide, see td1_store; its
// burst may begin behind the first place, and end before the last.
`default_nettype none

module td1_store_rows #(
    parameter UNIT_BITS   = 10,  // bits of a unit's number, see td1_store
    parameter TILE_BITS   = 1,   // bits of a tile's number, 1 or more
    parameter HALVES      = 1,   // units of a row: two, where a row may be two units, or one
    parameter BEAT_ROWS   = 2,   // see td1_store
    parameter BURSTS      = 4,   // that wait to be read, at most: 2 or more
    parameter ROOM        = 5,   // beats that are asked for, or wait, at most: up to 7
    parameter PLACE_BITS  = BEAT_ROWS > 1 ? $clog2(BEAT_ROWS) : 1,        // do not set
    parameter SET_BITS    = UNIT_BITS - (HALVES - 1) - $clog2(BEAT_ROWS)  // do not set
) (
    input  wire                          clk_i,         // clock
    input  wire                          rst_ni,        // asynchronous reset, active low
    // Bursts
    input  wire                          burst_valid_i, // one goes onto the bus
    output wire                          burst_ready_o, // ... or may: there is room for it
    input  wire [                   6:0] burst_end_i,   // behind its last place, of all
    input  wire [         UNIT_BITS-1:0] burst_unit_i,  // its first unit
    input  wire [         TILE_BITS-1:0] burst_tile_i,  // whose results
    input  wire                          burst_wide_i,  // wide, see td1_store
    input  wire [        PLACE_BITS-1:0] burst_place_i, // its first place
    // Result memories; rows come two clocks after they are asked for. Registers: who is read waits
    // with what it accumulates.
    output reg  [         BEAT_ROWS-1:0] read_en_o,     // by set, see td1_results
    output reg  [         TILE_BITS-1:0] read_tile_o,
    output reg  [BEAT_ROWS*SET_BITS-1:0] read_row_o,
    // What comes
    output wire                          rows_valid_o,  // the rows are there
    output wire [        PLACE_BITS-1:0] rows_set_o,    // set of the first one
    output wire                          rows_upper_o,  // the first unit is its upper half
    output wire                          rows_wide_o,   // wide, see td1_store
    output wire [         BEAT_ROWS-1:0] rows_used_o,   // places of the beat that are the burst's
    output wire                          rows_last_o,   // the beat is its burst's last one
    input  wire                          leaves_i       // a beat that came has left
);
  localparam ROW_BITS = UNIT_BITS - (HALVES - 1), BEAT = BEAT_ROWS, LAST_PLACE = BEAT_ROWS - 1;
  wire bursts, ends_burst, wide, asks;
  wire [TILE_BITS-1:0] tile;
  wire [6:0] burst_end;
  wire [UNIT_BITS-1:0] first;
  wire [PLACE_BITS-1:0] first_place;
  // Of the first beat's first place, whose unit may be none.
  wire [UNIT_BITS-1:0] none = {{UNIT_BITS - PLACE_BITS{1'b0}}, burst_place_i};
  wire [UNIT_BITS-1:0] begins = burst_unit_i - (none << (HALVES == 2 && !burst_wide_i));
  td1_fifo #(
      .WIDTH(8 + UNIT_BITS + TILE_BITS + PLACE_BITS), .DEPTH(BURSTS)
  ) u_bursts (
      .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(burst_valid_i), .in_ready_o(burst_ready_o),
      .in_data_i({burst_end_i, begins, burst_tile_i, burst_wide_i, burst_place_i}),
      .out_valid_o(bursts), .out_ready_i(asks & ends_burst),
      .out_data_o({burst_end, first, tile, wide, first_place})
  );
  wire unused = &{1'b0, first_place};
  reg [2:0] asked_q;            // beats that are asked for, or wait
  reg [6:0] place_q;            // the beat's first place, from the burst's first beat
  assign ends_burst = burst_end <= place_q + BEAT[6:0];
  assign asks = bursts & (asked_q != ROOM[2:0]);
  wire [UNIT_BITS+6:0] done = {{UNIT_BITS{1'b0}}, place_q} << (HALVES == 2 && !wide);
  wire [UNIT_BITS-1:0] unit = first + done[UNIT_BITS-1:0];
  wire unused_done = &{1'b0, done};
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= 3'd0;
      place_q <= 7'd0;
    end else begin
      asked_q <= asked_q + {2'b00, asks} - {2'b00, leaves_i};
      if (asks) place_q <= ends_burst ? 7'd0 : place_q + BEAT[6:0];
    end
  end

  // Places that are the burst's; the rows that these need, from the first place's row on; the sets
  // that they are in, and where.
  wire upper = (HALVES == 2) & unit[0];
  wire [ROW_BITS-1:0] row = unit[UNIT_BITS-1:HALVES-1];
  wire [PLACE_BITS-1:0] first_set = row[PLACE_BITS-1:0] & LAST_PLACE[PLACE_BITS-1:0];
  wire [BEAT_ROWS-1:0] used, needed, sets;
  wire [2*BEAT_ROWS-1:0] halves = {{BEAT_ROWS{1'b0}}, used} << upper;
  wire [BEAT_ROWS*SET_BITS-1:0] set_row;
  genvar p;
  for (p = 0; p < BEAT_ROWS; p = p + 1) begin : g_place
    localparam [6:0] PLACE = p;
    localparam UP = BEAT_ROWS - 1 - p;
    wire [ROW_BITS-1:0] up = row + UP[ROW_BITS-1:0];
    wire unused_up = &{1'b0, up};  // its low bits
    assign set_row[p*SET_BITS+:SET_BITS] = up[ROW_BITS-1-:SET_BITS];
    assign needed[p] = wide ? halves[2*p] | halves[2*p+1] : used[p];
    if (BEAT_ROWS == 1) begin : g_only
      assign {used[p], sets[p]} = {1'b1, needed[p]};
    end else begin : g_some
      wire [6:0] at = place_q + PLACE;
      wire [PLACE_BITS-1:0] from = PLACE[PLACE_BITS-1:0] - first_set;
      assign used[p] = (at >= {{7 - PLACE_BITS{1'b0}}, first_place}) & (at < burst_end);
      assign sets[p] = needed[from];
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_en_o <= {BEAT_ROWS{1'b0}};
    else read_en_o <= sets & {BEAT_ROWS{asks}};
  end
  always @(posedge clk_i) begin
    read_tile_o <= tile;
    read_row_o  <= set_row;
  end

  // Three clocks later they arrive, with what is known of them.
  reg [1:0] arrives_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) arrives_q <= 2'b00;
    else arrives_q <= {arrives_q[0], |read_en_o};
  end
  assign rows_valid_o = arrives_q[1];
  td1_pipe #(
      .WIDTH    (3 + PLACE_BITS + BEAT_ROWS),
      .REGISTERS(3)
  ) u_arriving (
      .clk_i(clk_i), .en_i(4'b1111), .x_i({first_set, upper, wide, used, ends_burst}),
      .y_o({rows_set_o, rows_upper_o, rows_wide_o, rows_used_o, rows_last_o})
  );
endmodule
`default_nettype wire
