// SPDX-License-Identifier: Apache-2.0
// Floating point adder: binary32 operands and sum.
`default_nettype none

/// REGISTERS: pipeline registers between operands and result, 0..3.
module td_adder #(
    parameter REGISTERS = 0
) (
    input  wire        clk_i,  /// clock; unused without registers
    input  wire        en_i,   /// registers load; unused without registers
    input  wire [31:0] a_i,    /// summand
    input  wire [31:0] b_i,    /// summand
    output wire [31:0] y_o     /// sum, REGISTERS enabled clocks later
);
  generate
    if (REGISTERS == 0) begin : gen_combinational
      wire unused = &{1'b0, clk_i, en_i};
      assign y_o = td_fp::add(a_i, b_i);
    end else begin : gen_pipelined
      // The sum ends the first half of the path: the only cut of one register follows it.
      reg [td_fp::ADD_SUM_BITS-1:0] sum_q;
      wire [td_fp::ADD_ORDER_BITS-1:0] ordered = td_fp::add_order(a_i, b_i);
      if (REGISTERS == 1) begin : gen_unordered
        always @(posedge clk_i) if (en_i) sum_q <= td_fp::add_sum(ordered);
      end else begin : gen_ordered
        reg [td_fp::ADD_ORDER_BITS-1:0] ordered_q;
        always @(posedge clk_i) if (en_i) ordered_q <= ordered;
        always @(posedge clk_i) if (en_i) sum_q <= td_fp::add_sum(ordered_q);
      end

      wire [td_fp::ADD_NORMALISE_BITS-1:0] normalised = td_fp::add_normalise(sum_q);
      if (REGISTERS >= 3) begin : gen_normalise
        reg [td_fp::ADD_NORMALISE_BITS-1:0] normalised_q;
        always @(posedge clk_i) if (en_i) normalised_q <= normalised;
        assign y_o = td_fp::add_round(normalised_q);
      end else begin : gen_no_normalise
        assign y_o = td_fp::add_round(normalised);
      end
    end
  endgenerate
endmodule

`default_nettype wire
