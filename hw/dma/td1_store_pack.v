// SPDX-License-Identifier: 0BSD
// A place of a beat, from a row of results: all of them in the operands' format, or half of them in
// binary32 where operands have 16 bits. Tells which of them are zeros.
`default_nettype none

module td1_store_pack #(
    parameter LANES = 4,  // results of a row
    parameter WIDTH = 16  // bits of an operand: 16 (bfloat16) or 32 (binary32)
) (
    input  wire [   LANES*32-1:0] row_i,
    input  wire                   wide_i,   // in binary32, which operands are not
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
    wire [LANES*16-1:0] narrow;
    for (i = 0; i < LANES; i = i + 1) begin : g_result
      td1_to_bf16 u_to_bf16 (.x_i(row_i[32*i+:32]), .y_o(narrow[16*i+:16]));
      assign zero_o[i] = wide_i ? ~(|row_i[32*i+:31]) & (upper_i == (i >= LANES / 2))
                                : ~(|narrow[16*i+:15]);
    end
    assign beat_o = ~wide_i ? narrow : upper_i ? row_i[LANES*16+:LANES*16] : row_i[0+:LANES*16];
  end
endmodule
`default_nettype wire
