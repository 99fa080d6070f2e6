// SPDX-License-Identifier: 0BSD
// All tiles, in lines: those beside each other share side B's streams, those below each other side
// A's. What is filled in goes to all tiles of a line at once.
`default_nettype none

module td1_tiles #(
    parameter TILES                  = 4,    // a power of two, 1..64
    parameter STREAMS                = 4,    // rows, and columns, of a tile, 1..16
    parameter LANES                  = 16,   // 2..64, a multiple of STREAMS
    parameter WIDTH                  = 16,   // bits of an operand
    parameter SETS                   = 1,    // see td1_scratchpad
    parameter SET_ROWS               = 16,   // of half a set of a scratchpad bank, 2 or more
    parameter RESULT_WORDS           = 1024, // of a tile's result memory, 2..65536
    parameter COLLECT_WORDS          = 1,    // see td1_results
    parameter STORE_ROWS             = 1,    // see td1_results
    parameter RESULT_BITS = $clog2(RESULT_WORDS / (LANES / STREAMS) / STORE_ROWS),  // do not set
    parameter FILL_ROWS              = 1,    // rows that a side fills in a clock: a power of two
    parameter DEPTH                  = 3,    // rows of a staging buffer
    parameter KIND_BITS              = 384,  // bits of KIND
    parameter [KIND_BITS-1:0] KIND   = 0     // of tile, packed; see td1_tile_unit
) (
    input  wire                            clk_i,          // clock
    input  wire                            rst_ni,         // asynchronous reset, active low
    // Computes, half 0's in the low bits, see td1_tile_unit
    input  wire [                     1:0] full_i,
    input  wire [              2*5*32-1:0] compute_i,
    output wire [                     1:0] fed_o,          // to all tiles
    input  wire [                     1:0] open_i,
    input  wire [              2*5*32-1:0] outputs_compute_i,
    output wire [                     1:0] collected_o,    // of all tiles
    output wire                            error_o,        // a result has no place
    // Fill, see td1_placer; side A's in the low bits
    input  wire [                     3:0] halves_i,       // of the sides' scratchpads, by compute
    input  wire                            fill_half_i,    // whose compute is filled in
    input  wire [                     1:0] fill_halves_i,  // ... into these
    input  wire [            2*(SETS+1)-1:0] write_i,
    input  wire [    2*(SETS+1)*STREAMS-1:0] stream_i,
    input  wire [       2*(SETS+1)*SETS-1:0] set_i,
    input  wire [             2*DEPTH-1:0] bank_i,
    input  wire [2*(SETS+1)*$clog2(SET_ROWS)-1:0] bank_row_i,
    input  wire [         2*(SETS+1)*16-1:0] line_i,
    input  wire [2*FILL_ROWS*LANES*WIDTH-1:0] rows_i,
    // Result memories: data follow by two clocks
    input  wire [          STORE_ROWS-1:0] result_en_i,
    input  wire [                     7:0] result_tile_i,
    input  wire [STORE_ROWS*RESULT_BITS-1:0] result_row_i,
    output reg  [ STORE_ROWS*LANES*32-1:0] result_data_o,
    // For counters
    output wire                            feeding_o,      // a tile has streams to work on
    output wire                            stepped_o,      // a tile has stepped
    output reg  [                     6:0] nonfinite_o     // tiles that hand over an Inf or NaN
);
  localparam COMPUTE = 5 * 32, RESULTS = STORE_ROWS * LANES * 32;
  // descriptors.toml, compute from word 3: across a_groups b_groups a_lines b_lines
  localparam AT_ACROSS = 4, AT_A_GROUPS = 64, AT_B_GROUPS = 80, AT_A_LINES = 96, AT_B_LINES = 112;
  localparam SET_BITS = SETS > 1 ? $clog2(SETS) : 1;
  wire [TILES-1:0] result_hit, feeding, stepped, nonfinite, no_word;
  wire [TILES*RESULTS-1:0] results;
  wire [2*TILES-1:0] fed, collected;
  wire [3:0] fill_across = compute_i[fill_half_i*COMPUTE+AT_ACROSS+:4];
  wire [4*COMPUTE-1:0] computes = {outputs_compute_i, compute_i};
  wire unused = &{1'b0, computes};
  localparam GROUPS_AT_ONCE = SETS + 1;
  genvar half, t, g;
  for (t = 0; t < TILES; t = t + 1) begin : g_tile
    localparam [15:0] TILE = t;
    wire [2*GROUPS_AT_ONCE-1:0] to;  // groups of the sides of the half that fills
    wire [4*SET_BITS-1:0] first;  // set of the first group of each side, by half
    wire [3:0] part;  // halves that are fed, and whose outputs are collected
    for (half = 0; half < 4; half = half + 1) begin : g_half
      wire [3:0] across = computes[half*COMPUTE+AT_ACROSS+:4];
      wire [15:0] beside = TILE & ~(16'hffff << across), below = TILE >> across;  // its lines
      assign part[half] = (beside < computes[half*COMPUTE+AT_A_LINES+:16])
                        & (below < computes[half*COMPUTE+AT_B_LINES+:16]);
      if (half < 2) begin : g_first
        // Groups of all lines take turns in the sets.
        assign first[half*2*SET_BITS+:2*SET_BITS] =
            {below[SET_BITS-1:0] * computes[half*COMPUTE+AT_B_GROUPS+:SET_BITS],
             beside[SET_BITS-1:0] * computes[half*COMPUTE+AT_A_GROUPS+:SET_BITS]};
      end
    end
    wire [15:0] beside = TILE & ~(16'hffff << fill_across), below = TILE >> fill_across;
    for (g = 0; g < GROUPS_AT_ONCE; g = g + 1) begin : g_to
      assign to[g] = beside == line_i[16*g+:16];
      assign to[GROUPS_AT_ONCE+g] = below == line_i[16*(GROUPS_AT_ONCE+g)+:16];
    end
    wire [STORE_ROWS-1:0] stored = result_en_i & {STORE_ROWS{result_tile_i == TILE[7:0]}};
    assign result_hit[t] = |stored;
    td1_tile_unit #(
        .STREAMS(STREAMS), .LANES(LANES), .WIDTH(WIDTH), .SETS(SETS), .SET_ROWS(SET_ROWS),
        .RESULT_WORDS(RESULT_WORDS), .COLLECT_WORDS(COLLECT_WORDS), .STORE_ROWS(STORE_ROWS),
        .FILL_ROWS(FILL_ROWS), .DEPTH(DEPTH), .KIND_BITS(KIND_BITS), .KIND(KIND)
    ) u_unit (
        .clk_i(clk_i), .rst_ni(rst_ni), .full_i(full_i), .part_i(part[1:0]), .compute_i(compute_i),
        .fed_o({fed[TILES+t], fed[t]}), .open_i(open_i), .outputs_part_i(part[3:2]),
        .outputs_compute_i(outputs_compute_i), .collected_o({collected[TILES+t], collected[t]}),
        .error_o(no_word[t]), .write_i(write_i & to), .first_set_i(first), .halves_i(halves_i),
        .write_halves_i(fill_halves_i), .write_stream_i(stream_i), .write_set_i(set_i),
        .write_bank_i(bank_i), .write_row_i(bank_row_i), .write_data_i(rows_i), .store_en_i(stored),
        .store_row_i(result_row_i), .store_data_o(results[t*RESULTS+:RESULTS]),
        .feeding_o(feeding[t]), .stepped_o(stepped[t]), .nonfinite_o(nonfinite[t])
    );
  end
  assign fed_o = {&fed[TILES+:TILES], &fed[0+:TILES]};
  assign collected_o = {&collected[TILES+:TILES], &collected[0+:TILES]};
  assign error_o = |no_word;
  assign feeding_o = |feeding;
  assign stepped_o = |stepped;
  integer n;
  always @* begin
    nonfinite_o = 7'd0;
    for (n = 0; n < TILES; n = n + 1) nonfinite_o = nonfinite_o + {6'd0, nonfinite[n]};
  end

  // What is stored comes from one tile; the others' bits are held at zero.
  reg [TILES-1:0] hit_q;
  wire [RESULTS-1:0] hit_results;
  td1_select #(.WAYS(TILES), .WIDTH(RESULTS)) u_hit (
      .chosen_i(hit_q), .x_i(results), .y_o(hit_results)
  );
  always @(posedge clk_i) begin
    hit_q <= result_hit;
    result_data_o <= hit_results;
  end
endmodule
`default_nettype wire
