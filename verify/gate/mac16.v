// SPDX-License-Identifier: Apache-2.0
// A 16-bit multiply-accumulate unit behind a clock gate: the gate simulator's smallest real case.

/// An AND that a flip-flop of the falling edge opens.
module clock_gate (
    input  wire clk_i,
    input  wire en_i,   /// the next clock pulse passes
    output wire clk_o
);
  reg en_q;
  always @(negedge clk_i) en_q <= en_i;
  assign clk_o = clk_i & en_q;
endmodule

module mac16 (
    input  wire               clk_i,
    input  wire               rst_ni,   /// asynchronous
    input  wire               load_i,   /// registers take operands
    input  wire               add_i,    /// the sum takes their product
    input  wire               start_i,  /// beginning with it
    input  wire signed [15:0] a_i,
    input  wire signed [15:0] b_i,
    output reg signed  [39:0] sum_o,
    output wire               empty_o   /// nothing was added since reset
);
  wire sum_clk;
  clock_gate gate (
      .clk_i(clk_i),
      .en_i (add_i),
      .clk_o(sum_clk)
  );

  reg signed [15:0] a_q;
  reg signed [15:0] b_q;
  always @(posedge clk_i) begin
    if (load_i) begin
      a_q <= a_i;
      b_q <= b_i;
    end
  end

  wire signed [39:0] product = a_q * b_q;
  always @(posedge sum_clk) sum_o <= start_i ? product : sum_o + product;

  reg empty_q;
  always @(posedge sum_clk or negedge rst_ni) begin
    if (!rst_ni) empty_q <= 1'b1;
    else empty_q <= 1'b0;
  end
  assign empty_o = empty_q;
endmodule
