// SPDX-License-Identifier: 0BSD
// Queue of jobs, and what becomes of them: run, stopped by an error, dropped by a soft reset. To
// stop is to halt the engines, wait until the bus owes nothing, and reset them. A bus that is dead
// is waited for as long as the host says.
`default_nettype none

module td1_jobs #(
    parameter ADDRESS_WIDTH = 40  // bits of a memory address
) (
    input  wire                     clk_i,               // clock
    input  wire                     rst_ni,              // asynchronous reset, active low
    // Registers, see registers.toml
    input  wire                     control_write_i,
    input  wire                     status_write_i,
    input  wire                     interrupt_write_i,
    input  wire                     job_write_i,         // JOB_DESCRIPTORS is written
    input  wire [             31:0] write_data_i,
    input  wire [ADDRESS_WIDTH-1:0] job_address_i,
    input  wire [              1:0] interrupt_enable_i,
    input  wire [             31:0] stop_timeout_i,      // clocks; 0: none
    output wire [             10:0] status_o,
    output wire [              1:0] interrupt_o,
    output wire [              3:0] error_code_o,
    output wire [             31:0] error_descriptor_o,
    output wire [             31:0] error_job_o,
    output wire [             31:0] jobs_done_o,
    output wire                     busy_o,              // a job runs or waits, or resetting
    output wire                     job_refused_o,       // no job is taken now
    output wire                     irq_o,               // level
    // The job that runs
    output wire                     start_valid_o,
    input  wire                     start_ready_i,
    output wire [ADDRESS_WIDTH-1:0] start_address_o,
    output wire [             31:0] start_count_o,       // descriptors
    output wire                     runs_o,
    input  wire                     done_i,
    input  wire [              3:0] error_i,
    input  wire [             31:0] error_descriptor_i,
    // Engines
    output wire                     halt_o,              // start nothing on the bus
    input  wire                     quiet_i,             // the bus owes nothing
    output wire                     engine_rst_no,       // a register
    output wire                     clear_o              // counters begin again
);
  localparam JOBS = 4, JOB = ADDRESS_WIDTH + 32;  // jobs that wait, and bits of one
  localparam [1:0] IDLE = 2'd0, RUN = 2'd1, STOP = 2'd2, RESET = 2'd3;
  localparam [1:0] SETTLE = 2'd3;  // clocks from halt to quiet, and of a reset, less one

  reg [1:0] state_q, clocks_q;  // clocks of a stop or of a reset that are left
  reg [2:0] waiting_q;          // jobs in the queue
  reg soft_q;                   // a soft reset is under way
  reg engine_rst_q, irq_q, full_q;
  reg [31:0] stopping_q;        // clocks that the stop lasts
  reg late_q, timed_out_q;      // that is as long as it may; it was so, and the bus owed something
  reg [1:0] interrupt_q;
  reg [3:0] error_code_q;
  reg [31:0] error_descriptor_q, error_job_q, done_q;
  reg [31:0] job_q;             // number of the job that runs, or else of the next one
  wire unused = &{1'b0, write_data_i[31:5], write_data_i[2]};

  wire stopping = (state_q == STOP) | (state_q == RESET);
  wire failed = error_code_q != 4'd0;
  wire full = waiting_q == JOBS;
  assign job_refused_o = full | failed | stopping;
  wire push = job_write_i & ~job_refused_o;
  wire pop = start_valid_o & start_ready_i;
  wire soft_reset = control_write_i & write_data_i[0];
  wire clears = control_write_i & write_data_i[1];
  wire fails = (state_q == RUN) & (error_i != 4'd0);
  wire done = (state_q == RUN) & done_i & ~fails & ~soft_reset;
  wire over = (state_q == STOP) & (clocks_q == 2'd0);
  wire resets = over & (quiet_i | late_q);
  wire times_out = over & late_q & ~quiet_i;
  wire ends = (state_q == RESET) & (clocks_q == 2'd0);
  wire drop = soft_reset | fails;  // what waits

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= IDLE;
      clocks_q     <= SETTLE;
      waiting_q    <= 3'd0;
      soft_q       <= 1'b0;
      stopping_q   <= 32'd0;
      late_q       <= 1'b0;
      engine_rst_q <= 1'b0;
      error_code_q <= 4'd0;
      job_q        <= 32'd0;
      done_q       <= 32'd0;
    end else begin
      state_q <= (state_q == IDLE) ? (soft_reset ? STOP : pop ? RUN : IDLE)
               : (state_q == RUN) ? (drop ? STOP : done ? IDLE : RUN)
               : (state_q == STOP) ? (resets ? RESET : STOP) : (ends ? IDLE : RESET);
      clocks_q <= (~stopping | resets) ? SETTLE
                : (clocks_q == 2'd0) ? 2'd0 : clocks_q - 2'd1;
      engine_rst_q <= ~(resets | ((state_q == RESET) & ~ends));
      soft_q <= ~ends & (soft_reset | soft_q);
      // It stays at its end, and so is late for a time-out that is written only then.
      stopping_q <= (state_q != STOP) ? 32'd0 : stopping_q + {31'd0, ~&stopping_q};
      late_q <= (state_q == STOP) & (stop_timeout_i != 32'd0) & (stopping_q >= stop_timeout_i);
      waiting_q <= (drop | stopping) ? 3'd0 : waiting_q + {2'd0, push} - {2'd0, pop};
      if (fails) error_code_q <= error_i;
      else if (clear_o | (clears & ~stopping)) error_code_q <= 4'd0;
      if (clear_o) done_q <= 32'd0;
      else if (done) done_q <= done_q + 32'd1;
      if (clear_o) job_q <= 32'd0;
      else if (done) job_q <= job_q + 32'd1;
      else if (fails) job_q <= job_q + 32'd1 + {29'd0, waiting_q} + {31'd0, push};
    end
  end
  assign clear_o = ends & (soft_q | soft_reset);
  assign halt_o = stopping;
  assign engine_rst_no = engine_rst_q;
  assign runs_o = state_q == RUN;
  always @(posedge clk_i) begin
    if (fails) begin
      error_descriptor_q <= error_descriptor_i;
      error_job_q <= job_q;
    end
  end

  // What happens in the clock in which it is cleared stays.
  wire [1:0] happens = {ends & failed, done};
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      interrupt_q <= 2'd0;
      full_q      <= 1'b0;
      timed_out_q <= 1'b0;
      irq_q       <= 1'b0;
    end else begin
      interrupt_q <= clear_o ? 2'd0
                   : happens | (interrupt_q & ~({2{interrupt_write_i}} & write_data_i[1:0]));
      full_q <= ~clear_o & ((job_write_i & full)
              | (full_q & ~(status_write_i & write_data_i[3])));
      timed_out_q <= times_out | (timed_out_q & ~(status_write_i & write_data_i[4]));
      irq_q <= |(interrupt_q & interrupt_enable_i);
    end
  end
  assign interrupt_o = interrupt_q;
  assign irq_o = irq_q;
  assign busy_o = (state_q != IDLE) | (waiting_q != 3'd0);
  assign status_o = {waiting_q, 3'd0, timed_out_q, full_q, stopping, failed, busy_o};
  assign error_code_o = error_code_q;
  assign error_descriptor_o = failed ? error_descriptor_q : 32'd0;
  assign error_job_o = failed ? error_job_q : 32'd0;
  assign jobs_done_o = done_q;

  // The queue, a ring.
  reg [1:0] first_q, last_q;
  wire [JOBS*JOB-1:0] jobs;
  genvar j;
  for (j = 0; j < JOBS; j = j + 1) begin : g_job
    reg [JOB-1:0] entry_q;
    assign jobs[JOB*j+:JOB] = entry_q;
    always @(posedge clk_i) if (push & (last_q == j)) entry_q <= {write_data_i, job_address_i};
  end
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 2'd0;
      last_q  <= 2'd0;
    end else begin
      last_q  <= (drop | stopping) ? 2'd0 : last_q + {1'b0, push};
      first_q <= (drop | stopping) ? 2'd0 : first_q + {1'b0, pop};
    end
  end
  assign start_valid_o = (state_q == IDLE) & (waiting_q != 3'd0);
  assign {start_count_o, start_address_o} = jobs[JOB*first_q+:JOB];
endmodule
`default_nettype wire
