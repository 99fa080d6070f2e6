// SPDX-License-Identifier: 0BSD
// Operand interconnect: the multiplexers in front of one side's multiplier inputs, each an AND-OR
// of the options that its lane may take from. A lane without a choice gets +0.
`default_nettype none

module td1_interconnect #(
    parameter LANES     = 16,  // 2..64
    parameter WIDTH     = 16,  // bits of an element
    parameter DEPTH     = 3,   // rows of the window, 1..8
    parameter OPTIONS   = 8,   // 1..64
    parameter LATE      = 0,   // registers that select_i comes from
    parameter REGISTERS = 1,   // behind the multiplexers, 0..2
    parameter [8*OPTIONS-1:0] STEP   = 0,  // see td1_scheduler
    parameter [8*OPTIONS-1:0] OFFSET = 0
) (
    input  wire                         clk_i,     // clock; unused without registers
    // Lane * (LATE + REGISTERS + 1) + register: it loads; see td1_pipe
    input  wire [LANES*(LATE+REGISTERS+1)-1:0] load_i,
    input  wire [DEPTH*LANES*WIDTH-1:0] window_i,  // element row * LANES + lane
    input  wire [    LANES*OPTIONS-1:0] select_i,  // lane * OPTIONS + option: one-hot, or none
    output wire [      LANES*WIDTH-1:0] operand_o  // of each lane
);
  genvar lane, opt;
  for (lane = 0; lane < LANES; lane = lane + 1) begin : g_lane
    for (opt = 0; opt < OPTIONS; opt = opt + 1) begin : g_option
      localparam [31:0] AHEAD = {24'd0, STEP[8*opt+:8]}, ASIDE = {24'd0, OFFSET[8*opt+:8]};
      localparam BEFORE = (opt > 0) ? opt - 1 : 0;
      localparam ELEMENT = AHEAD * LANES + (lane + ASIDE) % LANES;
      wire [WIDTH-1:0] taken = {WIDTH{select_i[lane*OPTIONS+opt]}} & window_i[ELEMENT*WIDTH+:WIDTH];
      // From this option and those before it.
      wire [WIDTH-1:0] sum = (opt > 0 ? g_option[BEFORE].sum : {WIDTH{1'b0}}) | taken;
    end
    wire [WIDTH-1:0] operand = g_option[OPTIONS-1].sum;
    td1_pipe #(.WIDTH(WIDTH), .REGISTERS(REGISTERS)) u_pipe (
        .clk_i(clk_i), .en_i(load_i[lane*(LATE+REGISTERS+1)+LATE+:REGISTERS+1]), .x_i(operand),
        .y_o(operand_o[lane*WIDTH+:WIDTH])
    );
  end
  wire unused = &{1'b0, window_i, load_i};  // a pattern may have no option in a row; select_i's
endmodule
`default_nettype wire
