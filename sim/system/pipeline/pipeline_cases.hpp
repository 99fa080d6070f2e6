// SPDX-License-Identifier: Apache-2.0
// Answers of this room to files of cases.
#pragma once

#include "sim/system/cases/case_file.hpp"

namespace td::job {

void answer_pipeline_schedules(const CaseFile& file, const CaseOutput& print);
void answer_scheme_memory(const CaseFile& file, const CaseOutput& print);
void answer_megatron_scaling(const CaseFile& file, const CaseOutput& print);

}  // namespace td::job
