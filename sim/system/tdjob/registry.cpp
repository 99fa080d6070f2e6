// SPDX-License-Identifier: Apache-2.0
#include "sim/system/tdjob/registry.hpp"

#include "sim/system/allocation/allocation_cases.hpp"
#include "sim/system/allocation/allocation_plan.hpp"
#include "sim/system/checkfreq/checkfreq_cases.hpp"
#include "sim/system/checkfreq/failure_plan.hpp"
#include "sim/system/fusion/fusion_cases.hpp"
#include "sim/system/fusion/fusion_plan.hpp"
#include "sim/system/job/job_plan.hpp"
#include "sim/system/loadgen/loadgen_cases.hpp"
#include "sim/system/loadgen/loadgen_plan.hpp"
#include "sim/system/partition/partition_cases.hpp"
#include "sim/system/partition/partition_plan.hpp"
#include "sim/system/pipeline/cut.hpp"
#include "sim/system/pipeline/pipeline_cases.hpp"
#include "sim/system/placement/placement_cases.hpp"
#include "sim/system/placement/placement_plan.hpp"
#include "sim/system/pretraining/model_parallel_plan.hpp"
#include "sim/system/pretraining/pretraining_plan.hpp"
#include "sim/system/rounds/rounds_cases.hpp"
#include "sim/system/scan/scan_cases.hpp"
#include "sim/system/scan/scan_plan.hpp"
#include "sim/system/scenario/task_list.hpp"
#include "sim/system/score/score_cases.hpp"
#include "sim/system/skew/skew_plan.hpp"
#include "sim/system/skyline/skyline_cases.hpp"
#include "sim/system/skyline/skyline_plan.hpp"
#include "sim/system/spot/spot_cases.hpp"
#include "sim/system/spot/spot_plan.hpp"
#include "sim/system/stalls/cache_plan.hpp"
#include "sim/system/stalls/stalls_cases.hpp"
#include "sim/system/training/kinds.hpp"

namespace td::job {

const std::vector<CaseKind>& case_kinds() {
  // Folder, pattern of the file's name, key of its root, the room's answer.
  static const std::vector<CaseKind> kinds = {
      {"analytic", "pipeline_schedules*.jsonl", "", answer_pipeline_schedules},
      {"analytic", "p3_model_cases*.json", "", answer_p3},
      {"analytic", "cases*.json", "checkfreq", answer_checkfreq},
      {"analytic", "cases*.json", "checkfreq_adaptive", answer_checkfreq_adaptive},
      {"analytic", "cases*.json", "data_stalls", answer_data_stalls},
      {"analytic", "cases*.json", "skyline", answer_skyline},
      {"analytic", "cases*.json", "megatron_scaling", answer_megatron_scaling},
      {"analytic", "cases*.json", "two_buffered_weights_memory", answer_scheme_memory},
      {"bppsa", "scan_steps*.json", "", answer_scan_steps},
      {"gavel", "lp_cases*.json", "", answer_allocations},
      {"gavel", "recorded_jct_*.csv", "", answer_completion_times},
      {"hfuse", "pair_times*.csv", "", answer_pair_times},
      {"loadgen", "schedules*.jsonl", "", answer_load_schedules},
      {"loadgen", "early_stopping*.csv", "", answer_early_stopping},
      {"mlperf_training", "*runs*.csv", "", answer_training_runs},
      {"mlperf_training", "*scores*.csv", "", answer_training_scores},
      {"spot", "aws_*.csv", "", answer_spot_prices},
      {"spot", "expected_*.json", "", answer_spot_costs},
      {"pipedream", "optimiser_flat*.jsonl", "", answer_flat_partition},
      {"pipedream", "optimiser_two_level*.jsonl", "", answer_two_level_partition},
      {"pipedream", "recorded_configurations*.json", "", answer_recorded_configuration},
      {"pipedream", "profile*", "", answer_profile},
      {"placement", "max_load*.jsonl", "", answer_max_load},
      {"placement", "layer_*", "", answer_operator_graph},
      {"placement", "operator_*", "", answer_operator_graph},
  };
  return kinds;
}

const ScenarioKinds& scenario_kinds() {
  static const ScenarioKinds kinds = {
      {{"tasks", build_task_list}, {"training", build_training}, {"pipeline", build_pipeline}},
      {{"scale", read_scale},
       {"insert", read_insert},
       {"remove", read_remove},
       {"parameter_servers", read_parameter_servers},
       {"all_reduce", read_all_reduce},
       {"fused_updates", read_fused_updates}},
      {{"allocation", plan_allocation},
       {"batch_size", plan_batch_size},
       {"cache", plan_cache},
       {"checkpoints", plan_checkpoint_interval},
       {"cluster_rounds", plan_cluster_rounds},
       {"data_stalls", plan_data_stalls},
       {"exchange_interval", plan_exchange_interval},
       {"failures", plan_failures},
       {"fusion", plan_fusion},
       {"inference", plan_inference},
       {"job", plan_job},
       {"model_parallel", plan_model_parallel},
       {"partition", plan_partition},
       {"placement", plan_placement},
       {"pretraining", plan_pretraining},
       {"scan", plan_scan},
       {"spot", plan_spot_cost}},
  };
  return kinds;
}

}  // namespace td::job
