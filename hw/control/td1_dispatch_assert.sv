// SPDX-License-Identifier: 0BSD
// What must hold of a job's descriptors: the job is done once, with all of them, nothing arrives
// without a job, and what is refused is an error.
`default_nettype none
// verilator lint_off SYNCASYNCNET

module td1_dispatch_assert (
    input wire        clk_i,
    input wire        rst_ni,
    input wire        job_start_i,
    input wire        job_done_o,
    input wire        active_q,
    input wire [31:0] count_q,
    input wire [31:0] index_q,
    input wire        over,
    input wire [ 2:0] takes,
    input wire        whole,
    input wire        unit_ready_o,
    input wire [ 3:0] refusal,
    input wire [ 3:0] error_o,
    input wire        load_busy_o,
    input wire        compute_busy_o,
    input wire        store_busy_o
);
  one_job: assert property (@(posedge clk_i) disable iff (!rst_ni)
      job_start_i |-> !active_q || job_done_o)
    else $error("a job starts beside another");
  job_complete: assert property (@(posedge clk_i) disable iff (!rst_ni)
      over |-> index_q == count_q && !load_busy_o && !compute_busy_o && !store_busy_o)
    else $error("a job is done after %0d of %0d descriptors", index_q, count_q);
  none_too_many: assert property (@(posedge clk_i) disable iff (!rst_ni)
      active_q |-> index_q <= count_q && !(takes != 0 && index_q == count_q))
    else $error("descriptor %0d of %0d", index_q, count_q);
  told_once: assert property (@(posedge clk_i) disable iff (!rst_ni)
      1 |=> job_done_o == $past(over))
    else $error("the end of a job is told by %b", job_done_o);
  all_counted: assert property (@(posedge clk_i) disable iff (!rst_ni)
      whole && !job_start_i |=> index_q == $past(index_q) + 1)
    else $error("a descriptor is not counted");
  idle_without_job: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !active_q |-> !unit_ready_o && takes == 0 && !over)
    else $error("something happens without a job");
  refused_is_error: assert property (@(posedge clk_i) disable iff (!rst_ni)
      active_q && refusal != 0 |=> error_o != 0)
    else $error("a refused descriptor is no error");
endmodule

bind td1_dispatch td1_dispatch_assert u_assert (.*);
`default_nettype wire
