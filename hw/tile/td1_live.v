// SPDX-License-Identifier: 0BSD
// Which registers of a tile row load, from the operands on: of each lane, and of each node of the
// tree behind them, those that a live lane reaches. After its last live step a register once takes
// the zero of idle lanes, and keeps it: the sums are those of registers that load with each step.
// Behind the lanes of a fused sum there is one node, of all lanes.
`default_nettype none

module td1_live #(
    parameter LANES                = 16,  // 2..64
    parameter RESTS                = 1,   // 0: all lanes are live in every step
    parameter FUSED                = 0,   // see td1_pe
    parameter OPERAND_REGISTERS    = 0,   // in front of the multipliers
    parameter MULTIPLIER_REGISTERS = 0,   // see td1_pe
    parameter ADDER_REGISTERS      = 0,
    parameter TREE_REGISTERS       = 1,
    parameter CLOCKS               = 5    // registers from live_i to the sum, 0 or more
) (
    input  wire                        clk_i,      // clock
    input  wire                        rst_ni,     // asynchronous reset, active low
    input  wire                        enables_i,  // the pipeline moves in the next clock
    // In the next clock: bit 0, a step is in live_i; bit k, one of k clocks ago moves on.
    input  wire [            CLOCKS:0] moves_i,
    input  wire [           LANES-1:0] live_i,     // lanes with a pair; others multiply by zero
    output wire                        en_o,       // the pipeline moves
    // Registers that load, of each node from here to the sum; of operands, and behind these. There
    // is a bit more than registers, see td1_pipe.
    output wire [LANES*(OPERAND_REGISTERS+1)-1:0] operand_load_o,
    output wire [LANES*(CLOCKS-OPERAND_REGISTERS+1)-1:0] load_o,
    output wire [CLOCKS-OPERAND_REGISTERS:0] row_load_o  // of a fused sum: beside its nodes
);
  localparam SUM_CLOCKS = CLOCKS - OPERAND_REGISTERS;
  localparam LEAVES = OPERAND_REGISTERS + MULTIPLIER_REGISTERS + TREE_REGISTERS  // of a lane
                    + ((FUSED != 0) ? TREE_REGISTERS : 0);
  localparam LEVEL_CLOCKS = ADDER_REGISTERS + TREE_REGISTERS;

  genvar s, i;
  for (s = 0; s < CLOCKS; s = s + 1) begin : g_register
    localparam LEVEL = (s < LEAVES) ? 0 : (FUSED != 0) ? $clog2(LANES)
                     : (s - LEAVES) / LEVEL_CLOCKS + 1;
    localparam BEGINS = (LEVEL > 0 && (s - LEAVES) % LEVEL_CLOCKS == 0) ? 1 : 0;  // the level
    localparam INPUTS = BEGINS ? ((FUSED != 0) ? LANES : 2) : 1;  // of a node
    localparam NODES = ((LANES - 1) >> LEVEL) + 1;
    localparam BEFORE = (s > 0) ? s - 1 : 0;
    reg moves_q;
    always @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) moves_q <= 1'b0;
      else moves_q <= moves_i[s];
    end
    wire moves = moves_q;
    wire [2*LANES-1:0] held;  // nodes that hold what live lanes gave
    // Nodes in front that are live.
    wire [2*LANES-1:0] inputs = (s > 0) ? g_register[BEFORE].held : {{LANES{1'b0}}, live_i};
    wire [LANES-1:0] live;
    wire unused = &{1'b0, inputs, held, live};
    assign held[2*LANES-1:NODES] = {2 * LANES - NODES{1'b0}};
    wire [LANES-1:0] load;  // of each node
    wire row_load = FUSED != 0 & moves & (|{live[NODES-1:0], held[NODES-1:0]});
    wire unused_row = &{1'b0, row_load};  // of operands
    if (s >= OPERAND_REGISTERS) begin : g_row
      assign row_load_o[s-OPERAND_REGISTERS] = row_load;
    end
    for (i = 0; i < LANES; i = i + 1) begin : g_node
      if (i < NODES) begin : g_there
        assign live[i] = |inputs[INPUTS*i+:INPUTS];
        reg idle_q;  // the register holds the zero of idle lanes
        always @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) idle_q <= 1'b0;
          else if (moves) idle_q <= (RESTS != 0) & ~live[i];
        end
        assign held[i] = ~idle_q;
        assign load[i] = moves & (live[i] | ~idle_q);
      end else begin : g_none
        assign live[i] = 1'b0;
        assign load[i] = 1'b0;
      end
      if (s < OPERAND_REGISTERS) begin : g_operand
        assign operand_load_o[i*(OPERAND_REGISTERS+1)+s] = load[i];
      end else begin : g_sum
        assign load_o[i*(SUM_CLOCKS+1)+s-OPERAND_REGISTERS] = load[i];
      end
    end
  end
  for (i = 0; i < LANES; i = i + 1) begin : g_last
    assign operand_load_o[i*(OPERAND_REGISTERS+1)+OPERAND_REGISTERS] = 1'b0;
    assign load_o[i*(SUM_CLOCKS+1)+SUM_CLOCKS] = 1'b0;
  end
  assign row_load_o[SUM_CLOCKS] = 1'b0;
  wire unused = &{1'b0, moves_i, live_i};  // without registers; the last of moves_i

  reg en_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) en_q <= 1'b1;
    else en_q <= enables_i;
  end
  assign en_o = en_q;
endmodule
`default_nettype wire
