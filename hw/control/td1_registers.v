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
      if (keep & (write_offset_i == 12'h02c)) begin
        interrupt_enable_q <= write_data_i[1:0];
      end
      if (keep & (write_offset_i == 12'h03c)) begin
        stop_timeout_q <= write_data_i;
      end
      if (keep & (write_offset_i == 12'h040)) begin
        window_begin_q[31:0] <= write_data_i;
      end
      if (keep & (write_offset_i == 12'h044)) begin
        window_begin_q[ADDRESS_WIDTH-1:32] <= write_data_i[ADDRESS_WIDTH-33:0];
      end
      if (keep & (write_offset_i == 12'h048)) begin
        window_end_q[31:0] <= write_data_i;
      end
      if (keep & (write_offset_i == 12'h04c)) begin
        window_end_q[ADDRESS_WIDTH-1:32] <= write_data_i[ADDRESS_WIDTH-33:0];
      end
      if (keep & (write_offset_i == 12'h050)) begin
        job_address_q[31:0] <= write_data_i;
      end
      if (keep & (write_offset_i == 12'h054)) begin
        job_address_q[ADDRESS_WIDTH-1:32] <= write_data_i[ADDRESS_WIDTH-33:0];
      end
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

  // What is read: all others are 0.
  wire [63:0] window_begin_wide = {{64-ADDRESS_WIDTH{1'b0}}, window_begin_q};
  wire [63:0] window_end_wide = {{64-ADDRESS_WIDTH{1'b0}}, window_end_q};
  wire [63:0] job_address_wide = {{64-ADDRESS_WIDTH{1'b0}}, job_address_q};
  assign read_known_o =
      (read_offset_i == 12'h000) | (read_offset_i == 12'h004) | (read_offset_i == 12'h008)
      | (read_offset_i == 12'h00c) | (read_offset_i == 12'h010) | (read_offset_i == 12'h014)
      | (read_offset_i == 12'h018) | (read_offset_i == 12'h01c) | (read_offset_i == 12'h020)
      | (read_offset_i == 12'h024) | (read_offset_i == 12'h028) | (read_offset_i == 12'h02c)
      | (read_offset_i == 12'h030) | (read_offset_i == 12'h034) | (read_offset_i == 12'h038)
      | (read_offset_i == 12'h03c) | (read_offset_i == 12'h040) | (read_offset_i == 12'h044)
      | (read_offset_i == 12'h048) | (read_offset_i == 12'h04c) | (read_offset_i == 12'h050)
      | (read_offset_i == 12'h054) | (read_offset_i == 12'h058) | (read_offset_i == 12'h05c)
      | (read_offset_i == 12'h080) | (read_offset_i == 12'h084) | (read_offset_i == 12'h088)
      | (read_offset_i == 12'h08c) | (read_offset_i == 12'h090) | (read_offset_i == 12'h094)
      | (read_offset_i == 12'h098) | (read_offset_i == 12'h09c) | (read_offset_i == 12'h0a0)
      | (read_offset_i == 12'h0a4) | (read_offset_i == 12'h0a8) | (read_offset_i == 12'h0ac)
      | (read_offset_i == 12'h0b0) | (read_offset_i == 12'h0b4) | (read_offset_i == 12'h0b8)
      | (read_offset_i == 12'h0bc) | (read_offset_i == 12'h0c0) | (read_offset_i == 12'h0c4)
      | (read_offset_i == 12'h0c8) | (read_offset_i == 12'h0cc) | (read_offset_i == 12'h0d0)
      | (read_offset_i == 12'h0d4) | (read_offset_i == 12'h0d8) | (read_offset_i == 12'h0dc)
      | (read_offset_i == 12'h0e0) | (read_offset_i == 12'h0e4);
  assign read_data_o = ({32{(read_offset_i == 12'h000)}} & 32'h31414454)
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
      | ({32{(read_offset_i == 12'h040)}} & window_begin_wide[31:0])
      | ({32{(read_offset_i == 12'h044)}} & window_begin_wide[63:32])
      | ({32{(read_offset_i == 12'h048)}} & window_end_wide[31:0])
      | ({32{(read_offset_i == 12'h04c)}} & window_end_wide[63:32])
      | ({32{(read_offset_i == 12'h050)}} & job_address_wide[31:0])
      | ({32{(read_offset_i == 12'h054)}} & job_address_wide[63:32])
      | ({32{(read_offset_i == 12'h05c)}} & jobs_done_i)
      | ({32{(read_offset_i == 12'h080)}} & cycles_busy_i[31:0])
      | ({32{(read_offset_i == 12'h084)}} & cycles_busy_i[63:32])
      | ({32{(read_offset_i == 12'h088)}} & cycles_load_i[31:0])
      | ({32{(read_offset_i == 12'h08c)}} & cycles_load_i[63:32])
      | ({32{(read_offset_i == 12'h090)}} & cycles_compute_i[31:0])
      | ({32{(read_offset_i == 12'h094)}} & cycles_compute_i[63:32])
      | ({32{(read_offset_i == 12'h098)}} & cycles_store_i[31:0])
      | ({32{(read_offset_i == 12'h09c)}} & cycles_store_i[63:32])
      | ({32{(read_offset_i == 12'h0a0)}} & cycles_stepped_i[31:0])
      | ({32{(read_offset_i == 12'h0a4)}} & cycles_stepped_i[63:32])
      | ({32{(read_offset_i == 12'h0a8)}} & cycles_waiting_i[31:0])
      | ({32{(read_offset_i == 12'h0ac)}} & cycles_waiting_i[63:32])
      | ({32{(read_offset_i == 12'h0b0)}} & bytes_read_i[31:0])
      | ({32{(read_offset_i == 12'h0b4)}} & bytes_read_i[63:32])
      | ({32{(read_offset_i == 12'h0b8)}} & bytes_written_i[31:0])
      | ({32{(read_offset_i == 12'h0bc)}} & bytes_written_i[63:32])
      | ({32{(read_offset_i == 12'h0c0)}} & results_i[31:0])
      | ({32{(read_offset_i == 12'h0c4)}} & results_i[63:32])
      | ({32{(read_offset_i == 12'h0c8)}} & zero_results_i[31:0])
      | ({32{(read_offset_i == 12'h0cc)}} & zero_results_i[63:32])
      | ({32{(read_offset_i == 12'h0d0)}} & nonfinite_results_i[31:0])
      | ({32{(read_offset_i == 12'h0d4)}} & nonfinite_results_i[63:32])
      | ({32{(read_offset_i == 12'h0d8)}} & cycles_filling_i[31:0])
      | ({32{(read_offset_i == 12'h0dc)}} & cycles_filling_i[63:32])
      | ({32{(read_offset_i == 12'h0e0)}} & cycles_spanned_i[31:0])
      | ({32{(read_offset_i == 12'h0e4)}} & cycles_spanned_i[63:32]);
endmodule
`default_nettype wire
