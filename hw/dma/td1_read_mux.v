// SPDX-License-Identifier: 0BSD
// Two readers on one AXI4 port: the load engine, ID 0, and the fetch of descriptors, ID 1, which
// goes first. Data and response go to both; the ID of the response says whose they are.
`default_nettype none

module td1_read_mux #(
    parameter ADDRESS_WIDTH = 40  // bits of an address, 32..64
) (
    input  wire                     clk_i,             // clock
    input  wire                     rst_ni,            // asynchronous reset, active low
    // Load engine
    input  wire                     load_ar_valid_i,
    output wire                     load_ar_ready_o,
    input  wire [ADDRESS_WIDTH-1:0] load_ar_addr_i,
    input  wire [              7:0] load_ar_len_i,
    output wire                     load_r_valid_o,
    input  wire                     load_r_ready_i,
    // Fetch of descriptors
    input  wire                     fetch_ar_valid_i,
    output wire                     fetch_ar_ready_o,
    input  wire [ADDRESS_WIDTH-1:0] fetch_ar_addr_i,
    input  wire [              7:0] fetch_ar_len_i,
    output wire                     fetch_r_valid_o,
    input  wire                     fetch_r_ready_i,
    // The port
    output wire                     ar_valid_o,
    input  wire                     ar_ready_i,
    output wire                     ar_id_o,
    output wire [ADDRESS_WIDTH-1:0] ar_addr_o,
    output wire [              7:0] ar_len_o,
    input  wire                     r_valid_i,
    output wire                     r_ready_o,
    input  wire                     r_id_i
);
  // What is on the port stays there until it is accepted.
  reg waits_q, fetch_q;
  wire fetch = waits_q ? fetch_q : fetch_ar_valid_i;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {waits_q, fetch_q} <= 2'b00;
    else {waits_q, fetch_q} <= {ar_valid_o & ~ar_ready_i, fetch};
  end

  assign ar_valid_o = load_ar_valid_i | fetch_ar_valid_i;
  assign ar_id_o = fetch;
  assign ar_addr_o = fetch ? fetch_ar_addr_i : load_ar_addr_i;
  assign ar_len_o = fetch ? fetch_ar_len_i : load_ar_len_i;
  assign load_ar_ready_o = ar_ready_i & ~fetch;
  assign fetch_ar_ready_o = ar_ready_i & fetch;

  assign load_r_valid_o = r_valid_i & ~r_id_i;
  assign fetch_r_valid_o = r_valid_i & r_id_i;
  assign r_ready_o = r_id_i ? fetch_r_ready_i : load_r_ready_i;
endmodule
`default_nettype wire
