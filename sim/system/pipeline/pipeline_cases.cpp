// SPDX-License-Identifier: Apache-2.0
#include "sim/system/pipeline/pipeline_cases.hpp"

#include <cmath>

#include "sim/system/graph/execution.hpp"
#include "sim/system/pipeline/pipeline_memory.hpp"
#include "sim/system/pipeline/pipeline_schedule.hpp"

namespace td::job {

namespace {

constexpr std::uint64_t kMostCount = std::uint64_t{1} << 24;
constexpr double kMostSeconds = 1e12;
constexpr double kMostSize = 1e18;

PipelineSchedule schedule_of(const JsonValue& value) {
  if (value.text() == "gpipe") return PipelineSchedule::gpipe;
  if (value.text() == "1f1b_flush") return PipelineSchedule::one_forward_one_backward;
  if (value.text() == "interleaved") return PipelineSchedule::interleaved;
  value.fail("gpipe, 1f1b_flush or interleaved");
}

Pipeline read_pipeline(const JsonValue& one) {
  const auto member = [&one](const char* key) { return one.member(key, key); };
  Pipeline pipeline;
  pipeline.schedule = schedule_of(member("schedule"));
  pipeline.devices = member("devices").integer(1, kMostCount);
  pipeline.microbatches = member("microbatches").integer(1, kMostCount);
  pipeline.chunks = member("chunks").integer(1, kMostCount);
  pipeline.forward = member("forward").numbers(0, kMostSeconds);
  pipeline.backward = member("backward").numbers(0, kMostSeconds);
  pipeline.transfer = member("transfer").number(0, kMostSeconds);
  return pipeline;
}

}  // namespace

void answer_pipeline_schedules(const CaseFile& file, const CaseOutput& print) {
  each_case(file, [&](const JsonValue& one) {
    Json line = identity(
        one, {"schedule", "devices", "microbatches", "chunks", "forward", "backward", "transfer"});
    line["makespan"] = execute(pipeline_graph(read_pipeline(one), file.path())).makespan;
    print(line);
  });
}

void answer_scheme_memory(const CaseFile& file, const CaseOutput& print) {
  each_case(file, [&](const JsonValue& one) {
    const auto size = [&one](const char* key) { return one.member(key, key).number(0, kMostSize); };
    StagedModel model;
    model.stages = one.member("stages", "stages").integer(1, kMostCount);
    model.microbatches = one.member("microbatches", "microbatches").integer(1, kMostCount);
    model.weights = size("weight_bytes");
    model.activations = size("activation_bytes_per_microbatch");
    model.stage_input = size("stage_input_bytes");
    Json line = identity(one, {"stages", "microbatches", "weight_bytes",
                               "activation_bytes_per_microbatch", "stage_input_bytes"});
    const SchemeMemory memory = first_stage_memory(model);
    line["peak_bytes_first_stage"] = {{"gpipe", memory.gpipe},
                                      {"gpipe_recompute", memory.gpipe_recompute},
                                      {"pipedream", memory.pipedream},
                                      {"pipedream_2bw", memory.pipedream_2bw},
                                      {"pipedream_2bw_recompute", memory.pipedream_2bw_recompute},
                                      {"pipedream_flush", memory.pipedream_flush}};
    print(line);
  });
}

void answer_megatron_scaling(const CaseFile& file, const CaseOutput& print) {
  each_case(file, [&](const JsonValue& one) {
    const auto number = [&one](const char* key) {
      return one.member(key, key).number(1, kMostSize);
    };
    LanguageModel model;
    model.layers = number("layers");
    model.hidden = number("hidden");
    const double flop = flop_per_iteration(model, number("batch"));
    Json line =
        identity(one, {"name", "layers", "hidden", "heads", "tensor_parallel", "pipeline_parallel",
                       "accelerators", "batch", "recorded_tflops_per_accelerator"});
    line["parameters"] = static_cast<std::uint64_t>(std::llround(parameter_count(model)));
    line["flop_per_iteration"] = flop;
    if (one.has("recorded_tflops_per_accelerator")) {
      const double rate = number("recorded_tflops_per_accelerator") * 1e12;
      line["seconds_per_iteration"] = flop / (number("accelerators") * rate);
    }
    print(line);
  });
}

}  // namespace td::job
