// SPDX-License-Identifier: Apache-2.0
// Answers of this room to files of cases, and its plan.
#pragma once

#include "sim/system/cases/case_file.hpp"
#include "sim/system/scenario/kinds.hpp"
#include "sim/system/stalls/stalls.hpp"

namespace td::job {

void answer_data_stalls(const CaseFile& file, const CaseOutput& print);

/// The data path of a table: dataset_gib, samples, memory_gib_per_s, disk_mib_per_s,
/// preprocess_samples_per_s. Throws UserError.
DataPath read_data_path(const TomlTable& table, double accelerator_samples_per_s);

/// [plan] kind = "data_stalls": the fields of a case, and cache_percent. Instead of
/// accelerator_samples_per_s also a profile's keys and hardware: then it is the rate of the
/// cluster's accelerators, with their exchange of gradients.
Plan plan_data_stalls(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
