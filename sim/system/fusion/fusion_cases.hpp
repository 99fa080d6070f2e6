// SPDX-License-Identifier: Apache-2.0
// Answers of this room to files of cases.
#pragma once

#include "sim/system/cases/case_file.hpp"

namespace td::job {

/// A table of separate and fused kernels: for each fused one what the model predicts from the
/// separate times of its trace and the kernels' metrics, which lie beside the table.
void answer_pair_times(const CaseFile& file, const CaseOutput& print);

}  // namespace td::job
