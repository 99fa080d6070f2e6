// SPDX-License-Identifier: Apache-2.0
// Floating point multiplier: operands of the package's format, product in binary32.
`default_nettype none

/// REGISTERS: pipeline registers between operands and result, 0..2.
module td_multiplier #(
    parameter REGISTERS = 0
) (
    input  wire                    clk_i,  /// clock; unused without registers
    input  wire                    en_i,   /// registers load; unused without registers
    input  wire [td_fp::WIDTH-1:0] a_i,    /// factor
    input  wire [td_fp::WIDTH-1:0] b_i,    /// factor
    output wire [            31:0] y_o     /// product, REGISTERS enabled clocks later
);
  generate
    if (REGISTERS == 0) begin : gen_combinational
      wire unused = &{1'b0, clk_i, en_i};
      assign y_o = td_fp::mul(a_i, b_i);
    end else begin : gen_pipelined
      // The first cut follows the array of partial products: of the three stages it is the longest,
      // and in fp32 longer than the rest together. The second cut halves that rest, which helps
      // bf16; in fp32 and fp16 the array still sets the clock.
      reg [td_fp::MUL_PRODUCT_BITS-1:0] product_q;
      always @(posedge clk_i) if (en_i) product_q <= td_fp::mul_product(a_i, b_i);

      wire [td_fp::MUL_NORMALISE_BITS-1:0] normalised = td_fp::mul_normalise(product_q);
      if (REGISTERS == 1) begin : gen_one
        assign y_o = td_fp::mul_round(normalised);
      end else begin : gen_two
        reg [td_fp::MUL_NORMALISE_BITS-1:0] normalised_q;
        always @(posedge clk_i) if (en_i) normalised_q <= normalised;
        assign y_o = td_fp::mul_round(normalised_q);
      end
    end
  endgenerate
endmodule

`default_nettype wire
