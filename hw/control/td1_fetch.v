// SPDX-License-Identifier: 0BSD
// Reads a job's descriptors from memory, in units of 64 bytes, each a burst of its own. It asks
// for units that there surely are and for which there is room: the bus never waits for it. Room is
// for many: bursts of loads that were asked for first may hold up the next unit for long.
`default_nettype none

module td1_fetch #(
    parameter BEAT_BYTES    = 32,  // bytes of a bus beat: 4, 8, 16, 32 or 64
    parameter ADDRESS_WIDTH = 40,  // bits of a memory address, 33..63
    parameter UNITS         = 2    // units on their way or in the ring, at most: 2, 4, 8, 16 or 32
) (
    input  wire                     clk_i,          // clock
    input  wire                     rst_ni,         // asynchronous reset, active low
    // A job
    input  wire                     job_valid_i,
    output wire                     job_ready_o,    // the one before is read
    input  wire [ADDRESS_WIDTH-1:0] job_address_i,  // a multiple of 64
    input  wire [             31:0] job_count_i,    // descriptors
    // Its units, in order
    output wire                     unit_valid_o,
    input  wire                     unit_ready_i,
    output wire [            511:0] unit_o,
    output wire [              3:0] error_o,        // why there are no more: registers.toml
    // Stopping
    input  wire                     halt_i,         // start no burst
    output wire                     quiet_o,        // nothing is asked for
    // Memory that may be read: the end is the byte behind it
    input  wire [ADDRESS_WIDTH-1:0] window_begin_i,
    input  wire [ADDRESS_WIDTH-1:0] window_end_i,
    // AXI, reads
    output wire                     ar_valid_o,
    input  wire                     ar_ready_i,
    output wire [ADDRESS_WIDTH-1:0] ar_addr_o,
    output wire [              7:0] ar_len_o,
    input  wire                     r_valid_i,
    output wire                     r_ready_o,
    input  wire [ 8*BEAT_BYTES-1:0] r_data_i,
    input  wire [              1:0] r_resp_i
);
  localparam BEATS = 64 / BEAT_BYTES;
  localparam UNIT = $clog2(UNITS);           // bits of the number of a unit
  localparam BEAT = $clog2(UNITS * BEATS);   // ... of a beat
  localparam COUNT = $clog2(UNITS + 1);      // bits of a number of units
  localparam LAST = BEATS - 1;               // the last beat of a unit
  localparam [7:0] COMPUTE = 8'd2;           // the kind whose descriptor has four units
  localparam [3:0] NONE = 4'd0, ALIGNMENT = 4'd3, WINDOW = 4'd4, READ = 4'd6;

  reg [32:0] known_q;                  // units that there surely are, and are not asked for
  reg [ADDRESS_WIDTH-1:6] next_q;      // the first of them
  reg ar_valid_q;
  reg [COUNT-1:0] asked_q, held_q;     // units that are on their way, and that are in the ring
  reg valid_q;                         // one has left it: it is offered
  reg [3:0] fault_q;                   // there is no next unit
  reg [1:0] units_q;                   // units of a descriptor that have not begun
  reg [BEAT-1:0] beat_q;               // the next beat, in the ring of units
  reg [UNIT-1:0] first_q;              // the first unit in the ring
  wire unused = &{1'b0, window_end_i[5:0], r_resp_i[0]};

  wire drained = (asked_q == 0) & (held_q == 0) & ~valid_q;
  assign job_ready_o = (known_q == 33'd0) & drained & (fault_q == NONE);
  wire start = job_valid_i & job_ready_o;

  // A unit is asked for while there is room, and once its address is known to be good.
  wire [COUNT:0] taken = {1'b0, asked_q} + {1'b0, held_q};
  wire wanted = (known_q != 33'd0) & (fault_q == NONE) & ~ar_valid_q & ~halt_i;
  wire legal = ({next_q, 6'd0} >= window_begin_i) & (next_q < window_end_i[ADDRESS_WIDTH-1:6]);
  wire ask = wanted & legal & (taken < UNITS);
  assign ar_valid_o = ar_valid_q;
  assign ar_addr_o = {next_q, 6'd0};
  assign ar_len_o = LAST[7:0];

  // What arrives. The first beat of a descriptor says how many units it has.
  wire [BEAT-1:0] in_unit = beat_q & LAST[BEAT-1:0];
  wire begins = r_valid_i & (in_unit == 0);
  wire ends = r_valid_i & (in_unit == LAST[BEAT-1:0]);
  wire more = begins & (units_q == 2'd0) & (r_data_i[7:0] == COMPUTE);
  wire broken = r_valid_i & r_resp_i[1];
  wire arrives = ends & ~broken & (fault_q != READ);
  wire leaves = (held_q != 0) & (~valid_q | unit_ready_i);
  assign r_ready_o = 1'b1;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      known_q    <= 33'd0;
      ar_valid_q <= 1'b0;
      asked_q    <= 0;
      held_q     <= 0;
      valid_q    <= 1'b0;
      fault_q    <= NONE;
      units_q    <= 2'd0;
      beat_q     <= 0;
      first_q    <= 0;
    end else begin
      known_q <= start ? {1'b0, job_count_i} : known_q - {32'd0, ask} + {31'd0, {2{more}}};
      ar_valid_q <= ask | (ar_valid_q & ~ar_ready_i);
      asked_q <= asked_q + {{COUNT-1{1'b0}}, ask} - {{COUNT-1{1'b0}}, ends};
      held_q <= held_q + {{COUNT-1{1'b0}}, arrives} - {{COUNT-1{1'b0}}, leaves};
      valid_q <= leaves | (valid_q & ~unit_ready_i);
      // What is on its way stands before what is not asked for.
      if (broken) fault_q <= READ;
      else if (start & (job_address_i[5:0] != 6'd0)) fault_q <= ALIGNMENT;
      else if (wanted & ~legal) fault_q <= WINDOW;
      if (begins) units_q <= (units_q != 2'd0) ? units_q - 2'd1 : {2{more}};
      beat_q <= beat_q + {{BEAT-1{1'b0}}, r_valid_i};
      first_q <= first_q + {{UNIT-1{1'b0}}, leaves};
    end
  end
  always @(posedge clk_i) begin
    if (start) next_q <= job_address_i[ADDRESS_WIDTH-1:6];
    else if (ar_valid_q & ar_ready_i) next_q <= next_q + 1'b1;
  end

  // The ring. A unit is written beat by beat, and read at once.
  wire [UNIT-1:0] unit = beat_q[BEAT-1-:UNIT];
  wire [BEATS-1:0] written;
  genvar b;
  for (b = 0; b < BEATS; b = b + 1) begin : g_beat
    assign written[b] = r_valid_i & (in_unit == b);
  end
  td1_ram #(.WORDS(UNITS), .WIDTH(512), .PARTS(BEATS)) u_ram (
      .clk_i(clk_i), .write_en_i(written), .write_word_i({BEATS{unit}}),
      .write_data_i({BEATS{r_data_i}}), .read_en_i(leaves), .read_word_i(first_q),
      .read_data_o(unit_o)
  );
  assign unit_valid_o = valid_q;
  assign error_o = drained ? fault_q : NONE;
  assign quiet_o = asked_q == 0;
endmodule
`default_nettype wire
