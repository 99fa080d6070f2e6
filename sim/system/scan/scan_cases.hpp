// SPDX-License-Identifier: Apache-2.0
// Answers of this room to files of cases.
#pragma once

#include "sim/system/cases/case_file.hpp"

namespace td::job {

void answer_scan_steps(const CaseFile& file, const CaseOutput& print);

}  // namespace td::job
