# SPDX-License-Identifier: Apache-2.0
"""Proofs about the engines that move data between memory and an accelerator. Of the cutting of
bursts, an invariant is shown to outlive each clock from any state; it is there after reset."""

from .. import text
from ...proof import ALWAYS, STEP, Proof

BURST = {
    "ok_page": "a burst has 1 to 64 beats and does not cross 4 KB",
    "ok_window": "no byte of a burst, or of its block before it, is outside of the window, nor of "
                 "the local memory",
    "ok_walk": "bursts are the beats of planes, segments and rows: none is lost or doubled",
}
TRANSFER = {
    "ok_offer": "a burst on the bus stays as it is until it is accepted",
    "ok_halt": "none comes onto the bus once the engine is stopped",
    "ok_flight": "a burst is on the way from the bus to its answer: quiet when all are answered",
    "ok_room": "a burst goes only where it finds room elsewhere, too",
    "ok_error": "an error stays until reset, and nothing is done from then on",
}
FIFO = {
    "ok_count": "it holds what came and did not leave, and takes more while there is room",
    "ok_order": "entries leave as they came: none is lost, doubled or passes another",
}
ROWS = {
    "ok_beats": "of a burst beats are read up to the one with its last place, which is told",
    "ok_used": "what is the burst's of a beat is told with it",
    "ok_place": "the row of each place is read from its set; two halves of a row are one row's",
    "ok_needed": "no other row is read",
    "ok_set": "the set of a place's row, and its half, follow from those of the first place",
    "ok_room": "a beat that is read finds room, however long those before it wait",
    "ok_asked": "as many beats are asked for, or wait, as are counted",
}

