// SPDX-License-Identifier: Apache-2.0
// Which jobs of a cluster get its sparse accelerators.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "allocation": types = [{hardware, count, usd_per_hour}], accelerators of one kind;
/// jobs = [{name, a profile's keys, workers, priority, steps}], results of tdsim, from which
/// follows how fast a job is on each type, its workers' exchange of gradients over the cluster's
/// links included. The answer of each of Gavel's policies: its objective, and for each job its
/// steps a second and which share of its time it runs on each type.
Plan plan_allocation(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
