// SPDX-License-Identifier: 0BSD
// The accelerator's registers: decoding, and those that keep what is written. What the others do is
// up to td1_jobs. Written by scripts/toolbox/registers from registers.toml; do not edit.
`default_nettype none

module td1_registers #(
    parameter ADDRESS_WIDTH = 40  // bits of a memory address, 33..63
) (
    input  wire        clk_i,           // clock
    input  wire        rst_ni,          // asynchronous reset, active low
    // Accesses, see td1_axi_lite
    input  wire        write_i,
    input  wire [11:0] write_offset_i,
    input  wire [31:0] write_data_i,
    output wire        write_known_o,
    input  wire [11:0] read_offset_i,
    output wire [31:0] read_data_o,
    output wire        read_known_o,
    // Registers: what they read as, what is kept in them, that they are written, and that writes of
    // some are refused
    input  wire              [31:0] shape_i,
    input  wire              [31:0] sizes_i,
    input  wire              [31:0] operand_rows_i,
    input  wire              [31:0] result_words_i,
    input  wire              [31:0] bank_rows_i,
    input  wire              [15:0] bus_i,
    input  wire              [10:0] status_i,
    input  wire               [1:0] interrupt_i,
    input  wire               [3:0] error_code_i,
    input  wire              [31:0] error_descriptor_i,
    input  wire              [31:0] error_job_i,
    input  wire              [31:0] jobs_done_i,
    input  wire              [63:0] cycles_busy_i,
    input  wire              [63:0] cycles_load_i,
    input  wire              [63:0] cycles_compute_i,
    input  wire              [63:0] cycles_store_i,
    input  wire              [63:0] cycles_stepped_i,
    input  wire              [63:0] cycles_waiting_i,
    input  wire              [63:0] bytes_read_i,
    input  wire              [63:0] bytes_written_i,
    input  wire              [63:0] results_i,
    input  wire              [63:0] zero_results_i,
    input  wire              [63:0] nonfinite_results_i,
    input  wire              [63:0] cycles_filling_i,
    input  wire              [63:0] cycles_spanned_i,
    output wire               [1:0] interrupt_enable_o,
    output wire              [31:0] stop_timeout_o,
    output wire [ADDRESS_WIDTH-1:0] window_begin_o,
    output wire [ADDRESS_WIDTH-1:0] window_end_o,
    output wire [ADDRESS_WIDTH-1:0] job_address_o,
    output wire                     control_write_o,
    output wire                     status_write_o,
    output wire                     interrupt_write_o,
    output wire                     job_descriptors_write_o,
    input  wire                     busy_i,
    input  wire                     job_refused_i
);
  // Bits of an address beyond those of the bus.
  wire beyond = |(write_data_i >> (ADDRESS_WIDTH - 32));

  // The register can be written now.
  assign write_known_o = (write_offset_i == 12'h020)
      | (write_offset_i == 12'h024)
      | (write_offset_i == 12'h028)
      | (write_offset_i == 12'h02c)
      | (write_offset_i == 12'h03c)
      | ((write_offset_i == 12'h040) & ~busy_i)
      | ((write_offset_i == 12'h044) & ~busy_i & ~beyond)
      | ((write_offset_i == 12'h048) & ~busy_i)
      | ((write_offset_i == 12'h04c) & ~busy_i & ~beyond)
      | (write_offset_i == 12'h050)
      | ((write_offset_i == 12'h054) & ~beyond)
      | ((write_offset_i == 12'h058) & ~job_refused_i);

  reg [1:0] interrupt_enable_q;
  reg [31:0] stop_timeout_q;
  reg [ADDRESS_WIDTH-1:0] window_begin_q;
  reg [ADDRESS_WIDTH-1:0] window_end_q;
  reg [ADDRESS_WIDTH-1:0] job_address_q;
  wire keep = write_i & write_known_o;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      interrupt_enable_q <= 2'd0;
      stop_timeout_q <= 32'd0;
      window_begin_q <= {ADDRESS_WIDTH{1'b0}};
      window_end_q <= {ADDRESS_WIDTH{1'b0}};
      job_address_q <= {ADDRESS_WIDTH{1'b0}};
    end else begin
      if (keep & (write_offset_i == 12'h02c)) interrupt_enable_q <= write_data_i[1:0];
      if (keep & (write_offset_i == 12'h03c)) stop_timeout_q <= write_data_i;
      if (keep & (write_offset_i == 12'h040)) window_begin_q[31:0] <= write_data_i;
      if (keep & (write_offset_i == 12'h044))
        window_begin_q[ADDRESS_WIDTH-1:32] <= write_data_i[ADDRESS_WIDTH-33:0];
      if (keep & (write_offset_i == 12'h048)) window_end_q[31:0] <= write_data_i;
      if (keep & (write_offset_i == 12'h04c))
        window_end_q[ADDRESS_WIDTH-1:32] <= write_data_i[ADDRESS_WIDTH-33:0];
      if (keep & (write_offset_i == 12'h050)) job_address_q[31:0] <= write_data_i;
      if (keep & (write_offset_i == 12'h054))
        job_address_q[ADDRESS_WIDTH-1:32] <= write_data_i[ADDRESS_WIDTH-33:0];
    end
  end
  assign interrupt_enable_o = interrupt_enable_q;
  assign stop_timeout_o = stop_timeout_q;
  assign window_begin_o = window_begin_q;
  assign window_end_o = window_end_q;
  assign job_address_o = job_address_q;
  assign control_write_o = write_i & (write_offset_i == 12'h020);
  assign status_write_o = write_i & (write_offset_i == 12'h024);
  assign interrupt_write_o = write_i & (write_offset_i == 12'h028);
  assign job_descriptors_write_o = write_i & (write_offset_i == 12'h058);

  // What is read: all others are 0. Of registers of two words both are found.
  wire [63:0] both =
      ({64{(read_offset_i[11:3] == 9'h008)}} & {{64-ADDRESS_WIDTH{1'b0}}, window_begin_q})
      | ({64{(read_offset_i[11:3] == 9'h009)}} & {{64-ADDRESS_WIDTH{1'b0}}, window_end_q})
      | ({64{(read_offset_i[11:3] == 9'h00a)}} & {{64-ADDRESS_WIDTH{1'b0}}, job_address_q})
      | ({64{(read_offset_i[11:3] == 9'h010)}} & cycles_busy_i)
      | ({64{(read_offset_i[11:3] == 9'h011)}} & cycles_load_i)
      | ({64{(read_offset_i[11:3] == 9'h012)}} & cycles_compute_i)
      | ({64{(read_offset_i[11:3] == 9'h013)}} & cycles_store_i)
      | ({64{(read_offset_i[11:3] == 9'h014)}} & cycles_stepped_i)
      | ({64{(read_offset_i[11:3] == 9'h015)}} & cycles_waiting_i)
      | ({64{(read_offset_i[11:3] == 9'h016)}} & bytes_read_i)
      | ({64{(read_offset_i[11:3] == 9'h017)}} & bytes_written_i)
      | ({64{(read_offset_i[11:3] == 9'h018)}} & results_i)
      | ({64{(read_offset_i[11:3] == 9'h019)}} & zero_results_i)
      | ({64{(read_offset_i[11:3] == 9'h01a)}} & nonfinite_results_i)
      | ({64{(read_offset_i[11:3] == 9'h01b)}} & cycles_filling_i)
      | ({64{(read_offset_i[11:3] == 9'h01c)}} & cycles_spanned_i);
  wire aligned = read_offset_i[1:0] == 2'd0;
  assign read_known_o = aligned
      & ((read_offset_i < 12'h060) | (read_offset_i >= 12'h080 & read_offset_i < 12'h0e8));
  assign read_data_o = ({32{aligned}} & (read_offset_i[2] ? both[63:32] : both[31:0]))
      | ({32{(read_offset_i == 12'h000)}} & 32'h31414454)
      | ({32{(read_offset_i == 12'h004)}} & 32'h00000001)
      | ({32{(read_offset_i == 12'h008)}} & shape_i)
      | ({32{(read_offset_i == 12'h00c)}} & sizes_i)
      | ({32{(read_offset_i == 12'h010)}} & operand_rows_i)
      | ({32{(read_offset_i == 12'h014)}} & result_words_i)
      | ({32{(read_offset_i == 12'h018)}} & bank_rows_i)
      | ({32{(read_offset_i == 12'h01c)}} & {16'd0, bus_i})
      | ({32{(read_offset_i == 12'h024)}} & {21'd0, status_i})
      | ({32{(read_offset_i == 12'h028)}} & {30'd0, interrupt_i})
      | ({32{(read_offset_i == 12'h02c)}} & {30'd0, interrupt_enable_q})
      | ({32{(read_offset_i == 12'h030)}} & {28'd0, error_code_i})
      | ({32{(read_offset_i == 12'h034)}} & error_descriptor_i)
      | ({32{(read_offset_i == 12'h038)}} & error_job_i)
      | ({32{(read_offset_i == 12'h03c)}} & stop_timeout_q)
      | ({32{(read_offset_i == 12'h05c)}} & jobs_done_i);
endmodule
`default_nettype wire
