// SPDX-License-Identifier: 0BSD
// Sum of binary32 values by a balanced tree of adders, neighbours first: ((x0+x1)+(x2+x3))+...; an
// odd one out passes to the next level as it is.
`default_nettype none

module td1_adder_tree #(
    parameter LEAVES          = 16,  // values, 1..64
    parameter ADDER_REGISTERS = 0,   // inside every adder, 0..3
    parameter LEVEL_REGISTERS = 1,   // in front of every level, 0..2
    parameter SUM_REGISTERS   = 0,   // behind the last level, 0..2
    parameter CLOCKS          = 4    // registers from values to sum, by the above
) (
    input  wire                         clk_i,   // clock
    // Node * (CLOCKS + 1) + register: it loads; see td1_live. A node's last bit is unused.
    input  wire [LEAVES*(CLOCKS+1)-1:0] load_i,
    input  wire [        LEAVES*32-1:0] x_i,     // values
    output wire [                 31:0] sum_o    // their sum, behind all registers
);
  localparam LEVELS = $clog2(LEAVES);
  localparam LEVEL_CLOCKS = ADDER_REGISTERS + LEVEL_REGISTERS;
  wire unused = &{1'b0, clk_i, load_i};

  genvar level, i, k;
  for (level = 0; level <= LEVELS; level = level + 1) begin : g_level
    localparam BELOW = (level == 0) ? 2 * LEAVES : ((LEAVES - 1) >> (level - 1)) + 1;
    localparam NODES = (BELOW + 1) / 2;  // that add pairs of the level below
    for (i = 0; i < NODES; i = i + 1) begin : g_node
      // An odd one out is held as long as the adders beside it take.
      localparam WAITS = (level > 0 && 2 * i + 1 == BELOW) ? ADDER_REGISTERS : 0;
      localparam REGISTERS = WAITS + ((level == LEVELS) ? SUM_REGISTERS : LEVEL_REGISTERS);
      localparam FIRST = level * LEVEL_CLOCKS - WAITS;
      wire [31:0] value;  // of the node
      wire [31:0] held;   // ... behind its registers
      if (level == 0) begin : g_leaf
        assign value = x_i[i*32+:32];
      end
      if (level > 0 && 2 * i + 1 < BELOW) begin : g_pair
        localparam ADDS = i * (CLOCKS + 1) + FIRST - ADDER_REGISTERS;
        td1_adder #(.REGISTERS(ADDER_REGISTERS)) u_adder (
            .clk_i(clk_i), .en_i(load_i[ADDS+:ADDER_REGISTERS+1]),
            .a_i(g_level[level-1].g_node[2*i].held), .b_i(g_level[level-1].g_node[2*i+1].held),
            .y_o(value)
        );
      end
      if (level > 0 && 2 * i + 1 == BELOW) begin : g_odd
        assign value = g_level[level-1].g_node[2*i].held;
      end
      for (k = 0; k < REGISTERS; k = k + 1) begin : g_register
        localparam BEFORE = (k > 0) ? k - 1 : 0;
        reg [31:0] value_q;
        always @(posedge clk_i) begin
          if (load_i[i*(CLOCKS+1)+FIRST+k]) value_q <= k > 0 ? g_register[BEFORE].value_q : value;
        end
      end
      if (REGISTERS == 0) begin : g_wire
        assign held = value;
      end else begin : g_held
        assign held = g_register[REGISTERS-1].value_q;
      end
    end
  end
  assign sum_o = g_level[LEVELS].g_node[0].held;
endmodule
`default_nettype wire
