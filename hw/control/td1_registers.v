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
    input  wire              [24:0] sizes_i,
    input  wire              [31:0] operand_rows_i,
    input  wire              [31:0] result_words_i,
    input  wire              [31:0] bank_rows_i,
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
    output wire               [1:0] interrupt_enable_o,
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
  reg known;
  assign write_known_o = known;
  always @* begin
    case (write_offset_i)
      12'h020: known = 1'b1;
      12'h024: known = 1'b1;
      12'h028: known = 1'b1;
      12'h02c: known = 1'b1;
      12'h040: known = ~busy_i;
      12'h044: known = ~busy_i & ~beyond;
      12'h048: known = ~busy_i;
      12'h04c: known = ~busy_i & ~beyond;
      12'h050: known = 1'b1;
      12'h054: known = ~beyond;
      12'h058: known = ~job_refused_i;
      default: known = 1'b0;
    endcase
  end

  reg [1:0] interrupt_enable_q;
  reg [ADDRESS_WIDTH-1:0] window_begin_q;
  reg [ADDRESS_WIDTH-1:0] window_end_q;
  reg [ADDRESS_WIDTH-1:0] job_address_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      interrupt_enable_q <= 2'd0;
      window_begin_q <= {ADDRESS_WIDTH{1'b0}};
      window_end_q <= {ADDRESS_WIDTH{1'b0}};
      job_address_q <= {ADDRESS_WIDTH{1'b0}};
    end else if (write_i & known) begin
      case (write_offset_i)
        12'h02c: interrupt_enable_q <= write_data_i[1:0];
        12'h040: window_begin_q[31:0] <= write_data_i;
        12'h044: window_begin_q[ADDRESS_WIDTH-1:32] <= write_data_i[ADDRESS_WIDTH-33:0];
        12'h048: window_end_q[31:0] <= write_data_i;
        12'h04c: window_end_q[ADDRESS_WIDTH-1:32] <= write_data_i[ADDRESS_WIDTH-33:0];
        12'h050: job_address_q[31:0] <= write_data_i;
        12'h054: job_address_q[ADDRESS_WIDTH-1:32] <= write_data_i[ADDRESS_WIDTH-33:0];
        default: ;
      endcase
    end
  end
  assign interrupt_enable_o = interrupt_enable_q;
  assign window_begin_o = window_begin_q;
  assign window_end_o = window_end_q;
  assign job_address_o = job_address_q;
  assign control_write_o = write_i & (write_offset_i == 12'h020);
  assign status_write_o = write_i & (write_offset_i == 12'h024);
  assign interrupt_write_o = write_i & (write_offset_i == 12'h028);
  assign job_descriptors_write_o = write_i & (write_offset_i == 12'h058);

  wire [63:0] window_begin_wide = {{64-ADDRESS_WIDTH{1'b0}}, window_begin_q};
  wire [63:0] window_end_wide = {{64-ADDRESS_WIDTH{1'b0}}, window_end_q};
  wire [63:0] job_address_wide = {{64-ADDRESS_WIDTH{1'b0}}, job_address_q};
  reg [31:0] data;
  reg unknown;
  assign read_data_o = data;
  assign read_known_o = ~unknown;
  always @* begin
    unknown = 1'b0;
    data    = 32'd0;
    case (read_offset_i)
      12'h000: data = 32'h31414454;
      12'h004: data = 32'h00000001;
      12'h008: data = shape_i;
      12'h00c: data = {7'd0, sizes_i};
      12'h010: data = operand_rows_i;
      12'h014: data = result_words_i;
      12'h018: data = bank_rows_i;
      12'h020: data = 32'd0;
      12'h024: data = {21'd0, status_i};
      12'h028: data = {30'd0, interrupt_i};
      12'h02c: data = {30'd0, interrupt_enable_q};
      12'h030: data = {28'd0, error_code_i};
      12'h034: data = error_descriptor_i;
      12'h038: data = error_job_i;
      12'h040: data = window_begin_wide[31:0];
      12'h044: data = window_begin_wide[63:32];
      12'h048: data = window_end_wide[31:0];
      12'h04c: data = window_end_wide[63:32];
      12'h050: data = job_address_wide[31:0];
      12'h054: data = job_address_wide[63:32];
      12'h058: data = 32'd0;
      12'h05c: data = jobs_done_i;
      12'h080: data = cycles_busy_i[31:0];
      12'h084: data = cycles_busy_i[63:32];
      12'h088: data = cycles_load_i[31:0];
      12'h08c: data = cycles_load_i[63:32];
      12'h090: data = cycles_compute_i[31:0];
      12'h094: data = cycles_compute_i[63:32];
      12'h098: data = cycles_store_i[31:0];
      12'h09c: data = cycles_store_i[63:32];
      12'h0a0: data = cycles_stepped_i[31:0];
      12'h0a4: data = cycles_stepped_i[63:32];
      12'h0a8: data = cycles_waiting_i[31:0];
      12'h0ac: data = cycles_waiting_i[63:32];
      12'h0b0: data = bytes_read_i[31:0];
      12'h0b4: data = bytes_read_i[63:32];
      12'h0b8: data = bytes_written_i[31:0];
      12'h0bc: data = bytes_written_i[63:32];
      12'h0c0: data = results_i[31:0];
      12'h0c4: data = results_i[63:32];
      12'h0c8: data = zero_results_i[31:0];
      12'h0cc: data = zero_results_i[63:32];
      12'h0d0: data = nonfinite_results_i[31:0];
      12'h0d4: data = nonfinite_results_i[63:32];
      default: unknown = 1'b1;
    endcase
  end
endmodule
`default_nettype wire
