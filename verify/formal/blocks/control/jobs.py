# SPDX-License-Identifier: Apache-2.0
"""Proofs about the queue of jobs, in which a job is one bit, and about what becomes of them. The
host, the engines and the bus do anything."""

from .. import text
from ...proof import ALWAYS, Proof

BLOCK = "jobs"
PROPERTIES = {
    "ok_order": "jobs start in the order in which they were taken, none twice, none lost",
    "ok_taken": "a job is taken while there is room, no error and no reset, and else refused",
    "ok_alone": "a job starts once the one before it is done or dropped",
    "ok_done": "a job that is done is counted and sets its interrupt, which stays until cleared",
    "ok_error": "the first error of a job is kept; its interrupt comes once the engines are reset",
    "ok_interrupt": "the interrupt follows what is set and enabled",
    "ok_reset": "engines are reset only after a halt, and once the bus owes nothing or it was halted "
                "for as long as a time-out says",
    "ok_lasts": "the clocks of a halt are counted up to the engines' reset",
    "ok_told": "a reset while the bus owes something is told until that is cleared, and no other is",
    "ok_ends": "a stop ends 16 clocks after the bus owes nothing or the time-out, or earlier",
}

_MODULE = """\
{head}
module proof (
    input wire clk,
    input wire rst_n,
    input wire control_write,
    input wire status_write,
    input wire interrupt_write,
    input wire job_write,
    input wire [4:0] write_data,
    input wire job,
    input wire [1:0] interrupt_enable,
    input wire [31:0] stop_timeout,
    input wire start_ready,
    input wire done,
    input wire [3:0] error,
    input wire quiet,
    {outputs}
);
  wire [10:0] status;
  wire [1:0] interrupt;
  wire [3:0] error_code;
  wire [31:0] error_descriptor, error_job, jobs_done, start_count;
  wire busy, refused, irq, start_valid, start_job, runs, halt, engine_rst_n, clear;
  td1_jobs #(.ADDRESS_WIDTH(1)) dut (
      .clk_i(clk), .rst_ni(rst_n), .control_write_i(control_write),
      .status_write_i(status_write), .interrupt_write_i(interrupt_write),
      .job_write_i(job_write), .write_data_i({{27'd0, write_data}}), .job_address_i(job),
      .interrupt_enable_i(interrupt_enable), .stop_timeout_i(stop_timeout), .status_o(status),
      .interrupt_o(interrupt), .error_code_o(error_code), .error_descriptor_o(error_descriptor),
      .error_job_o(error_job), .jobs_done_o(jobs_done), .busy_o(busy),
      .job_refused_o(refused), .irq_o(irq), .start_valid_o(start_valid),
      .start_ready_i(start_ready), .start_address_o(start_job), .start_count_o(start_count),
      .runs_o(runs), .done_i(done), .error_i(error), .error_descriptor_i(32'd0),
      .halt_o(halt), .quiet_i(quiet), .engine_rst_no(engine_rst_n), .clear_o(clear));
{seen}
  wire soft_reset = control_write & write_data[0];
  wire fails = running_q & error != 0;

  // The queue, the oldest first.
  reg [3:0] queue_q;
  reg [2:0] count_q;
  reg running_q;  // a job has started, and is neither done nor dropped
  wire push = job_write & ~refused, pop = start_valid & start_ready;
  wire [2:0] left = count_q - pop;
  wire [3:0] stay = pop ? queue_q >> 1 : queue_q;
  wire finishes = running_q & done & ~fails & ~soft_reset;
  always @(posedge clk) begin
    if (!rst_n) {{count_q, running_q}} <= 4'd0;
    else begin
      count_q <= (soft_reset | fails | halt) ? 3'd0 : left + push;
      queue_q <= (stay & ~(4'd1 << left)) | (push ? {{3'd0, job}} << left : 4'd0);
      running_q <= (pop | (running_q & ~done)) & ~soft_reset & ~fails & ~halt;
    end
  end
  assign ok_order = ~run | (status[10:8] == count_q
    & (~start_valid | (count_q != 0 & start_job == queue_q[0])));
  assign ok_taken = ~run | (refused == (count_q == 4 | error_code != 0 | halt));
  assign ok_alone = ~run | (~(start_valid & (running_q | halt)) & runs == running_q);

  // What happened, and until when it stays.
  reg job_done_q, error_due_q, error_seen_q;
  reg [3:0] code_q;
  reg [31:0] done_q;
  wire resets = ~engine_rst_n;
  always @(posedge clk) begin
    if (!rst_n | clear) {{job_done_q, done_q}} <= 33'd0;
    else begin
      job_done_q <= finishes | (job_done_q & ~(interrupt_write & write_data[0]));
      done_q <= done_q + finishes;
    end
    if (!rst_n) code_q <= 4'd0;
    else if (fails) code_q <= error;
    else if (clear | (control_write & write_data[1] & ~halt)) code_q <= 4'd0;
  end
  assign ok_done = ~run | (interrupt[0] == job_done_q & jobs_done == done_q);
  // The engines' reset ends with the stop: then the error's interrupt is there, or all is clear.
  reg halted_q, soft_q, set_q;
  always @(posedge clk) begin
    halted_q <= run & halt;
    soft_q <= run & (soft_reset | (soft_q & halt));
    set_q <= run & interrupt[1] & ~(interrupt_write & write_data[1]);
  end
  wire ended = halted_q & ~halt;
  assign ok_error = ~run | (error_code == code_q
    & (~ended | soft_q | interrupt[1]) & (~ended | ~soft_q | (interrupt == 0 & error_code == 0))
    & (~set_q | interrupt[1] | ended) & (set_q | ~interrupt[1] | ended));

  reg [1:0] enabled_q;
  always @(posedge clk) enabled_q <= interrupt & interrupt_enable;
  reg were_q, quiet_q, was_reset_q;
  always @(posedge clk) begin
    were_q <= run;
    quiet_q <= quiet & halt;
    was_reset_q <= resets;
  end
  assign ok_interrupt = ~run | ~were_q | (irq == (enabled_q != 0));
  // A halt before the engines' reset, and whether it has lasted long enough.
{probes}
  reg [31:0] lasts_q;
  reg [1:0] long_q;
  wire stops = halt & ~resets;
  wire long = stops & stop_timeout != 0 & lasts >= stop_timeout;
  always @(posedge clk) begin
    if (!rst_n | ~stops) lasts_q <= 32'd0;
    else if (lasts_q != 32'hffffffff) lasts_q <= lasts_q + 1;
    long_q <= {{long_q[0], rst_n & long}};
  end
  assign ok_lasts = ~run | lasts == lasts_q;
  wire begins = resets & ~was_reset_q;
  assign ok_reset = ~run | ~were_q | ~begins | quiet_q | long_q[1];
  reg told_q;
  wire told = (begins & ~quiet_q) | told_q;
  always @(posedge clk) told_q <= run & were_q & told & ~(status_write & write_data[4]);
  assign ok_told = ~run | ~were_q | status[4] == told;
  reg [4:0] late_q;  // clocks in which a stop goes on though nothing holds it up
  always @(posedge clk) begin
    if (!rst_n | ~halt | ~(quiet | resets | long)) late_q <= 5'd0;
    else if (late_q != 5'd31) late_q <= late_q + 5'd1;
  end
  assign ok_ends = ~run | (late_q <= 16);
endmodule
"""


def proofs(design):
    """Of the modules as they are."""
    module = _MODULE.format(head=text.head(design, "What is asked of the queue."), seen=text.SEEN,
                            probes=text.probe("lasts", 32, "stopping_q"),
                            outputs=text.outputs(PROPERTIES))
    return [Proof(BLOCK, name, signal, design, "jobs of one bit", ALWAYS, module, (BLOCK,))
            for signal, name in PROPERTIES.items()]
