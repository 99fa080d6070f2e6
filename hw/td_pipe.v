// SPDX-License-Identifier: Apache-2.0
// A delay line that holds still when it is not enabled. Data only: no reset.
`default_nettype none

/// WIDTH: bits, 1 or more.
/// REGISTERS: enabled clocks from input to output, 0 or more; 0 is a wire.
module td_pipe #(
    parameter WIDTH = 1,
    parameter REGISTERS = 0
) (
    input  wire             clk_i,  /// clock; unused without registers
    input  wire             en_i,   /// registers load; unused without registers
    input  wire [WIDTH-1:0] x_i,    /// value
    output wire [WIDTH-1:0] y_o     /// the value REGISTERS enabled clocks ago
);
  generate
    if (REGISTERS == 0) begin : gen_wire
      wire unused = &{1'b0, clk_i, en_i};
      assign y_o = x_i;
    end else begin : gen_registers
      genvar i;
      for (i = 0; i < REGISTERS; i = i + 1) begin : gen_stage
        reg [WIDTH-1:0] value_q;
        if (i == 0) begin : gen_first
          always @(posedge clk_i) if (en_i) value_q <= x_i;
        end else begin : gen_next
          always @(posedge clk_i) if (en_i) value_q <= gen_stage[i-1].value_q;
        end
      end
      assign y_o = gen_stage[REGISTERS-1].value_q;
    end
  endgenerate
endmodule

`default_nettype wire
