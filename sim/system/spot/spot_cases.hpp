// SPDX-License-Identifier: Apache-2.0
// Answers of this room to files of cases.
#pragma once

#include "sim/system/cases/case_file.hpp"

namespace td::job {

/// A table of AWS's prices: a line for each length of job and model.
void answer_spot_prices(const CaseFile& file, const CaseOutput& print);

/// A file of expected costs, which names lengths of jobs at its root and the region in its own
/// name: one line of its form.
void answer_spot_costs(const CaseFile& file, const CaseOutput& print);

}  // namespace td::job
