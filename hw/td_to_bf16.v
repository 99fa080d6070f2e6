// SPDX-License-Identifier: Apache-2.0
// Conversion from binary32 to bfloat16, round to nearest even. Combinational.
`default_nettype none

module td_to_bf16 (
    input  wire [31:0] x_i,  /// binary32 value
    output wire [15:0] y_o   /// the nearest bfloat16 value
);
  assign y_o = td_fp::to_bf16(x_i);
endmodule

`default_nettype wire
