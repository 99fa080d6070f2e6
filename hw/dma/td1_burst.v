// SPDX-License-Identifier: 0BSD
// Cuts a transfer of planes, segments and rows into bursts, each with the unit of a local memory
// that it begins with. Bursts end at multiples of 64 beats, so they never cross 4 KB. A beat is a
// row of memory here; where the bus has several in one, td1_load and td1_store make it so.
`default_nettype none

module td1_burst #(
    parameter BEAT_BYTES    = 8,    // bytes of a beat: 4, 8, 16, 32 or 64
    parameter ADDRESS_WIDTH = 40,   // bits of an address, 32..64
    parameter LOCAL_UNITS   = 1024  // units of the local memory, 2..1048576
) (
    input  wire                           clk_i,             // clock
    input  wire                           rst_ni,            // asynchronous reset, active low
    // A transfer; its fields are held until the last burst is taken
    input  wire                           valid_i,           // it is offered
    output wire                           ready_o,           // its last burst is taken
    input  wire [                   63:0] address_i,         // of its first byte
    input  wire [                   16:0] beats_i,           // of a segment
    input  wire [                   15:0] segments_i,        // of a plane
    input  wire [                   15:0] planes_i,          // planes
    input  wire [                   31:0] segment_pitch_i,   // bytes from segment to segment
    input  wire [                   31:0] plane_pitch_i,     // bytes from plane to plane
    input  wire [                   32:0] local_i,           // first unit in the local memory
    input  wire [                   16:0] local_pitch_i,     // units from segment to segment
    input  wire [                    2:0] local_shift_i,     // log2 of the units of a beat, 0..6
    input  wire                           refused_i,         // some other field is out of range
    input  wire                           blocks_i,          // bursts touch all of their 64 beats
    // Bytes that may be touched; with blocks_i the end is a multiple of 64 beats
    input  wire [      ADDRESS_WIDTH-1:0] window_begin_i,    // the first
    input  wire [      ADDRESS_WIDTH-1:0] window_end_i,      // behind the last
    // A burst
    output wire                           burst_valid_o,     // it is offered
    input  wire                           burst_ready_i,     // ... and taken in this clock
    output wire [                    3:0] burst_error_o,     // not 0: it must not be; error code
    output wire [      ADDRESS_WIDTH-1:0] burst_address_o,   // of its first byte
    output wire [                    6:0] burst_beats_o,     // 1..64
    output wire [$clog2(LOCAL_UNITS)-1:0] burst_local_o,     // its first unit
    output wire                           burst_last_o       // it is the transfer's last
);
  localparam SHIFT = $clog2(BEAT_BYTES);
  localparam AW = ADDRESS_WIDTH + 1;  // a bit more: what it would overflow into
  localparam UNITS = $clog2(LOCAL_UNITS);
  localparam LW = (UNITS > 17 ? UNITS : 17) + 3;  // the same, of a unit
  localparam [3:0] FIELD = 4'd2, UNALIGNED = 4'd3, OUTSIDE = 4'd4;

  // A burst takes two clocks: one to find how long it is and where the window is, one to be judged
  // and offered. While it is offered, the next one is cut.
  reg walk_q, offer_q, last_q;
  wire start = valid_i & ~walk_q & ~offer_q;
  wire taken = offer_q & burst_ready_i;
  wire cut = walk_q & (~offer_q | burst_ready_i);
  wire last;
  assign ready_o = taken & last_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {walk_q, offer_q} <= 2'b00;
    else begin
      walk_q  <= start | (walk_q & ~(cut & last));
      offer_q <= cut | (offer_q & ~burst_ready_i);
    end
  end

  // The walk: of the burst that is cut next, its segment and its plane.
  reg [AW-1:0] address_q, segment_q, plane_q;
  reg [LW-1:0] local_q, local_segment_q;
  reg [16:0] left_q;               // beats of the segment, from the burst on
  reg [15:0] segments_q, planes_q; // left, with the one in use
  reg [3:0] static_q;              // error of the transfer as a whole
  wire [6:0] room = 7'd64 - {1'b0, address_q[SHIFT+:6]};
  wire ends_segment = left_q <= {10'd0, room};
  wire ends_plane = segments_q == 16'd1;
  wire [6:0] fit = ends_segment ? left_q[6:0] : room;
  assign last = ends_segment & ends_plane & (planes_q == 16'd1);

  // Errors of the transfer, and what begins beyond any memory: its highest bit tells.
  wire empty = (beats_i == 17'd0) | (segments_i == 16'd0) | (planes_i == 16'd0);
  wire [SHIFT-1:0] odd = address_i[SHIFT-1:0] | segment_pitch_i[SHIFT-1:0]
                         | plane_pitch_i[SHIFT-1:0];
  wire [64:0] address = {1'b0, address_i};
  wire high = |(address >> ADDRESS_WIDTH);
  wire local_high = |(local_i >> (LW - 1));

  // Where the next segment begins, when one does; else a burst goes on at the next multiple of 64.
  wire [AW-1:0] pitch = {{AW - 32{1'b0}}, ends_plane ? plane_pitch_i : segment_pitch_i};
  wire [AW-1:0] next = (ends_plane ? plane_q : segment_q) + pitch;
  wire [LW-1:0] local_next = local_segment_q + {{LW - 17{1'b0}}, local_pitch_i};
  wire [AW-SHIFT-7:0] page = address_q[AW-1:SHIFT+6] + {{AW - SHIFT - 7{1'b0}}, 1'b1};
  wire [LW-1:0] local_end = local_q + ({{LW - 7{1'b0}}, fit} << local_shift_i);

  // That a segment ends comes late: it chooses what loads, and is no enable.
  wire [AW-1:0] begins = {1'b0, address_i[ADDRESS_WIDTH-1:0]};
  always @(posedge clk_i) begin
    if (start) begin
      static_q <= empty | refused_i ? FIELD : (|odd) ? UNALIGNED : 4'd0;
      left_q <= beats_i;
      segments_q <= segments_i;
      planes_q <= planes_i;
    end else if (cut) begin
      left_q <= ends_segment ? beats_i : left_q - {10'd0, room};
      segments_q <= ({16{ends_segment & ends_plane}} & segments_i)
                  | ({16{ends_segment & ~ends_plane}} & (segments_q - 16'd1))
                  | ({16{~ends_segment}} & segments_q);
      planes_q <= ({16{ends_segment & ends_plane}} & (planes_q - 16'd1))
                | ({16{~(ends_segment & ends_plane)}} & planes_q);
    end
    if (start | cut) begin
      address_q <= start ? {high, address_i[ADDRESS_WIDTH-1:0]}
                 : ends_segment ? next : {page, {SHIFT + 6{1'b0}}};
      local_q <= start ? {local_high, local_i[LW-2:0]} : ends_segment ? local_next : local_end;
      segment_q <= ({AW{start}} & begins) | ({AW{~start & ends_segment}} & next)
                 | ({AW{~start & ~ends_segment}} & segment_q);
      local_segment_q <= ({LW{start}} & {1'b0, local_i[LW-2:0]})
                       | ({LW{~start & ends_segment}} & local_next)
                       | ({LW{~start & ~ends_segment}} & local_segment_q);
      plane_q <= ({AW{start}} & begins) | ({AW{~start & ends_segment & ends_plane}} & next)
               | ({AW{~start & ~(ends_segment & ends_plane)}} & plane_q);
    end
  end

  // The burst that is offered.
  reg [ADDRESS_WIDTH-1:0] burst_q;
  reg [LW-1:0] burst_local_q, burst_end_q;
  reg [6:0] beats_q;
  reg begins_q, far_q;  // it begins in the window, which ends 128 beats from there or later
  reg [6:0] window_q;   // beats from there to its end, if it does not
  wire [AW:0] window = {2'b00, window_end_i} - {1'b0, address_q};  // bytes up to its end
  wire [ADDRESS_WIDTH-1:0] touched = {address_q[ADDRESS_WIDTH-1:SHIFT+6],
                                      address_q[SHIFT+5:0] & ~{SHIFT + 6{blocks_i}}};
  always @(posedge clk_i) begin
    if (cut) begin
      last_q <= last;
      burst_q <= address_q[ADDRESS_WIDTH-1:0];
      burst_local_q <= local_q;
      burst_end_q <= local_end;
      beats_q <= fit;
      begins_q <= ~window[AW] & (touched >= window_begin_i);
      far_q <= |window[AW-1:SHIFT+7];
      window_q <= window[SHIFT+:7];
    end
  end

  wire beyond = burst_local_q[LW-1] | (burst_end_q > LOCAL_UNITS[LW-1:0]);
  wire outside = ~begins_q | (~far_q & (beats_q > window_q));
  assign burst_valid_o = offer_q;
  assign burst_last_o = last_q;
  assign burst_error_o = static_q != 4'd0 ? static_q : beyond ? FIELD : outside ? OUTSIDE : 4'd0;
  assign burst_address_o = burst_q;
  assign burst_beats_o = beats_q;
  assign burst_local_o = burst_local_q[UNITS-1:0];
endmodule
`default_nettype wire
