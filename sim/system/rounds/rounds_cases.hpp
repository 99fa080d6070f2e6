// SPDX-License-Identifier: Apache-2.0
// Answers of this room to files of cases, and its plan.
#pragma once

#include "sim/system/cases/case_file.hpp"
#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// Tables of average completion times over the load, with jobs of several workers where the file's
/// name has "multigpu"; null for policies that are not built, and far above the knee. Needs
/// isolated_throughputs.csv.
void answer_completion_times(const CaseFile& file, const CaseOutput& print);

/// [plan] kind = "cluster_rounds": throughputs, a CSV file of job types; types and counts of the
/// accelerators; policies; jobs_per_hour, reference, seeds, several_workers, jobs = [first, end],
/// or a trace; round_s, between_s, restart_s.
Plan plan_cluster_rounds(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
