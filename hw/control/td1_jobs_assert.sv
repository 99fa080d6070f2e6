// SPDX-License-Identifier: 0BSD
// What must hold of the queue of jobs and of what becomes of them: no job is lost or doubled,
// engines are reset only while the bus owes nothing, or after a time-out that is told; no interrupt
// is lost.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_jobs_assert (
    input wire       clk_i,
    input wire       rst_ni,
    input wire [1:0] state_q,
    input wire [2:0] waiting_q,
    input wire       push,
    input wire       pop,
    input wire       drop,
    input wire       stopping,
    input wire       soft_reset,
    input wire       start_valid_o,
    input wire       start_ready_i,
    input wire       quiet_i,
    input wire       late_q,
    input wire       timed_out_q,
    input wire       engine_rst_no,
    input wire       clear_o,
    input wire       interrupt_write_i,
    input wire [1:0] happens,
    input wire [1:0] interrupt_q,
    input wire [1:0] interrupt_enable_i,
    input wire       irq_o
);
  no_job_lost: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !drop && !stopping |=> waiting_q == $past(waiting_q + 3'(push) - 3'(pop)))
    else $error("%0d jobs wait, one too many or too few", waiting_q);
  queue_fits: assert property (@(posedge clk_i) disable iff (!rst_ni) waiting_q <= 4)
    else $error("%0d jobs wait, more than there is room for", waiting_q);
  one_job_at_a_time: assert property (@(posedge clk_i) disable iff (!rst_ni)
      start_valid_o |-> state_q == 0 && waiting_q != 0 && engine_rst_no)
    else $error("a job starts in state %0d with %0d waiting", state_q, waiting_q);
  start_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
      start_valid_o && !start_ready_i && !soft_reset |=> start_valid_o)
    else $error("a job that was to start is gone");
  reset_when_quiet: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $fell(engine_rst_no) |-> $past(stopping && (quiet_i || late_q)))
    else $error("the engines are reset while the bus owes something");
  time_out_told: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $fell(engine_rst_no) && !$past(quiet_i) |-> timed_out_q)
    else $error("the engines were reset while the bus owed something, and nobody is told");
  interrupt_kept: assert property (@(posedge clk_i) disable iff (!rst_ni)
      1 |=> (interrupt_q & ~{2{$past(clear_o)}}) == (($past(happens) | ($past(interrupt_q)
          & ({2{!$past(interrupt_write_i)}} | interrupt_q))) & ~{2{$past(clear_o)}}))
    else $error("an interrupt is lost or made up: %b", interrupt_q);
  interrupt_level: assert property (@(posedge clk_i) disable iff (!rst_ni)
      1 |=> irq_o == |$past(interrupt_q & interrupt_enable_i))
    else $error("the interrupt is %b", irq_o);
endmodule

bind td1_jobs td1_jobs_assert u_assert (.*);
`default_nettype wire
