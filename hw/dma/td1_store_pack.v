// SPDX-License-Identifier: 0BSD
// A place of a beat, from a row of results: all of them in the operands' format, or half of them in
// one that is twice as wide: binary32 or, where operands have 8 bits, bfloat16. Tells which of them
// are zeros.
`default_nettype none

module td1_store_pack #(
    parameter LANES = 4,  // results of a row
    parameter WIDTH = 16  // bits of an operand: 8 (OFP8), 16 (bfloat16) or 32 (binary32)
) (
    input  wire [   LANES*32-1:0] row_i,
    input  wire                   wide_i,   // half of them; of 8 bits always
    input  wire                   upper_i,  // ... the upper half
    output wire [LANES*WIDTH-1:0] beat_o,
    output wire [      LANES-1:0] zero_o    // it is in the place, and 0 or -0 there
);
  genvar i;
  if (WIDTH == 32) begin : g_fp32
    wire unused = &{1'b0, wide_i, upper_i};
    assign beat_o = row_i;
    for (i = 0; i < LANES; i = i + 1) begin : g_result
      assign zero_o[i] = ~(|row_i[32*i+:31]);
    end
  end else begin : g_bf16
    localparam HALF = LANES * WIDTH;
    wire [LANES*16-1:0] narrow;
    wire [2*HALF-1:0] wide;
    for (i = 0; i < LANES; i = i + 1) begin : g_result
      td1_to_bf16 u_to_bf16 (.x_i(row_i[32*i+:32]), .y_o(narrow[16*i+:16]));
      assign zero_o[i] = wide_i ? ~(|wide[2*WIDTH*i+:2*WIDTH-1]) & (upper_i == (i >= LANES / 2))
                                : ~(|narrow[16*i+:15]);
    end
    if (WIDTH == 8) begin : g_twice
      assign wide = narrow;
    end else begin : g_sums
      assign wide = row_i;
    end
    assign beat_o = ~wide_i ? narrow[HALF-1:0] : upper_i ? wide[HALF+:HALF] : wide[0+:HALF];
  end
endmodule
`default_nettype wire
