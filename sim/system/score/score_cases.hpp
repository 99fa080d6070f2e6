// SPDX-License-Identifier: Apache-2.0
// Answers of this room to files of cases.
#pragma once

#include "sim/system/cases/case_file.hpp"

namespace td::job {

/// A table of runs: a line for each system and benchmark, in the table's order.
void answer_training_runs(const CaseFile& file, const CaseOutput& print);

/// A table of scores: a line for each of its rows, from the table of runs beside it.
void answer_training_scores(const CaseFile& file, const CaseOutput& print);

}  // namespace td::job
