// SPDX-License-Identifier: 0BSD
// Gathers words of results to the beats that the store engine writes, in the operands' format or in
// binary32, and counts their zeros.
`default_nettype none

module td1_store_pack #(
    parameter LANES   = 4,  // see td1_store
    parameter SEGMENT = 2,  // see td1_store
    parameter WIDTH   = 16  // see td1_store
) (
    input  wire                     clk_i,           // clock
    input  wire                     rst_ni,          // asynchronous reset, active low
    // Words, see td1_store_words
    input  wire                     word_valid_i,
    output wire                     word_ready_o,
    input  wire [   32*SEGMENT-1:0] word_i,
    input  wire [              5:0] word_part_i,
    input  wire                     word_upper_i,
    input  wire                     word_wide_i,
    input  wire                     word_fills_i,
    input  wire                     word_last_i,
    // Beats
    output wire                     beat_valid_o,    // one is offered
    input  wire                     beat_ready_i,    // ... and taken in this clock
    output wire [  LANES*WIDTH-1:0] beat_o,
    output wire                     beat_last_o,     // the last of its burst
    output wire [              7:0] result_count_o,  // its results
    output wire [              7:0] zero_count_o     // ... that are 0 or -0
);
  localparam PARTS = LANES / SEGMENT;  // a part of a beat: as many bits as a word of operands has
  localparam PART = SEGMENT * WIDTH;
  localparam HALVES = (WIDTH == 16 && LANES == SEGMENT) ? 1 : 0;
  localparam SIZE = LANES, SIZE_WIDE = WIDTH == 16 ? LANES / 2 : LANES;  // results of a beat

  // The word in the operands' format, and which of its results are zeros once they are written.
  wire [PART-1:0] narrow;
  wire [SEGMENT-1:0] zero;
  genvar i;
  for (i = 0; i < SEGMENT; i = i + 1) begin : g_result
    wire [31:0] value = word_i[32*i+:32];
    // Of a half, the other one is not written.
    wire other = (HALVES != 0) & word_wide_i & (word_upper_i != (i >= SEGMENT / 2));
    if (WIDTH == 16) begin : g_bf16
      wire [15:0] result;
      td1_to_bf16 u_to_bf16 (
          .x_i(value),
          .y_o(result)
      );
      assign narrow[16*i+:16] = result;
      assign zero[i] = ~other & ~(word_wide_i ? |value[30:0] : |result[14:0]);
    end else begin : g_fp32
      assign narrow[32*i+:32] = value;
      assign zero[i] = ~other & ~(|value[30:0]);
    end
  end

  reg valid_q, last_q;
  reg [7:0] zeros_q, results_q;  // zeros of the beat's words before the one that came last
  reg [SEGMENT-1:0] zero_q;      // ... and those of that
  for (i = 0; i < SEGMENT; i = i + 1) begin : g_zeros
    wire [7:0] those, sum;  // zeros of the beat: those before, with this one
    if (i == 0) begin : g_first
      assign those = zeros_q;
    end else begin : g_next
      assign those = g_zeros[i-1].sum;
    end
    assign sum = those + {7'd0, zero_q[i]};
  end

  assign word_ready_o = ~valid_q | beat_ready_i;
  wire takes = word_valid_i & word_ready_o;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (word_ready_o) valid_q <= word_valid_i & word_fills_i;
  end
  always @(posedge clk_i) begin
    if (takes) begin
      last_q <= word_last_i;
      zeros_q <= word_part_i == 6'd0 ? 8'd0 : g_zeros[SEGMENT-1].sum;
      zero_q <= zero;
      results_q <= word_wide_i ? SIZE_WIDE[7:0] : SIZE[7:0];
    end
  end

  // In binary32 a word has two parts, of which a half is one.
  for (i = 0; i < PARTS; i = i + 1) begin : g_part
    reg [PART-1:0] part_q;
    wire [PART-1:0] raw;
    wire [5:0] part;  // of the word in binary32
    if (WIDTH == 32) begin : g_fp32
      assign raw = narrow;
      assign part = i;
    end else if (HALVES != 0) begin : g_half
      assign raw = word_upper_i ? word_i[PART+:PART] : word_i[0+:PART];
      assign part = i;
    end else begin : g_halves
      assign raw = word_i[(i%2)*PART+:PART];
      assign part = i / 2;
    end
    always @(posedge clk_i) begin
      if (takes & (word_part_i == (word_wide_i ? part : i))) begin
        part_q <= word_wide_i ? raw : narrow;
      end
    end
    assign beat_o[i*PART+:PART] = part_q;
  end

  assign beat_valid_o = valid_q;
  assign beat_last_o = last_q;
  assign result_count_o = results_q;
  assign zero_count_o = g_zeros[SEGMENT-1].sum;
endmodule
`default_nettype wire
