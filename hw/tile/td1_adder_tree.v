// SPDX-License-Identifier: 0BSD
// Sum of binary32 values by a balanced tree of adders, neighbours first: ((x0+x1)+(x2+x3))+...; an
// odd one out passes to the next level as it is.
`default_nettype none

module td1_adder_tree #(
    parameter LEAVES          = 16,  // values, 1..64
    parameter ADDER_REGISTERS = 0,   // inside every adder, 0..3
    parameter LEVEL_REGISTERS = 1,   // in front of every level, 0..2
    parameter SUM_REGISTERS   = 0    // behind the last level, 0..2
) (
    input  wire                 clk_i,  // clock
    input  wire                 en_i,   // registers load
    input  wire [LEAVES*32-1:0] x_i,    // values
    output wire [         31:0] sum_o   // their sum, an enabled clock later for each register
);
  localparam LEVELS = $clog2(LEAVES);

  genvar level, i;
  for (level = 0; level <= LEVELS; level = level + 1) begin : g_level
    localparam BELOW = (level == 0) ? 2 * LEAVES : ((LEAVES - 1) >> (level - 1)) + 1;
    localparam NODES = (BELOW + 1) / 2;  // that add pairs of the level below
    for (i = 0; i < NODES; i = i + 1) begin : g_node
      wire [31:0] value;  // of the node
      wire [31:0] held;   // ... behind its registers
      if (level == 0) begin : g_leaf
        assign value = x_i[i*32+:32];
      end else if (2 * i + 1 < BELOW) begin : g_pair
        td1_adder #(.REGISTERS(ADDER_REGISTERS)) u_adder (
            .clk_i(clk_i),
            .en_i (en_i),
            .a_i  (g_level[level-1].g_node[2*i].held),
            .b_i  (g_level[level-1].g_node[2*i+1].held),
            .y_o  (value)
        );
      end else begin : g_odd
        td1_pipe #(.WIDTH(32), .REGISTERS(ADDER_REGISTERS)) u_pipe (
            .clk_i(clk_i),
            .en_i (en_i),
            .x_i  (g_level[level-1].g_node[2*i].held),
            .y_o  (value)
        );
      end
      td1_pipe #(
          .WIDTH(32), .REGISTERS(level == LEVELS ? SUM_REGISTERS : LEVEL_REGISTERS)
      ) u_pipe (
          .clk_i(clk_i),
          .en_i (en_i),
          .x_i  (value),
          .y_o  (held)
      );
    end
  end
  assign sum_o = g_level[LEVELS].g_node[0].held;
endmodule
`default_nettype wire
