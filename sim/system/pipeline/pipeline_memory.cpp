// SPDX-License-Identifier: Apache-2.0
#include "sim/system/pipeline/pipeline_memory.hpp"

#include <algorithm>

namespace td::job {

SchemeMemory first_stage_memory(const StagedModel& model) {
  const auto d = static_cast<double>(model.stages);
  const auto m = static_cast<double>(model.microbatches);
  const double weights = model.weights / d;
  const double activations = model.activations / d;
  const double input = model.stage_input;
  SchemeMemory memory;
  memory.gpipe = weights + m * activations;
  memory.gpipe_recompute = weights + activations + m * input;
  // As many versions of weights, and microbatches under way, as there are stages.
  memory.pipedream = d * weights + d * activations;
  memory.pipedream_2bw = 2 * weights + d * activations;
  memory.pipedream_2bw_recompute = 2 * weights + activations + d * input;
  memory.pipedream_flush = weights + std::min(d, m) * activations;
  return memory;
}

double parameter_count(const LanguageModel& model) {
  const double square = model.hidden * model.hidden;
  // Matrices of attention and of the two-layer network; biases and norms; embeddings.
  return 12 * model.layers * square + 13 * model.layers * model.hidden +
         (model.vocabulary + model.sequence) * model.hidden;
}

double flop_per_iteration(const LanguageModel& model, double batch) {
  const double l = model.layers;
  const double h = model.hidden;
  const double s = model.sequence;
  return 96 * batch * s * l * h * h * (1 + s / (6 * h) + model.vocabulary / (16 * l * h));
}

}  // namespace td::job
