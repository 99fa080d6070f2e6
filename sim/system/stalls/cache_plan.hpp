// SPDX-License-Identifier: Apache-2.0
// What-ifs about caches, as a plan.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "cache": the keys of data_stalls, where accelerator_samples_per_s is of one job on
/// one server and cache_percent is one server's; servers, jobs, epochs, seed. Of servers and jobs
/// only one may be above 1; servers read each other's samples over the cluster's links.
Plan plan_cache(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
