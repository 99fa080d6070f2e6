// SPDX-License-Identifier: Apache-2.0
// One answer for a whole job: from a network's profile to samples a second, hours and cost.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "job": a profile's keys (`batch`: samples of a step for each of the cluster's
/// accelerators, so that a step has as many in all whatever is chosen), hardware, samples and
/// epochs; objective ("time", "cost" or "energy"); memory_gb, copies_of_parameters, bucket_mib;
/// of_node accelerators over inner_gbit_per_s, which can share layers; stages, shards and
/// microbatches, to choose no others. A data path as of data_stalls; mean_between_failures_s of an
/// accelerator, restart_s, seed and a checkpoint's keys; usd_per_hour of an accelerator, and
/// spot_usd_per_hour with mean_between_preemptions_s; watts of an accelerator that computes, and
/// idle_watts. What is not given costs nothing.
///
/// The answer: the composition (and how many accelerators, and whether at spot prices) that is best
/// for the objective, and all that no other beats in both hours and USD.
Plan plan_job(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
