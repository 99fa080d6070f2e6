// SPDX-License-Identifier: Apache-2.0
// A step of a large language model as a plan.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "model_parallel": the network and the machine of "pretraining", in mixed precision
/// with fused kernels; sequence, microbatch of a replica and batch of all; shards of a layer, which
/// a node's accelerators share; stages, and chunks of each, to interleave.
Plan plan_model_parallel(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
