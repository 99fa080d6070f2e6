// SPDX-License-Identifier: Apache-2.0
// What stands for hw/memory/td1_ram.v in synthesis: registers at all of its ports, and no words. A
// chip has a macro there, whose area is another table's. Timing sees a macro that takes its inputs,
// and has its data at its outputs, as a register does.
`default_nettype none

module td1_ram #(
    parameter WORDS = 16,
    parameter WIDTH = 8,
    parameter PARTS = 1
) (
    input  wire                           clk_i,
    input  wire [              PARTS-1:0] write_en_i,
    input  wire [PARTS*$clog2(WORDS)-1:0] write_word_i,
    input  wire [              WIDTH-1:0] write_data_i,
    input  wire                           read_en_i,
    input  wire [      $clog2(WORDS)-1:0] read_word_i,
    output wire [              WIDTH-1:0] read_data_o
);
  localparam CONTROL = PARTS + 1 + (PARTS + 1) * $clog2(WORDS);  // no more than WIDTH
  reg [WIDTH-1:0] write_q, read_q;
  reg [CONTROL-1:0] control_q;
  always @(posedge clk_i) begin
    write_q <= write_data_i;
    control_q <= {write_en_i, write_word_i, read_en_i, read_word_i};
    read_q <= write_q ^ {{WIDTH - CONTROL{1'b0}}, control_q};  // so that nothing is left out
  end
  assign read_data_o = read_q;
endmodule
`default_nettype wire
