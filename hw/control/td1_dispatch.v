// SPDX-License-Identifier: 0BSD
// Sorts a job's descriptors by kind, refuses what it cannot understand, and lets each engine have
// its own in order. The job is done when all of them have finished.
// Errors and the end of a job are told a clock after they are seen.
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
  localparam [3:0] NONE = 4'd0, RANGE = 4'd2;

  // Units go to the slots, in this order: load, compute, store.
  reg active_q;        // there is a job
  reg [31:0] count_q;  // its descriptors
  reg [31:0] index_q;  // those that a slot has
  wire here, ends;
  wire [2:0] free, empty, takes;
  wire [511:0] unit;
  wire [3:0] part, refusal;
  wire [15:0] loads_seen, computes_seen, stores_seen, loads, computes, stores;
  wire any = count_q != 32'd0;
  td1_sort u_sort (
      .clk_i(clk_i), .rst_ni(rst_ni), .open_i(active_q & ~halt_i), .unit_valid_i(unit_valid_i),
      .unit_ready_o(unit_ready_o), .unit_i(unit_i), .loads_i(loads_seen),
      .computes_i(computes_seen), .stores_i(stores_seen), .free_i(free), .takes_o(takes),
      .unit_o(unit), .part_o(part), .ends_o(ends), .here_o(here), .refusal_o(refusal)
  );
  wire whole = (|takes) & ends;

  wire over = active_q & any & (index_q == count_q) & (&empty);
  reg over_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {active_q, over_q} <= 2'b00;
      count_q <= 32'd0;
      index_q <= 32'd0;
    end else begin
      active_q <= job_start_i | (active_q & ~over);
      over_q   <= over;
      if (job_start_i) count_q <= job_count_i;
      if (job_start_i) index_q <= 32'd0;
      else if (whole) index_q <= index_q + 32'd1;
    end
  end
  assign job_done_o = over_q;

  // Of more errors than one, the first here is told.
  wire [31:0] load_index, compute_index, store_index;
  wire [3:0] unit_error = ~active_q ? NONE : ~any ? RANGE : here ? refusal : fetch_error_i;
  reg [3:0] error_q;
  reg [31:0] error_descriptor_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) error_q <= NONE;
    else begin
      error_q <= (load_error_i != NONE) ? load_error_i
               : (compute_error_i != NONE) ? compute_error_i
               : (store_error_i != NONE) ? store_error_i : unit_error;
    end
  end
  always @(posedge clk_i) begin
    error_descriptor_q <= (load_error_i != NONE) ? load_index
                        : (compute_error_i != NONE) ? compute_index
                        : (store_error_i != NONE) ? store_index : index_q;
  end
  assign error_o = error_q;
  assign error_descriptor_o = error_descriptor_q;

  td1_slot #(.WORKING(7)) u_load (
      .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(job_start_i), .halt_i(halt_i), .free_o(free[0]),
      .write_i(takes[0]), .begins_i(takes[0]), .ends_i(takes[0]), .unit_i(unit), .index_i(index_q),
      .loads_i(loads), .computes_i(computes), .stores_i(stores), .seen_o(loads_seen),
      .finished_o(loads), .desc_valid_o(load_valid_o), .desc_ready_i(load_ready_i), .desc_o(load_o),
      .done_i(load_done_i), .busy_o(load_busy_o), .empty_o(empty[0]), .index_o(load_index)
  );
  td1_slot #(.UNITS(4)) u_compute (
      .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(job_start_i), .halt_i(halt_i), .free_o(free[1]),
      .write_i({4{takes[1]}} & part), .begins_i(takes[1] & part[0]), .ends_i(takes[1] & ends),
      .unit_i(unit), .index_i(index_q), .loads_i(loads), .computes_i(computes), .stores_i(stores),
      .seen_o(computes_seen), .finished_o(computes),
      .desc_valid_o(compute_valid_o), .desc_ready_i(compute_ready_i), .desc_o(compute_o),
      .done_i(compute_done_i), .busy_o(compute_busy_o), .empty_o(empty[1]), .index_o(compute_index)
  );
  td1_slot #(.WORKING(7)) u_store (
      .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(job_start_i), .halt_i(halt_i), .free_o(free[2]),
      .write_i(takes[2]), .begins_i(takes[2]), .ends_i(takes[2]), .unit_i(unit), .index_i(index_q),
      .loads_i(loads), .computes_i(computes), .stores_i(stores), .seen_o(stores_seen),
      .finished_o(stores),
      .desc_valid_o(store_valid_o), .desc_ready_i(store_ready_i), .desc_o(store_o),
      .done_i(store_done_i), .busy_o(store_busy_o), .empty_o(empty[2]), .index_o(store_index)
  );
endmodule
`default_nettype wire
