// SPDX-License-Identifier: Apache-2.0
// Cases of partitions.
#pragma once

#include "sim/system/cases/case_file.hpp"

namespace td::job {

/// profile_X.json: nodes, cuts and seconds of a network; for a list of {"model"}, of each.
void answer_profile(const CaseFile& file, const CaseOutput& print);

/// Lines of optimiser_flat.jsonl: the optimal time on equal workers.
void answer_flat_partition(const CaseFile& file, const CaseOutput& print);

/// Lines of optimiser_two_level.jsonl: the same on servers with several workers each.
void answer_two_level_partition(const CaseFile& file, const CaseOutput& print);

/// recorded_configurations.json: workers and stages of each.
void answer_recorded_configuration(const CaseFile& file, const CaseOutput& print);

}  // namespace td::job
