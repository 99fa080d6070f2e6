// SPDX-License-Identifier: 0BSD
// Conversion from binary32 to bfloat16, round to nearest even; NaN becomes 0x7FC0. Combinational.
`default_nettype none

module td1_to_bf16 (
    input  wire [31:0] x_i,  // binary32 value
    output wire [15:0] y_o   // the nearest bfloat16 value
);
  function automatic [15:0] to_bf16;  /*verilator no_inline_task*/
    input [31:0] x;
    reg nan, up;
    begin
      nan = (&x[30:23]) & (|x[22:0]);
      up = x[15] & (x[16] | (|x[14:0]));
      to_bf16 = nan ? 16'h7fc0 : x[31:16] + {15'd0, up};  // overflow becomes infinity by carry
    end
  endfunction

  assign y_o = to_bf16(x_i);
endmodule
`default_nettype wire
