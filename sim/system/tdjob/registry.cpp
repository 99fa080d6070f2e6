// SPDX-License-Identifier: Apache-2.0
#include "sim/system/tdjob/registry.hpp"

#include "sim/system/fusion/cases.hpp"
#include "sim/system/loadgen/cases.hpp"
#include "sim/system/pipeline/cases.hpp"
#include "sim/system/scan/cases.hpp"
#include "sim/system/scenario/task_list.hpp"
#include "sim/system/score/cases.hpp"
#include "sim/system/spot/cases.hpp"

namespace td::job {

const std::vector<CaseKind>& case_kinds() {
  // Folder, pattern of the file's name, key of its root, the room's answer.
  static const std::vector<CaseKind> kinds = {
      {"analytic", "pipeline_schedules*.jsonl", "", answer_pipeline_schedules},
      {"analytic", "cases*.json", "megatron_scaling", answer_megatron_scaling},
      {"analytic", "cases*.json", "two_buffered_weights_memory", answer_scheme_memory},
      {"bppsa", "scan_steps*.json", "", answer_scan_steps},
      {"hfuse", "pair_times*.csv", "", answer_pair_times},
      {"loadgen", "schedules*.jsonl", "", answer_load_schedules},
      {"loadgen", "early_stopping*.csv", "", answer_early_stopping},
      {"mlperf_training", "*runs*.csv", "", answer_training_runs},
      {"mlperf_training", "*scores*.csv", "", answer_training_scores},
      {"spot", "aws_*.csv", "", answer_spot_prices},
      {"spot", "expected_*.json", "", answer_spot_costs},
  };
  return kinds;
}

const ScenarioKinds& scenario_kinds() {
  static const ScenarioKinds kinds = {
      {{"tasks", build_task_list}},
      {{"scale", read_scale}, {"remove", read_remove}},
      {},
  };
  return kinds;
}

}  // namespace td::job
