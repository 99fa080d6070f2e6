// SPDX-License-Identifier: Apache-2.0
// What this room offers to scenarios, and its answers to files of cases.
#pragma once

#include "sim/system/cases/case_file.hpp"
#include "sim/system/profile/profile.hpp"
#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// P3's model: eight iterations of a profile with whole tensors, and with slices.
void answer_p3(const CaseFile& file, const CaseOutput& print);

/// [graph] kind = "training": a profile's keys, iterations, update_bytes_per_s, update_launch_s.
Graph build_training(const GraphRequest& request);

/// Seconds of a step of the profile that a table names (read_profile_of), on the cluster's
/// accelerators: `bucket_mib` of gradients are summed at once, by default 25.
double step_seconds_of(const TomlTable& table, const Cluster& cluster, const Profile& profile);

/// [[transformation]] kind = "parameter_servers": piece_parameters, by_priority.
Transformation read_parameter_servers(const TomlTable& table, const Cluster& cluster);

/// [[transformation]] kind = "all_reduce": bucket_mib.
Transformation read_all_reduce(const TomlTable& table, const Cluster& cluster);

/// [[transformation]] kind = "fused_updates": launch_s.
Transformation read_fused_updates(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
