// SPDX-License-Identifier: Apache-2.0
#include "sim/system/tdjob/registry.hpp"

#include "sim/system/partition/cases.hpp"
#include "sim/system/pipeline/cases.hpp"
#include "sim/system/scenario/task_list.hpp"

namespace td::job {

const std::vector<CaseKind>& case_kinds() {
  // Folder, pattern of the file's name, key of its root, the room's answer.
  static const std::vector<CaseKind> kinds = {
      {"analytic", "pipeline_schedules*.jsonl", "", answer_pipeline_schedules},
      {"analytic", "cases*.json", "megatron_scaling", answer_megatron_scaling},
      {"analytic", "cases*.json", "two_buffered_weights_memory", answer_scheme_memory},
      {"pipedream", "optimiser_flat*.jsonl", "", answer_flat_partition},
      {"pipedream", "optimiser_two_level*.jsonl", "", answer_two_level_partition},
      {"pipedream", "recorded_configurations*.json", "", answer_recorded_configuration},
      {"pipedream", "profile*", "", answer_profile},
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
