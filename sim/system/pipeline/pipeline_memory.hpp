// SPDX-License-Identifier: Apache-2.0
// What pipelined training keeps in memory, and how large language models are. Sources:
// arXiv:2006.09503 (PipeDream-2BW), arXiv:2104.04473 (Megatron-LM).
#pragma once

#include <cstdint>

namespace td::job {

/// A model, cut into equal stages. Bytes.
struct StagedModel {
  std::int64_t stages = 1;
  std::int64_t microbatches = 1;
  double weights = 0;      ///< of the whole model
  double activations = 0;  ///< of one microbatch through the whole model
  double stage_input = 0;  ///< of one microbatch
};

/// Bytes of weights and activations on the first stage at the worst moment. Optimiser state and
/// gradients are not counted.
struct SchemeMemory {
  double gpipe;
  double gpipe_recompute;
  double pipedream;
  double pipedream_2bw;
  double pipedream_2bw_recompute;
  double pipedream_flush;
};
SchemeMemory first_stage_memory(const StagedModel& model);

/// A transformer of equal layers.
struct LanguageModel {
  double layers = 1;
  double hidden = 1;
  double vocabulary = 51200;
  double sequence = 2048;
};

double parameter_count(const LanguageModel& model);

/// Floating-point operations of a training iteration with activations computed anew.
double flop_per_iteration(const LanguageModel& model, double batch);

}  // namespace td::job
