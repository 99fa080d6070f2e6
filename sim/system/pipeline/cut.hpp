// SPDX-License-Identifier: Apache-2.0
// A network's layers cut into the stages of a pipeline.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/system/pipeline/pipeline_schedule.hpp"
#include "sim/system/profile/profile.hpp"
#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// The first layer of each of `stages` contiguous stages whose slowest takes as little time
/// (forward and backward) as can be. Throws UserError where there are fewer layers than stages.
std::vector<std::size_t> balanced_cut(const Profile& profile, std::size_t stages);

/// The profile's step as a pipeline of this order, whose microbatches take their share of the step
/// each. Transfers take as long as the largest output of a chunk-stage. `first` are the
/// chunk-stages' first layers.
Pipeline cut_pipeline(const Profile& profile, const std::vector<std::size_t>& first, Pipeline order,
                      double link_bytes_per_s);

/// [graph] kind = "pipeline": a profile's keys, microbatches, schedule ("gpipe", "1f1b_flush",
/// "interleaved", or "2bw": iterations without a flush), chunks of each accelerator (to
/// interleave), and cut_for, the hardware whose times balance the stages (by default the one that
/// is executed). As many stages as the cluster has accelerators, times chunks.
Graph build_pipeline(const GraphRequest& request);

}  // namespace td::job
