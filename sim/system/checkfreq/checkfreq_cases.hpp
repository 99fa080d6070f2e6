// SPDX-License-Identifier: Apache-2.0
// Answers of this room to files of cases, and its plan.
#pragma once

#include "sim/system/cases/case_file.hpp"
#include "sim/system/checkfreq/checkfreq.hpp"
#include "sim/system/scenario/kinds.hpp"

namespace td::job {

void answer_checkfreq(const CaseFile& file, const CaseOutput& print);
void answer_checkfreq_adaptive(const CaseFile& file, const CaseOutput& print);

/// What a checkpoint of so many parameters takes, at a table's rates: state_bytes_per_parameter,
/// free_gpu_mb, cpu_copy_mb_per_s, gpu_copy_mb_per_s, disk_mb_per_s. Throws UserError.
CheckpointProfile read_checkpoint(const TomlTable& table, double parameters, double iteration_s);

/// [plan] kind = "checkpoints": the fields of a case, and bound_percent. Or a profile's keys and
/// hardware, state_bytes_per_parameter (weights and what the optimiser keeps), free_gpu_mb, and
/// rates: cpu_copy_mb_per_s, gpu_copy_mb_per_s (of a snapshot), disk_mb_per_s.
Plan plan_checkpoint_interval(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
