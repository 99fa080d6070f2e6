// SPDX-License-Identifier: 0BSD
// AXI4-Lite as single writes and reads of registers, one at a time in each direction. A write of
// less than 32 bits, and what the registers do not know, is answered with SLVERR.
`default_nettype none

module td1_axi_lite #(
    parameter ADDRESS_BITS = 12  // bits of an offset
) (
    input  wire                    clk_i,           // clock
    input  wire                    rst_ni,          // asynchronous reset, active low
    // AXI4-Lite
    input  wire                    aw_valid_i,
    output wire                    aw_ready_o,
    input  wire [ADDRESS_BITS-1:0] aw_addr_i,
    input  wire                    w_valid_i,
    output wire                    w_ready_o,
    input  wire [            31:0] w_data_i,
    input  wire [             3:0] w_strb_i,
    output wire                    b_valid_o,
    input  wire                    b_ready_i,
    output wire [             1:0] b_resp_o,
    input  wire                    ar_valid_i,
    output wire                    ar_ready_o,
    input  wire [ADDRESS_BITS-1:0] ar_addr_i,
    output wire                    r_valid_o,
    input  wire                    r_ready_i,
    output wire [            31:0] r_data_o,
    output wire [             1:0] r_resp_o,
    // Registers
    output wire                    write_o,         // for one clock: of 32 bits
    output wire [ADDRESS_BITS-1:0] write_offset_o,
    output wire [            31:0] write_data_o,
    input  wire                    write_known_i,   // there is such a register, and it takes it now
    output wire [ADDRESS_BITS-1:0] read_offset_o,
    input  wire [            31:0] read_data_i,     // of that offset, in the same clock
    input  wire                    read_known_i     // there is such a register
);
  localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10;

  // An access that is accepted while reset lasts would be lost, so none is until the first clock.
  reg open_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else open_q <= 1'b1;
  end

  // Address and data of a write are taken apart from each other; it is done when both are there.
  reg aw_held_q, w_held_q, b_valid_q, b_error_q;
  reg [ADDRESS_BITS-1:0] aw_addr_q;
  reg [31:0] w_data_q;
  reg [3:0] w_strb_q;
  wire fire = aw_held_q & w_held_q & ~b_valid_q;
  assign aw_ready_o = open_q & ~aw_held_q;
  assign w_ready_o = open_q & ~w_held_q;
  assign write_o = fire & (&w_strb_q);
  assign write_offset_o = aw_addr_q;
  assign write_data_o = w_data_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      b_valid_q <= 1'b0;
    end else begin
      aw_held_q <= ~fire & (aw_held_q | (aw_valid_i & aw_ready_o));
      w_held_q  <= ~fire & (w_held_q | (w_valid_i & w_ready_o));
      b_valid_q <= fire | (b_valid_q & ~b_ready_i);
    end
  end
  always @(posedge clk_i) begin
    if (aw_valid_i & aw_ready_o) aw_addr_q <= aw_addr_i;
    if (w_valid_i & w_ready_o) begin
      w_data_q <= w_data_i;
      w_strb_q <= w_strb_i;
    end
    if (fire) b_error_q <= ~(write_known_i & write_o);
  end
  assign b_valid_o = b_valid_q;
  assign b_resp_o  = b_error_q ? SLVERR : OKAY;

  // Reads.
  reg ar_held_q, r_valid_q, r_error_q;
  reg [ADDRESS_BITS-1:0] ar_addr_q;
  reg [31:0] r_data_q;
  wire answer = ar_held_q & ~r_valid_q;
  assign ar_ready_o = open_q & ~ar_held_q;
  assign read_offset_o = ar_addr_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_held_q <= 1'b0;
      r_valid_q <= 1'b0;
    end else begin
      ar_held_q <= ~answer & (ar_held_q | (ar_valid_i & ar_ready_o));
      r_valid_q <= answer | (r_valid_q & ~r_ready_i);
    end
  end
  always @(posedge clk_i) begin
    if (ar_valid_i & ar_ready_o) ar_addr_q <= ar_addr_i;
    if (answer) begin
      r_data_q  <= read_data_i;
      r_error_q <= ~read_known_i;
    end
  end
  assign r_valid_o = r_valid_q;
  assign r_data_o  = r_data_q;
  assign r_resp_o  = r_error_q ? SLVERR : OKAY;
endmodule
`default_nettype wire
