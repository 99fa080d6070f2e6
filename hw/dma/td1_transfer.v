// SPDX-License-Identifier: 0BSD
// What load and store engine share: the bursts of a descriptor go onto the bus, and are remembered
// until they are answered. Those of the next descriptor may be on the way by then.
`default_nettype none

module td1_transfer #(
    parameter BEAT_BYTES    = 8,     // see td1_burst
    parameter ADDRESS_WIDTH = 40,    // see td1_burst
    parameter LOCAL_UNITS   = 1024,  // see td1_burst
    parameter OUTSTANDING   = 4,     // bursts on the way, 2 or more
    parameter TAG           = 1      // bits to remember of a burst, 1 or more
) (
    input  wire                           clk_i,           // clock
    input  wire                           rst_ni,          // asynchronous reset, active low
    // Descriptors
    input  wire                           desc_valid_i,    // one is offered
    output wire                           desc_ready_o,    // all of its bursts are on the way
    input  wire [                  511:0] desc_i,          // see descriptors.toml
    input  wire                           twice_i,         // a row is two beats
    input  wire [                   32:0] local_i,         // see td1_burst
    input  wire [                   16:0] local_pitch_i,   // see td1_burst
    input  wire [                    2:0] local_shift_i,   // see td1_burst
    input  wire                           refused_i,       // see td1_burst
    input  wire                           blocks_i,        // see td1_burst
    output wire                           done_o,          // the oldest is complete
    output wire [                    3:0] error_o,         // not 0: the oldest failed; until reset
    input  wire                           halt_i,          // no new bursts, until reset
    output wire                           stop_o,          // halted, by an error or from outside
    input  wire [      ADDRESS_WIDTH-1:0] window_begin_i,  // see td1_burst
    input  wire [      ADDRESS_WIDTH-1:0] window_end_i,    // see td1_burst
    // Address channel
    output wire                           a_valid_o,
    input  wire                           a_ready_i,
    output wire [      ADDRESS_WIDTH-1:0] a_addr_o,
    output wire [                    7:0] a_len_o,
    // The burst that goes onto the bus
    output wire                           taken_o,         // one does in this clock
    input  wire                           room_i,          // ... or may: it finds room elsewhere
    output wire [      ADDRESS_WIDTH-1:0] address_o,       // of its first byte
    output wire [                    6:0] beats_o,         // 1..64
    output wire [$clog2(LOCAL_UNITS)-1:0] local_o,         // first unit in the local memory
    input  wire [                TAG-1:0] tag_i,           // what to remember of it
    // The oldest burst on the way
    output wire                           flies_o,         // there is one
    output wire [                TAG-1:0] tag_o,           // what was to remember
    input  wire                           answered_i,      // it is answered in full
    input  wire [                    3:0] answer_error_i   // not 0: what is wrong with it
);
  // descriptors.toml, load store: address rows segments planes segment_pitch plane_pitch
  localparam AT_ADDRESS = 128, AT_ROWS = 224, AT_SEGMENTS = 240, AT_PLANES = 256;
  localparam AT_SEGMENT_PITCH = 288, AT_PLANE_PITCH = 320;

  wire valid, last;
  wire [3:0] fault;
  wire unused = &{1'b0, desc_i[AT_ADDRESS-1:0], desc_i[AT_ROWS-1:AT_ADDRESS+64],
                  desc_i[AT_SEGMENT_PITCH-1:AT_PLANES+16], desc_i[511:AT_PLANE_PITCH+32]};
  td1_burst #(
      .BEAT_BYTES   (BEAT_BYTES),
      .ADDRESS_WIDTH(ADDRESS_WIDTH),
      .LOCAL_UNITS  (LOCAL_UNITS)
  ) u_burst (
      .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(desc_valid_i), .ready_o(desc_ready_o),
      .address_i(desc_i[AT_ADDRESS+:64]), .beats_i({1'b0, desc_i[AT_ROWS+:16]} << twice_i),
      .segments_i(desc_i[AT_SEGMENTS+:16]), .planes_i(desc_i[AT_PLANES+:16]),
      .segment_pitch_i(desc_i[AT_SEGMENT_PITCH+:32]), .plane_pitch_i(desc_i[AT_PLANE_PITCH+:32]),
      .local_i(local_i), .local_pitch_i(local_pitch_i), .local_shift_i(local_shift_i),
      .refused_i(refused_i), .blocks_i(blocks_i),
      .window_begin_i(window_begin_i), .window_end_i(window_end_i), .burst_valid_o(valid),
      .burst_ready_i(taken_o), .burst_error_o(fault), .burst_address_o(address_o),
      .burst_beats_o(beats_o), .burst_local_o(local_o), .burst_last_o(last)
  );

  // Bursts go onto the bus while there is room to remember them, one in each clock in which the bus
  // takes the one before it.
  reg [3:0] error_q;
  reg valid_q;
  reg [ADDRESS_WIDTH-1:0] addr_q;
  reg [7:0] len_q;
  wire room, completes;
  assign stop_o = halt_i | (error_q != 4'd0);
  assign taken_o = valid & (fault == 4'd0) & room & room_i & (~valid_q | a_ready_i) & ~stop_o;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= taken_o | (valid_q & ~a_ready_i);
  end
  always @(posedge clk_i) begin
    if (taken_o) begin
      addr_q <= address_o;
      len_q  <= {1'b0, beats_o - 7'd1};
    end
  end
  assign a_valid_o = valid_q;
  assign a_addr_o  = addr_q;
  assign a_len_o   = len_q;
  td1_fifo #(
      .WIDTH(TAG + 1), .DEPTH(OUTSTANDING)
  ) u_flight (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .in_valid_i(taken_o), .in_ready_o(room), .in_data_i({last, tag_i}),
      .out_valid_o(flies_o), .out_ready_i(answered_i), .out_data_o({completes, tag_o})
  );

  // A burst that must not be is told when all before it are answered: so the oldest descriptor that
  // is not done is always the one that failed.
  wire bad = answer_error_i != 4'd0;
  reg done_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_q <= 4'd0;
      done_q  <= 1'b0;
    end else begin
      if (!stop_o) error_q <= bad ? answer_error_i : valid & ~flies_o ? fault : 4'd0;
      done_q <= answered_i & completes & ~bad & ~stop_o;
    end
  end
  assign done_o  = done_q;
  assign error_o = error_q;
endmodule
`default_nettype wire