# What is held while a transfer is cut, and what a definition by three loops says of the next beat.
_BURST = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire valid,
    input wire [63:0] address,
    input wire [16:0] beats,
    input wire [15:0] segments,
    input wire [15:0] planes,
    input wire [31:0] segment_pitch,
    input wire [31:0] plane_pitch,
    input wire [32:0] first,
    input wire [16:0] local_pitch,
    input wire refused,
    input wire blocks,
    input wire [39:0] window_begin,
    input wire [39:0] window_end,
    input wire take,
    {outputs}
);
  localparam BEAT = {beat}, UNITS = 1000;
  wire ready, burst_valid, last;
  wire [3:0] error;
  wire [39:0] burst_address;
  wire [6:0] burst_beats;
  wire [9:0] burst_local;
  wire taken = burst_valid & take & (error == 4'd0);
  td1_burst #(.BEAT_BYTES(BEAT), .ADDRESS_WIDTH(40), .LOCAL_UNITS(UNITS)) dut (
      .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .ready_o(ready), .address_i(address),
      .beats_i(beats), .segments_i(segments), .planes_i(planes),
      .segment_pitch_i(segment_pitch), .plane_pitch_i(plane_pitch), .local_i(first),
      .local_pitch_i(local_pitch), .local_shift_i(3'd{shift}), .refused_i(refused),
      .blocks_i(blocks),
      .window_begin_i(window_begin), .window_end_i(window_end), .burst_valid_o(burst_valid),
      .burst_ready_i(taken), .burst_error_o(error), .burst_address_o(burst_address),
      .burst_beats_o(burst_beats), .burst_local_o(burst_local), .burst_last_o(last));
{probes}

  // A transfer is held until its last burst is taken.
  wire [308:0] fields = {{blocks, address, beats, segments, planes, segment_pitch, plane_pitch, first,
                         local_pitch, refused, window_begin, window_end}};
  reg [308:0] fields_q;
  reg held_q;
  always @(posedge clk) begin
    fields_q <= fields;
    held_q <= rst_n & valid & ~ready;
  end
  always @* if (held_q) assume (valid & fields == fields_q);

  // Where the walk is by the definition, which goes on by each burst that is cut; and the burst that
  // was cut last, until it is taken. Sums are wider than any field.
  wire busy = walks | offer;
  reg [16:0] row_q;
  reg [15:0] segment_n_q, plane_n_q;
  reg [47:0] row_at_q, segment_at_q, plane_at_q;
  reg [35:0] local_at_q, local_segment_q;
  reg offer_q, last_q;
  reg [6:0] beats_q;
  reg [47:0] burst_at_q;
  reg [35:0] burst_local_q;
  wire [16:0] row_next = row_q + fit;
  wire segment_ends = row_next == beats;
  wire plane_ends = segment_ends & (segment_n_q + 16'd1 == segments);
  wire transfer_ends = plane_ends & (plane_n_q + 16'd1 == planes);
  wire [47:0] segment_next = plane_ends ? plane_at_q + plane_pitch : segment_at_q + segment_pitch;
  wire [35:0] local_next = local_segment_q + local_pitch;
  wire [47:0] begins = address[39:0];
  wire [47:0] begins_high = {{7'd0, |address[63:40], address[39:0]}};
  wire [35:0] local_begins = first[18:0];
  wire [35:0] local_begins_high = {{16'd0, |first[32:19], first[18:0]}};
  always @(posedge clk) begin
    if (!busy) begin
      row_q <= 17'd0;
      {{segment_n_q, plane_n_q}} <= 32'd0;
      {{row_at_q, segment_at_q, plane_at_q}} <= {{begins_high, begins, begins}};
      {{local_at_q, local_segment_q}} <= {{local_begins_high, local_begins}};
    end else if (cuts) begin
      row_q <= segment_ends ? 17'd0 : row_next;
      row_at_q <= segment_ends ? segment_next : row_at_q + fit * BEAT;
      local_at_q <= segment_ends ? local_next : local_at_q + (fit << {shift});
      if (segment_ends) begin
        segment_n_q <= plane_ends ? 16'd0 : segment_n_q + 16'd1;
        segment_at_q <= segment_next;
        local_segment_q <= local_next;
      end
      if (plane_ends) begin
        plane_n_q <= plane_n_q + 16'd1;
        plane_at_q <= segment_next;
      end
    end
    if (cuts) begin
      beats_q <= fit;
      {{burst_at_q, burst_local_q}} <= {{row_at_q, local_at_q}};
      last_q <= transfer_ends;
    end
  end

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) offer_q <= 1'b0;
    else offer_q <= cuts | (offer_q & ~taken);
  end

  // Behind a burst that must not be, the walk is of no use.
  wire walk_sound = walks & refusal == 4'd0 & ~(offer & error != 4'd0);
  wire counted = segment_n_q == segments - segments_left & plane_n_q == planes - planes_left
      & segments_left != 0 & segments_left <= segments & planes_left != 0 & planes_left <= planes
      & row_q == beats - left & left != 0 & left <= beats;
  wire placed = address_now == row_at_q & segment_now == segment_at_q & plane_now == plane_at_q
      & local_now == local_at_q & local_segment == local_segment_q;
  // A sum wraps only if what it adds to was not legal.
  wire ordered = plane_at_q <= segment_at_q & segment_at_q <= row_at_q
      & local_segment_q <= local_at_q;
  wire aligned = (row_at_q | segment_at_q | plane_at_q | segment_pitch | plane_pitch) % BEAT == 0;
  wire burst_sound = offer & refusal == 4'd0;
  wire [39:0] beats_inside = (window_end - burst_address) / BEAT;  // from there to its end
  wire beyond = burst_at_q[40];
  wire [39:0] touched = blocks ? burst_address / (64 * BEAT) * (64 * BEAT) : burst_address;
  wire lengths = burst_beats != 0 & burst_beats <= 64 & burst_beats == beats_q
      & burst_address == burst_at_q[39:0] & burst_at_q < (48'd1 << 41)
      & burst_local_now == burst_local_q & local_end == burst_local_now + (burst_beats << {shift})
      & burst_at_q % BEAT == 0
      & begins_inside == (~beyond & touched >= window_begin & burst_address <= window_end)
      & (~begins_inside | {{far, window_beats}} == {{beats_inside >= 128, beats_inside[6:0]}})
      & burst_beats + burst_address[{high}:{low}] <= 64
      & last == last_q & last == ~walks;
  wire invariant = offer == offer_q & ~(cuts & offer & ~taken) & (~busy | valid)
      & (~walk_sound | (counted & placed & ordered & aligned)) & (~burst_sound | lengths);
  reg invariant_q;
  always @(posedge clk) invariant_q <= invariant;
  wire legal = burst_valid & (error == 4'd0);
  wire [47:0] bytes = burst_beats * BEAT;
  assign ok_walk = ~invariant_q | (invariant & (~taken | (burst_address == burst_at_q
      & burst_local == burst_local_q & burst_beats == beats_q & ready == last_q)));
  assign ok_page = ~invariant_q | ~legal | (burst_beats >= 1 & burst_beats <= 64
      & burst_address[11:0] + bytes <= 4096);
  assign ok_window = ~invariant_q | ~legal | (touched >= window_begin
      & burst_address + bytes <= window_end & burst_local + (burst_beats << {shift}) <= UNITS);
endmodule
"""

_TRANSFER = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire valid,
    input wire [511:0] desc,
    input wire halt,
    input wire a_ready,
    input wire room,
    input wire answer,
    input wire bad,
    input wire [39:0] window_begin,
    input wire [39:0] window_end,
    {outputs}
);
  wire ready, done, stop, a_valid, taken, flies;
  wire [3:0] error;
  wire [39:0] a_addr;
  wire [7:0] a_len;
  wire [6:0] beats;
  wire [9:0] place;
  wire tag;
  // Only what is on the way is answered, and not in the clock in which it is offered.
  wire answered = answer & flies & on_way_q != 0;
  td1_transfer #(.BEAT_BYTES(8), .ADDRESS_WIDTH(40), .LOCAL_UNITS(1000), .OUTSTANDING({depth}),
      .TAG(1)) dut (
      .clk_i(clk), .rst_ni(rst_n), .desc_valid_i(valid), .desc_ready_o(ready), .desc_i(desc),
      .twice_i(1'b0), .local_i(33'd0), .local_pitch_i(17'd0), .local_shift_i(3'd0),
      .refused_i(1'b0), .blocks_i(1'b0), .done_o(done), .error_o(error), .halt_i(halt), .stop_o(stop),
      .window_begin_i(window_begin), .window_end_i(window_end), .a_valid_o(a_valid),
      .a_ready_i(a_ready), .a_addr_o(a_addr), .a_len_o(a_len), .taken_o(taken), .room_i(room),
      .beats_o(beats), .local_o(place), .tag_i(1'b0), .flies_o(flies), .tag_o(tag),
      .answered_i(answered),
      .answer_error_i({{4{{answered & bad}}}} & 4'd6));
{seen}
  reg [3:0] on_way_q;  // bursts accepted on the bus, not answered
  reg waited_q, stopped_q, reset_q;
  reg [3:0] error_q;
  reg [39:0] addr_q;
  reg [7:0] len_q;
  always @(posedge clk) begin
    on_way_q <= rst_n ? on_way_q + (a_valid & a_ready) - answered : 4'd0;
    waited_q <= rst_n & a_valid & ~a_ready;
    stopped_q <= rst_n & stop;
    error_q <= rst_n ? error : 4'd0;
    addr_q <= a_addr;
    len_q <= a_len;
  end
  assign ok_offer = ~run | ~waited_q | (a_valid & a_addr == addr_q & a_len == len_q);
  assign ok_halt = ~run | ~stopped_q | ~a_valid | waited_q;
  assign ok_flight = ~run | (flies == (on_way_q != 0 | a_valid) & on_way_q <= {depth});
  assign ok_room = ~run | ~taken | room;
  assign ok_error = ~run | ((error_q == 0 | error == error_q) & (~stopped_q | ~done));
endmodule
"""

_FIFO = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire offer,
    input wire mark,
    input wire take,
    {outputs}
);
  wire ready, valid, data;
  wire comes = offer & ready;
  wire leaves = valid & take;
  reg marked_q;  // one entry was, whichever
  wire marks = comes & mark & ~marked_q;
  td1_fifo #(.WIDTH(1), .DEPTH({depth})) dut (.clk_i(clk), .rst_ni(rst_n), .in_valid_i(offer),
      .in_ready_o(ready), .in_data_i(marks), .out_valid_o(valid), .out_ready_i(take),
      .out_data_o(data));
{seen}
  reg inside_q;            // the marked entry is
  reg [2:0] held_q, ahead_q;  // entries; those ahead of it
  always @(posedge clk) begin
    if (!rst_n) begin
      {{marked_q, inside_q, held_q, ahead_q}} <= 8'd0;
    end else begin
      held_q <= held_q + comes - leaves;
      if (marks) begin
        {{marked_q, inside_q}} <= 2'b11;
        ahead_q <= held_q - leaves;
      end else if (leaves) begin
        inside_q <= inside_q & ahead_q != 0;
        ahead_q <= ahead_q - 3'd1;
      end
    end
  end
  assign ok_count = ~run | (valid == (held_q != 0) & ready == (held_q != {depth}) & held_q <= {depth});
  assign ok_order = ~run | ~valid | data == (inside_q & ahead_q == 0);
endmodule
"""

_ROWS = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire burst,
    input wire [6:0] rows,
    input wire [9:0] unit,
    input wire wide,
    input wire [1:0] where,
    input wire [1:0] which,
    input wire take,
    {outputs}
);
  wire tile, valid, upper, is_wide, last, room, there, has_room;
  wire [3:0] en, used;
  wire [1:0] first_set;
  wire [27:0] row;
  // td1_transfer's bursts are of 1 to 64 rows that end at a multiple of 64 or before; rows that
  // are whole places begin with their first unit.
  wire [6:0] last_place = where + rows;
  wire comes = burst & room & rows >= 1 & rows <= 64 & last_place <= 64 & (wide | ~unit[0]);
  wire leaves = there & take;
  td1_store_rows #(.UNIT_BITS(10), .TILE_BITS(1), .HALVES(2), .BEAT_ROWS(4), .BURSTS(2),
      .ROOM(5)) dut (
      .clk_i(clk), .rst_ni(rst_n), .burst_valid_i(comes), .burst_ready_o(room),
      .burst_end_i(last_place), .burst_unit_i(unit), .burst_tile_i(1'b0), .burst_wide_i(wide),
      .burst_place_i(where), .read_en_o(en), .read_tile_o(tile), .read_row_o(row),
      .rows_valid_o(valid), .rows_set_o(first_set), .rows_upper_o(upper), .rows_wide_o(is_wide),
      .rows_used_o(used), .rows_last_o(last), .leaves_i(leaves));
  wire data;
  td1_fifo #(.WIDTH(1), .DEPTH(5)) queue (
      .clk_i(clk), .rst_ni(rst_n), .in_valid_i(valid), .in_ready_o(has_room), .in_data_i(1'b0),
      .out_valid_o(there), .out_ready_i(take), .out_data_o(data));
{probes}
{seen}
  reg [6:0] read_q;  // places of the burst that are read
  always @(posedge clk) begin
    if (!rst_n) read_q <= 7'd0;
    else if (asks) read_q <= ends ? 7'd0 : read_q + 7'd4;
  end
  assign ok_beats = ~run | ~asks | (ends == (read_q + 7'd4 >= head_end) & read_q < head_end);
  // A place of the beat, any of them.
  wire [6:0] place = read_q + {{5'd0, which}};
  wire mine = place >= {{5'd0, head_where}} & place < head_end;
  wire [9:0] unit_now = head_unit + (head_wide ? {{3'd0, place}} : {{2'd0, place, 1'b0}});
  reg [1:0] which_1_q, which_2_q, which_3_q;
  reg [9:0] unit_1_q, unit_2_q, unit_3_q;
  reg mine_1_q, mine_2_q, mine_3_q;
  always @(posedge clk) begin
    {{which_3_q, which_2_q, which_1_q}} <= {{which_2_q, which_1_q, which}};
    {{unit_3_q, unit_2_q, unit_1_q}} <= {{unit_2_q, unit_1_q, unit_now}};
    {{mine_3_q, mine_2_q, mine_1_q}} <= {{mine_2_q, mine_1_q, mine}};
  end
  assign ok_used = ~run | ~valid | used[which_3_q] == mine_3_q;
  wire [6:0] row_of_set = row[7 * unit_1_q[2:1] +: 7];
  assign ok_place = ~run | ~(|en) | ~mine_1_q | (en[unit_1_q[2:1]] & row_of_set == unit_1_q[9:3]);
  reg [3:0] sets_q;  // of the places that are the burst's
  integer p;
  reg [6:0] other;
  reg [9:0] of_other;
  always @(posedge clk) begin
    sets_q = 4'd0;
    for (p = 0; p < 4; p = p + 1) begin
      other = read_q + p[6:0];
      of_other = head_unit + (head_wide ? {{3'd0, other}} : {{2'd0, other, 1'b0}});
      if (other >= {{5'd0, head_where}} & other < head_end) sets_q[of_other[2:1]] = 1'b1;
    end
  end
  assign ok_needed = ~run | ~(|(en & ~sets_q));
  wire [2:0] halves = {{1'b0, which_3_q}} + {{2'd0, upper}};
  wire [1:0] set = first_set + (is_wide ? halves[2:1] : which_3_q);
  assign ok_set = ~run | ~valid | (set == unit_3_q[2:1] & (~is_wide | halves[0] == unit_3_q[0]));
  reg [1:0] reading_q;
  reg [2:0] held_q;  // beats that came and have not left
  always @(posedge clk) begin
    reading_q <= rst_n ? {{reading_q[0], |en}} : 2'd0;
    held_q <= rst_n ? held_q + reading_q[1] - leaves : 3'd0;
  end
  assign ok_room = ~run | ~valid | has_room;
  assign ok_asked = ~run | (asked == held_q + (|en) + reading_q[0] + reading_q[1]
                            & valid == reading_q[1] & there == (held_q != 0));
endmodule
"""


def _probes(*wires):
    return "\n".join(text.probe(name, width, path) for name, width, path in wires)


def _burst(design, beat):
    low = beat.bit_length() - 1
    probes = _probes(("walks", 1, "walk_q"), ("offer", 1, "offer_q"), ("refusal", 4, "static_q"),
                     ("cuts", 1, "cut"), ("fit", 7, "fit"),
                     ("left", 17, "left_q"), ("segments_left", 16, "segments_q"),
                     ("planes_left", 16, "planes_q"), ("address_now", 41, "address_q"),
                     ("segment_now", 41, "segment_q"), ("plane_now", 41, "plane_q"),
                     ("local_now", 20, "local_q"), ("local_segment", 20, "local_segment_q"),
                     ("burst_local_now", 20, "burst_local_q"), ("local_end", 20, "burst_end_q"),
                     ("begins_inside", 1, "begins_q"), ("far", 1, "far_q"),
                     ("window_beats", 7, "window_q"))
    module = _BURST.format(head=text.head(design, "Bursts by the definition."),
                           outputs=text.outputs(BURST), probes=probes, beat=beat, shift=low % 3,
                           low=low, high=low + 5)
    return [Proof("burst", name, signal, design, f"{beat} bytes a beat", STEP, module, ("burst",))
            for signal, name in BURST.items()]


def _transfer(design):
    module = _TRANSFER.format(head=text.head(design, "Bursts between bus and answer."),
                              outputs=text.outputs(TRANSFER), seen=text.SEEN, depth=4)
    return [Proof("transfer", name, signal, design, "4 on the way", ALWAYS, module,
                  ("transfer", "burst", "fifo")) for signal, name in TRANSFER.items()]


def _fifo(design, depth):
    module = _FIFO.format(head=text.head(design, "A queue with one entry marked."), depth=depth,
                          outputs=text.outputs(FIFO), seen=text.SEEN)
    return [Proof("fifo", name, signal, design, f"{depth} entries", ALWAYS, module, ("fifo",))
            for signal, name in FIFO.items()]


def _rows(design):
    module = _ROWS.format(head=text.head(design, "Rows on their way to the bus."),
                          outputs=text.outputs(ROWS), seen=text.SEEN,
                          probes=_probes(("asked", 3, "asked_q"), ("ends", 1, "ends_burst"),
                                         ("asks", 1, "asks"), ("head_end", 7, "burst_end"),
                                         ("head_unit", 10, "first"), ("head_wide", 1, "wide"),
                                         ("head_where", 2, "first_place"),
                                         ("place_now", 7, "place_q")))
    return [Proof("store_rows", name, signal, design, "beats of 4 rows, 2 bursts", ALWAYS, module,
                  ("store_rows", "fifo", "pipe")) for signal, name in ROWS.items()]


def proofs(design):
    """Of the engines."""
    return [*(proof for beat in (8, 64) for proof in _burst(design, beat)), *_transfer(design),
            *(proof for depth in (2, 5) for proof in _fifo(design, depth)), *_rows(design)]
