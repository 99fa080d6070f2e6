// SPDX-License-Identifier: 0BSD
// Span: counts the clocks from the first step of a job to its last one, of all jobs.
//
//   clk_i     _/-\_/-\_/-\_/-\_/-\_/-\_/-\_
//   step_i    _____/---\_______/---\_______
//   clocks_o            | 1         | 4      with the step, what lies between counts, too
`default_nettype none

module td1_span (
    input  wire        clk_i,    // clock
    input  wire        rst_ni,   // asynchronous reset, active low
    input  wire        clear_i,  // begin again at 0
    input  wire        start_i,  // a job starts
    input  wire        step_i,
    output wire [63:0] clocks_o
);
  reg begun_q;             // the job has stepped
  reg [63:0] up_to_now_q;  // the clocks, if now were the end
  reg [63:0] clocks_q;
  wire [63:0] next = up_to_now_q + 64'd1;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      {up_to_now_q, clocks_q} <= 128'd0;
    end else if (clear_i) begin
      begun_q <= 1'b0;
      {up_to_now_q, clocks_q} <= 128'd0;
    end else if (start_i) begin
      begun_q <= 1'b0;
      up_to_now_q <= clocks_q;
    end else begin
      begun_q <= begun_q | step_i;
      if (begun_q | step_i) up_to_now_q <= next;
      if (step_i) clocks_q <= next;
    end
  end
  assign clocks_o = clocks_q;
endmodule
`default_nettype wire
