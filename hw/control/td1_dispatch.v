// SPDX-License-Identifier: 0BSD
// Sorts a job's descriptors by kind, refuses what it cannot understand, and lets each engine have
// its own in order. The job is done when all of them have finished.
`default_nettype none

module td1_dispatch (
    input  wire          clk_i,               // clock
    input  wire          rst_ni,              // asynchronous reset, active low
    input  wire          job_start_i,         // a job begins, the one before being done
    input  wire [  31:0] job_count_i,         // its descriptors
    output wire          job_done_o,          // for one clock
    output wire [   3:0] error_o,             // why the job cannot go on, see registers.toml
    output wire [  31:0] error_descriptor_o,  // index of the descriptor
    input  wire          halt_i,              // start nothing
    // Units of 64 bytes, in order, or why there are no more
    input  wire          unit_valid_i,
    output wire          unit_ready_o,
    input  wire [ 511:0] unit_i,
    input  wire [   3:0] fetch_error_i,
    // Engines
    output wire          load_valid_o,
    input  wire          load_ready_i,
    output wire [ 511:0] load_o,
    input  wire          load_done_i,
    input  wire [   3:0] load_error_i,        // of the first that is not done
    output wire          load_busy_o,
    output wire          compute_valid_o,
    input  wire          compute_ready_i,
    output wire [2047:0] compute_o,
    input  wire          compute_done_i,
    input  wire [   3:0] compute_error_i,
    output wire          compute_busy_o,
    output wire          store_valid_o,
    input  wire          store_ready_i,
    output wire [ 511:0] store_o,
    input  wire          store_done_i,
    input  wire [   3:0] store_error_i,
    output wire          store_busy_o
);
  localparam KIND = 0, WAIT_LOADS = 32, WAIT_COMPUTES = 48, WAIT_STORES = 64;  // bits
  localparam [7:0] LOAD = 8'd1, COMPUTE = 8'd2, STORE = 8'd3;
  localparam [3:0] NONE = 4'd0, UNKNOWN = 4'd1, RANGE = 4'd2, WAIT = 4'd5;

  reg active_q;             // there is a job
  reg [31:0] count_q;       // its descriptors
  reg [31:0] index_q;       // those that have arrived
  reg [1:0] part_q;         // which of a compute's units is the next
  wire first = part_q == 2'd0;
  wire [7:0] kind = unit_i[KIND+:8];
  wire is_load = first & (kind == LOAD);
  wire is_store = first & (kind == STORE);
  wire is_compute = ~first | (kind == COMPUTE);

  // A wait for more than stand before it would last for ever.
  wire [15:0] loads_seen, computes_seen, stores_seen, loads, computes, stores;
  wire never = (unit_i[WAIT_LOADS+:16] > loads_seen) | (unit_i[WAIT_COMPUTES+:16] > computes_seen)
             | (unit_i[WAIT_STORES+:16] > stores_seen);
  wire [3:0] refusal = (count_q == 32'd0) ? RANGE
                     : (~unit_valid_i | ~first) ? NONE
                     : ~(is_load | is_store | is_compute) ? UNKNOWN
                     : never ? WAIT : NONE;

  wire load_free, compute_free, store_free;
  assign unit_ready_o = active_q & ~halt_i & (refusal == NONE)
                      & (is_load ? load_free : is_store ? store_free : compute_free);
  wire takes = unit_valid_i & unit_ready_o;
  wire whole = takes & (~is_compute | (part_q == 2'd3));
  wire [3:0] part = 4'd1 << part_q;

  wire load_empty, compute_empty, store_empty;
  assign job_done_o = active_q & (count_q != 32'd0) & (index_q == count_q)
                    & load_empty & compute_empty & store_empty;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      part_q   <= 2'd0;
      count_q  <= 32'd0;
      index_q  <= 32'd0;
    end else begin
      active_q <= job_start_i | (active_q & ~job_done_o);
      if (takes & is_compute) part_q <= part_q + 2'd1;
      if (job_start_i) count_q <= job_count_i;
      if (job_start_i) index_q <= 32'd0;
      else if (whole) index_q <= index_q + 32'd1;
    end
  end

  // Of more errors than one, the first here is told.
  wire [31:0] load_index, compute_index, store_index;
  assign error_o = (load_error_i != NONE) ? load_error_i
                 : (compute_error_i != NONE) ? compute_error_i
                 : (store_error_i != NONE) ? store_error_i
                 : ~active_q ? NONE
                 : (refusal != NONE) ? refusal : fetch_error_i;
  assign error_descriptor_o = (load_error_i != NONE) ? load_index
                            : (compute_error_i != NONE) ? compute_index
                            : (store_error_i != NONE) ? store_index : index_q;

  td1_slot #(.UNITS(1)) u_load (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (job_start_i),
      .halt_i      (halt_i),
      .free_o      (load_free),
      .write_i     (takes & is_load),
      .begins_i    (takes & is_load),
      .ends_i      (takes & is_load),
      .unit_i      (unit_i),
      .index_i     (index_q),
      .loads_i     (loads),
      .computes_i  (computes),
      .stores_i    (stores),
      .seen_o      (loads_seen),
      .finished_o  (loads),
      .desc_valid_o(load_valid_o),
      .desc_ready_i(load_ready_i),
      .desc_o      (load_o),
      .done_i      (load_done_i),
      .busy_o      (load_busy_o),
      .empty_o     (load_empty),
      .index_o     (load_index)
  );
  td1_slot #(.UNITS(4), .WORKING(3)) u_compute (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (job_start_i),
      .halt_i      (halt_i),
      .free_o      (compute_free),
      .write_i     ({4{takes & is_compute}} & part),
      .begins_i    (takes & is_compute & first),
      .ends_i      (whole & is_compute),
      .unit_i      (unit_i),
      .index_i     (index_q),
      .loads_i     (loads),
      .computes_i  (computes),
      .stores_i    (stores),
      .seen_o      (computes_seen),
      .finished_o  (computes),
      .desc_valid_o(compute_valid_o),
      .desc_ready_i(compute_ready_i),
      .desc_o      (compute_o),
      .done_i      (compute_done_i),
      .busy_o      (compute_busy_o),
      .empty_o     (compute_empty),
      .index_o     (compute_index)
  );
  td1_slot #(.UNITS(1)) u_store (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (job_start_i),
      .halt_i      (halt_i),
      .free_o      (store_free),
      .write_i     (takes & is_store),
      .begins_i    (takes & is_store),
      .ends_i      (takes & is_store),
      .unit_i      (unit_i),
      .index_i     (index_q),
      .loads_i     (loads),
      .computes_i  (computes),
      .stores_i    (stores),
      .seen_o      (stores_seen),
      .finished_o  (stores),
      .desc_valid_o(store_valid_o),
      .desc_ready_i(store_ready_i),
      .desc_o      (store_o),
      .done_i      (store_done_i),
      .busy_o      (store_busy_o),
      .empty_o     (store_empty),
      .index_o     (store_index)
  );
endmodule
`default_nettype wire
