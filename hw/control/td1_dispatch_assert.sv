// SPDX-License-Identifier: 0BSD
// What must hold where descriptors are sorted: each goes to one engine, a job is done once, with
// all of its descriptors, and nothing arrives without a job.
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
    input wire        takes,
    input wire        whole,
    input wire        is_load,
    input wire        is_compute,
    input wire        is_store,
    input wire        unit_ready_o,
    input wire [ 3:0] refusal,
    input wire [ 3:0] error_o,
    input wire        load_busy_o,
    input wire        compute_busy_o,
    input wire        store_busy_o
);
  one_engine: assert property (@(posedge clk_i) disable iff (!rst_ni)
      takes |-> $onehot({is_load, is_compute, is_store}) && refusal == 0)
    else $error("a descriptor for not one engine: %b", {is_load, is_compute, is_store});
  one_job: assert property (@(posedge clk_i) disable iff (!rst_ni)
      job_start_i |-> !active_q || job_done_o)
    else $error("a job starts beside another");
  job_complete: assert property (@(posedge clk_i) disable iff (!rst_ni)
      job_done_o |-> active_q && index_q == count_q && !load_busy_o && !compute_busy_o
          && !store_busy_o)
    else $error("a job is done after %0d of %0d descriptors", index_q, count_q);
  none_too_many: assert property (@(posedge clk_i) disable iff (!rst_ni)
      active_q |-> index_q <= count_q && !(takes && index_q == count_q))
    else $error("descriptor %0d of %0d", index_q, count_q);
  all_counted: assert property (@(posedge clk_i) disable iff (!rst_ni)
      whole && !job_start_i |=> index_q == $past(index_q) + 1)
    else $error("a descriptor is not counted");
  idle_without_job: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !active_q |-> !unit_ready_o && !job_done_o)
    else $error("something happens without a job");
  refused_is_error: assert property (@(posedge clk_i) disable iff (!rst_ni)
      active_q && refusal != 0 |-> error_o != 0 && !takes)
    else $error("a refused descriptor is no error");
endmodule

bind td1_dispatch td1_dispatch_assert u_assert (.*);
`default_nettype wire
